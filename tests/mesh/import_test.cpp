// Surfaces of other formats: what is read is what was written, whatever is in the file.
#include "engine/mesh/surface/check.h"
#include "tests/mesh/support/files.h"

#include <cmath>

namespace wobble {
namespace {

const TriMesh unit_cube = cube();

ImportedMesh read(const std::filesystem::path& file) {
    auto mesh = read_mesh_file(file);
    if (!mesh) return ADD_FAILURE() << mesh.message(), ImportedMesh{};
    return std::move(mesh).value();
}

void expect_same(const ImportedMesh& mesh, const TriMesh& known) {
    EXPECT_EQ(mesh.vertices, known.vertices) << "order, count and coordinates";
    EXPECT_EQ(mesh.triangles, known.triangles);
    EXPECT_TRUE(mesh.tets.empty());
}

// The same shape where the format has vertices of its own for each face.
void expect_same_shape(const ImportedMesh& mesh, double volume) {
    auto surface = welded_surface(mesh);
    ASSERT_TRUE(surface.ok());
    EXPECT_EQ(surface.value().vertices.size(), 8u);
    EXPECT_EQ(surface.value().triangles.size(), 12u);
    EXPECT_NEAR(signed_volume(surface.value()), volume, 1e-9);
    EXPECT_TRUE(check_surface(surface.value()).good());
}

TEST(Import, OffAndPlyKeepOrderCountAndCoordinates) {
    const Folder folder;
    expect_same(read(folder.file("cube.off", off_of(unit_cube))), unit_cube);
    expect_same(read(folder.file("text.ply", ply_of(unit_cube, false))), unit_cube);
    expect_same(read(folder.file("binary.ply", ply_of(unit_cube, true))), unit_cube);
}

TEST(Import, UnusedAndDoubledVerticesStayInTheFilesOrderAndAreWeldedForTheBody) {
    const Folder folder;
    TriMesh odd = unit_cube;
    odd.vertices.insert(odd.vertices.begin(), Vec3(9, 9, 9));
    for (Triangle& t : odd.triangles)
        for (int& v : t) ++v;
    odd.vertices.push_back(odd.vertices[1]);
    odd.triangles[0][0] = 9;
    for (const char* name : {"odd.off", "odd.ply"}) {
        const ImportedMesh mesh = read(folder.file(name, name == std::string("odd.off") ? off_of(odd) : ply_of(odd, true)));
        expect_same(mesh, odd);
        expect_same_shape(mesh, 1);
    }
}

TEST(Import, OffWithPolygonsColoursAndComments) {
    const Folder folder;
    const ImportedMesh mesh = read(folder.file(
        "c.off",
        "COFF # a comment\n4 2 0\n0 0 0 255 0 0\n1 0 0 1 1 1\n1 1 0 0 0 0\n# another\n0 1 0 9 9 9\n4 0 1 2 3 0.5 0.5 0.5\n3 0 2 1\n"));
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.triangles.size(), 3u);
    EXPECT_EQ(mesh.triangles.back(), (Triangle{0, 2, 1}));
}

TEST(Import, StlIsNumberedAsItsVerticesFirstAppear) {
    const Folder folder;
    for (const bool binary : {false, true}) {
        const ImportedMesh mesh = read(folder.file(binary ? "b.stl" : "t.stl", stl_of(unit_cube, binary)));
        ASSERT_EQ(mesh.vertices.size(), 8u);
        expect_same_shape(mesh, 1);
        EXPECT_EQ(mesh.triangles[0], (Triangle{0, 1, 2}));
        EXPECT_EQ(mesh.vertices[1], unit_cube.vertices[static_cast<std::size_t>(unit_cube.triangles[0][1])]);
        EXPECT_FALSE(mesh.look) << "STL has no colours";
    }
}

TEST(Import, GltfIsMovedByItsNodesIsInMetresAndHasItsColour) {
    const Folder folder;
    const ImportedMesh mesh = read(folder.file("cube.glb", glb_of(unit_cube)));
    ASSERT_EQ(mesh.vertices.size(), 8u);
    for (std::size_t v = 0; v < 8; ++v) EXPECT_EQ(mesh.vertices[v], 2 * unit_cube.vertices[v] + Vec3(1, 2, 3));
    EXPECT_EQ(mesh.triangles, unit_cube.triangles);
    EXPECT_EQ(mesh.unit, 1);
    EXPECT_EQ(mesh.up, 1);
    ASSERT_TRUE(mesh.look && mesh.look->fits(12));
    EXPECT_EQ(mesh.look->materials[static_cast<std::size_t>(mesh.look->material[0])].colour, Vec3f(1, 0.25f, 0));
}

TEST(Import, ColladaAndX3d) {
    const Folder folder;
    expect_same_shape(read(folder.file("cube.dae", dae_of(unit_cube))), 1);
    std::string points, corners;
    for (const Vec3& p : unit_cube.vertices) points += text(p.x(), ' ', p.y(), ' ', p.z(), ", ");
    for (const auto& [a, b, c] : unit_cube.triangles) corners += text(a, ' ', b, ' ', c, " -1 ");
    const ImportedMesh mesh =
        read(folder.file("cube.x3d", "<?xml version=\"1.0\"?><X3D version=\"3.0\"><Scene><Shape><IndexedFaceSet coordIndex=\"" + corners +
                                         "\"><Coordinate point=\"" + points + "\"/></IndexedFaceSet></Shape></Scene></X3D>"));
    expect_same_shape(mesh, 1);
}

TEST(Import, PlyColoursOfVerticesBecomeColoursOfCorners) {
    const Folder folder;
    for (const bool binary : {false, true}) {
        const ImportedMesh mesh = read(folder.file("c.ply", ply_of(unit_cube, binary, true)));
        ASSERT_TRUE(mesh.look && mesh.look->colours.size() == 12);
        for (std::size_t t = 0; t < 12; ++t)
            for (std::size_t k = 0; k < 3; ++k)
                EXPECT_EQ(mesh.look->colours[t][k], Vec3f(1, 0, unit_cube.triangles[t][k] % 2 ? 1.0f : 0.0f));
    }
}

std::string cube_obj(const std::string& before, const std::string& face_head = "") {
    std::string out = before;
    for (const Vec3& p : unit_cube.vertices) out += text("v ", p.x(), ' ', p.y(), ' ', p.z(), '\n');
    for (std::size_t t = 0; t < 12; ++t) {
        const auto& [a, b, c] = unit_cube.triangles[t];
        out += (t == 6 ? face_head : "") + text("f ", a + 1, "/1 ", b + 1, "/2 ", c + 1, "/3\n");
    }
    return out;
}

TEST(Import, ObjMaterialsAndPicturesWithTheirCoordinates) {
    const Folder folder;
    const std::string picture = "\x89PNG\r\n\x1a\n and so on";
    (void)folder.file("skin.png", picture);
    (void)folder.file("a.mtl", "newmtl red one\nKd 1 0.5 0\nnewmtl skin\nKd 0 0 0\nmap_Kd -s 1 1 1 C:\\elsewhere\\skin.png\n");
    const ImportedMesh mesh =
        read(folder.file("m.obj", cube_obj("mtllib a.mtl\nvt 0 0\nvt 1 0\nvt 1 0.5\nusemtl red one\n", "usemtl skin\n")));
    EXPECT_EQ(mesh.vertices, unit_cube.vertices);
    ASSERT_TRUE(mesh.look && mesh.look->fits(12));
    ASSERT_EQ(mesh.look->images.size(), 1u);
    EXPECT_EQ(mesh.look->images[0], picture);
    for (std::size_t t = 0; t < 12; ++t) {
        const auto& material = mesh.look->materials[static_cast<std::size_t>(mesh.look->material[t])];
        EXPECT_EQ(material.colour, t < 6 ? Vec3f(1, 0.5f, 0) : Vec3f(1, 1, 1)) << t;
        EXPECT_EQ(material.image, t < 6 ? -1 : 0) << t;
        EXPECT_EQ(mesh.look->uv[t][2], SurfaceLook::Uv(1, 0.5f));
    }
}

TEST(Import, MissingMaterialsAreANoteAndNoError) {
    const Folder folder;
    const ImportedMesh mesh = read(folder.file("m.obj", cube_obj("mtllib gone.mtl\nusemtl red\n")));
    EXPECT_EQ(mesh.triangles, unit_cube.triangles);
    EXPECT_FALSE(mesh.look);
    ASSERT_EQ(mesh.notes.size(), 1u);
    EXPECT_NE(mesh.notes[0].find("gone.mtl"), std::string::npos);
}

TEST(Import, TheContentCountsMoreThanTheEnding) {
    const Folder folder;
    expect_same(read(folder.file("really-off.obj", off_of(unit_cube))), unit_cube);
    expect_same(read(folder.file("really-ply.stl", ply_of(unit_cube, true))), unit_cube);
    expect_same(read(folder.file("no-ending", off_of(unit_cube))), unit_cube);
}

TEST(Import, AnUnknownEndingNamesTheKnownOnes) {
    const Folder folder;
    const auto file = folder.file("mesh.blend", "BLENDER-v300");
    const auto mesh = read_mesh_file(file);
    expect_sentence(mesh, file, ".obj, .ply, .stl");
    for (const MeshFormat& format : mesh_formats()) EXPECT_NE(mesh.message().find(format.ending), std::string::npos) << format.ending;
}

TEST(Import, BrokenFilesAreRefusedWithASentence) {
    const Folder folder;
    const auto refused = [&](const std::string& name, const std::string& content, const std::string& part) {
        const auto file = folder.file(name, content);
        expect_sentence(read_mesh_file(file), file, part);
    };
    refused("points.ply",
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n", "");
    refused("short.off", "OFF\n8 12 0\n0 0 0\n", "cut off");
    refused("huge.off", "OFF\n999999999 1 0\n0 0 0\n", "too short for so many");
    refused("index.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 6");
    refused("nan.off", "OFF\n3 1 0\n0 0 nan\n1 0 0\n0 1 0\n3 0 1 2\n", "line 3");
    refused("empty.glb", std::string("glTF\2\0\0\0", 8), "");
    refused("text.fbx", "; FBX nothing", "FBX");
    refused("text.3ds", "nothing of the kind", "3D Studio");
    std::error_code ignored;
    std::filesystem::create_directory(folder.path() / "folder.ply", ignored);
    expect_sentence(read_mesh_file(folder.path() / "folder.ply"), folder.path() / "folder.ply");
    expect_sentence(read_mesh_file(folder.path() / "missing.ply"), folder.path() / "missing.ply");
    std::string infinite = ply_of(unit_cube, true);
    const float inf = INFINITY;
    std::memcpy(&infinite[infinite.find("end_header\n") + 11 + 12], &inf, 4);
    refused("inf.ply", infinite, "vertex 1");
}

TEST(Import, TheChildIsBoundInTimeAndMemory) {
    const Folder folder;
    const auto file = folder.file("cube.ply", ply_of(unit_cube, true));
    const auto helper = [&](const std::string& script) {
        const auto path = folder.file("helper", "#!/bin/sh\n" + script + "\n");
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        ImportLimits limits;
        limits.helper = path, limits.timeout_seconds = 0.3;
        return limits;
    };
    expect_sentence(read_mesh_file(file, helper("sleep 60")), file, "took more than 0.3 s");
    expect_sentence(read_mesh_file(file, helper("kill -SEGV $$")), file, "crashed");
    expect_sentence(read_mesh_file(file, helper("echo nonsense")), file, "makes no sense");
    expect_sentence(read_mesh_file(file, helper("exit 3")), file, "exit code 3");
    bool asked = false;
    const auto cancelled = read_mesh_file(file, {}, [&](std::string_view, double) { return asked = true, false; });
    EXPECT_TRUE(asked);
    EXPECT_FALSE(cancelled.ok());
}

TEST(Import, DamagedFilesOfEveryFormatAreSoundOrRefused) {
    const Folder folder;
    expect_survives_damage(folder, "d.off", off_of(unit_cube), 60);
    expect_survives_damage(folder, "d.ply", ply_of(unit_cube, false), 12);
    expect_survives_damage(folder, "e.ply", ply_of(unit_cube, true, true), 12);
    expect_survives_damage(folder, "d.stl", stl_of(unit_cube, false), 12);
    expect_survives_damage(folder, "e.stl", stl_of(unit_cube, true), 12);
    expect_survives_damage(folder, "d.glb", glb_of(unit_cube), 24);
    expect_survives_damage(folder, "d.dae", dae_of(unit_cube), 12);
    expect_survives_damage(folder, "d.obj", cube_obj("mtllib a.mtl\nvt 0 0\nusemtl x\n"), 60);
}

}  // namespace
}  // namespace wobble
