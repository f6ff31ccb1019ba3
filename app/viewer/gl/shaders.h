#pragma once
// The files of shaders/, embedded when the build is configured (assets/embed_text.cmake).
#include "engine/core/embedded_text.h"

#include <span>

namespace wobble {

std::span<const EmbeddedText> vertex_shaders();    // *.vert
std::span<const EmbeddedText> geometry_shaders();  // *.geom
std::span<const EmbeddedText> fragment_shaders();  // *.frag
std::span<const EmbeddedText> shared_shaders();    // *.glsl: put in front of every other

}  // namespace wobble
