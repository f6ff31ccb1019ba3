#include "engine/integrate/bdf.h"

#include <algorithm>

namespace wobble {

StepReport Bdf::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    q_hat_.resize(in.q.size());
    v_hat_.resize(in.v.size());
    predictor_.reserve(in);
    history_.begin(system, in);
    const bool beginning = history_.size() < k_;
    const int order = beginning ? 1 : allowed_order(h);
    const bool solved = order > 1 ? multistep(system, in, h, order, out, report)
                                  : start_.step(stage_, system, in, h, beginning ? std::max(2, k_ - 1) : 2, out, report);
    if (!solved) return report;
    out.t = in.t + h;
    history_.result(out);
    return report;
}

// The highest order whose formula allows all the growths between the steps it would use.
int Bdf::allowed_order(double h) const {
    constexpr double most[] = {2.41, 1.5, 1.28, 1.12, 1.04};  // of orders 2 .. 6
    double largest = 0;
    int order = 1;
    for (int j = 0; j + 1 < k_; ++j) {
        const double before = history_[j].t - history_[j + 1].t;
        largest = std::max(largest, h / before);
        if (largest <= most[j]) order = j + 2;
        h = before;
    }
    return order;
}

bool Bdf::multistep(const MechanicalSystem& system, const State& in, double h, int order, State& out, StepReport& report) {
    std::array<double, StepHistory::most + 1> t{}, alpha{};  // of u_{n+1-j}, times measured from t_{n+1}
    for (int j = 1; j <= order; ++j) t[j] = history_[j - 1].t - in.t - h;
    for (int j = 1; j <= order; ++j) {
        alpha[0] -= 1 / t[j];
        alpha[j] = 1 / t[j];
        for (int i = 1; i <= order; ++i)
            if (i != j) alpha[j] *= -t[i] / (t[j] - t[i]);
    }
    const double g = 1 / alpha[0];
    q_hat_ = in.q;
    v_hat_ = in.v;
    for (int j = 2; j <= order; ++j) {
        const double c = -alpha[j] * g;
        q_hat_ += c * (history_[j - 1].q - in.q);
        v_hat_ += c * (history_[j - 1].v - in.v);
    }
    predictor_.predict(system, in, h, out.q);
    out.v = in.v;
    return stage_.solve(system, q_hat_, v_hat_, g, out.q, out.v, report);
}

}  // namespace wobble
