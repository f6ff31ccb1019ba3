#pragma once
// The readers behind read_mesh_file, one file each. Included by those files only.
#include "engine/mesh/io/mesh_file.h"

namespace wobble {

constexpr const char* reading_stage = "reading the mesh";
constexpr double coordinate_limit = 1e12;  // beyond this the arithmetic of areas and volumes loses its meaning

struct MeshText {
    std::filesystem::path file;
    std::string content;
};

Result<ImportedMesh> read_obj(const MeshText&, const Progress&);
Result<ImportedMesh> read_off(const MeshText&, const Progress&);
Result<ImportedMesh> read_gmsh(const MeshText&, const Progress&);
Result<ImportedMesh> read_vtk(const MeshText&, const Progress&);
Result<ImportedMesh> read_vtu(const MeshText&, const Progress&);
Result<ImportedMesh> read_medit(const MeshText&, const Progress&);
Result<ImportedMesh> read_tetgen(const MeshText&, const ImportLimits&, const Progress&);  // of either file, its companion beside it
Result<ImportedMesh> read_by_assimp(const std::filesystem::path&, const MeshFormat&, const ImportLimits&, const Progress&);

// Fixes what is wrong with tetrahedra and says so: turned ones are turned back, flat ones left out; finds their boundary. With tets the
// triangles that were read are dropped.
Result<ImportedMesh> finish_tets(ImportedMesh, const std::string& name);

// The bytes of a picture that a mesh file names, looked for beside it; none, with a note, where it is missing, too large or no PNG or JPEG.
std::optional<std::string> read_picture(const std::filesystem::path& mesh_file, std::string named, std::vector<std::string>& notes);
bool is_picture(std::string_view bytes);  // PNG or JPEG by its first bytes

}  // namespace wobble
