#pragma once
// How long the next step should be, learnt from the last ones. Values in, values out: it neither steps nor knows the state.
//   error   h <- h clamp(0.9 (tolerance / error)^(1/p), 0.2, 2), p the relative order of the estimate; a step above the tolerance is
//   repeated.
//           After a step that failed for another reason, which the estimate does not know, steps do not grow for a while.
//           Methods without an estimate of their own are judged by what their motion shows for nothing, see MotionDefect.
//   newton  Hauth 2004, section 3.4: many Newton iterations per stage mean that the start value was poor, so h shrinks; few, and
//           h grows again. A step whose Newton failed is repeated with half of it.
#include "engine/integrate/report.h"
#include "engine/model/state.h"
#include "engine/scene/scene.h"

namespace wobble {

class StepController {
public:
    StepController() = default;
    StepController(StepControl kind, double tolerance, int error_order) : kind_(kind), tolerance_(tolerance), order_(error_order) {}

    bool active() const { return kind_ != StepControl::fixed; }
    StepControl kind() const { return kind_; }
    double next(double longest) const { return size_ > 0 && size_ < longest ? size_ : longest; }  // 0 so far: the longest
    void start_at(double h) { size_ = h; }

    // After a successful step of size h: false if it must be repeated with the new, smaller next().
    bool accept(const StepReport&, double h);
    void failed(double h) { size_ = 0.5 * h, calm_ = 8; }

private:
    StepControl kind_ = StepControl::fixed;
    double tolerance_ = 0.01;
    int order_ = 1;
    double size_ = 0;  // s
    int calm_ = 0;     // steps to come that do not grow
};

// An error estimate without the method's help, relative to the step's displacement: the larger of
//     |q+ - q - h/2 (v + v+)|     the defect of the trapezoidal rule: the local error of first-order methods, O(h^3) for the others
//     h^2/12 |a - a_before|       a = (v+ - v)/h the mean acceleration, a_before that of the last accepted step: h^3/12 times the jerk
// in the root mean square. Displacements of less than a thousandth of the body's size are taken for that much: they are not visible, and
// for a body that starts from rest the first line is half the displacement of a first-order method at any h. Of relative order 1 for
// first-order methods and 2 for all others, whatever their own order.
class MotionDefect {
public:
    double measure(const State& before, const State& after);
    void accept() { std::swap(last_, mean_), last_h_ = h_; }  // the step measured last was taken
    void forget() { last_h_ = 0; }
    double last_step() const { return last_h_; }  // s; 0: unknown
    void recall(const State& before, const State& after, double h) { last_ = (after.v - before.v) / h, last_h_ = h; }

private:
    VecX mean_, last_;           // m/s^2
    double h_ = 0, last_h_ = 0;  // s, of the steps these belong to
};

}  // namespace wobble
