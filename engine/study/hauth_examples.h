#pragma once
// `wobble study hauth-examples`: the examples of Hauth 2004, section 2, with the methods of the table.
#include "engine/study/study.h"

namespace wobble {

Result<StudyResult> hauth_examples(const StudyOptions&, const Progress&);

}  // namespace wobble
