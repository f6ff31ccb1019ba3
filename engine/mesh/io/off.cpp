// Object File Format (Geomview): the word OFF, maybe with letters before it for colours (C), normals (N), texture coordinates (ST);
// numbers of vertices, faces, edges; a line per vertex; a line per face: n, n corners, maybe a colour.
#include "engine/mesh/io/polygon.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/io/text_scan.h"

namespace wobble {

Result<ImportedMesh> read_off(const MeshText& text, const Progress& progress) {
    TextScan scan(text.file.string(), text.content);
    const std::string_view head = scan.word();
    if (!head.ends_with("OFF") || head.starts_with("4") || head.starts_with("n"))
        return Error{text.file.string() + " does not begin with OFF, or has more than three dimensions; give an OFF file of a surface."};
    if (scan.peek() == "BINARY") return Error{text.file.string() + " is a binary OFF file, which is not read; export it as text."};
    const long vertices = scan.count("the number of vertices", 6), faces = scan.count("the number of faces", 8);
    (void)scan.line();  // the number of edges is often wrong, or missing
    ImportedMesh mesh;
    for (long i = 0; i < vertices && scan.ok(); ++i) {
        const double x = scan.number("a coordinate"), y = scan.number("a coordinate"), z = scan.number("a coordinate");
        mesh.vertices.push_back({x, y, z});
        (void)scan.line();
        if (i % 8192 == 0 && !keep_going(progress, reading_stage, 0.5 * static_cast<double>(i) / static_cast<double>(vertices)))
            return Error{"Reading the mesh was cancelled."};
    }
    std::vector<int> loop;
    for (long f = 0; f < faces && scan.ok(); ++f) {
        const long corners = scan.whole("the number of a face's corners", 1, 256);
        loop.clear();
        for (long k = 0; k < corners && scan.ok(); ++k)
            loop.push_back(static_cast<int>(scan.whole("the number of a vertex", 0, vertices - 1)));
        if (scan.ok()) triangulate_polygon(mesh.vertices, loop, mesh.triangles);
        (void)scan.line();
        if (f % 8192 == 0 && !keep_going(progress, reading_stage, 0.5 + 0.5 * static_cast<double>(f) / static_cast<double>(faces)))
            return Error{"Reading the mesh was cancelled."};
    }
    if (!scan.ok()) return scan.failure();
    return mesh;
}

}  // namespace wobble
