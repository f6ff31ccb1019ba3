#include "engine/solve/phi/make_phi.h"

#include "engine/solve/phi/comparison/phi_energy.h"
#include "engine/solve/phi/comparison/phi_phipm.h"
#include "engine/solve/phi/comparison/phi_phipm_simul_iom2.h"
#include "engine/solve/phi/comparison/phi_reformulated.h"
#include "engine/solve/phi/phi_automatic.h"
#include "engine/solve/phi/phi_components.h"
#include "engine/solve/phi/phi_dense.h"
#include "engine/solve/phi/phi_kiops.h"
#include "engine/solve/phi/phi_lanczos.h"
#include "engine/solve/phi/phi_rational.h"

namespace wobble {

namespace {

// A fast path that needs Rayleigh damping; KIOPS where there are dashpots.
template <class Fast>
class OrKiops final : public PhiEvaluator {
public:
    explicit OrKiops(int max_dimension) : max_dimension_(max_dimension) {}
    PhiReport evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) override {
        if (system.rayleigh()) return fast_.get([&] { return std::make_unique<Fast>(max_dimension_); }).evaluate(system, terms, nodes);
        if (!kiops_) kiops_ = std::make_unique<KiopsPhi>();
        return kiops_->evaluate(system, terms, nodes);
    }
    void solver_state(SavedSolverState& numbers) override {
        fast_.solver_state(numbers, [&] { return std::make_unique<Fast>(max_dimension_); });
    }

private:
    int max_dimension_;
    WhenNeeded<Fast> fast_;
    std::unique_ptr<KiopsPhi> kiops_;
};

}  // namespace

std::unique_ptr<PhiEvaluator> make_phi(PhiMethod method) {
    switch (method) {
        case PhiMethod::kiops:
            return std::make_unique<KiopsPhi>();
        case PhiMethod::phipm:
            return std::make_unique<PhipmPhi>();
        case PhiMethod::phipm_simul_iom2:
            return std::make_unique<PhipmSimulIom2Phi>();
        case PhiMethod::energy:
            return std::make_unique<EnergyPhi>();
        case PhiMethod::reformulated:
            return std::make_unique<ReformulatedPhi>(ReformulatedPhi::Root::eigenvectors);
        case PhiMethod::reformulated_newton:
            return std::make_unique<ReformulatedPhi>(ReformulatedPhi::Root::newton);
        case PhiMethod::automatic:
            return std::make_unique<ComponentsPhi>([](int unknowns) { return std::make_unique<AutomaticPhi>(unknowns); });
        case PhiMethod::rational:
            return std::make_unique<ComponentsPhi>([](int unknowns) { return std::make_unique<OrKiops<RationalPhi>>(unknowns); });
        case PhiMethod::dense:
            return std::make_unique<DensePhi>();
        case PhiMethod::lanczos:
            break;
    }
    return std::make_unique<ComponentsPhi>(
        [](int unknowns) { return std::make_unique<OrKiops<LanczosPhi>>(LanczosPhi::dimension_for(unknowns)); });
}

}  // namespace wobble
