#pragma once
// The scene a study on a body runs on: the one the options name, or the study's own, with their parameters and solvers.
#include "engine/scene/loaded_scene.h"
#include "engine/scene/scene_file.h"
#include "engine/study/study.h"

namespace wobble {

// `adjust` changes parameters before those of the options are set, which win.
Result<Scene> study_scene(const StudyOptions&, const char* otherwise, const std::function<void(Parameters&)>& adjust = {});

bool is_set(const StudyOptions&, std::string_view parameter);  // by the options
bool is_damped(const Parameters&);

}  // namespace wobble
