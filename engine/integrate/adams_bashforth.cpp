#include "engine/integrate/adams_bashforth.h"

#include "engine/integrate/acceleration.h"

#include <cmath>

namespace wobble {

namespace {

// beta_j: the two Gauss points integrate cubic polynomials exactly.
std::array<double, 4> weights(const StepHistory& history, int k, double h) {
    std::array<double, 4> beta{};
    const double t_n = history[0].t;
    for (const double node : {0.5 - std::sqrt(3.0) / 6, 0.5 + std::sqrt(3.0) / 6})
        for (int j = 0; j < k; ++j) {
            double l = 1;
            for (int i = 0; i < k; ++i)
                if (i != j) l *= (t_n + node * h - history[i].t) / (history[j].t - history[i].t);
            beta[j] += h / 2 * l;
        }
    return beta;
}

}  // namespace

StepReport AdamsBashforth::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    if (!history_.begin(system, in))
        for (VecX& a : a_) a.resize(in.q.size());
    correction_.resize(in.q.size());
    const VecX &W = system.inverse_mass(), &f_ext = system.external_force();
    acceleration(system, in.q, in.v, a_[history_.slot(0)], report);
    a_[history_.slot(0)] -= W.cwiseProduct(f_ext);

    if (history_.size() < k_ || h > 2.001 * (history_[0].t - history_[1].t)) {
        const StepReport start = start_.step(system, in, h, out);
        report.force_evaluations += start.force_evaluations;
    } else {
        const std::array<double, 4> beta = weights(history_, k_, h);
        const int n = static_cast<int>(in.q.size());
        system.workers().ranges(n, [&](int begin, int end) {
            for (int k = begin; k < end; ++k) {
                double dq = 0, dv = h * W[k] * f_ext[k];
                for (int j = 0; j < k_; ++j) {
                    dq += beta[j] * (history_[j].v[k] - in.v[k]);  // sum of beta is h
                    dv += beta[j] * a_[history_.slot(j)][k];
                }
                correction_[k] = dq;
                out.v[k] = in.v[k] + dv;
            }
        });
        system.constraints().project(correction_);  // pins keep the velocity they have now, whatever they had
        system.workers().ranges(n, [&](int begin, int end) {
            for (int k = begin; k < end; ++k) out.q[k] = in.q[k] + h * in.v[k] + correction_[k];
        });
        out.t = in.t + h;
    }
    history_.result(out);
    return report;
}

}  // namespace wobble
