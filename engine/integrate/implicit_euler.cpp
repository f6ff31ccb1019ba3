#include "engine/integrate/implicit_euler.h"

#include <cmath>

namespace wobble {

// Phi of the header, for one step from (q, v) with step size h.
struct ImplicitEuler::Workspace final : NewtonProblem {
    explicit Workspace(std::shared_ptr<const BlockPattern> shared_pattern)
        : pattern(shared_pattern), newton(shared_pattern), K0(shared_pattern) {}

    std::shared_ptr<const BlockPattern> pattern;
    Newton newton;
    BlockMatrix K0;  // K(q) at the start of the step, for D
    const MechanicalSystem* system = nullptr;
    const State* in = nullptr;
    double h = 0;
    VecX predicted, moved, damping;

    void begin(const MechanicalSystem& s, const State& state, double step) {
        system = &s;
        in = &state;
        h = step;
        predicted = state.q + h * state.v;
        moved.resize(state.q.size());
        damping.resize(state.q.size());
        if (s.beta() != 0) s.stiffness(state.q, K0);
    }

    double value(const VecX& x) override {
        moved = x - predicted;
        double phi = system->kinetic_energy(moved) +
                     h * h * (system->elastic_energy(x) + system->gravity_energy(x) - system->external_force().dot(x));
        if (system->damped()) {
            moved = x - in->q;
            phi += h / 2 * system->dissipation_power(in->q, moved, damping);
        }
        return phi;
    }

    void gradient(const VecX& x, VecX& g) override {
        system->elastic_force(x, g);
        g = system->mass().cwiseProduct(x - predicted) - h * h * (g + system->external_force());
        if (system->damped()) {
            moved = x - in->q;
            system->damping_force(in->q, moved, damping);
            g -= h * damping;
        }
        for (int i = 0; i < system->particles(); ++i)
            if (system->pinned()[i]) particle(g, i).setZero();
    }

    // A = (1 + h alpha) M + h^2 K(x) + h beta K(q)
    void hessian(const VecX& x, BlockMatrix& A) override {
        system->stiffness(x, A);
        const double stiff = h * h, damped = h * system->beta(), inertial = 1 + h * system->alpha();
        const auto& pinned = system->pinned();
        system->workers().ranges(A.rows(), [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                for (int k = pattern->row_begin[i]; k < pattern->row_begin[i + 1]; ++k) {
                    double* a = A.block(k);
                    const double* k0 = K0.block(k);
                    const bool held = pinned[i] || pinned[pattern->column[k]];
                    for (int e = 0; e < 9; ++e) a[e] = held ? 0 : stiff * a[e] + damped * k0[e];
                }
                double* diagonal = A.block(pattern->diagonal[i]);
                for (int e = 0; e < 9; e += 4) diagonal[e] += inertial * system->mass()[3 * i];
            }
        });
    }

    bool stop_requested() const override { return system->workers().stop_requested(); }
    double norm(const VecX& p) override { return std::sqrt(2 * system->kinetic_energy(p)); }
};

StepReport ImplicitEuler::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    if (!work_ || work_->pattern != system.pattern()) work_ = std::make_shared<Workspace>(system.pattern());
    work_->begin(system, in, h);
    out.q = work_->predicted;
    const double resolution = 1e-14 * work_->norm(in.q);  // what rounding leaves of any position
    const NewtonReport newton = work_->newton.minimize(*work_, options_.solver_tolerance, resolution, 40, out.q);
    report.newton_iterations = newton.iterations;
    report.factorizations = newton.factorizations;
    report.force_evaluations = newton.evaluations;

    using Outcome = NewtonReport::Outcome;
    switch (newton.outcome) {
        case Outcome::converged:
            break;
        case Outcome::not_finite:
            report.status = StepStatus::not_finite;
            return report;
        case Outcome::factorization_failed:
            report.status = StepStatus::factorization_failed;
            report.message = "the step's matrix could not be factored even with a shifted diagonal; try a smaller step";
            return report;
        case Outcome::stopped:
        case Outcome::no_descent:
        case Outcome::too_many_iterations:
            report.status = StepStatus::newton_diverged;
            report.message = "Newton did not converge in " + std::to_string(newton.iterations) + " iterations; try a smaller step";
            return report;
    }
    out.v = (out.q - in.q) / h;
    out.t = in.t + h;
    return report;
}

}  // namespace wobble
