#pragma once
#include "engine/study/study.h"

namespace wobble {

Result<StudyResult> scaling(const StudyOptions&, const Progress&);  // study "scaling", see scaling.cpp

}  // namespace wobble
