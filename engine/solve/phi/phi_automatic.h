#pragma once
// Chooses the evaluator for each linear problem: KIOPS where there are dashpots (D), else half-size Lanczos or rational Krylov,
// whichever is predicted to be cheaper on this body. Counts and fixed rates decide and never a clock, so runs repeat bit by bit.
//     Lanczos:   m (0.7 + 0.3 C) bytes(K) / product_rate  +  m C ritz_seconds        C columns (start vectors), m steps
//     rational:  (flops(factor) + (14 n + 18 d) d^2) / factor_rate  +  d 16 nonzeros(factor) / solve_rate  +  d bytes(K) / product_rate,
//                d = C m_r vectors of n unknowns, which are orthogonalised, multiplied and make eigenproblems (14 and 18 are measured)
//     modes:     10 n^3 / factor_rate                                                n unknowns; takes Lanczos' place where it is cheaper:
//                small bodies that oscillate thousands of times in a step
// m from omega, the highest frequency (measured on the bunny at 800, 2300 and 8774 vertices):
//     beta omega <= 2:  m = 0.53 h omega + 3;      else  m = 3.1 sqrt(h beta) omega + 5, times m / 128 where restarts are needed.
// omega is tracked by the largest diagonal entry of M^-1 K and measured when that has changed by more than a factor of two (spectrum.h;
// Gershgorin's row sums are a bound and tell no more of costs, but read all of K).
// m_r = 4 + 0.7 log10(1/tolerance) with stiffness damping and 20 log10(1/tolerance) without: fast oscillations are what it resolves
// slowly. Where that is more than it may take it is the first choice only if it costs a quarter. Both predictions are corrected by how
// far off the last one of their kind was.
//
// Where Lanczos would take more than `hopeless` steps - fast oscillation that no step resolves and that is not visible - and more time than
// rational Krylov with visible_tolerance, and that cannot reach the tolerance asked for either, nor is the body small enough for all its
// eigenvectors, it is asked for visible_tolerance and then ten times that: motion as it is seen to a thousandth or a hundredth of the
// step's increment, at a cost one can wait for. All nodes are loosened by the same factor, which the report tells: a stage that was to be
// better than the result stays so. Where the tightest of them is then still out of reach nothing is loosened, and it is Lanczos' task.
//
// If the chosen one does not converge the other is tried. Rational that failed is not the first choice again for 1, 2, 4 .. 64
// evaluations that ask for as much, until it has reached as much.
// The factor is analysed only where Lanczos takes `worth_analysis` steps or more, and it is never made where it would need more than
// max_factor_bytes; solids beyond max_solid_rows are not even analysed (ordering alone would take seconds and gigabytes).
//
// The rates were measured on the bunny with 302 to 8774 vertices on two idle cores of 3.6 GHz; only their ratios matter.
#include "engine/solve/krylov/spectrum.h"
#include "engine/solve/phi/phi_kiops.h"
#include "engine/solve/phi/phi_lanczos.h"
#include "engine/solve/phi/phi_modes.h"
#include "engine/solve/phi/phi_rational.h"

#include <limits>
#include <memory>

namespace wobble {

class AutomaticPhi final : public PhiEvaluator {
public:
    static constexpr double product_rate = 80e9;  // bytes/s of K's blocks in a Lanczos step, two threads; it reads its edges
    static constexpr double factor_rate = 20e9;   // operations/s
    static constexpr double solve_rate = 30e9;    // bytes/s of the factor, read twice
    static constexpr double ritz_seconds = 1e-5, damped_ritz_seconds = 4e-5;  // small matrices, per step and column
    static constexpr double max_factor_bytes = 2e9;
    static constexpr int worth_analysis = 20;
    static constexpr double hopeless = 1500, visible_tolerance = 1e-3;
    static constexpr int max_solid_rows = 60000;

    explicit AutomaticPhi(int max_unknowns = 1 << 30) : max_unknowns_(max_unknowns) {}  // no basis needs to be larger
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;
    void solver_state(SavedSolverState&) override;

private:
    struct Cost {
        double dimension, seconds;
    };
    Cost lanczos_cost(const Linearized&, double h, int columns) const;
    Cost rational_cost(const Linearized&, double tolerance, int columns);
    bool factor_allowed(const BlockPattern&) const;
    double rational_steps(double tolerance, bool damped) const;  // as a rule: m_r
    double most_rational_steps(int columns) const;
    double rational_dimension(const Linearized&, double tolerance, int columns) const;
    double rational_vectors(const Linearized&, double steps, int columns) const;
    double basis_seconds(const Linearized&, double d) const;
    double least_rational_seconds(const Linearized&, double tolerance, int columns) const;
    bool damped(const Linearized& system) const { return system.beta * omega_.value() > 0.5; }
    bool paused(double tolerance) const { return rational_pause_ > 0 && tolerance <= failed_tolerance_; }
    PhiReport run_relaxed(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>, int columns, const Cost& lanczos);
    PhiReport run_modes(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>, const Cost& lanczos);
    PhiReport run_lanczos(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>, const Cost& predicted);
    PhiReport run_rational(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>, double predicted);

    int max_unknowns_;
    std::unique_ptr<LanczosPhi> lanczos_;  // made when first chosen
    WhenNeeded<RationalPhi> rational_;
    std::unique_ptr<ModesPhi> modes_;
    std::unique_ptr<KiopsPhi> kiops_;
    std::vector<PhiColumn> columns_;
    std::vector<PhiNode> relaxed_;
    TrackedFrequency omega_{2, 2e-3, std::numeric_limits<int>::max()};
    double lanczos_correction_ = 1;  // actual steps / predicted
    double rational_correction_ = 1;
    double failed_tolerance_ = 0;  // where rational did not converge the last time
    int rational_pause_ = 0, next_pause_ = 1;
};

}  // namespace wobble
