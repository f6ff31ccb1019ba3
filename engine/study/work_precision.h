#pragma once
// `wobble study work-precision`: how much each method pays for how much accuracy, on a body.
#include "engine/study/study.h"

namespace wobble {

Result<StudyResult> work_precision(const StudyOptions&, const Progress&);

}  // namespace wobble
