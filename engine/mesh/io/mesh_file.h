#pragma once
// Reading meshes of any known format: surfaces and tetrahedra. Nothing a file says is believed unseen.
#include "engine/core/progress.h"
#include "engine/core/result.h"
#include "engine/mesh/mesh.h"
#include "engine/mesh/surface_look.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wobble {

inline constexpr std::size_t largest_mesh_file = 256'000'000;  // bytes

struct MeshFormat {
    const char* ending;  // ".obj"
    const char* name;    // "Wavefront OBJ"
    bool tets = false;   // may hold tetrahedra
};
std::span<const MeshFormat> mesh_formats();  // the one list
std::string mesh_endings();                  // ".obj, .ply, ... or .ele"
// By the content where it says so itself, else by the ending; of a missing file by the ending. An unknown one is an error that names the
// known endings.
Result<const MeshFormat*> mesh_format_of(const std::filesystem::path&);
bool has_mesh_ending(const std::filesystem::path&);

// What is in a mesh file: vertices in its own order, count and coordinates, also those that no face uses.
struct ImportedMesh {
    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;       // polygons are cut; of tetrahedra their outward boundary
    std::vector<Tet> tets = {};            // of positive volume; empty: the file is a surface
    std::optional<SurfaceLook> look = {};  // fits the triangles
    double unit = 0;                       // m; 0: the format does not say
    int up = -1;                           // axis 0, 1, 2; -1: the format does not say
    std::vector<std::string> notes = {};   // what was left out or changed, one sentence each
};

struct ImportLimits {
    std::filesystem::path helper = {};  // the wobble-import executable; empty: beside the running program
    double timeout_seconds = 60;
    double memory_limit_gb = 6;
    std::size_t file_bytes = largest_mesh_file;
};

// Rejects with a sentence: what cannot be read, is too large, has no faces, broken indices or numbers. Does not judge the surface.
Result<ImportedMesh> read_mesh_file(const std::filesystem::path&, const ImportLimits& = {}, const Progress& = {});

// The surface as it is checked and filled: duplicate vertices welded, unused ones dropped. An error only if cancelled.
Result<TriMesh> welded_surface(const ImportedMesh&, const Progress& = {});

// A file with nothing but the surface, for the checks: read and welded.
Result<TriMesh> load_surface(const std::filesystem::path&, const Progress& = {});

}  // namespace wobble
