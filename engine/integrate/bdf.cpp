#include "engine/integrate/bdf.h"

#include <algorithm>

namespace wobble {

StepReport Bdf::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    q_hat_.resize(in.q.size());
    v_hat_.resize(in.v.size());
    predictor_.reserve(in);
    history_.begin(system, in);
    // A step that grows too fast, or follows one that did, is a beginning too. The past is kept: the step may be rejected.
    const bool beginning = history_.size() < k_ || grows_too_fast(h);
    const bool solved =
        beginning ? start_.step(stage_, system, in, h, std::max(2, k_ - 1), out, report) : multistep(system, in, h, out, report);
    if (!solved) return report;
    out.t = in.t + h;
    history_.result(out);
    return report;
}

// Any of the growths between the steps the formula would use.
bool Bdf::grows_too_fast(double h) const {
    constexpr double most[] = {2.41, 1.5, 1.28, 1.12, 1.04};
    for (int j = 0; j + 1 < k_; ++j) {
        const double before = history_[j].t - history_[j + 1].t;
        if (h > most[k_ - 2] * before) return true;
        h = before;
    }
    return false;
}

bool Bdf::multistep(const MechanicalSystem& system, const State& in, double h, State& out, StepReport& report) {
    std::array<double, History::most + 1> t{}, alpha{};  // of u_{n+1-j}, times measured from t_{n+1}
    for (int j = 1; j <= k_; ++j) t[j] = history_[j - 1].t - in.t - h;
    for (int j = 1; j <= k_; ++j) {
        alpha[0] -= 1 / t[j];
        alpha[j] = 1 / t[j];
        for (int i = 1; i <= k_; ++i)
            if (i != j) alpha[j] *= -t[i] / (t[j] - t[i]);
    }
    const double g = 1 / alpha[0];
    q_hat_ = in.q;
    v_hat_ = in.v;
    for (int j = 2; j <= k_; ++j) {
        const double c = -alpha[j] * g;
        q_hat_ += c * (history_[j - 1].q - in.q);
        v_hat_ += c * (history_[j - 1].v - in.v);
    }
    predictor_.predict(system, in, h, out.q);
    out.v = in.v;
    return stage_.solve(system, q_hat_, v_hat_, g, out.q, out.v, report);
}

}  // namespace wobble
