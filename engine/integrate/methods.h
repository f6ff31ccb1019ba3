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
    // StepReport::error shrinks like h^error_order (it is relative to the displacement of the step, itself of order 1). 0: the method
    // reports none; the quadrature defect |q+ - q - h/2 (v + v+)| / |q+ - q| has order 1 for first-order methods and 2 for all others.
    // epi3 has that of its first step, which may be any step; the others' shrinks with one order more.
    int error_order;
    int steps_per_frame;  // how many of its own steps it takes for a scene's frame_step, unless stability asks for more
    // Steps are stable for the oscillator q'' + d q' + omega^2 q = 0 if
    //     h d / real_limit + (h omega / imaginary_limit)^2 < 1     or     d / (2 omega) > needed_damping.
    // The limits are exact for omega = 0 and for d = 0 (bdf6: a little less, damping up to a third makes it worse). A method whose result
    // grows at any small step on the imaginary axis has the h omega at which it grows by 1 % per period. v-imex has no limit in small
    // motion; the table has that of large motion, where the stiffness it treats implicitly is not the body's any more. A(angle)-stable
    // methods need the damping ratio cos(angle); explicit ones cannot be helped by damping (infinite), A-stable ones need none and have no
    // limits (infinite).
    double imaginary_limit, real_limit, needed_damping;
    const char* cost;       // of one step, in the work that decides: a cost class, the same words for the same work
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
