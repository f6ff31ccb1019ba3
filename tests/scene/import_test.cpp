// How a mesh file lies in the world: unit, upward axis, size, pins, and the sentence about it.
#include "engine/scene/import.h"

#include "engine/mesh/io/obj.h"
#include "engine/scene/loaded_scene.h"
#include "engine/scene/scene_file.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

namespace wobble {
namespace {

// Of 4 x 4 x 3, on z = low.
TriMesh pyramid(double low = 0) {
    TriMesh mesh;
    mesh.vertices = {{0, 0, low}, {4, 0, low}, {4, 4, low}, {0, 4, low}, {2, 2, low + 3}};
    mesh.triangles = {{0, 3, 2}, {0, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    return mesh;
}
TriMesh turned(TriMesh mesh, const Mat3& turn) {
    for (Vec3& p : mesh.vertices) p = turn * p;
    return mesh;
}

TEST(Import, TurnsAreRotationsThatBringTheAxisUp) {
    for (const auto& [up, axis] : {std::pair{UpAxis::y, 1}, std::pair{UpAxis::z, 2}, std::pair{UpAxis::x, 0}}) {
        const Mat3 R = turned_up(up);
        EXPECT_EQ(R * R.transpose(), Mat3::Identity());
        EXPECT_EQ(R.determinant(), 1);
        EXPECT_EQ(R * Vec3::Unit(axis), Vec3::UnitY());
    }
}

TEST(Import, ABodyStandsOnItsFlatFoot) {
    const TriMesh on_z = pyramid(), on_y = turned(on_z, turned_up(UpAxis::z));
    for (const char* file : {"a.obj", "a.ply", "a.STL", "a.vtk"}) {
        EXPECT_EQ(guess_up(on_z, file), UpAxis::z) << file;
        EXPECT_EQ(guess_up(on_y, file), UpAxis::y) << file;
    }
    // Without a foot, or with one on either side: as files of the kind usually have it.
    const Mat3 onto_x{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (const TriMesh& mesh : {turned(on_z, onto_x), cube()}) {
        EXPECT_EQ(guess_up(mesh, "a.obj"), UpAxis::y);
        EXPECT_EQ(guess_up(mesh, "a.stl"), UpAxis::z);
    }
}

TEST(Import, TheFrameIsWhatWasDoneToTheSurface) {
    const TriMesh file = pyramid(7);
    struct Case {
        FileSource source;
        double largest;
        bool rests;
    };
    for (const Case& c :
         {Case{{.file = "x.obj", .size = 0.5, .up = UpAxis::z}, 0.5, true}, Case{{.file = "x.obj", .size = 2, .up = UpAxis::x}, 2, true},
          Case{{.file = "x.obj", .size = 0, .unit = LengthUnit::millimetre, .up = UpAxis::guessed}, 0.004, false},
          Case{{.file = "x.obj", .size = 0, .unit = LengthUnit::inch}, 4 * 0.0254, false}, Case{{.file = "x.obj", .size = 0}, 4, false}}) {
        FileSource source = c.source;
        TriMesh surface = file;
        Box box = bounding_box(surface.vertices);
        const FileFrame frame = place_in_world(surface, box, source);
        EXPECT_NE(source.up, UpAxis::guessed);
        EXPECT_EQ(frame.extents, Vec3(4, 4, 3));
        for (std::size_t i = 0; i < file.vertices.size(); ++i)
            EXPECT_LT((surface.vertices[i] - (frame.scale * (frame.turn * file.vertices[i]) + frame.shift)).norm(), 1e-15);
        EXPECT_NEAR(box.size().maxCoeff(), c.largest, 1e-15);
        EXPECT_EQ(box.low, bounding_box(surface.vertices).low);
        EXPECT_EQ(box.high, bounding_box(surface.vertices).high);
        if (c.rests) EXPECT_LT(Vec3(box.centre().x(), box.low.y(), box.centre().z()).norm(), 1e-15);
        else EXPECT_EQ(frame.shift, Vec3::Zero());
        EXPECT_NEAR(signed_volume(surface), 16 * std::pow(frame.scale, 3), 1e-12) << "turned, not mirrored";
    }
}

TEST(Import, HoldsAreKnownByTheirPins) {
    for (const HoldInfo& info : holds()) EXPECT_EQ(hold_of(pins_of(info.kind)), info.kind);
    EXPECT_EQ(hold_of({PinRule::below(0, 0.1)}), Hold::painted);
}

TEST(Import, AnOpenedMeshStatesTheAxisThatWasFoundAndSaysSo) {
    const Folder folder;
    const auto file = folder.path() / "tent.obj";
    ASSERT_TRUE(save_obj(pyramid(), file));
    auto scene = load_scene(file.string());
    ASSERT_TRUE(scene) << scene.message();
    scene.value().settings.parameters().resolution = 60;
    scene.value().settings.pins().clear();
    const auto loaded = build_scene(scene.value());
    ASSERT_TRUE(loaded) << loaded.message();
    EXPECT_EQ(std::get<FileSource>(loaded.value()->scene.body().source).up, UpAxis::z);
    const BodyRange range = loaded.value()->range(0);
    EXPECT_EQ(import_sentence(*loaded.value()),
              "tent.obj: 4 x 4 x 3 as in the file, scaled x 0.25 to 1 m; z up (guessed); free on the floor; " +
                  std::to_string(range.particles.size()) + " vertices, " + std::to_string(range.tets.size()) + " tets");
    // A scene file keeps it, and then it is no guess any more: the same body.
    const auto read = parse_scene(to_toml(loaded.value()->scene), {}, "tent");
    ASSERT_TRUE(read) << read.message();
    const auto again = build_scene(read.value());
    ASSERT_TRUE(again) << again.message();
    EXPECT_EQ(again.value()->body.tets.vertices, loaded.value()->body.tets.vertices);
    EXPECT_NE(import_sentence(*again.value()).find("; z up; "), std::string::npos);
}

TEST(Import, SceneFilesSayUnitAndAxis) {
    Scene scene;
    scene.title = "x";
    scene.body().source = FileSource{.file = "x.obj", .size = 0, .unit = LengthUnit::foot, .up = UpAxis::x};
    const auto read = parse_scene(to_toml(scene), {}, "x");
    ASSERT_TRUE(read) << read.message();
    const auto& source = std::get<FileSource>(read.value().body().source);
    EXPECT_EQ(source.size, 0);
    EXPECT_EQ(source.unit, LengthUnit::foot);
    EXPECT_EQ(source.up, UpAxis::x);
    const auto wrong = parse_scene("[source]\nfile = \"x.obj\"\nunit = \"mile\"\n", {}, "x");
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.message().find(":3: "), std::string::npos) << wrong.message();
}

}  // namespace
}  // namespace wobble
