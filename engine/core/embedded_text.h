#pragma once
// Text files compiled into the program: see assets/embed_text.cmake.
#include <span>
#include <string_view>

namespace wobble {

struct EmbeddedText {
    std::string_view name;  // of the file, without extension
    std::string_view text;
};

}  // namespace wobble
