#pragma once
// Names that never overwrite: wobble.mp4, wobble-2.mp4, wobble-3.mp4, ...
#include "engine/core/result.h"

#include <filesystem>
#include <string>

namespace wobble {

// Creates an empty file under the wanted name or the next free numbered one, and its folder; so no one else can take it.
Result<std::filesystem::path> reserve_file(const std::filesystem::path& wanted);

// The same for a folder; an existing empty folder is taken as it is.
Result<std::filesystem::path> reserve_folder(const std::filesystem::path& wanted);

// A file and what belongs beside it under the same name and number: x-2.pc2 with x-2.obj, or x-2.pvd with the folder x-2.
struct ReservedPair {
    std::filesystem::path file, companion;
};
Result<ReservedPair> reserve_file_and_file(const std::filesystem::path& wanted, const std::string& companion_suffix);
Result<ReservedPair> reserve_file_and_folder(const std::filesystem::path& wanted);

}  // namespace wobble
