#include "engine/solve/make_phi.h"

#include "engine/solve/phi_dense.h"
#include "engine/solve/phi_kiops.h"
#include "engine/solve/phi_lanczos.h"
#include "engine/solve/phi_phipm.h"
#include "engine/solve/phi_phipm_simul_iom2.h"

namespace wobble {

std::unique_ptr<PhiEvaluator> make_phi(PhiMethod method) {
    switch (method) {
        case PhiMethod::kiops:
            return std::make_unique<KiopsPhi>();
        case PhiMethod::phipm:
            return std::make_unique<PhipmPhi>();
        case PhiMethod::phipm_simul_iom2:
            return std::make_unique<PhipmSimulIom2Phi>();
        case PhiMethod::dense:
            return std::make_unique<DensePhi>();
        default:
            return std::make_unique<LanczosPhi>();
    }
}

}  // namespace wobble
