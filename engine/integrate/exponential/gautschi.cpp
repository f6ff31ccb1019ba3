#include "engine/integrate/exponential/gautschi.h"

#include "engine/integrate/error_estimate.h"

namespace wobble {

namespace {

struct Powers {
    int psi_1, phi;  // of sinc
};
Powers powers(GautschiFilter filter) {
    switch (filter) {
        case GautschiFilter::hairer_lubich:
            return {1, 0};
        case GautschiFilter::garcia_archilla:
            return {1, 1};
        case GautschiFilter::grimm_hochbruck:
            return {2, 1};
        case GautschiFilter::deuflhard:
            return {0, 0};
    }
    return {1, 0};
}

}  // namespace

bool Gautschi::smooth(int power, double h, VecX& b, StepReport& report) {
    for (int i = 0; i < power && report.ok(); ++i) {
        const PhiTerm terms[] = {{1, &b, nullptr}};
        const PhiNode end[] = {{h, options_.solver.tolerance, &sx_, &sv_}};
        FrozenProblem::count(phi_->evaluate(frozen_.undamped(), terms, end), options_.solver.tolerance, report);
        b = sx_ / h;
    }
    return report.ok();
}

StepReport Gautschi::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    for (VecX* x : {&x_, &v_, &r_, &sx_, &sv_}) x->resize(in.q.size());
    const Powers filter = powers(options_.solver.filter);
    frozen_.freeze(system, in, report);
    const PhiNode end[] = {{h, options_.solver.tolerance, &x_, &v_}};
    FrozenProblem::count(phi_->evaluate(frozen_.linearized(), frozen_.terms(), end), options_.solver.tolerance, report);
    if (!report.ok()) return report;

    filtered_ = x_;
    if (!smooth(filter.phi, h, filtered_, report)) return report;
    frozen_.elastic_remainder(h, filtered_, r_, report);
    if (!smooth(filter.psi_1, h, r_, report)) return report;
    v_ += h / 2 * r_;
    frozen_.state_at(h, x_, v_, out);
    report.error = relative_error(system, h, in, out, [&](int k) { return std::array<double, 2>{0, h / 2 * r_[k]}; });
    report.error = std::max(report.error, report.phi_error);
    return report;
}

}  // namespace wobble
