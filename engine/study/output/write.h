#pragma once
// A study's files: one CSV per table, one SVG per plot.
#include "engine/core/result.h"
#include "engine/study/study.h"

#include <filesystem>
#include <string>
#include <vector>

namespace wobble {

// Returns the names written, in order. All or nothing, as write_files() does it.
Result<std::vector<std::string>> write_study(const StudyResult&, const std::filesystem::path& folder);

}  // namespace wobble
