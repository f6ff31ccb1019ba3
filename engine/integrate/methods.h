#pragma once
// THE table of methods: the one list behind the UI, the command line, scene files and the order test.
#include "engine/integrate/integrator.h"

#include <memory>
#include <span>
#include <string_view>

namespace wobble {

enum class Family { explicit_classical, implicit_classical, exponential };

struct MethodInfo {
    const char* id;     // as on the command line
    const char* label;  // for people
    Family family;
    int order;
    int steps_per_frame;    // how many of its own steps it takes for a scene's frame_step, unless stability asks for more
    const char* advice;     // one line
    const char* reference;  // where the formula comes from
};

struct Method {
    MethodInfo info;
    std::unique_ptr<Integrator> (*make)(const IntegratorOptions&);
};

std::span<const Method> methods();
const Method* find_method(std::string_view id);
const char* name(Family);

}  // namespace wobble
