#include "engine/integrate/runge_kutta.h"

#include "engine/integrate/acceleration.h"
#include "engine/integrate/error_estimate.h"

namespace wobble {

StepReport RungeKutta::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    const auto& [s, last_is_result, a, b, d] = tableau_;
    const int n = static_cast<int>(in.q.size());
    const VecX &W = system.inverse_mass(), &f_ext = system.external_force();
    Workers& workers = system.workers();
    Q_.resize(n);
    for (int i = 0; i < s; ++i) {
        V_[i].resize(n);
        A_[i].resize(n);
    }

    V_[0] = in.v;
    if (known_ && in.q == last_q_ && in.v == last_v_) A_[0] = last_ + W.cwiseProduct(f_ext);
    else acceleration(system, in.q, in.v, A_[0], report);

    // u + h sum_{j<count} c_j F(U_j)
    const auto combine = [&](const double* c, int count, VecX& q, VecX& v) {
        workers.ranges(n, [&](int begin, int end) {
            for (int k = begin; k < end; ++k) {
                double dq = 0, dv = 0;
                for (int j = 0; j < count; ++j) {
                    dq += c[j] * V_[j][k];
                    dv += c[j] * A_[j][k];
                }
                q[k] = in.q[k] + h * dq;
                v[k] = in.v[k] + h * dv;
            }
        });
    };
    for (int i = 1; i < s; ++i) {
        combine(a[i], i, Q_, V_[i]);
        acceleration(system, Q_, V_[i], A_[i], report);
    }
    if (last_is_result) {
        out.q = Q_;
        out.v = V_[s - 1];
        last_q_ = Q_;
        last_v_ = out.v;
        last_ = A_[s - 1] - W.cwiseProduct(f_ext);
        known_ = true;
    } else combine(b, s, out.q, out.v);
    out.t = in.t + h;

    report.error = relative_error(system, h, in, out, [&](int k) {
        double e_q = 0, e_v = 0;
        for (int i = 0; i < s; ++i) {
            e_q += d[i] * V_[i][k];
            e_v += d[i] * A_[i][k];
        }
        return std::array<double, 2>{h * e_q, h * e_v};
    });
    return report;
}

}  // namespace wobble
