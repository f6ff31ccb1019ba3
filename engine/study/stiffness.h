#pragma once
#include "engine/study/study.h"

namespace wobble {

Result<StudyResult> stiffness(const StudyOptions&, const Progress&);  // study "stiffness", see stiffness.cpp

// Its two parts. Each adds rows to the first table, and tables, plots and notes of its own.
Result<void> error_against_step(const StudyOptions&, const Progress&, StudyResult&);      // stiffness.cpp
Result<void> cost_against_stiffness(const StudyOptions&, const Progress&, StudyResult&);  // stiffness_cost.cpp

}  // namespace wobble
