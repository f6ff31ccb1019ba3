// Medit's .mesh as text (Frey 2001): keywords, each followed by a count and its rows; the last number of a row is a reference.
#include "engine/mesh/io/readers.h"
#include "engine/mesh/io/text_scan.h"

#include <cctype>

namespace wobble {

Result<ImportedMesh> read_medit(const MeshText& text, const Progress& progress) {
    TextScan scan(text.file.string(), text.content);
    ImportedMesh mesh;
    long vertices = 0;
    const Error cancelled{"Reading the mesh was cancelled."};
    const double size = static_cast<double>(text.content.size()) + 1;
    bool wanted = true;
    const auto rows = [&](long count, auto&& row) {
        for (long i = 0; i < count && scan.ok() && wanted; ++i) {
            row();
            if (i % 8192 == 0) wanted = keep_going(progress, reading_stage, 1 - static_cast<double>(scan.left()) / size);
        }
    };
    const auto corner = [&] { return static_cast<int>(scan.whole("the number of a vertex", 1, vertices)) - 1; };
    while (scan.ok() && wanted) {
        const std::string key(scan.word());
        if (key.empty() || key == "End") break;
        if (key == "MeshVersionFormatted") {
            scan.whole("a version", 1, 4);
        } else if (key == "Dimension") {
            if (scan.whole("the dimension", 2, 3) == 2) scan.refuse("the mesh is flat (Dimension 2), but a body needs three dimensions");
        } else if (key == "Vertices") {
            vertices = scan.count("the number of vertices", 6);
            rows(vertices, [&] {
                const double x = scan.number("a coordinate"), y = scan.number("a coordinate"), z = scan.number("a coordinate");
                mesh.vertices.push_back({x, y, z});
                scan.number("a reference");
            });
        } else if (key == "Triangles") {
            rows(scan.count("the number of triangles", 8), [&] {
                const int a = corner(), b = corner(), c = corner();
                mesh.triangles.push_back({a, b, c});
                scan.number("a reference");
            });
        } else if (key == "Tetrahedra") {
            rows(scan.count("the number of tetrahedra", 10), [&] {
                const int a = corner(), b = corner(), c = corner(), d = corner();
                mesh.tets.push_back({a, b, c, d});
                scan.number("a reference");
            });
        } else if (std::isalpha(static_cast<unsigned char>(key[0]))) {  // edges, corners, normals: not needed
            if ((key == "Hexahedra" || key == "Prisms" || key == "Pyramids") && scan.peek() != "0")
                scan.refuse("the mesh has " + key + ", but only tetrahedra can be simulated; split them before");
            while (scan.ok() && !scan.peek().empty() && !std::isalpha(static_cast<unsigned char>(scan.peek()[0]))) scan.word();
        } else {
            scan.refuse(shown_word(key) + " stands where a keyword should be; export the file again");
        }
    }
    if (!wanted) return cancelled;
    if (!scan.ok()) return scan.failure();
    return finish_tets(std::move(mesh), text.file.string());
}

}  // namespace wobble
