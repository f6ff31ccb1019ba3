#pragma once
// `wobble study stability-regions`: Hauth 2004, figure 4, for every method of the table.
#include "engine/study/study.h"

namespace wobble {

Result<StudyResult> stability_regions(const StudyOptions&, const Progress&);

}  // namespace wobble
