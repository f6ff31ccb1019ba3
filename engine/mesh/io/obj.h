#pragma once
// Wavefront OBJ. The only user of tinyobjloader.
#include "engine/mesh/io/mesh_file.h"

namespace wobble {

// Reads an OBJ: n-gons triangulated, groups and objects merged, duplicate vertices welded, unused ones dropped.
// Rejects with a sentence: missing file, directory, empty, too large (> largest_mesh_file), no faces, not finite, indices out of range, not
// text. Does not judge the surface: see check.h.
Result<TriMesh> load_obj(const std::filesystem::path& file, const Progress& = {});
Result<void> save_obj(const TriMesh&, const std::filesystem::path& file);

}  // namespace wobble
