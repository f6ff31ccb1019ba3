#pragma once
#include "app/viewer/gl/gl.h"

namespace wobble {

// The colour map as a texture: 256 steps, read back as linear light.
GlTexture make_map_texture();

}  // namespace wobble
