#pragma once
#include "engine/study/study.h"

namespace wobble {

Result<StudyResult> contact(const StudyOptions&, const Progress&);  // study "contact", see contact.cpp

}  // namespace wobble
