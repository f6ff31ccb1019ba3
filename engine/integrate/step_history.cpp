#include "engine/integrate/step_history.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

bool same(const MechanicalSystem& system, const State& a, const State& b, double time_tolerance) {
    if (a.q.size() != b.q.size() || std::abs(a.t - b.t) > time_tolerance) return false;
    const int of_forces = system.internal_variables();  // contact's say when they matter
    if (a.internal.size() < of_forces || b.internal.size() < of_forces || a.internal.head(of_forces) != b.internal.head(of_forces))
        return false;
    for (int i = 0; i < system.particles(); ++i)
        if (!system.constraints().of(i) && (particle(a.q, i) != particle(b.q, i) || particle(a.v, i) != particle(b.v, i))) return false;
    return true;
}

}  // namespace

bool StepHistory::begin(const MechanicalSystem& system, const State& in) {
    const double tolerance = has_result_ && size_ > 0 ? 1e-6 * (result_.t - (*this)[0].t) : 0;
    if (has_result_ && same(system, in, result_, tolerance)) {
        newest_ = (newest_ + depth_ - 1) % depth_;
        size_ = std::min(size_ + 1, depth_);
        states_[newest_] = in;
        has_result_ = false;
        return true;
    }
    if (size_ > 0 && same(system, in, (*this)[0], tolerance)) {
        states_[newest_].v = in.v;  // of moving pins
        return true;
    }
    forget();
    for (int j = 0; j < depth_; ++j) {  // memory for all of them now, none later
        states_[j].q.resize(in.q.size());
        states_[j].v.resize(in.v.size());
        states_[j].internal.resize(in.internal.size());
    }
    size_ = 1;
    states_[newest_] = in;
    return false;
}

}  // namespace wobble
