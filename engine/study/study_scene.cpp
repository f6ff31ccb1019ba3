#include "engine/study/study_scene.h"

#include <algorithm>

namespace wobble {

Result<Scene> study_scene(const StudyOptions& options, const char* otherwise, const std::function<void(Parameters&)>& adjust) {
    auto scene = load_scene(options.scene.empty() ? otherwise : options.scene);
    if (!scene) return scene.error();
    RunSettings& settings = scene.value().settings;
    if (adjust)
        for (BodySettings& body : settings.bodies) adjust(body.parameters);
    for (const auto& [name, value] : options.set)
        if (auto set = set_parameter(settings, -1, name, value); !set) return set.error();
    settings.solver = solver_for(options, settings.solver);
    return scene;
}

bool is_set(const StudyOptions& options, std::string_view parameter) {
    return std::any_of(options.set.begin(), options.set.end(), [&](const auto& s) { return s.first == parameter; });
}

bool is_damped(const Parameters& p) { return p.damping != 0 || p.mass_damping != 0 || p.spring_damping != 0; }

}  // namespace wobble
