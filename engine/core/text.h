#pragma once
// Sentences out of values: text("found ", 3, " holes").
#include <sstream>
#include <string>

namespace wobble {

template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
}

// "1 face", "3 faces"
inline std::string counted(long n, const char* one, const char* many) { return text(n, ' ', n == 1 ? one : many); }

}  // namespace wobble
