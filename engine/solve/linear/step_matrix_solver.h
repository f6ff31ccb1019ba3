#pragma once
// Newton directions with the step's own matrix  A(q) = M + g^2 K(q) + g D(q),  by sparse Cholesky or by filtered conjugate gradients.
// Both work on A with the forbidden directions decoupled, P A P + s (I - P).
// Indefinite A (a failed factorisation, a direction of negative curvature in CG): first A with the forces' semidefinite tangents, if they
// offer any (force_model.h), which is positive definite unless other forces are not; then a growing multiple of its diagonal's size is
// added to the diagonal, the same one in both paths.
//
// The rotated rest factor is factored at the rest positions, once per (g, material, constraints). Where the body has been deformed so much
// that CG needs more than `comfortable` iterations, the surplus is counted; once it has cost about as much as a factorisation, or at once
// when CG runs into its limit, A at the present positions is factored and takes the rest's place. So a lasting load (a body that
// sags) is paid for once, and violent motion never costs more than twice the cheaper choice.
//
// `automatic` is CG with 3x3 blocks until one solve needs more than `few` iterations; from then on, for this (g, material, constraints),
// CG with the rotated rest factor. Counts decide and not times, so that a run is the same every time.
#include "engine/core/saved_solver_state.h"
#include "engine/solve/linear/conjugate_gradient.h"
#include "engine/solve/linear/direction_solver.h"
#include "engine/solve/linear/preconditioner_diagonal.h"
#include "engine/solve/linear/preconditioner_factor.h"
#include "engine/solve/linear/preconditioner_incomplete.h"
#include "engine/solve/linear/preconditioner_ssor.h"
#include "engine/solve/linear/step_key.h"
#include "engine/solve/solver_options.h"

#include <optional>

namespace wobble {

class StepMatrixSolver final : public DirectionSolver {
public:
    StepMatrixSolver(const MechanicalSystem&, LinearSolver);  // for systems of the same pattern and workers

    void begin(const MechanicalSystem& system, double g) { system_ = &system, g_ = g, turned_ = false; }
    void solver_state(SavedSolverState&);
    void forget_choice();  // as before the first solve
    LinearReport direction(const VecX& q, const VecX& G, double error, VecX& p) override;
    // Exact arithmetic needs one iteration per unknown; five times that is past hope, and so are some thousands on large bodies.
    static int iteration_limit(LinearSolver, int unknowns);

private:
    static constexpr double least_shift = 1e-12;  // of the diagonal, as good as none
    static constexpr int comfortable = 5;         // iterations of CG with a rest factor that is worth keeping
    static constexpr int patience = 16;           // back-solves that cost as much as a factorisation
    static constexpr int few = 80;                // iterations with 3x3 blocks that cost as much as a solve with the rest factor

    void choose();
    LinearReport::Outcome attempt(const VecX& q, double error, VecX& p, LinearReport&);
    LinearReport::Outcome conjugate_gradients(Preconditioner&, double error, int limit, VecX& p, LinearReport&);
    LinearReport::Outcome with_rest_factor(const VecX& q, double error, VecX& p, LinearReport&);
    bool keep_rest_factor(LinearReport&);
    bool renew(const VecX& q, LinearReport&);
    void follow_pattern();
    void assemble(const VecX& q);
    void shift_diagonal(double from, double to);

    LinearSolver asked_, kind_;  // kind_ is what asked_ means at the moment
    StepKey chosen_for_;         // automatic: where kind_ was chosen
    const MechanicalSystem* system_;
    double g_ = 0;
    BlockMatrix A_;
    VecX minus_G_;
    ConjugateGradient cg_;
    std::optional<SparseCholesky> cholesky_;  // of these only the chosen one is made
    NoPreconditioner none_;
    DiagonalPreconditioner diagonal_;
    BlockDiagonalPreconditioner block_;
    BlockSsor ssor_;
    BlockIncompleteCholesky incomplete_;
    std::optional<RotatedFactor> rest_;
    StepKey rest_key_;
    bool turned_ = false;  // the rotations belong to this stage
    int surplus_ = 0;
    std::vector<std::uint8_t> constrained_;
};

}  // namespace wobble
