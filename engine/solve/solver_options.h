#pragma once
// What stands behind the implicit methods, as plain values; the two lists below are the only ones (UI, command line, scenes).
#include <span>
#include <string_view>

namespace wobble {

enum class NonlinearSolver { newton, inexact, superlinear, simplified };
enum class LinearSolver { automatic, cholesky, cg, cg_diagonal, cg_block, cg_ssor, cg_incomplete, cg_rest };

struct SolverOptions {
    double tolerance = 1e-6;  // relative: Newton's update, CG's residual, Krylov's error
    NonlinearSolver nonlinear = NonlinearSolver::newton;
    LinearSolver linear = LinearSolver::cholesky;
    bool operator==(const SolverOptions&) const = default;
};

template <class Kind>
struct SolverInfo {
    Kind kind;
    const char* id;      // as on the command line
    const char* label;   // for people
    const char* advice;  // one line
};
std::span<const SolverInfo<NonlinearSolver>> nonlinear_solvers();
std::span<const SolverInfo<LinearSolver>> linear_solvers();

template <class Kind>
const SolverInfo<Kind>* find_solver(std::span<const SolverInfo<Kind>> list, std::string_view id) {
    for (const auto& info : list)
        if (id == info.id) return &info;
    return nullptr;
}

}  // namespace wobble
