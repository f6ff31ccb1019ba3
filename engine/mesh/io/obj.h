#pragma once
// Reading surface meshes from files. The only user of tinyobjloader.
#include "engine/core/progress.h"
#include "engine/core/result.h"
#include "engine/mesh/mesh.h"

#include <cstddef>
#include <filesystem>

namespace wobble {

inline constexpr std::size_t largest_mesh_file = 64'000'000;  // bytes

// Reads an OBJ: n-gons triangulated, groups and objects merged, duplicate vertices welded, unused ones dropped.
// Rejects with a sentence: missing file, directory, empty, too large (> largest_mesh_file), no faces, not finite, indices out of range, not
// text. Does not judge the surface: see check.h.
Result<TriMesh> load_obj(const std::filesystem::path& file, const Progress& = {});
Result<void> save_obj(const TriMesh&, const std::filesystem::path& file);

}  // namespace wobble
