#pragma once
// What stands behind the implicit and the exponential methods, as plain values; the lists below are the only ones (UI, command line,
// scenes).
#include <span>
#include <string_view>

namespace wobble {

enum class NonlinearSolver { newton, inexact, superlinear, simplified };
enum class LinearSolver { automatic, cholesky, cg, cg_diagonal, cg_block, cg_ssor, cg_incomplete, cg_rest };

enum class PhiMethod { automatic, lanczos, rational, kiops, phipm, phipm_simul_iom2, energy, reformulated, reformulated_newton, dense };
enum class GautschiFilter { hairer_lubich, garcia_archilla, grimm_hochbruck, deuflhard };

struct SolverOptions {
    double tolerance = 1e-6;  // relative: Newton's update, CG's residual, Krylov's error
    NonlinearSolver nonlinear = NonlinearSolver::newton;
    LinearSolver linear = LinearSolver::cholesky;
    PhiMethod phi = PhiMethod::automatic;
    GautschiFilter filter = GautschiFilter::hairer_lubich;
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
std::span<const SolverInfo<PhiMethod>> phi_methods();
std::span<const SolverInfo<GautschiFilter>> gautschi_filters();

template <class Kind>
const SolverInfo<Kind>* find_solver(std::span<const SolverInfo<Kind>> list, std::string_view id) {
    for (const auto& info : list)
        if (id == info.id) return &info;
    return nullptr;
}

}  // namespace wobble
