#pragma once
// The linear problem of phi_evaluator.h without a Krylov basis, by leapfrog steps (leapfrog_flow.h) or, where damping by stiffness makes
// those short, by stabilised ones (disc_flow.h, chebyshev_flow.h), whichever needs fewest products: with one vector, no inner products.
// What that costs is accuracy: node tolerances are not looked at. Visible motion is right to about 1e-3 of itself by leapfrog, by the
// others to some (omega beta)^2; modes that turn by a radian or more per substep do something of their own with the energy they have.
// omega_max is tracked (spectrum.h), and measured again where a result is larger than it can be. If that was right (K is negative
// somewhere) leapfrog rests for `rest` evaluations. `otherwise` takes over then, and where there are dashpots, sliding pins, terms that act
// on positions, or more than most_products to do: very stiff bodies. Islands (phi_components.h) are not told apart: the stiffest one sets
// the substeps of all.
#include "engine/solve/krylov/spectrum.h"
#include "engine/solve/substeps/chebyshev_flow.h"
#include "engine/solve/substeps/leapfrog_flow.h"
#include "engine/solve/substeps/ssprk_flow.h"

#include <memory>

namespace wobble {

class LeapfrogPhi final : public PhiEvaluator {
public:
    static constexpr double most_products = 1000;
    static constexpr int rest = 16;

    explicit LeapfrogPhi(std::unique_ptr<PhiEvaluator> otherwise) : otherwise_(std::move(otherwise)) {}
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;
    void solver_state(SavedSolverState& numbers) override {
        omega_.solver_state(numbers), numbers(resting_), otherwise_->solver_state(numbers);
    }

private:
    bool run(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>, PhiReport&);

    std::unique_ptr<PhiEvaluator> otherwise_;
    TrackedFrequency omega_{1.05, 0.01, 64};
    FlowState state_;
    LeapfrogFlow leapfrog_;
    SsprkFlow disc_;
    ChebyshevFlow chebyshev_;
    int resting_ = 0;
};

}  // namespace wobble
