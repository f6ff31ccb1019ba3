#include "engine/solve/phi/comparison/phi_phipm_simul_iom2.h"

namespace wobble {

PhipmSimulIom2Phi::PhipmSimulIom2Phi(int max_dimension) : PhipmPhi({max_dimension, 2, 1.4, true, "phipm-simul-iom2"}) {}

}  // namespace wobble
