// The scene that the command line means, and what is said about it.
#include "app/cli/options.h"
#include "engine/core/spelling.h"
#include "engine/scene/loaded_scene.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/catalog.h"

#include <iostream>

namespace wobble::cli {

namespace {

// Of all bodies that come from files.
Result<void> apply(const MeshOptions& o, Scene& scene) {
    bool used = false;
    for (int b = 0; b < scene.count(); ++b)
        if (auto* file = std::get_if<FileSource>(&scene.body(b).source)) {
            if (o.unit) file->unit = *o.unit, file->size = 0;
            if (o.size) file->size = *o.size;
            if (o.up) file->up = *o.up;
            if (o.as) file->as = *o.as;
            if (o.hold) scene.settings.pins(b) = pins_of(*o.hold);
            used = true;
        }
    if (!used && o.any())
        return Error{"The options --size, --unit, --up, --hold and --as are for mesh files; scene " + scene.name + " is made without one."};
    return {};
}

}  // namespace

Result<Scene> scene_from(const SceneOptions& o) {
    auto scene = load_scene(o.scene);
    if (!scene) return scene;
    Scene& s = scene.value();
    if (auto applied = apply(o.mesh, s); !applied) return applied.error();
    if (o.integrator) {
        if (!find_method(*o.integrator)) {
            std::vector<std::string> known;
            for (const Method& m : methods()) known.emplace_back(m.info.id);
            const std::string near = did_you_mean(*o.integrator, known);
            return Error{"There is no integrator " + in_quotes(*o.integrator) + (near.empty() ? ";" : near) +
                         " Known ones: " + join(known) + "."};
        }
        s.settings.method = *o.integrator;
    }
    if (o.step) s.settings.step = *o.step;
    if (o.seconds) s.recording.seconds = *o.seconds;
    if (o.solver_tolerance) s.settings.solver.tolerance = *o.solver_tolerance;
    if (o.nonlinear_solver) s.settings.solver.nonlinear = *o.nonlinear_solver;
    if (o.linear_solver) s.settings.solver.linear = *o.linear_solver;
    if (o.phi) s.settings.solver.phi = *o.phi;
    if (o.filter) s.settings.solver.filter = *o.filter;
    if (o.error_tolerance) s.settings.error_tolerance = *o.error_tolerance, s.settings.control = StepControl::error;
    if (o.step_control) s.settings.control = *o.step_control;
    if (o.step_control == StepControl::newton && find_method(s.settings.method)->info.family != Family::implicit_classical)
        return Error{"--step-control newton needs an implicit method, and " + s.settings.method +
                     " has no Newton iterations; use --step-control error, or another --integrator."};
    if (o.model) choose_model(s, *o.model, o.set);
    for (const auto& [name, value] : o.set)
        if (auto set = set_parameter(s, name, value); !set) return set.error();
        else if (unsigned kinds = 0; !(set.value()->acts_on & (kinds = body_kinds(s)))) {
            std::vector<std::string> acting;
            for (const Parameter& p : parameters())
                if (p.acts_on & kinds) acting.emplace_back(p.name);
            complain(in_quotes(name) + " does not act on the body of scene " + s.name + "; what does: " + join(acting) + ".");
        }
    return scene;
}

void say_how_opened(const LoadedScene& loaded, bool quiet) {
    for (int b = 0; b < loaded.scene.count() && !quiet; ++b)
        if (const std::string sentence = import_sentence(loaded, b); !sentence.empty()) complain(sentence + ".");
    for (const BodyReport& report : loaded.reports)
        if (!report.made.empty() && !quiet) complain(report.made);
}

}  // namespace wobble::cli
