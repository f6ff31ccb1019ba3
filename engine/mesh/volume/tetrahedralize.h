#pragma once
// Filling a closed surface with tetrahedra: TetGen in the child process wobble-tetgen, so that its crash, exit(),
// endless loop, hunger for memory or licence never reaches this program.
#include "engine/core/progress.h"
#include "engine/core/result.h"
#include "engine/mesh/mesh.h"

#include <filesystem>

namespace wobble {

struct TetrahedralizeOptions {
    std::filesystem::path helper;  // the wobble-tetgen executable; empty: beside the running program
    double quality = 1.4;          // largest radius-edge ratio
    double max_volume = 0;         // m^3 per tet; 0: no limit
    bool keep_surface = true;      // no new vertices on the input surface
    bool trim = false;             // single small tets that stick out may go, for the sake of their light vertices
    double timeout_seconds = 60;
    double memory_limit_gb = 8;
};

// The result is ordered (reorder.h) and has its boundary. Survives whatever the child does; says what it did.
Result<TetMesh> tetrahedralize(const TriMesh& closed_surface, const TetrahedralizeOptions&, const Progress& = {});

}  // namespace wobble
