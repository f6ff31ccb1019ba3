#pragma once
// What can be made of a surface.
#include <span>

namespace wobble {

enum class SurfaceUse {
    automatic,  // solid if it can be filled as it is, or with its faces turned; else wrapped
    solid,      // filled; refused if it has faults
    wrap,       // filled within a closed cage around it
    sheet       // particles are its vertices, springs its edges
};
struct SurfaceUseInfo {
    const char* id;
    SurfaceUse kind;
    const char* meaning;
};
std::span<const SurfaceUseInfo> surface_uses();

}  // namespace wobble
