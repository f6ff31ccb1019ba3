#include "engine/core/spelling.h"
#include "engine/integrate/methods.h"
#include "engine/study/contact.h"
#include "engine/study/energy.h"
#include "engine/study/fput.h"
#include "engine/study/hauth_examples.h"
#include "engine/study/scaling.h"
#include "engine/study/stability_regions.h"
#include "engine/study/stiffness.h"
#include "engine/study/study.h"
#include "engine/study/work_precision.h"

#include <algorithm>

namespace wobble {

std::span<const Study> studies() {
    static constexpr Study table[] = {
        {"hauth-examples", "Textbook examples",
         "Error against work of every method on five small equations with known solutions: slopes show the order, bends the limit of "
         "stability "
         "(Hauth 2004, figures 3, 5 and 7).",
         false, hauth_examples},
        {"stability-regions", "Stability regions",
         "Where in the complex plane of h lambda each method keeps a decaying motion bounded, measured by running it (Hauth 2004, "
         "figure 4).",
         false, stability_regions},
        {"fput", "FPUT chain",
         "Orders, error against time and energy of the exponential methods and the classical ones on a small stiff chain of springs with a "
         "known table of errors (Luan, Michels 2021b, section 5.1).",
         false, fput},
        {"work-precision", "Work and precision on a body",
         "Error of position and velocity against time and work for a sweep of steps, on any scene or mesh, with a reference that checks "
         "itself.",
         true, work_precision},
        {"energy", "Energy over a long time",
         "Kinetic, elastic and gravity energy of a body over a minute without damping, and over its first seconds with damping, every "
         "method at its own "
         "step: who keeps the energy, who loses it, who gains it.",
         true, energy},
        {"contact", "Falls and bounces",
         "A body falls on the floor: how far each method at each step is from the true bounce, what impacts and friction take, that no "
         "step "
         "gains energy, and what contact costs.",
         true, contact},
        {"stiffness", "Error and cost against stiffness",
         "Error against step for the paper's three stiffnesses, and what one per cent of error costs when a part of the body is made up to "
         "ten "
         "thousand times stiffer (Michels, Luan, Tokman 2017, figure 3a).",
         true, stiffness},
        {"scaling", "Cost against size",
         "What one step costs on the same body in finer and finer meshes, up to a hundred thousand vertices, with memory and loading time "
         "(Michels, Luan, Tokman 2017, figure 3c).",
         true, scaling},
    };
    return table;
}

const Study* find_study(std::string_view id) {
    for (const Study& study : studies())
        if (id == study.id) return &study;
    return nullptr;
}

Result<const Study*> study_named(std::string_view id) {
    if (const Study* study = find_study(id)) return study;
    std::vector<std::string> known;
    for (const Study& study : studies()) known.emplace_back(study.id);
    std::string near = did_you_mean(id, known);
    for (const std::string& name : known) {  // the beginning of a long name, perhaps with a slip
        const std::string beginning[] = {name.substr(0, id.size()), name.substr(0, id.size() + 1)};
        if (near.empty() && id.size() >= 3 && !nearest_spelling(id, beginning).empty()) near = "; did you mean \"" + name + "\"?";
    }
    return Error{"There is no study " + in_quotes(id) + (near.empty() ? "." : near) + " Known ones: " + join(known) + "."};
}

Result<void> check_integrators(const std::vector<std::string>& ids) {
    std::vector<std::string> known;
    for (const Method& method : methods()) known.emplace_back(method.info.id);
    for (const std::string& id : ids)
        if (!find_method(id)) {
            const std::string near = did_you_mean(id, known);
            return Error{"There is no integrator " + in_quotes(id) + (near.empty() ? "." : near) + " Known ones: " + join(known) + "."};
        }
    return {};
}

bool chosen(const StudyOptions& options, std::string_view integrator) {
    const auto& ids = options.integrators;
    return ids.empty() || std::find(ids.begin(), ids.end(), integrator) != ids.end();
}

double count_chosen(const StudyOptions& options) {
    return static_cast<double>(
        std::count_if(methods().begin(), methods().end(), [&](const Method& m) { return chosen(options, m.info.id); }));
}

Progress never_back(const Progress& progress) {
    return [&progress, furthest = 0.0](std::string_view stage, double fraction) mutable {
        furthest = std::max(furthest, std::min(fraction, 1.0));
        return keep_going(progress, stage, furthest);
    };
}

SolverOptions solver_for(const StudyOptions& options, SolverOptions solver) {
    solver.tolerance = options.solver_tolerance.value_or(solver.tolerance);
    solver.nonlinear = options.nonlinear_solver.value_or(solver.nonlinear);
    solver.linear = options.linear_solver.value_or(solver.linear);
    solver.phi = options.phi.value_or(solver.phi);
    solver.filter = options.filter.value_or(solver.filter);
    return solver;
}

}  // namespace wobble
