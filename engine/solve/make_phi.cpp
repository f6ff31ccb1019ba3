#include "engine/solve/make_phi.h"

#include "engine/solve/phi_automatic.h"
#include "engine/solve/phi_dense.h"
#include "engine/solve/phi_islands.h"
#include "engine/solve/phi_lanczos.h"

namespace wobble {

std::unique_ptr<PhiEvaluator> make_phi(PhiMethod method) {
    switch (method) {
        case PhiMethod::automatic:
            return std::make_unique<IslandsPhi>([](int unknowns) { return std::make_unique<AutomaticPhi>(unknowns); });
        case PhiMethod::rational:
            return std::make_unique<RationalPhi>();
        case PhiMethod::dense:
            return std::make_unique<DensePhi>();
        default:
            return std::make_unique<LanczosPhi>();
    }
}

}  // namespace wobble
