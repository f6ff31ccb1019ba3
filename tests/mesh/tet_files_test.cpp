// Files of tetrahedra: the same body from every format, and sentences for what is wrong with them.
#include "engine/mesh/volume/quality.h"
#include "engine/mesh/volume/tet_adjacency.h"
#include "engine/mesh/volume/tet_body.h"
#include "tests/mesh/support/files.h"
#include "tests/support/box_tets.h"

#include <algorithm>
#include <cmath>

namespace wobble {
namespace {

const TetMesh box = support::box_tets(2, 2, 1);  // six tets in each of four cells of 0.25 m

ImportedMesh read(const std::filesystem::path& file) {
    auto mesh = read_mesh_file(file);
    if (!mesh) return ADD_FAILURE() << mesh.message(), ImportedMesh{};
    return std::move(mesh).value();
}

void expect_box(const ImportedMesh& mesh) {
    EXPECT_EQ(mesh.vertices, box.vertices);
    EXPECT_EQ(mesh.tets, box.tets);
    EXPECT_EQ(mesh.triangles.size(), 32u);  // two on each of the sixteen squares of its surface
    EXPECT_NEAR(signed_volume({mesh.vertices, mesh.triangles}), volume(box), 1e-12) << "outward";
}

std::string points_of(const TetMesh& mesh, const char* behind = "\n") {
    std::string out;
    for (const Vec3& p : mesh.vertices) out += text(p.x(), ' ', p.y(), ' ', p.z(), behind);
    return out;
}

std::string msh_2(const TetMesh& mesh, bool binary) {
    std::string out = text("$MeshFormat\n2.2 ", binary ? 1 : 0, " 8\n");
    if (binary) put(out, 1), out += '\n';
    out += text("$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n$Nodes\n", mesh.vertices.size(), '\n');
    for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v) {
        const Vec3& p = mesh.vertices[static_cast<std::size_t>(v)];
        if (binary) put(out, 10 + 3 * v), put(out, p.x()), put(out, p.y()), put(out, p.z());
        else out += text(10 + 3 * v, ' ', p.x(), ' ', p.y(), ' ', p.z(), '\n');
    }
    out += text("$EndNodes\n$Elements\n", mesh.tets.size() + 1, '\n');
    if (binary) put(out, 15), put(out, 1), put(out, 2), put(out, 1), put(out, 0), put(out, 1), put(out, 10);
    else out += "1 15 2 0 1 10\n";  // a point
    if (binary) put(out, 4), put(out, static_cast<int>(mesh.tets.size())), put(out, 2);
    for (int t = 0; t < static_cast<int>(mesh.tets.size()); ++t) {
        if (binary) put(out, t + 2), put(out, 1), put(out, 1);
        else out += text(t + 2, " 4 2 1 1");
        for (const int v : mesh.tets[static_cast<std::size_t>(t)])
            if (binary) put(out, 10 + 3 * v);
            else out += text(' ', 10 + 3 * v);
        if (!binary) out += '\n';
    }
    return out + "$EndElements\n";
}

std::string msh_4(const TetMesh& mesh, bool binary) {
    std::string out = text("$MeshFormat\n4.1 ", binary ? 1 : 0, " 8\n");
    const auto whole = [&](int bytes, long value) {
        if (!binary) out += text(value, ' ');
        else if (bytes == 4) put(out, static_cast<std::int32_t>(value));
        else put(out, static_cast<std::int64_t>(value));
    };
    if (binary) put(out, 1);
    const long vertices = static_cast<long>(mesh.vertices.size()), tets = static_cast<long>(mesh.tets.size());
    out += "\n$EndMeshFormat\n$Nodes\n";
    for (const long n : {1l, vertices, 1l, 2 * vertices}) whole(8, n);
    whole(4, 3), whole(4, 1), whole(4, 0), whole(8, vertices);
    for (long v = 0; v < vertices; ++v) whole(8, 1 + 2 * v);
    for (const Vec3& p : mesh.vertices)
        for (int k = 0; k < 3; ++k)
            if (binary) put(out, p[k]);
            else out += text(p[k], ' ');
    out += "\n$EndNodes\n$Elements\n";
    for (const long n : {1l, tets, 1l, tets}) whole(8, n);
    whole(4, 3), whole(4, 1), whole(4, 4), whole(8, tets);
    for (long t = 0; t < tets; ++t) {
        whole(8, t + 1);
        for (const int v : mesh.tets[static_cast<std::size_t>(t)]) whole(8, 1 + 2 * v);
    }
    return out + "\n$EndElements\n";
}

std::string vtk(const TetMesh& mesh, bool binary, bool new_way) {
    std::string out = text("# vtk DataFile Version ", new_way ? "5.1" : "3.0", "\na box\n", binary ? "BINARY" : "ASCII",
                           "\nDATASET UNSTRUCTURED_GRID\nPOINTS ", mesh.vertices.size(), " double\n");
    const auto whole = [&](auto value) {
        if (binary) put_big(out, value);
        else out += text(value, ' ');
    };
    for (const Vec3& p : mesh.vertices)
        for (int k = 0; k < 3; ++k) whole(p[k]);
    const std::size_t n = mesh.tets.size();
    if (new_way) {
        out += text("\nMETADATA\nINFORMATION 0\n\nCELLS ", n + 1, ' ', 4 * n, "\nOFFSETS vtktypeint64\n");
        for (std::size_t t = 0; t <= n; ++t) whole(static_cast<std::int64_t>(4 * t));
        out += "\nCONNECTIVITY vtktypeint64\n";
        for (const Tet& tet : mesh.tets)
            for (const int v : tet) whole(static_cast<std::int64_t>(v));
    } else {
        out += text("\nCELLS ", n, ' ', 5 * n, '\n');
        for (const Tet& tet : mesh.tets) {
            whole(4);
            for (const int v : tet) whole(v);
        }
    }
    out += text("\nCELL_TYPES ", n, '\n');
    for (std::size_t t = 0; t < n; ++t) whole(10);
    return out + text("\nPOINT_DATA ", mesh.vertices.size(), "\nSCALARS x double\n");
}

std::string base64(const std::string& bytes) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned word = 0;
        for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : letters[word >> (18 - 6 * k) & 63];
    }
    return out;
}

enum class Vtu { ascii, base64, appended_raw };
std::string vtu(const TetMesh& mesh, Vtu how) {
    std::string appended = "_";
    const auto array = [&](const std::string& name, auto type, const auto& values) {
        using T = decltype(type);
        const char* kind = sizeof(T) == 8 ? (std::is_integral_v<T> ? "Int64" : "Float64") : "UInt8";
        std::string bytes, content;
        put(bytes, static_cast<std::uint64_t>(values.size() * sizeof(T)));
        for (const auto& x : values) put(bytes, static_cast<T>(x)), content += text(static_cast<double>(x), ' ');
        const std::string head = text("<DataArray type=\"", kind, "\" Name=\"", name, "\" NumberOfComponents=\"3\" format=");
        if (how == Vtu::ascii) return head + "\"ascii\">\n" + content + "</DataArray>\n";
        if (how == Vtu::base64) return head + "\"binary\">\n" + base64(bytes) + "\n</DataArray>\n";
        const std::size_t offset = appended.size() - 1;
        appended += bytes;
        return head + text("\"appended\" offset=\"", offset, "\"/>\n");
    };
    std::vector<double> x;
    std::vector<long> corners, offsets, types;
    for (const Vec3& p : mesh.vertices) x.insert(x.end(), {p.x(), p.y(), p.z()});
    for (const Tet& tet : mesh.tets) {
        corners.insert(corners.end(), tet.begin(), tet.end());
        offsets.push_back(static_cast<long>(corners.size())), types.push_back(10);
    }
    std::string out =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<!-- <Piece> --><UnstructuredGrid>\n";
    out += text("<Piece NumberOfPoints=\"", mesh.vertices.size(), "\" NumberOfCells=\"", mesh.tets.size(), "\">\n<PointData>\n",
                array("Points", 1.0, x), "</PointData>\n<Points>\n");
    out += array("Points", 1.0, x) + "</Points>\n<Cells>\n";
    out += array("connectivity", 1l, corners) + array("offsets", 1l, offsets) + array("types", std::uint8_t{}, types);
    out += "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
    if (how == Vtu::appended_raw) out += "<AppendedData encoding=\"raw\">\n" + appended + "\n</AppendedData>\n";
    return out + "</VTKFile>\n";
}

std::string medit(const TetMesh& mesh) {
    std::string out =
        text("MeshVersionFormatted 2\n# a comment\nDimension\n3\nVertices\n", mesh.vertices.size(), '\n', points_of(mesh, " 0\n"));
    out += text("Edges\n1\n1 2 7\nTriangles\n1\n1 2 3 4\nTetrahedra\n", mesh.tets.size(), '\n');
    for (const auto& [a, b, c, d] : mesh.tets) out += text(a + 1, ' ', b + 1, ' ', c + 1, ' ', d + 1, " 0\n");
    return out + "End\n";
}

std::string node(const TetMesh& mesh, int first) {
    std::string out = text("# vertices\n", mesh.vertices.size(), " 3 1 1\n");
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const Vec3& p = mesh.vertices[v];
        out += text(first + static_cast<int>(v), "  ", p.x(), ' ', p.y(), ' ', p.z(), " 0.5 1\n");
    }
    return out;
}
std::string ele(const TetMesh& mesh, int first) {
    std::string out = text(mesh.tets.size(), " 4 0\n");
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
        out += text(first + static_cast<int>(t));
        for (const int v : mesh.tets[t]) out += text(' ', first + v);
        out += '\n';
    }
    return out;
}

TEST(TetFiles, EveryFormatGivesTheSameBox) {
    const Folder folder;
    for (const bool binary : {false, true}) {
        expect_box(read(folder.file("two.msh", msh_2(box, binary))));
        expect_box(read(folder.file("four.msh", msh_4(box, binary))));
        for (const bool new_way : {false, true}) expect_box(read(folder.file("box.vtk", vtk(box, binary, new_way))));
    }
    for (const Vtu how : {Vtu::ascii, Vtu::base64, Vtu::appended_raw}) expect_box(read(folder.file("box.vtu", vtu(box, how))));
    expect_box(read(folder.file("box.mesh", medit(box))));
    for (const int first : {0, 1}) {
        (void)folder.file("box.node", node(box, first));
        expect_box(read(folder.file("box.ele", ele(box, first))));
        expect_box(read(folder.path() / "box.node"));
    }
}

TEST(TetFiles, ABodyHasTheFilesVerticesAsParticles) {
    ImportedMesh file{box.vertices, boundary_faces(box.tets), box.tets};
    file.vertices.insert(file.vertices.begin(), Vec3(7, 7, 7));  // used by none
    for (Tet& tet : file.tets)
        for (int& v : tet) ++v;
    for (Triangle& t : file.triangles)
        for (int& v : t) ++v;
    const TetBody made = tet_body(file, 0);
    EXPECT_GT(quality(made.body.tets).worst, 0);
    ASSERT_EQ(made.body.embedding.particle.size(), made.body.surface.vertices.size());
    for (int v = 0; v < static_cast<int>(made.body.surface.vertices.size()); ++v)
        EXPECT_EQ(made.body.embedding.particle[static_cast<std::size_t>(v)][0], v);
    EXPECT_EQ(made.body.tets.tets.size(), box.tets.size());
    EXPECT_EQ(made.body.surface.vertices, made.body.tets.vertices);
    EXPECT_NEAR(signed_volume(made.body.surface), volume(box), 1e-12);
    ASSERT_EQ(made.particle.size(), file.vertices.size());
    EXPECT_EQ(made.particle[0], -1);
    for (std::size_t v = 1; v < file.vertices.size(); ++v)
        EXPECT_EQ(made.body.tets.vertices[static_cast<std::size_t>(made.particle[v])], file.vertices[v]);
    const TetBody scaled = tet_body(file, 2);
    EXPECT_NEAR(bounding_box(scaled.body.surface.vertices).size().maxCoeff(), 2, 1e-12);
    EXPECT_EQ(bounding_box(scaled.body.surface.vertices).low.y(), 0) << "it stands on the floor";
}

TEST(TetFiles, TurnedTetrahedraAreTurnedBackAndFlatOnesLeftOutWithASentence) {
    const Folder folder;
    TetMesh odd = box;
    for (std::size_t t = 0; t < odd.tets.size(); t += 2) std::swap(odd.tets[t][1], odd.tets[t][2]);
    odd.tets.push_back({0, 1, 2, 2});
    const ImportedMesh mesh = read(folder.file("odd.msh", msh_2(odd, false)));
    EXPECT_EQ(mesh.tets.size(), box.tets.size());
    for (const Tet& tet : mesh.tets) EXPECT_GT(volume({mesh.vertices, {}, {}}, tet), 0);
    EXPECT_NEAR(signed_volume({mesh.vertices, mesh.triangles}), volume(box), 1e-12);
    ASSERT_EQ(mesh.notes.size(), 2u);
    EXPECT_EQ(mesh.notes[0], "Turned 12 tetrahedra the right way round.");
    EXPECT_EQ(mesh.notes[1], "Left out 1 flat tetrahedron.");
}

TEST(TetFiles, SurfacesInThemAreSurfaces) {
    const Folder folder;
    const ImportedMesh mesh = read(folder.file(
        "s.vtk",
        "# vtk DataFile Version 2.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 1 1 0 0 1 0\nPOLYGONS 1 5\n4 0 1 2 3\n"));
    EXPECT_TRUE(mesh.tets.empty());
    EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST(TetFiles, WhatIsWrongIsSaidWithTheLine) {
    const Folder folder;
    const auto refused = [&](const std::string& name, const std::string& content, const std::string& part) {
        const auto file = folder.file(name, content);
        expect_sentence(read_mesh_file(file), file, part);
    };
    const auto replaced = [](std::string content, const std::string& what, const std::string& by) {
        const auto at = content.find(what);
        EXPECT_NE(at, std::string::npos) << what;
        return content.replace(at, what.size(), by);
    };
    refused("a.msh", replaced(msh_2(box, false), "2.2 0 8", "3 0 8"), "version 3");
    refused("b.msh", replaced(msh_2(box, false), "\n13 0 0", "\n13 0 zero"), "line 11: \"zero\" is not a coordinate");
    refused("c.msh", replaced(msh_2(box, false), "4 2 1 1 ", "4 2 1 1 99"), "does not exist");
    refused("d.msh", replaced(msh_2(box, false), "2 4 2 1 1", "2 5 2 1 1 10 10 10 10"), "neither a triangle nor a tetrahedron");
    refused("e.msh", msh_4(box, true).substr(0, 300), "cut off");
    refused("f.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n", "neither tetrahedra nor triangles");
    refused("a.vtk", replaced(vtk(box, false, false), "UNSTRUCTURED_GRID", "STRUCTURED_POINTS"), "structured_points");
    refused("b.vtk", replaced(vtk(box, false, false), "CELL_TYPES 24", "CELL_TYPES 23"), "");
    refused("a.vtu", replaced(vtu(box, Vtu::ascii), "\"UnstructuredGrid\"", "\"PolyData\""), "PolyData");
    refused("b.vtu", replaced(vtu(box, Vtu::ascii), "NumberOfPoints=\"18\"", "NumberOfPoints=\"180\""), "cut off");
    std::string garbled = vtu(box, Vtu::base64);
    garbled.replace(garbled.find("\"binary\">\n", garbled.find("<Cells>")) + 10, 4, "????");
    refused("c.vtu", garbled, "connectivity cannot be read");
    refused("a.mesh", replaced(medit(box), "Dimension\n3", "Dimension\n2"), "three dimensions");
    refused("b.mesh", replaced(medit(box), "Tetrahedra\n24", "Tetrahedra\n2400000"), "too short for so many");
    refused("c.mesh", replaced(medit(box), "Tetrahedra", "Hexahedra"), "Hexahedra");
    (void)folder.file("a.node", node(box, 1));
    refused("a.ele", replaced(ele(box, 1), "\n1 ", "\n1 99 "), "line 2: 99 cannot be the number of a vertex, which is 1 to 18");
    refused("lonely.node", node(box, 1), "lonely.ele");
    TetMesh twice = box;
    twice.tets.insert(twice.tets.end(), box.tets.begin(), box.tets.end());
    refused("twice.mesh", medit(twice), "overlap");
    TetMesh flat = box;
    for (Vec3& p : flat.vertices) p.z() = 0;
    refused("flat.mesh", medit(flat), "flat tetrahedra");
}

TEST(TetFiles, DamagedFilesOfEveryFormatAreSoundOrRefused) {
    const Folder folder;
    for (const bool binary : {false, true}) {
        expect_survives_damage(folder, "two.msh", msh_2(box, binary), 90);
        expect_survives_damage(folder, "four.msh", msh_4(box, binary), 90);
        for (const bool new_way : {false, true}) expect_survives_damage(folder, "box.vtk", vtk(box, binary, new_way), 90);
    }
    for (const Vtu how : {Vtu::ascii, Vtu::base64, Vtu::appended_raw}) expect_survives_damage(folder, "box.vtu", vtu(box, how), 90);
    expect_survives_damage(folder, "box.mesh", medit(box), 90);
    (void)folder.file("box.node", node(box, 1));
    expect_survives_damage(folder, "box.ele", ele(box, 1), 90);
}

}  // namespace
}  // namespace wobble
