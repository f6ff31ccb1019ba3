#pragma once
#include "engine/study/study.h"

namespace wobble {

Result<StudyResult> fput(const StudyOptions&, const Progress&);  // study "fput", see fput.cpp

}  // namespace wobble
