#include "engine/solve/make_phi.h"

#include "engine/solve/phi_dense.h"
#include "engine/solve/phi_lanczos.h"

namespace wobble {

std::unique_ptr<PhiEvaluator> make_phi(PhiMethod method) {
    switch (method) {
        case PhiMethod::dense:
            return std::make_unique<DensePhi>();
        default:
            return std::make_unique<LanczosPhi>();
    }
}

}  // namespace wobble
