#pragma once
// The text of a file of shaders/, embedded when the build is configured; empty if there is none of that name.
#include <string_view>

namespace wobble {

std::string_view shader_source(std::string_view file_name);

}  // namespace wobble
