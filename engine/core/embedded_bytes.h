#pragma once
// Files compiled into the program as they are: see assets/embed_bytes.cmake.
#include <span>
#include <string_view>

namespace wobble {

struct EmbeddedBytes {
    std::string_view name;  // of the file, without extension
    std::span<const unsigned char> bytes;
};

}  // namespace wobble
