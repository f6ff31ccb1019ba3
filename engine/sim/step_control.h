#pragma once
// How long the next step should be, learnt from the last ones. Values in, values out: it neither steps nor knows the state.
//   error   h <- h clamp(0.9 (tolerance / error)^(1/p), 0.2, 2), p the method's order; a step above the tolerance is repeated.
//           Methods without an estimate of their own are judged by the quadrature defect |q+ - q - h/2 (v + v+)|, which is their
//           local error up to a factor (and costs nothing).
//   newton  seed paper 002, section 3.4: many Newton iterations per stage mean that the start value was poor, so h shrinks; few, and
//           h grows again. A step whose Newton failed is repeated with half of it.
#include "engine/integrate/report.h"
#include "engine/model/state.h"
#include "engine/sim/scene.h"

namespace wobble {

class StepController {
public:
    StepController() = default;
    StepController(StepControl kind, double tolerance, int order) : kind_(kind), tolerance_(tolerance), order_(order) {}

    bool active() const { return kind_ != StepControl::fixed; }
    StepControl kind() const { return kind_; }
    double next(double longest) const { return size_ > 0 && size_ < longest ? size_ : longest; }  // 0 so far: the longest
    void start_at(double h) { size_ = h; }

    // After a successful step of size h: false if it must be repeated with the new, smaller next().
    bool accept(const StepReport&, double h);
    void failed(double h) { size_ = 0.5 * h; }

private:
    StepControl kind_ = StepControl::fixed;
    double tolerance_ = 0.01;
    int order_ = 1;
    double size_ = 0;  // s
};

// The quadrature defect relative to the step's displacement, both in the root mean square.
double quadrature_defect(const State& before, const State& after);

}  // namespace wobble
