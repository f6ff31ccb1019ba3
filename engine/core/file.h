#pragma once
// Files from outside, read without trust: a pipe, a device, a directory or a giant never hangs or fills the memory.
#include "engine/core/result.h"

#include <filesystem>
#include <string>

namespace wobble {

// The whole content of a regular file of at most `limit` bytes. The size is checked before reading.
Result<std::string> read_file(const std::filesystem::path&, std::size_t limit);

}  // namespace wobble
