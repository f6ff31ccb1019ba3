#include "engine/integrate/implicit_stage.h"

#include "engine/solve/newton.h"

#include <cmath>

namespace wobble {

struct ImplicitStage::Workspace final : NewtonProblem {
    explicit Workspace(std::shared_ptr<const BlockPattern> shared_pattern) : pattern(shared_pattern), newton(shared_pattern) {}

    std::shared_ptr<const BlockPattern> pattern;
    Newton newton;
    const MechanicalSystem* system = nullptr;
    const VecX* q_hat = nullptr;
    double g = 0;
    VecX predicted, moved, damping, frozen;  // frozen: the iterate D belongs to

    void begin(const MechanicalSystem& s, const VecX& q, const VecX& v, double step) {
        system = &s;
        q_hat = &q;
        g = step;
        predicted = q + g * v;
        for (VecX* vector : {&moved, &damping, &frozen}) vector->resize(q.size());
        frozen = q;
    }

    double value(const VecX& x) override {
        moved = x - predicted;
        double phi = system->kinetic_energy(moved) +
                     g * g * (system->elastic_energy(x) + system->gravity_energy(x) - system->external_force().dot(x));
        if (system->damped()) {
            moved = x - *q_hat;
            phi += g / 2 * system->dissipation_power(frozen, moved, damping);
        }
        return phi;
    }

    void gradient(const VecX& x, VecX& G) override {
        frozen = x;
        system->elastic_force(x, G);
        G = system->mass().cwiseProduct(x - predicted) - g * g * (G + system->external_force());
        if (system->damped()) {
            moved = x - *q_hat;
            system->damping_force(frozen, moved, damping);
            G -= g * damping;
        }
        system->constraints().project(G);
    }

    void hessian(const VecX& x, BlockMatrix& A) override {
        system->step_matrix(x, 1, g * g, g, A);
        system->constraints().eliminate(system->workers(), A);
    }

    bool stop_requested() const override { return system->workers().stop_requested(); }
    double norm(const VecX& p) override { return std::sqrt(2 * system->kinetic_energy(p)); }
};

ImplicitStage::ImplicitStage(const SolverOptions& options) : options_(options) {}
ImplicitStage::~ImplicitStage() = default;

bool ImplicitStage::solve(const MechanicalSystem& system, const VecX& q_hat, const VecX& v_hat, double g, VecX& x, VecX& u,
                          StepReport& report, int max_newton) {
    if (!work_ || work_->pattern != system.pattern()) work_ = std::make_unique<Workspace>(system.pattern());
    Workspace& w = *work_;
    w.begin(system, q_hat, v_hat, g);
    const double resolution = 1e-14 * w.norm(q_hat);  // what rounding leaves of any position
    const NewtonReport newton = w.newton.minimize(w, options_.tolerance, resolution, max_newton, x);
    ++report.stages;
    report.newton_iterations += newton.iterations;
    report.factorizations += newton.factorizations;
    report.force_evaluations += newton.evaluations;

    using Outcome = NewtonReport::Outcome;
    switch (newton.outcome) {
        case Outcome::converged:
            break;
        case Outcome::not_finite:
            report.status = StepStatus::not_finite;
            return false;
        case Outcome::factorization_failed:
            report.status = StepStatus::factorization_failed;
            report.message = "the step's matrix could not be factored even with a shifted diagonal; try a smaller step";
            return false;
        case Outcome::stopped:
        case Outcome::no_descent:
        case Outcome::too_many_iterations:
            report.status = StepStatus::newton_diverged;
            report.message = "Newton did not converge in " + std::to_string(newton.iterations) + " iterations; try a smaller step";
            return false;
    }
    // u = (x - q^) / g in the allowed directions, as given in the others.
    w.moved = (x - q_hat) / g - u;
    system.constraints().project(w.moved);
    u += w.moved;
    return true;
}

}  // namespace wobble
