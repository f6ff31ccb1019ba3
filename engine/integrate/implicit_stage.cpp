#include "engine/integrate/implicit_stage.h"

#include "engine/solve/linear/linear_jacobian_solver.h"
#include "engine/solve/linear/step_matrix_solver.h"
#include "engine/solve/newton/lbfgs_solver.h"
#include "engine/solve/newton/newton.h"

#include <cmath>

namespace wobble {

namespace {

constexpr int simplified_costs_less_by = 10;  // how many simplified iterations are worth a Newton iteration

const char* label(LinearSolver kind) {
    for (const auto& info : linear_solvers())
        if (info.kind == kind) return info.label;
    return "";
}

std::string plural(int n, const char* thing) { return std::to_string(n) + " " + thing + (n == 1 ? "" : "s"); }

}  // namespace

struct ImplicitStage::Workspace final : NewtonProblem {
    Workspace(const MechanicalSystem& s, const SolverOptions& options) : pattern(s.pattern()) {
        if (options.nonlinear == NonlinearSolver::simplified) jacobian.emplace(s, options.linear), secants.emplace(*jacobian);
        else matrix.emplace(s, options.linear);
    }

    std::shared_ptr<const BlockPattern> pattern;  // what the workspace was made for
    Newton newton;
    std::optional<StepMatrixSolver> matrix;  // one of the two
    std::optional<LinearJacobianSolver> jacobian;
    std::optional<LbfgsSolver> secants;  // around the jacobian
    const MechanicalSystem* system = nullptr;
    const VecX* q_hat = nullptr;
    double g = 0;
    VecX predicted, moved, damping, frozen;  // frozen: the iterate D belongs to

    DirectionSolver& begin(const MechanicalSystem& s, const VecX& q, const VecX& v, double step, bool one_iteration) {
        system = &s;
        q_hat = &q;
        g = step;
        predicted = q + g * v;
        for (VecX* vector : {&moved, &damping, &frozen}) vector->resize(q.size());
        frozen = q;
        if (jacobian) {
            jacobian->begin(s, g, one_iteration ? LinearJacobianSolver::bound : LinearJacobianSolver::mean);
            secants->begin();
            return *secants;
        }
        return matrix->begin(s, g), *matrix;
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

    bool gradient_changes_value() const override { return system->damped(); }
    bool stop_requested() const override { return system->workers().stop_requested(); }

    // |G|_W >= |G|_A^-1, because A >= M.
    double residual(const VecX& G) override {
        const VecX& W = system->inverse_mass();
        return std::sqrt(blocked_sum(system->workers(), static_cast<int>(G.size()), [&](int begin, int end) {
            double sum = 0;
            for (int k = begin; k < end; ++k) sum += W[k] * G[k] * G[k];
            return sum;
        }));
    }

    // What the forces do in this stage, |x - q^ - g v^|_M.
    double progress(const VecX& x) override {
        moved = x - predicted;
        return norm(moved);
    }
    double norm(const VecX& x) const { return std::sqrt(2 * system->kinetic_energy(x)); }
};

ImplicitStage::ImplicitStage(const SolverOptions& options) : options_(options) {}
ImplicitStage::~ImplicitStage() = default;

bool ImplicitStage::solve(const MechanicalSystem& system, const VecX& q_hat, const VecX& v_hat, double g, VecX& x, VecX& u,
                          StepReport& report, int max_newton) {
    if (!work_ || work_->pattern != system.pattern()) {
        work_ = std::make_unique<Workspace>(system, options_);
        SavedSolverState numbers = SavedSolverState::reading(remembered_);
        if (!remembered_.empty() && work_->matrix) work_->matrix->solver_state(numbers);
        remembered_.clear();
    }
    Workspace& w = *work_;
    DirectionSolver& linear = w.begin(system, q_hat, v_hat, g, max_newton == 1);
    const bool simplified = options_.nonlinear == NonlinearSolver::simplified;
    const NewtonReport newton =
        w.newton.minimize(w, linear,
                          {.kind = options_.nonlinear,
                           .tolerance = options_.tolerance,
                           .floor = 1e-14 * w.norm(q_hat),  // what rounding leaves of any position
                           .max_iterations = simplified && max_newton > 1 ? simplified_costs_less_by * max_newton : max_newton},
                          x);
    ++report.stages;
    report.newton_iterations += newton.iterations;
    report.linear_iterations += newton.linear_iterations;
    report.operator_products += newton.linear_iterations;
    report.factorizations += newton.factorizations;
    report.force_evaluations += newton.evaluations;
    if (newton.outcome != NewtonReport::Outcome::converged) {
        explain(newton, report);
        return false;
    }
    // u = (x - q^) / g in the allowed directions, as given in the others.
    w.moved = (x - q_hat) / g - u;
    system.constraints().project(w.moved);
    u += w.moved;
    return true;
}

void ImplicitStage::solver_state(SavedSolverState& numbers) {
    const bool can = work_ && work_->matrix;
    bool there = can || !remembered_.empty();
    numbers(there);
    if (there && can) return work_->matrix->solver_state(numbers);
    if (there) {  // for a workspace that is made in the next step
        remembered_.resize(2);
        return numbers(remembered_[0]), numbers(remembered_[1]);
    }
    remembered_.clear();
    if (numbers.reads() && can) work_->matrix->forget_choice();
}

void ImplicitStage::explain(const NewtonReport& newton, StepReport& report) const {
    using Outcome = NewtonReport::Outcome;
    const std::string after = " after " + plural(newton.iterations, "iteration");
    const std::string remedy = options_.nonlinear == NonlinearSolver::simplified
                                   ? "; try a smaller step, or inexact Newton instead of simplified Newton"
                                   : "; try a smaller step, or a method that damps";
    report.status = StepStatus::newton_diverged;
    switch (newton.outcome) {
        case Outcome::converged:
            report.status = StepStatus::ok;
            break;
        case Outcome::not_finite:
            report.status = StepStatus::not_finite;
            report.message = "the implicit step's forces are not finite" + after + "; try a smaller step";
            break;
        case Outcome::indefinite:
            report.status = StepStatus::factorization_failed;
            report.message =
                "the implicit step's matrix is indefinite: somewhere the body is pressed together so hard that it gives way; try a smaller "
                "step, or a method with a converged Newton";
            break;
        case Outcome::linear_stagnated: {
            report.status = StepStatus::cg_stagnated;
            const bool strongest = options_.linear == LinearSolver::cg_rest;
            report.message = std::string(label(options_.linear)) + " did not solve a linear system within " +
                             plural(newton.linear_iterations, "iteration") + "; try " +
                             (strongest ? "sparse Cholesky" : "the rotated rest factor or sparse Cholesky") + ", or a smaller step";
            break;
        }
        case Outcome::no_descent:
            report.message = "Newton's line search found no lower energy" + after + remedy;
            break;
        case Outcome::no_contraction:
            report.message = "Newton does not contract (seen" + after + ")" + remedy;
            break;
        case Outcome::too_many_iterations:
            report.message = "Newton did not converge in " + plural(newton.iterations, "iteration") + remedy;
            break;
        case Outcome::stopped:
            report.message = "the implicit step was stopped before it was solved";
            break;
    }
}

}  // namespace wobble
