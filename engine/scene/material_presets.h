#pragma once
// Materials to choose from: the one list. A preset states what a material is (Young's modulus, Poisson's ratio, density, damping); what a
// body's parameters become depends on what it is made of:
//     co-rotational, neo-Hookean   young, poisson, density, damping as stated.
//     springs         Springs have no modulus of their own: the finer the mesh, the more of them share a load. For a uniform strain e of
//                     an isotropic net of springs of stiffness k and length l the energy per volume is
//                         S/30 (2 e:e + tr(e)^2),   S = sum k l^2 / V,
//                     that of a material with Young's modulus S/6 and Poisson's ratio 1/4, whatever was stated. So
//                         stiffness = 6 E V / (sum_median l^2 + r sum_edge l^2),   edge_stiffness = r stiffness,   r = 1/10,
//                     with the sums over the springs of this body. A real net gives way between its particles and is somewhat softer.
//     sheets          A thread net with stiffness k resists stretching along its threads like E t = k at any resolution, so
//                         stiffness = E t,   t the thickness in the scene.
#include "engine/scene/loaded_scene.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wobble {

struct MaterialPreset {
    const char* id;
    const char* label;
    const char* advice;     // what it is like, what to expect
    unsigned acts_on;       // bits of BodyKind
    double young, poisson;  // Pa, 1
    double density;         // kg/m^3
    double damping;         // s, proportional to stiffness; of sheets: along their springs
};
std::span<const MaterialPreset> material_presets();
const MaterialPreset* find_material_preset(std::string_view id);

// Of the springs of a solid: how much Young's modulus of the net one N/m of stiffness gives, with edge_stiffness a tenth of it; 1/m.
// For meshes of more than some ten thousand tets from a sample of them; 0 for a body without tets.
double modulus_per_stiffness(const BodyMesh&, const BodyRange&);

// The parameters a preset sets and their values, inside the ranges of parameters(). `per_stiffness`: of modulus_per_stiffness.
// `thickness`: of a sheet, m.
std::vector<std::pair<std::string, double>> preset_values(const MaterialPreset&, BodyKind, double thickness, double per_stiffness);

}  // namespace wobble
