#include "engine/scene/material_presets.h"

#include <algorithm>

namespace wobble {

namespace {

constexpr unsigned solids = any_solid;
constexpr double edge_share = 0.1;  // of edge springs, relative to the median ones, as in the built-in scenes

constexpr MaterialPreset table[] = {
    {"jelly", "Jelly",
     "Sags under its own weight and wobbles at a few hertz. Stiffer than gelatine from the kitchen, which a body of a metre "
     "would crush.",
     solids, 2e4, 0.45, 1000, 2e-3},
    {"foam", "Soft foam", "Upholstery foam: light, so it hardly sags, and calm within a second or two.", solids, 6e4, 0.15, 30, 1e-2},
    {"soft-rubber", "Soft rubber", "Silicone for moulds: bends under its own weight, springs back.", solids, 3e5, 0.45, 1100, 1e-3},
    {"rubber", "Rubber",
     "Natural rubber: keeps its shape, trembles quickly. Poisson's ratio 0.45 instead of 0.499: linear tetrahedra lock when "
     "the volume cannot change.",
     solids, 3e6, 0.45, 1100, 4e-4},
    {"cork", "Cork", "Does not get thinner when pulled (Poisson's ratio 0).", solids, 2e7, 0.0, 180, 2e-4},
    {"nylon", "Nylon-like", "Hard plastic: what can be seen is the ground's gravity and little else; explicit steps become tiny.", solids,
     2.5e9, 0.39, 1140, 1e-5},
    {"steel", "Steel-like",
     "Rigid to the eye. For integrators: the fastest vibration is a hundred thousand times faster than the visible "
     "motion, and a step of 1 ms stays a step of 1 ms only for implicit and exponential methods.",
     solids, 2e11, 0.3, 7850, 1e-6},
    {"silk", "Silk", "Thin and light: follows every gust.", spring_sheet, 2e6, 0.3, 200, 5e-5},
    {"cotton", "Cotton", "A bed sheet: 0.2 kg per square metre at half a millimetre.", spring_sheet, 6e6, 0.3, 400, 1e-4},
    {"denim", "Denim", "Heavy cloth that hardly stretches.", spring_sheet, 4e7, 0.3, 800, 1e-4},
    {"rubber-sheet", "Rubber sheet", "Stretches visibly under its own weight.", spring_sheet, 1e6, 0.45, 1100, 1e-3},
    {"chain-mail", "Chain mail", "Steel rings: heavy, does not stretch, very stiff to integrate.", spring_sheet, 2e9, 0.3, 4000, 1e-5},
};

double allowed(const Parameter& p, double value) { return p.zero_allowed && value == 0 ? 0 : std::clamp(value, p.low, p.high); }

}  // namespace

std::span<const MaterialPreset> material_presets() { return table; }

const MaterialPreset* find_material_preset(std::string_view id) {
    for (const MaterialPreset& preset : material_presets())
        if (id == preset.id) return &preset;
    return nullptr;
}

double modulus_per_stiffness(const BodyMesh& body, const BodyRange& range) {
    const auto& x = body.tets.vertices;
    const auto tets =
        std::span(body.tets.tets).subspan(static_cast<std::size_t>(range.tets.begin), static_cast<std::size_t>(range.tets.size()));
    if (tets.empty()) return 0;
    constexpr std::size_t enough = 20'000;
    const std::size_t stride = 1 + tets.size() / enough;
    double volumes = 0, medians = 0, edges = 0;  // m^3, m^2, m^2: sums over the tets looked at
    std::size_t looked_at = 0;
    for (std::size_t i = 0; i < tets.size(); i += stride, ++looked_at) {
        const Tet& tet = tets[i];
        const Vec3 centre = 0.25 * (x[tet[0]] + x[tet[1]] + x[tet[2]] + x[tet[3]]);
        for (int a = 0; a < 4; ++a) {
            medians += 16.0 / 9 * (x[tet[a]] - centre).squaredNorm();
            for (int b = 0; b < a; ++b) edges += (x[tet[a]] - x[tet[b]]).squaredNorm() / 6;
        }
        volumes += volume(body.tets, tet);
    }
    // Euler: a ball of T tets with V vertices and B boundary faces has V + T + B/2 - 1 edges, and edges are springs only once.
    const double edges_per_tet = (static_cast<double>(range.particles.size()) + 0.5 * static_cast<double>(range.boundary.size())) /
                                     static_cast<double>(tets.size()) +
                                 1;
    return volumes > 0 ? (medians + edge_share * edges_per_tet * edges) / (6 * volumes) : 0;
}

std::vector<std::pair<std::string, double>> preset_values(const MaterialPreset& preset, BodyKind kind, double thickness,
                                                          double per_stiffness) {
    std::vector<std::pair<std::string, double>> values;
    const auto set = [&](const char* name, double value) {
        if (const Parameter* p = find_parameter(name)) values.emplace_back(name, allowed(*p, value));
    };
    switch (kind) {
        case corotational_solid:
        case neo_hookean_solid:
            set("young", preset.young);
            set("poisson", preset.poisson);
            set("damping", preset.damping);
            break;
        case spring_sheet:
            set("stiffness", preset.young * thickness);
            set("spring_damping", preset.damping);
            set("damping", 0);
            break;
        default: {
            if (!(per_stiffness > 0)) return {};
            const double stiffness = preset.young / per_stiffness;
            set("stiffness", stiffness);
            set("edge_stiffness", edge_share * stiffness);
            set("damping", preset.damping);
            set("spring_damping", 0);
        }
    }
    set("density", preset.density);
    return values;
}

}  // namespace wobble
