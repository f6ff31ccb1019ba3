#pragma once
// Start values of implicit solves, extrapolated from the last accepted steps (Hauth 2004, section 3.2). How to use it: keep one per
// method; in step() call predict(system, in, c, x) before each ImplicitStage::solve, with c h the time of the stage after in.t (c h = h
// for the new state, h/2 for a midpoint; as often per step as there are stages); call reset() in the method's reset(). Nothing else:
// a state counts as accepted when a later step starts from it, a retry from the same in.t replaces nothing, and steps may vary.
// Methods of one Newton iteration (linearly implicit) must NOT use it: their start value is part of the method.
//
// Candidates at time t + c: the line q + c v, and the polynomials through the last three and the last four accepted positions.
// Taken is the one that would have predicted the newest accepted position best from the ones before it, so stiff motion that
// no polynomial follows falls back to the line. Forbidden directions always get the line, as the stage equation wants.
#include "engine/model/mechanical_system.h"

#include <algorithm>
#include <array>

namespace wobble {

class Extrapolation {
public:
    void predict(const MechanicalSystem&, const State& in, double after, VecX& q);  // after: seconds after in.t
    void reserve(const State& in);  // memory for all later calls: for methods whose first steps begin otherwise
    void reset() { count_ = 0; }
    int past() const { return std::min(count_, kept - 1); }  // accepted states before the one to come that it goes by
    void recall(const State& accepted) { remember(accepted); }

private:
    struct Accepted {
        double t = 0;
        VecX q, v;
    };
    static constexpr int kept = 5;

    void remember(const State& in);
    int best_number_of_points() const;
    std::array<double, kept> weights(int first, int points, double t) const;

    std::array<Accepted, kept> past_;  // newest first
    int count_ = 0;
    int points_ = 1;  // through how many positions the polynomial goes; 1: the line q + c v
    VecX correction_;
};

}  // namespace wobble
