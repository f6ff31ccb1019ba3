#include "engine/sim/forces.h"

namespace wobble {

std::span<const ForceInfo> forces() {
    static constexpr ForceInfo table[] = {
        {"edge-springs", "Linear springs along the edges of the tetrahedra", "edge_stiffness"},
        {"median-springs", "Springs from each corner of a tetrahedron to the centre of the opposite face", "stiffness"},
        {"gravity", "Constant downward acceleration", "gravity"},
        {"stiffness-damping", "Rayleigh damping proportional to the stiffness", "damping"},
        {"mass-damping", "Rayleigh damping proportional to the mass", "mass_damping"},
    };
    return table;
}

}  // namespace wobble
