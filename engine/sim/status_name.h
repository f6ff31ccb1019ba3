#pragma once
// The words for how a step ended, the same in `wobble run --json` and in the tables of studies.
#include "engine/integrate/report.h"

namespace wobble {

const char* status_name(StepStatus);  // "ok", "diverged", "newton_diverged", ...

}  // namespace wobble
