#pragma once
// The evaluators by name: the one place that knows them all.
#include "engine/solve/phi/phi_evaluator.h"
#include "engine/solve/solver_options.h"

#include <memory>

namespace wobble {

std::unique_ptr<PhiEvaluator> make_phi(PhiMethod);

}  // namespace wobble
