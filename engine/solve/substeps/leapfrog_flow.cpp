#include "engine/solve/substeps/leapfrog_flow.h"

#include <algorithm>
#include <cmath>

namespace wobble {

void LeapfrogFlow::apply(const Linearized& system, const Kick& kick, FlowState& state, PhiReport& report) {
    const bool skewed = system.edges->has_skew();
    if (skewed && leads_) choose<true, true>(system, kick, state);
    else if (skewed) choose<true, false>(system, kick, state);
    else if (leads_) choose<false, true>(system, kick, state);
    else choose<false, false>(system, kick, state);
    ++report.products;
    state.y.swap(next_);
}

template <bool skewed, bool leading>
void LeapfrogFlow::choose(const Linearized& system, const Kick& kick, FlowState& state) {
    const FlowState::Push push = state.push(kick.t);
    if (push.count == 2) apply_rows<skewed, leading, true>(system, kick, push, state);
    else apply_rows<skewed, leading, false>(system, kick, push, state);
}

// One pass: y, v and next by rows, in registers of four. Two forces are what there usually is; a loop over a number known only later would
// cost 7 % of the time.
template <bool skewed, bool leading, bool two_forces>
void LeapfrogFlow::apply_rows(const Linearized& system, const Kick& kick, const FlowState::Push& push, FlowState& state) {
    using Register = Columns<4>;
    system.edges->pattern().split(system.workers, [&](int begin, int end) {
        const double *const y = state.y[0].x, *const inverse = system.inverse_mass.data();
        double *const v = state.v[0].x, *const next = next_[0].x, *const ahead = leading ? lead_[0].x : nullptr;
        const auto [force, by_force, count] = push;
        const double beta = system.beta, by_kick = kick.kick, keep = kick.keep, drift = kick.drift, lead = beta * kick.lead;
        const Constraints* const projector = system.projector;
        const EdgeRows<1, skewed, 4> K(*system.edges, y, state.sums.data(), begin, end);
        for (int i = begin; i < end; ++i) {
            const std::size_t at = static_cast<std::size_t>(4) * i;
            Register s = -inverse[3 * i] * projected(projector, i, K.row(i, y).in_register());
            if constexpr (two_forces) s += by_force[0] * load_columns<4>(force[0] + at) + by_force[1] * load_columns<4>(force[1] + at);
            else
                for (int f = 0; f < count; ++f) s += by_force[f] * load_columns<4>(force[f] + at);
            const Register before = load_columns<4>(v + at), after = keep * before + by_kick * s;
            store_columns<4>(v + at, after);
            Register moved = load_columns<4>(y + at) + beta * (after - before) + drift * after;
            if constexpr (leading) {
                const Register led = lead * (after - before);
                moved += led - load_columns<4>(ahead + at);
                store_columns<4>(ahead + at, led);
            }
            store_columns<4>(next + at, moved);
        }
    });
}

void LeapfrogFlow::first_kick(const Linearized& system, double tau, FlowState& state) {
    system.workers.ranges(system.K.rows(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i)
            for (int d = 0; d < 3; ++d) {
                const double change = tau / 2 * state.rate[i].x[d];
                state.v[i].x[d] += change;
                state.y[i].x[d] += system.beta * change + tau * state.v[i].x[d];
                if (leads_) state.y[i].x[d] += lead_[i].x[d] = system.beta * change;
            }
    });
    state.rate_known = false;
}

// (y, v) at whole times before and after.
bool LeapfrogFlow::advance(const Linearized& system, double omega, double t0, double t, FlowState& state, PhiReport& report) {
    const int m = substeps(system, omega, t);
    const double tau = t / m, turn = tau * omega / 2, half = tau / 2, drag = system.alpha;
    leads_ = system.beta > 0 && tau * system.beta * omega * omega + turn * turn <= share_ * share_;
    next_.resize(state.y.size());
    if (leads_) lead_.assign(state.y.size(), {});
    if (state.rate_known) first_kick(system, tau, state);
    else apply(system, {t0, half, 1 - half * drag, tau, 1}, state, report);
    const Kick whole{0, tau / (1 + half * drag), (1 - half * drag) / (1 + half * drag), tau, 0.5};
    for (int k = 1; k < m; ++k) {
        if (system.workers.stop_requested()) return false;
        apply(system, {t0 + k * tau, whole.kick, whole.keep, whole.drift, whole.lead}, state, report);
    }
    apply(system, {t0 + m * tau, half / (1 + half * drag), 1 / (1 + half * drag), 0, 0}, state, report);
    report.substeps += m;
    return true;
}

double LeapfrogFlow::longest(const Linearized& system, double omega) const {
    const double damped = system.beta * omega * omega / 2, limit = share_ * share_;
    const double tau = 2 * limit / (damped + std::sqrt(damped * damped + limit * omega * omega));
    return system.alpha > 0 ? std::min(tau, 0.5 / system.alpha) : tau;
}

int LeapfrogFlow::substeps(const Linearized& system, double omega, double t) const {
    return static_cast<int>(std::clamp(std::ceil(t / longest(system, omega)), double(least_substeps), 1e9));
}

}  // namespace wobble
