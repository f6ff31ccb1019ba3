#include "engine/sim/status_name.h"

namespace wobble {

const char* status_name(StepStatus status) {
    switch (status) {
        case StepStatus::ok:
            return "ok";
        case StepStatus::not_finite:
            return "diverged";
        case StepStatus::energy_guard:
            return "diverged";
        case StepStatus::newton_diverged:
            return "newton_diverged";
        case StepStatus::cg_stagnated:
            return "cg_stagnated";
        case StepStatus::krylov_stagnated:
            return "krylov_stagnated";
        case StepStatus::out_of_memory:
            return "out_of_memory";
        case StepStatus::contact:
            return "contact";
        case StepStatus::factorization_failed:
            return "factorization_failed";
    }
    return "failed";
}

}  // namespace wobble
