#pragma once
// A picture of a mesh file as a texture.
#include "app/viewer/gl/gl.h"

#include <string>

namespace wobble {

// PNG or JPEG; what cannot be decoded, or is larger than is sensible, is white.
GlTexture picture_texture(const std::string& bytes);
GlTexture white_texture();

}  // namespace wobble
