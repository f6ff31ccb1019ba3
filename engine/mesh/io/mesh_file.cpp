#include "engine/mesh/io/mesh_file.h"

#include "engine/core/file.h"
#include "engine/core/spelling.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/surface/weld.h"

#include <algorithm>
#include <fstream>

namespace wobble {

namespace fs = std::filesystem;

namespace {

constexpr MeshFormat formats[] = {
    {".obj", "Wavefront OBJ"},
    {".ply", "PLY"},
    {".stl", "STL"},
    {".glb", "glTF (binary)"},
    {".gltf", "glTF"},
    {".off", "OFF"},
    {".dae", "COLLADA"},
    {".3ds", "3D Studio"},
    {".fbx", "FBX"},
    {".x3d", "X3D"},
    {".msh", "Gmsh", true},
    {".vtk", "VTK (legacy)", true},
    {".vtu", "VTK (XML)", true},
    {".mesh", "Medit", true},
    {".node", "TetGen", true},
    {".ele", "TetGen", true},
};

const MeshFormat* of_ending(std::string ending) {
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const MeshFormat& format : formats)
        if (ending == format.ending) return &format;
    return nullptr;
}

// Formats that say what they are in their first bytes.
const MeshFormat* said_by(std::string_view head) {
    const auto starts = [&](std::string_view text) { return head.starts_with(text); };
    const auto has = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
    if (starts("ply\n") || starts("ply\r")) return of_ending(".ply");
    if (starts("glTF")) return of_ending(".glb");
    if (starts("OFF") || starts("COFF") || starts("NOFF") || starts("STOFF")) return of_ending(".off");
    if (starts("$MeshFormat")) return of_ending(".msh");
    if (starts("# vtk DataFile")) return of_ending(".vtk");
    if (starts("MeshVersionFormatted")) return of_ending(".mesh");
    if (starts("Kaydara FBX Binary")) return of_ending(".fbx");
    if (starts("solid") && has("facet normal")) return of_ending(".stl");
    if (has("<VTKFile")) return of_ending(".vtu");
    if (has("<COLLADA")) return of_ending(".dae");
    if (has("<X3D")) return of_ending(".x3d");
    return nullptr;
}

std::string first_bytes(const fs::path& file) {
    std::error_code failure;
    if (!fs::is_regular_file(file, failure)) return "";  // a pipe would keep us waiting
    std::ifstream stream(file, std::ios::binary);
    std::string head(512, '\0');
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    return head;
}

}  // namespace

std::span<const MeshFormat> mesh_formats() { return formats; }

std::string mesh_endings() {
    std::string list;
    for (const MeshFormat& format : formats) {
        if (&format != formats) list += &format + 1 == std::end(formats) ? " or " : ", ";
        list += format.ending;
    }
    return list;
}

bool has_mesh_ending(const fs::path& file) { return of_ending(file.extension().string()) != nullptr; }

Result<const MeshFormat*> mesh_format_of(const fs::path& file) {
    const MeshFormat* by_name = of_ending(file.extension().string());
    if (const MeshFormat* by_content = said_by(first_bytes(file)); by_content) return by_content;
    if (by_name) return by_name;
    return Error{in_quotes(file.string()) + " is no mesh that Wobble reads, which are " + mesh_endings() + "; convert it to one of them."};
}

Result<ImportedMesh> read_mesh_file(const fs::path& file, const ImportLimits& limits, const Progress& progress) {
    if (!keep_going(progress, reading_stage, 0)) return Error{"Reading the mesh was cancelled."};
    if (auto readable = check_readable(file, limits.file_bytes); !readable) return readable.error();
    const auto format = mesh_format_of(file);
    if (!format) return format.error();
    const std::string_view ending = format.value()->ending;
    const bool own = ending == ".obj" || ending == ".off" || format.value()->tets;
    if (!own) return read_by_assimp(file, *format.value(), limits, progress);
    auto content = read_file(file, limits.file_bytes);
    if (!content) return content.error();
    const MeshText text{file, std::move(content).value()};
    if (ending == ".off") return read_off(text, progress);
    if (ending == ".msh") return read_gmsh(text, progress);
    if (ending == ".vtk") return read_vtk(text, progress);
    if (ending == ".vtu") return read_vtu(text, progress);
    if (ending == ".mesh") return read_medit(text, progress);
    if (ending == ".node" || ending == ".ele") return read_tetgen(text, limits, progress);
    return read_obj(text, progress);
}

Result<TriMesh> welded_surface(const ImportedMesh& read, const Progress& progress) {
    TriMesh mesh{read.vertices, read.triangles};
    drop_unused_vertices(mesh);
    const auto wanted = [&] { return keep_going(progress, reading_stage, 0.9); };
    weld(mesh, 1e-8 * bounding_box(mesh.vertices).diagonal(), wanted);
    if (!wanted()) return Error{"Reading the mesh was cancelled."};
    drop_unused_vertices(mesh);
    return mesh;
}

Result<TriMesh> load_surface(const fs::path& file, const Progress& progress) {
    auto mesh = read_mesh_file(file, {}, progress);
    if (!mesh) return mesh.error();
    return welded_surface(mesh.value(), progress);
}

}  // namespace wobble
