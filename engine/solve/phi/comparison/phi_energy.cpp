#include "engine/solve/phi/comparison/phi_energy.h"

#include <algorithm>
#include <cmath>

namespace wobble {

bool EnergyPhi::prepare(const Linearized&) {
    sigma_ = 0;
    mended_ = 0;
    for (EnergyKrylov* process : processes_) process->set_shift(0);
    return true;
}

std::unique_ptr<KrylovProcess> EnergyPhi::make_process() {
    auto process = std::make_unique<EnergyKrylov>(max_dimension_);
    process->set_shift(sigma_);
    processes_.push_back(process.get());
    return process;
}

bool EnergyPhi::mend(KrylovProcess& process) {
    const double quotient = static_cast<EnergyKrylov&>(process).rayleigh();
    if (!std::isfinite(quotient) || ++mended_ > 40) return false;
    sigma_ = std::max(4 * std::abs(quotient), 4 * sigma_);
    for (EnergyKrylov* other : processes_) other->set_shift(sigma_);
    return true;
}

}  // namespace wobble
