// Bodies from files: their motion is written for the file's own mesh, their colours are those of the file, and names of other formats are
// refused.
#include "app/record/frame_writer.h"
#include "app/record/motion.h"
#include "app/viewer/split_surface.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/world.h"
#include "tests/app/record_support.h"

namespace wobble {
namespace {

using namespace support;

// A cube of side 2 around (500, -30, 7), of which one corner is there twice and two vertices are used by no face.
struct OddCube {
    std::vector<Vec3> vertices{{123, 4, 5}};
    std::vector<Triangle> triangles;
    OddCube() {
        for (int k = 0; k < 8; ++k) vertices.push_back(Vec3(499.1, -31, 6) + 2 * Vec3(k & 1, k >> 1 & 1, k >> 2));
        vertices.push_back(vertices[1]);
        vertices.push_back({0, 0, 0});
        triangles = {{1, 3, 2}, {2, 3, 4}, {5, 6, 7}, {6, 8, 7}, {9, 2, 5}, {2, 6, 5},
                     {3, 7, 4}, {4, 7, 8}, {1, 5, 3}, {3, 5, 7}, {2, 4, 6}, {4, 8, 6}};
    }
    std::string obj(const std::string& head = "", const std::string& middle = "") const {
        std::ostringstream out;
        out.precision(17);
        out << head;
        for (const Vec3& p : vertices) out << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
        for (std::size_t t = 0; t < triangles.size(); ++t)
            out << (t == 6 ? middle : "") << "f " << triangles[t][0] + 1 << "/1 " << triangles[t][1] + 1 << "/2 " << triangles[t][2] + 1
                << "/3\n";
        return out.str();
    }
};

class FileMotion : public RecordTest {
protected:
    std::shared_ptr<const LoadedScene> load(const std::string& name, const std::string& text, const Place& place = {}) {
        std::ofstream(folder_ / name) << text;
        auto scene = load_scene((folder_ / name).string());
        if (!scene) return ADD_FAILURE() << scene.message(), nullptr;
        scene.value().body().place = place;
        scene.value().settings.parameters().resolution = 60;
        auto loaded = build_scene(std::move(scene).value());
        if (!loaded) return ADD_FAILURE() << loaded.message(), nullptr;
        return std::move(loaded).value();
    }
    // frames frames, the first without a step.
    fs::path record(const std::shared_ptr<const LoadedScene>& scene, const std::string& name, int frames) {
        World world(scene, 1);
        const auto target = record_target(folder_ / name, std::nullopt);
        if (!target) return ADD_FAILURE() << target.message(), fs::path();
        auto writer = open_motion({20, frames / 20.0, target.value()});
        if (!writer) return ADD_FAILURE() << writer.message(), fs::path();
        const auto report = record_motion(*writer.value(), world, {20, frames / 20.0, target.value()});
        if (!report) return ADD_FAILURE() << report.message(), fs::path();
        EXPECT_EQ(report.value().frames, frames);
        return report.value().path;
    }
    OddCube cube_;
    const Place turned_{Vec3(0.3, 1, -2), Vec3(1, 2, 0.5), 33, 1.7};
};

TEST_F(FileMotion, Pc2BeginsWithTheFilesOwnVertices) {
    for (const Place& place : {Place{}, turned_}) {
        const auto scene = load("odd.obj", cube_.obj(), place);
        ASSERT_TRUE(scene);
        const Pc2 cache = read_pc2(record(scene, "out.pc2", 4));
        ASSERT_EQ(cache.points, static_cast<int>(cube_.vertices.size())) << "also the doubled and the unused ones";
        ASSERT_EQ(cache.samples, 4);
        double moved = 0;
        for (std::size_t v = 0; v < cube_.vertices.size(); ++v)
            for (int k = 0; k < 3; ++k) {
                const std::size_t at = 3 * v + static_cast<std::size_t>(k);
                EXPECT_EQ(cache.data[at], static_cast<float>(cube_.vertices[v][k])) << v << " in its order and its coordinates";
                moved = std::max<double>(moved, std::abs(cache.data[3 * 3 * cube_.vertices.size() + at] - cache.data[at]));
            }
        EXPECT_GT(moved, 1e-3) << "and then it moves";
        for (int k = 0; k < 3; ++k)
            EXPECT_EQ(cache.data[3 * 3 * cube_.vertices.size() + 3 + static_cast<std::size_t>(k)],
                      cache.data[3 * 3 * cube_.vertices.size() + 27 + static_cast<std::size_t>(k)])
                << "both copies of a corner alike";
        fs::remove(folder_ / "out.pc2"), fs::remove(folder_ / "out.obj");
    }
}

TEST_F(FileMotion, MovedPointsAreWhereTheBodyIsDrawn) {
    const auto scene = load("odd.obj", cube_.obj(), turned_);
    ASSERT_TRUE(scene);
    World world(scene, 1);
    const MotionMesh mesh(world.snapshot());
    ASSERT_TRUE(mesh.of_file());
    EXPECT_EQ(mesh.triangles(), cube_.triangles);
    world.apply(Play{});
    for (int i = 0; i < 30; ++i) world.step();
    const Snapshot now = world.snapshot();
    const FileVertices& file = *scene->file_of(0);
    const auto points = mesh.positions(now);
    for (std::size_t v = 1; v + 1 < points.size(); ++v) {  // those that faces use
        const Vec3 drawn = now.positions[static_cast<std::size_t>(file.follows[v])].cast<double>();
        EXPECT_LT((file.to_scene(points[v].cast<double>()) - drawn).norm(), 1e-4) << v;
    }
}

TEST_F(FileMotion, ABodyOfTetrahedraKeepsAllItsVertices) {
    const TetMesh box = box_tets(2, 1, 1, 10);
    std::ostringstream text;
    text << "MeshVersionFormatted 2 Dimension 3 Vertices " << box.vertices.size() << '\n';
    for (const Vec3& p : box.vertices) text << p.x() + 100 << ' ' << p.y() << ' ' << p.z() << " 0\n";
    text << "Tetrahedra " << box.tets.size() << '\n';
    for (const auto& [a, b, c, d] : box.tets) text << a + 1 << ' ' << b + 1 << ' ' << c + 1 << ' ' << d + 1 << " 0\n";
    const auto scene = load("box.mesh", text.str() + "End\n");
    ASSERT_TRUE(scene);
    EXPECT_EQ(scene->body.tets.tets.size(), box.tets.size()) << "its own, not filled again";
    const Pc2 cache = read_pc2(record(scene, "out.pc2", 2));
    ASSERT_EQ(cache.points, static_cast<int>(box.vertices.size()));
    for (std::size_t v = 0; v < box.vertices.size(); ++v)
        EXPECT_EQ(Vec3f(cache.data[3 * v], cache.data[3 * v + 1], cache.data[3 * v + 2]),
                  (box.vertices[v] + Vec3(100, 0, 0)).cast<float>());
}

TEST_F(FileMotion, UsdaHasTheFilesPointsAndWhereTheyStand) {
    const auto scene = load("odd.obj", cube_.obj(), turned_);
    ASSERT_TRUE(scene);
    const std::string text = content(record(scene, "out.usda", 3));
    EXPECT_TRUE(text.starts_with("#usda 1.0\n"));
    for (const char* part :
         {"metersPerUnit = 1", "upAxis = \"Y\"", "timeCodesPerSecond = 20", "endTimeCode = 2", "def Mesh \"body\"", "            2: [("})
        EXPECT_NE(text.find(part), std::string::npos) << part;
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
    std::istringstream points(text.substr(text.find("0: [", text.find("points.timeSamples")) + 4));
    char c;
    for (const Vec3& p : cube_.vertices) {
        float x, y, z;
        ASSERT_TRUE(points >> c >> x >> c >> y >> c >> z >> c >> c);
        EXPECT_EQ(Vec3f(x, y, z), p.cast<float>());
    }
    EXPECT_EQ(c, ']') << "and no more";
    std::istringstream matrix(text.substr(text.find("transform = ( ") + 14));
    const Affine& place = scene->file_of(0)->to_scene;
    for (int row = 0; row < 4; ++row) {
        double x, y, z, w;
        ASSERT_TRUE(matrix >> c >> x >> c >> y >> c >> z >> c >> w >> c >> c);
        const Vec3 wanted = row < 3 ? Vec3(place.linear.col(row)) : place.shift;
        EXPECT_LT((Vec3(x, y, z) - wanted).norm(), 1e-12);
        EXPECT_EQ(w, row == 3);
    }
    EXPECT_EQ(files_in(folder_), 2) << "nothing but the mesh and the .usda";
}

TEST_F(FileMotion, GlbReadsBackWhereTheBodyStands) {
    const auto scene = load("odd.obj", cube_.obj(), turned_);
    ASSERT_TRUE(scene);
    const fs::path file = record(scene, "out.glb", 3);
    const auto back = read_mesh_file(file);
    ASSERT_TRUE(back.ok()) << back.message();
    ASSERT_EQ(back.value().vertices.size(), cube_.vertices.size());
    for (std::size_t v = 0; v < cube_.vertices.size(); ++v)
        EXPECT_LT((back.value().vertices[v] - scene->file_of(0)->to_scene(cube_.vertices[v])).norm(), 1e-3);
    EXPECT_EQ(back.value().triangles, cube_.triangles);
    const std::string bytes = content(file);
    EXPECT_NE(bytes.find("\"targets\":[{\"POSITION\""), std::string::npos);
    EXPECT_NE(bytes.find("\"animations\""), std::string::npos);
    std::uint32_t size = 0;
    std::memcpy(&size, &bytes[8], 4);
    EXPECT_EQ(size, bytes.size());
    EXPECT_EQ(files_in(folder_), 2);
}

TEST_F(FileMotion, AWriterWithoutAFrameLeavesNothing) {
    for (const char* name : {"x.usda", "x.glb"}) {
        const auto target = record_target(folder_ / name, std::nullopt);
        ASSERT_TRUE(target);
        { ASSERT_TRUE(MotionWriter::open(target.value(), 30)); }
    }
    EXPECT_EQ(files_in(folder_), 0);
}

TEST_F(FileMotion, TheDrawnTrianglesHaveTheFilesColours) {
    std::ofstream(folder_ / "a.mtl") << "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n";
    const auto scene = load("odd.obj", cube_.obj("mtllib a.mtl\nvt 0 0\nvt 1 0\nvt 1 1\nusemtl red\n", "usemtl blue\n"));
    ASSERT_TRUE(scene && scene->look);
    const std::vector<Triangle>& drawn = scene->body.surface.triangles;
    ASSERT_TRUE(scene->look->fits(drawn.size()));
    std::size_t red = 0, blue = 0;
    for (std::size_t t = 0; t < drawn.size(); ++t) {
        const Vec3f colour = scene->look->materials[static_cast<std::size_t>(scene->look->material[t])].colour;
        red += colour == Vec3f(1, 0, 0), blue += colour == Vec3f(0, 0, 1);
    }
    EXPECT_EQ(red + blue, drawn.size());
    EXPECT_GT(std::min(red, blue), drawn.size() / 4);
    const SplitSurface split_surface = split(drawn, *scene->look);
    ASSERT_EQ(split_surface.triangles.size(), drawn.size());
    EXPECT_GT(split_surface.source.size(), 8u) << "corners between two colours are there twice";
    EXPECT_LE(split_surface.source.size(), 2 * scene->body.surface.vertices.size());
    for (std::size_t t = 0; t < drawn.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(split_surface.source[static_cast<std::size_t>(split_surface.triangles[t][k])], drawn[t][k]);
}

TEST(SplitSurface, PicturesCutAndColoursOfNoMaterialAreTheBodys) {
    SurfaceLook look;
    look.materials = {{Vec3f(0.5f, 1, 1), 0}};
    look.images = {"not a picture"};
    look.material = {-1, 0, 0};
    using Uv = SurfaceLook::Uv;
    look.uv = {{Uv(0, 0), Uv(0, 0), Uv(0, 0)}, {Uv(0, 0), Uv(1, 0), Uv(0, 1)}, {Uv(1, 0), Uv(0.5f, 1), Uv(0, 1)}};
    const SplitSurface out = split({{0, 1, 2}, {0, 1, 2}, {1, 3, 2}}, look);
    EXPECT_EQ(out.source, (std::vector<int>{0, 1, 2, 0, 1, 2, 3})) << "shared where place and colour are the same";
    EXPECT_EQ(out.colours[0], Eigen::Vector4f(0, 0, 0, 0));
    EXPECT_EQ(out.colours[3], Eigen::Vector4f(0.5f, 1, 1, 1));
    ASSERT_EQ(out.runs.size(), 2u);
    EXPECT_EQ(out.runs[0].image, -1);
    EXPECT_EQ(out.runs[1].image, 0);
    EXPECT_EQ(out.runs[1].count, 2);
}

TEST_F(FileMotion, AnimatedPicturesAreWholeFiles) {
    for (const char* name : {"film.gif", "film.webp"}) {
        auto writer = FrameWriter::open(folder_ / name, 33, 21, 20);
        ASSERT_TRUE(writer) << writer.message();
        Image picture;
        picture.width = 33, picture.height = 21;
        for (int k = 0; k < 5; ++k) {
            picture.rgb.assign(3 * 33 * 21, static_cast<std::uint8_t>(50 * k));
            ASSERT_TRUE(writer.value().add(picture));
        }
        const auto finished = writer.value().finish();
        EXPECT_TRUE(finished) << finished.message();
        const std::string bytes = content(folder_ / name);
        EXPECT_TRUE(bytes.starts_with(name == std::string("film.gif") ? "GIF89a" : "RIFF")) << name;
    }
    const auto poor = script("echo ' V..... mpeg4  MPEG-4'");
    const auto refused = FrameWriter::open(folder_ / "other.gif", 32, 32, 20, poor.string());
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.message().find("has no encoder gif"), std::string::npos) << refused.message();
    EXPECT_FALSE(fs::exists(folder_ / "other.gif"));
}

TEST(RecordTarget, AnUnknownEndingNamesTheKnownOnes) {
    for (const char* name : {"x.abc", "film.avi", "dir/x.fbx", "x.mov"}) {
        const auto target = record_target(name, std::nullopt);
        ASSERT_FALSE(target) << name;
        for (const char* known : {".mp4", ".gif", ".webp", ".pc2", ".ply", ".obj", ".pvd", ".usda", ".glb"})
            EXPECT_NE(target.message().find(known), std::string::npos) << target.message();
    }
    for (const char* folder : {"x", "frames/", "v1.5", "take.2", "some.folder/"})
        EXPECT_TRUE(record_target(folder, std::nullopt)) << folder;
    EXPECT_EQ(record_target("x.gif", std::nullopt).value().format, RecordFormat::gif);
    EXPECT_EQ(record_target("x.usda", std::nullopt).value().format, RecordFormat::usda);
}

}  // namespace
}  // namespace wobble
