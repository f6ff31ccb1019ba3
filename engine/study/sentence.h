#pragma once
#include <string>

namespace wobble {

// printf for the notes of studies.
[[gnu::format(printf, 1, 2)]] std::string sentence(const char* format, ...);

}  // namespace wobble
