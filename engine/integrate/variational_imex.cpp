#include "engine/integrate/variational_imex.h"

#include "engine/integrate/error_estimate.h"

namespace wobble {

StepReport VariationalImex::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    if (!stiff_.prepare(system, h, report)) return report;
    const VecX &M = system.mass(), &W = system.inverse_mass(), &f_ext = system.external_force();
    const Constraints& constraints = system.constraints();
    const double alpha = system.alpha(), beta = system.rayleigh_beta();
    for (VecX* vector : {&f_, &f_q_, &K_v_, &w_, &p_, &Dw_, &a_}) vector->resize(in.q.size());
    const auto product = [&](const VecX& x) {  // K_v_ = K_s x
        stiff_.K().multiply(system.workers(), x, K_v_);
        ++report.operator_products;
    };
    const auto solve = [&] {  // w_, in the allowed directions
        constraints.project(w_);
        stiff_.solve(w_);
        constraints.project(w_);
    };
    if (!known_ || f_q_ != in.q) {
        system.elastic_force(in.q, f_);
        ++report.force_evaluations;
    }

    a_ = f_ + f_ext;  // for the error estimate
    if (system.damped()) {
        system.damping_force(in.q, in.v, Dw_);
        a_ += Dw_;
        ++report.force_evaluations;
    }
    a_ = W.cwiseProduct(a_);
    constraints.project(a_);

    // w_0 - v, so that forbidden directions keep their velocity: p - (A + h/2 D_s) v on the right-hand side.
    p_ = h / 2 * (f_ + f_ext);
    product(in.v);
    w_ = p_ - (h * h / 4 + h / 2 * beta) * K_v_ - h / 2 * alpha * M.cwiseProduct(in.v);
    solve();
    w_ += in.v;
    if (system.damped()) {
        out.q = in.q + h / 2 * w_;  // q*
        product(w_);
        system.damping_force(out.q, w_, Dw_);
        out.v = w_;
        w_ = h / 2 * (alpha * M.cwiseProduct(w_) + beta * K_v_ + Dw_);
        solve();
        w_ += out.v;
        system.damping_force(out.q, w_, Dw_);
        p_ += h * Dw_;
        report.force_evaluations += 2;
    }
    out.q = in.q + h * w_;
    system.elastic_force(out.q, f_);
    ++report.force_evaluations;
    f_q_ = out.q;
    known_ = true;
    p_ = W.cwiseProduct(p_ + h / 2 * (f_ + f_ext));
    constraints.project(p_);
    out.v = in.v + p_;
    out.t = in.t + h;
    report.error = relative_error(system, h, in, out, [&](int k) {
        const double a_m = (out.v[k] - in.v[k]) / h;
        return std::array<double, 2>{out.q[k] - in.q[k] - h * in.v[k] - h * h / 6 * (a_[k] + 2 * a_m), 0.0};
    });
    return report;
}

}  // namespace wobble
