#include "engine/scene/run_settings.h"

#include "engine/core/spelling.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace wobble {

std::span<const Parameter> parameters() {
    using P = Parameters;
    constexpr unsigned springs = spring_solid | spring_sheet;
    // name, unit, meaning, low, high, logarithmic, zero_allowed, rebuilds_body, field, acts_on, of_scene
    static constexpr Parameter table[] = {
        {"stiffness", "N/m",
         "Solids: springs from each corner of a tetrahedron to the centre of the opposite face, which keep its volume and shape. Cloth: "
         "springs along its threads. Too small: it collapses under its own weight; very large: rigid to the eye, and explicit steps "
         "become tiny",
         1e2, 1e12, true, false, false, &P::stiffness, springs},
        {"edge_stiffness", "N/m",
         "Springs along the edges of the tetrahedra: the soft part of the material. 0 leaves the shape to the other springs, which let it "
         "shear; much more than a third of the stiffness makes it behave like a truss",
         1, 1e8, true, true, false, &P::edge_stiffness, spring_solid},
        {"stiffening", "",
         "Springs grow stiffer with strain e, force k (e + c e^3) times length: this is c. 0 keeps them linear; 100 doubles the force at a "
         "strain of a tenth. Large values make violent motion very stiff",
         1e-2, 1e4, true, true, false, &P::stiffening, springs},
        {"young", "Pa",
         "Young's modulus: stress per strain when pulled (jelly 1e4, rubber 3e6, steel 2e11). Below weight per area, density times gravity "
         "times height, the body crushes itself; large values make it rigid to the eye and explicit steps tiny",
         1e2, 1e12, true, false, false, &P::young, corotational_solid},
        {"poisson", "",
         "Poisson's ratio: how much thinner it gets when pulled; 0 cork, 0.5 keeps its volume exactly. Near 0.5 linear tetrahedra lock: "
         "the "
         "body seems stiffer than it is",
         0, 0.495, false, true, false, &P::poisson, corotational_solid},
        {"damping", "s",
         "Damping proportional to stiffness: quietens fast vibrations first. 0 keeps all energy; the damping ratio of a vibration "
         "of frequency f is pi f times this, so above 0.1 s the body creeps like honey, and explicit methods need tiny steps",
         1e-6, 1, true, true, false, &P::damping, any_body, true},
        {"spring_damping", "s",
         "Damping along each spring: it resists its lengthening by this time times its stiffness; turning stays free. 0 keeps all energy; "
         "too large: like honey, and explicit methods need tiny steps",
         1e-6, 1, true, true, false, &P::spring_damping, springs},
        {"mass_damping", "1/s",
         "Damping proportional to mass, like moving through air: slows everything alike, also falling and turning. 0 keeps all energy; 1 "
         "takes most of the motion within two seconds; 100 is like sinking in syrup",
         1e-3, 1e3, true, true, false, &P::mass_damping, any_body, true},
        {"density", "kg/m^3",
         "Mass per volume: heavier bodies swing slower and sag more (foam 30, water 1000, steel 7850). Very light ones vibrate fast, so "
         "explicit steps become short. Cloth: its thickness stands in the scene file",
         1, 1e5, true, false, false, &P::density, any_body},
        {"gravity", "m/s^2",
         "Downward acceleration (earth 9.81, moon 1.62; negative pulls upward). Too large for the stiffness: the body is crushed", -30, 30,
         false, true, false, &P::gravity, any_body, true},
        {"wind", "m/s",
         "Speed of the wind (5 a breeze, 20 a gale); its direction and gusts stand in the scene file. Strong wind tears light cloth to and "
         "fro",
         0, 50, false, true, false, &P::wind, any_body, true},
        {"friction", "",
         "Coulomb's coefficient where the body touches something: it slides on a slope steeper than this (0 ice, 0.5 wood, 1 rubber). "
         "Large "
         "values make it stick and tumble",
         0, 2, false, true, false, &P::friction, any_body},
        {"restitution", "",
         "Share of its approaching velocity that a touching vertex bounces off with. 0 leaves bouncing to the body's elasticity, as in "
         "nature; near 1 surfaces chatter",
         0, 1, false, true, false, &P::restitution, any_body},
        {"contact_thickness", "m",
         "Surfaces of bodies nearer than this repel each other. 0 chooses a hundredth of the body's size; too small: thin things need "
         "short "
         "steps, too large: bodies float above each other",
         1e-5, 1, true, true, false, &P::contact_thickness, any_body},
        {"resolution", "vertices",
         "Simulated vertices, approximately: more is finer and slower, and each step takes longer in proportion or worse; few make the "
         "body "
         "stiffer and coarser. 0 takes what the surface gives. The body is built anew",
         50, 200000, true, true, true, &P::resolution, any_body},
    };
    return table;
}

std::span<const StepControlInfo> step_controls() {
    static constexpr StepControlInfo table[] = {
        {StepControl::fixed, "fixed", "Fixed", "The step asked for, or the method's own choice."},
        {StepControl::newton, "newton", "By Newton's iterations",
         "Implicit methods: shorter steps where Newton works hard, longer ones where it has nothing to do."},
        {StepControl::error, "error", "By the error estimate",
         "Steps are repeated shorter until their estimated error is below the tolerance."},
    };
    return table;
}

const Parameter* find_parameter(std::string_view name) {
    for (const Parameter& p : parameters())
        if (name == p.name) return &p;
    return nullptr;
}

Result<void> set_parameter(Parameters& values, std::string_view name, double value) {
    const Parameter* p = find_parameter(name);
    if (!p) {
        std::vector<std::string> known;
        for (const Parameter& q : parameters()) known.emplace_back(q.name);
        const std::string near = nearest_spelling(name, known);
        return Error{"There is no parameter " + in_quotes(name) + (near.empty() ? "" : "; did you mean \"" + near + "\"?") +
                     (near.empty() ? "; known ones: " : " Known ones: ") + join(known) + "."};
    }
    const bool zero = p->zero_allowed && value == 0;
    if (!zero && !(value >= p->low && value <= p->high)) {  // also refuses NaN
        char text[200];
        std::snprintf(text, sizeof text, "%s = %g is out of range; choose %s%g to %g %s.", p->name, value,
                      p->zero_allowed && p->low > 0 ? "0, or " : "", p->low, p->high, p->unit);
        return Error{text};
    }
    values.*(p->field) = value == 0 ? 0.0 : value;  // no negative zero
    return {};
}

Result<void> set_parameter(RunSettings& settings, int body, std::string_view name, double value) {
    if (body >= static_cast<int>(settings.bodies.size())) return Error{"There is no body " + std::to_string(body + 1) + " in this scene."};
    const Parameter* p = find_parameter(name);
    RunSettings edited = settings;
    for (int i = 0; i < static_cast<int>(edited.bodies.size()); ++i)
        if (body < 0 || body == i || !p || p->of_scene)
            if (auto set = set_parameter(edited.parameters(i), name, value); !set) return set;
    settings = std::move(edited);
    return {};
}

}  // namespace wobble
