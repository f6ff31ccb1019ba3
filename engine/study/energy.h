#pragma once
#include "engine/study/study.h"

namespace wobble {

Result<StudyResult> energy(const StudyOptions&, const Progress&);  // study "energy", see energy.cpp

}  // namespace wobble
