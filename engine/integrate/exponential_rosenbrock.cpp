#include "engine/integrate/exponential_rosenbrock.h"

namespace wobble {

StepReport ExponentialRosenbrockEuler::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    if (!K_ || &K_->pattern() != system.pattern().get()) K_ = std::make_unique<BlockMatrix>(system.pattern());
    const VecX& W = system.inverse_mass();
    a_.resize(in.q.size());
    e_.resize(in.q.size());

    system.stiffness(in.q, *K_);
    system.force(in.q, in.v, a_);
    report.force_evaluations = 1;
    a_.array() *= W.array();
    const Constraints& constraints = system.constraints();
    constraints.project(a_);
    e_.setZero();
    const bool moving_damping = system.rayleigh_beta() != 0;
    if (moving_damping) {
        system.damping_rate(in.q, in.v, e_);
        system.add_rayleigh_defect(in.q, a_, e_);
        e_.array() *= W.array();
    }
    free_ = in.v;
    constraints.project(free_);
    w_ = in.v - free_;
    const bool moving_pins = !w_.isZero(0);
    if (moving_pins) {
        Kw_.resize(in.q.size());
        K_->multiply(system.workers(), w_, Kw_);
        e_.array() -= W.array() * Kw_.array();
    }
    constraints.project(e_);
    if (constraints.any_sliding()) constraints.project(system.workers(), *K_);

    const Linearized linearized{system.workers(), *K_, system.mass(), W, system.alpha(), system.rayleigh_beta()};
    const PhiTerm terms[] = {{1, &free_, &a_}, {2, nullptr, &e_}};
    const bool second = moving_pins || moving_damping;
    const PhiReport phi = phi_->apply(linearized, h, {terms, second ? 2u : 1u}, options_.solver.tolerance, out.q, out.v);
    report.krylov_dimension = phi.dimension;
    report.substeps = phi.substeps;
    report.operator_products = phi.products;
    if (!phi.converged) {
        report.status = StepStatus::krylov_stagnated;
        report.message =
            "evaluating phi takes too many products at this stiffness and damping; try a smaller step, less damping or implicit-euler";
        return report;
    }
    out.q += in.q;
    if (moving_pins) out.q += h * w_;
    out.v += in.v;
    out.t = in.t + h;
    return report;
}

}  // namespace wobble
