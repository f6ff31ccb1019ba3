#include "engine/integrate/tr_bdf2.h"

#include "engine/integrate/acceleration.h"
#include "engine/integrate/error_estimate.h"

#include <numbers>

namespace wobble {

StepReport TrBdf2::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    constexpr double gamma = 2 - std::numbers::sqrt2;
    constexpr double from_stage = 1 / (gamma * (2 - gamma)), from_start = 1 - from_stage;  // -(1-gamma)^2 / (gamma (2-gamma))
    constexpr double k = (-3 * gamma * gamma + 4 * gamma - 2) / (12 * (2 - gamma));
    const double g = gamma * h / 2;
    StepReport report;
    acceleration(system, in.q, in.v, a_, report);

    q_hat_ = in.q + g * in.v;
    v_hat_ = in.v + g * a_;
    x_.resize(in.q.size());
    start_.predict(system, in, gamma * h, x_);
    u_ = in.v;
    if (!stage_.solve(system, q_hat_, v_hat_, g, x_, u_, report)) return report;
    a_g_ = (u_ - v_hat_) / g;

    q_hat_ = in.q + from_stage * (x_ - in.q);
    v_hat_ = from_stage * u_ + from_start * in.v;
    // The start value: the stage's parabola continued; exact for pins.
    out.q = in.q + h * in.v + (x_ - in.q - gamma * h * in.v) / (gamma * gamma);
    out.v = in.v + (u_ - in.v) / gamma;
    if (!stage_.solve(system, q_hat_, v_hat_, g, out.q, out.v, report)) return report;
    out.t = in.t + h;

    const double c = 2 * k * h, c_start = c / gamma, c_stage = -c / (gamma * (1 - gamma)), c_end = c / (1 - gamma);
    report.error = relative_error(system, h, in, out, [&](int i) {
        return std::array<double, 2>{c_start * in.v[i] + c_stage * u_[i] + c_end * out.v[i],
                                     c_start * a_[i] + c_stage * a_g_[i] + c_end * (out.v[i] - v_hat_[i]) / g};
    });
    return report;
}

}  // namespace wobble
