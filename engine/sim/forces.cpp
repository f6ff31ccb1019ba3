#include "engine/sim/forces.h"

namespace wobble {

std::span<const ForceInfo> forces() {
    static constexpr ForceInfo table[] = {
        {"edge-springs", "Springs along the edges of the tetrahedra, in solids of springs", "edge_stiffness"},
        {"median-springs", "Springs from each corner of a tetrahedron to the centre of the opposite face, in solids of springs",
         "stiffness"},
        {"sheet-springs", "Structural, shear and bending springs of a sheet; shares of the last two in [model]", "stiffness"},
        {"stiffening", "Cubic part of all springs: force k (d + c d^3 / l0^2) with d = l - l0", "stiffening"},
        {"corotational-tets",
         "Linear elasticity in each tetrahedron's turning frame, with the exact tangent; kind = \"corotational\" in [model]", "young"},
        {"neo-hookean-tets", "Stable neo-Hookean tetrahedra, which recover when turned inside out; kind = \"neo-hookean\" in [model]",
         "young"},
        {"poisson", "Sideways contraction of co-rotational and neo-Hookean tetrahedra", "poisson"},
        {"gravity", "Constant downward acceleration", "gravity"},
        {"stiffness-damping", "Rayleigh damping proportional to the stiffness", "damping"},
        {"spring-damping", "Dashpots along all springs: each resists its lengthening", "spring_damping"},
        {"mass-damping", "Rayleigh damping proportional to the mass", "mass_damping"},
        {"wind", "Pressure of the air on the outside, with gusts; direction and drag in [wind]", "wind"},
    };
    return table;
}

}  // namespace wobble
