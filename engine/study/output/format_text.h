#pragma once
#include <string>

namespace wobble {

// printf for the notes of studies.
[[gnu::format(printf, 1, 2)]] std::string format(const char* format, ...);

}  // namespace wobble
