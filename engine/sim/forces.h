#pragma once
// What acts on a body, for lists.
#include <span>

namespace wobble {

struct ForceInfo {
    const char* name;
    const char* meaning;    // one line
    const char* parameter;  // the one of parameters() that governs it
};
std::span<const ForceInfo> forces();

}  // namespace wobble
