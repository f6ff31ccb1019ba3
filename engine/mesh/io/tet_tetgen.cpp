// TetGen's x.node (vertices) and x.ele (tetrahedra): a line of counts, then a line per vertex or tetrahedron that begins with its number,
// counted from 0 or 1.
#include "engine/core/file.h"
#include "engine/core/text.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/io/text_scan.h"

namespace wobble {

namespace fs = std::filesystem;

Result<ImportedMesh> read_tetgen(const MeshText& given, const ImportLimits& limits, const Progress& progress) {
    const std::string ending = given.file.extension().string();
    const bool nodes_given = ending == ".node" || ending == ".NODE";
    fs::path other_file = given.file;
    other_file.replace_extension(nodes_given ? ".ele" : ".node");
    std::error_code missing;
    if (!fs::exists(other_file, missing))
        return Error{text(given.file.string(), " needs ", other_file.filename().string(),
                          " beside it, which is not there; TetGen's meshes are two files.")};
    auto other = read_file(other_file, limits.file_bytes);
    if (!other) return other.error();
    const Error cancelled{"Reading the mesh was cancelled."};

    TextScan nodes((nodes_given ? given.file : other_file).string(), nodes_given ? given.content : other.value());
    ImportedMesh mesh;
    const long vertices = nodes.count("the number of vertices", 7);
    if (nodes.whole("the dimension", 2, 3) == 2) nodes.refuse("the vertices are flat, but a body needs three dimensions");
    (void)nodes.line();
    long first = 0;
    for (long i = 0; i < vertices && nodes.ok(); ++i) {
        const long number = nodes.whole("the number of a vertex", 0, vertices);
        if (i == 0) first = number;
        if (nodes.ok() && number != first + i) nodes.refuse(text("vertex ", number, " stands where ", first + i, " should be"));
        const double x = nodes.number("a coordinate"), y = nodes.number("a coordinate"), z = nodes.number("a coordinate");
        mesh.vertices.push_back({x, y, z});
        (void)nodes.line();
        if (i % 8192 == 0 && !keep_going(progress, reading_stage, 0.5 * static_cast<double>(i) / static_cast<double>(vertices)))
            return cancelled;
    }
    if (!nodes.ok()) return nodes.failure();
    if (first > 1) return Error{nodes.name() + " counts its vertices neither from 0 nor from 1; write it again."};

    TextScan elements((nodes_given ? other_file : given.file).string(), nodes_given ? other.value() : given.content);
    const long tets = elements.count("the number of tetrahedra", 9);
    const long corners = elements.whole("the number of corners, 4 or 10", 4, 10);
    if (corners != 4 && corners != 10) elements.refuse(text(corners, " corners are no tetrahedron"));
    (void)elements.line();
    for (long i = 0; i < tets && elements.ok(); ++i) {
        elements.whole("the number of a tetrahedron", 0, tets + 1);
        Tet tet{};
        for (int& v : tet) v = static_cast<int>(elements.whole("the number of a vertex", first, first + vertices - 1) - first);
        mesh.tets.push_back(tet);
        (void)elements.line();
        if (i % 8192 == 0 && !keep_going(progress, reading_stage, 0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(tets)))
            return cancelled;
    }
    if (!elements.ok()) return elements.failure();
    if (mesh.tets.empty()) return Error{elements.name() + " has no tetrahedra; write it again."};
    return finish_tets(std::move(mesh), given.file.string());
}

}  // namespace wobble
