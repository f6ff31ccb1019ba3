// The moving mesh in the formats of other programs, read back and compared with the positions it came from.
#include "app/record/motion.h"
#include "engine/sim/world.h"
#include "tests/app/record_support.h"
#include "tests/app/wobbling_torus.h"

namespace wobble {
namespace {

using namespace support;

class Motion : public RecordTest {
protected:
    std::unique_ptr<MotionWriter> open(const std::string& name, RecordFormat format) {
        auto target = record_target(folder_ / name, format);
        if (!target) return ADD_FAILURE() << target.message(), nullptr;
        auto writer = MotionWriter::open(target.value());
        if (!writer) return ADD_FAILURE() << writer.message(), nullptr;
        return std::move(writer).value();
    }
};

Snapshot torus(double t) { return wobbling_torus(t, 16, 8); }

std::vector<Vec3f> vertices_of_obj(const std::string& text, std::vector<Triangle>& triangles) {
    std::vector<Vec3f> vertices;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "v") {
            Vec3f& x = vertices.emplace_back();
            words >> x[0] >> x[1] >> x[2];
        } else if (kind == "f") {
            Triangle& t = triangles.emplace_back();
            words >> t[0] >> t[1] >> t[2];
            for (int& i : t) --i;
        }
    }
    return vertices;
}

// The block of the array of this name.
std::vector<char> vtu_array(const std::string& text, const std::string& name) {
    const std::regex found("<DataArray type=\"[A-Za-z0-9]*\" Name=\"" + name +
                           "\"[^>]*format=\"binary\">\\s*([A-Za-z0-9+/=]*)\\s*</DataArray>");
    std::smatch match;
    if (!std::regex_search(text, match, found)) return ADD_FAILURE() << "no array " << name, std::vector<char>();
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<char> bytes;
    unsigned word = 0;
    int bits = 0;
    for (const char c : match[1].str()) {
        if (c == '=') break;
        word = word << 6 | static_cast<unsigned>(letters.find(c));
        if ((bits += 6) >= 8) bytes.push_back(static_cast<char>(word >> (bits -= 8) & 255));
    }
    std::uint64_t size = 0;
    if (bytes.size() < 8) return ADD_FAILURE() << name << " has no head", bytes;
    std::memcpy(&size, bytes.data(), 8);
    EXPECT_EQ(size, bytes.size() - 8) << name;
    bytes.erase(bytes.begin(), bytes.begin() + 8);
    return bytes;
}

template <class T>
std::vector<T> values(const std::vector<char>& bytes) {
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
    return out;
}

TEST_F(Motion, Pc2HasEverySampleAndTheMeshItBelongsTo) {
    {
        const auto writer = open("body.pc2", RecordFormat::pc2);
        ASSERT_TRUE(writer);
        for (int k = 0; k < 5; ++k) ASSERT_TRUE(writer->add(torus(k / 10.0)));
        EXPECT_EQ(read_pc2(folder_ / "body.pc2").samples, 5) << "the count is right at any time, not only at the end";
        ASSERT_TRUE(writer->finish());
        EXPECT_EQ(writer->frames(), 5);
        EXPECT_EQ(writer->bytes(), fs::file_size(folder_ / "body.pc2") + fs::file_size(folder_ / "body.obj"));
    }
    const Pc2 cache = read_pc2(folder_ / "body.pc2");
    EXPECT_EQ(cache.magic, std::string("POINTCACHE2\0", 12));
    EXPECT_EQ(cache.version, 1);
    EXPECT_EQ(cache.points, 16 * 8);
    EXPECT_EQ(cache.start, 0);
    EXPECT_EQ(cache.rate, 1);
    EXPECT_EQ(cache.samples, 5);
    ASSERT_EQ(cache.data.size(), 5u * 16 * 8 * 3);
    for (int k = 0; k < 5; ++k) {
        const Snapshot shot = torus(k / 10.0);
        EXPECT_EQ(std::memcmp(cache.data.data() + k * 16 * 8 * 3, shot.positions.data(), 16 * 8 * 12), 0) << "sample " << k;
    }
    std::vector<Triangle> triangles;
    const auto rest = vertices_of_obj(content(folder_ / "body.obj"), triangles);
    EXPECT_EQ(rest, torus(0).positions) << "in the order of the cache";
    EXPECT_EQ(triangles, torus(0).surface->triangles);
}

TEST_F(Motion, PlyHasPositionsFieldAndFaces) {
    Snapshot shot = torus(0.2);
    shot.field = Field::strain;
    for (std::size_t i = 0; i < shot.positions.size(); ++i) shot.values.push_back(0.5f * static_cast<float>(i));
    const auto writer = open("meshes", RecordFormat::ply);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add(torus(0)));
    ASSERT_TRUE(writer->add(shot));
    ASSERT_TRUE(writer->finish());
    const std::string text = content(folder_ / "meshes/frame_000001.ply");
    const std::size_t head = text.find("end_header\n") + 11;
    EXPECT_TRUE(text.starts_with("ply\nformat binary_little_endian 1.0\n"));
    EXPECT_NE(text.find("element vertex 128\nproperty float x\nproperty float y\nproperty float z\nproperty float strain\n"),
              std::string::npos);
    EXPECT_NE(text.find("element face 256\nproperty list uchar int vertex_indices\n"), std::string::npos);
    ASSERT_EQ(text.size(), head + 128 * 16 + 256 * 13);
    for (std::size_t i = 0; i < 128; ++i) {
        std::array<float, 4> vertex;
        std::memcpy(vertex.data(), &text[head + 16 * i], 16);
        EXPECT_EQ(Vec3f(vertex[0], vertex[1], vertex[2]), shot.positions[i]);
        EXPECT_EQ(vertex[3], shot.values[i]);
    }
    for (std::size_t f = 0; f < 256; ++f) {
        const char* face = &text[head + 128 * 16 + 13 * f];
        Triangle t;
        EXPECT_EQ(face[0], 3);
        std::memcpy(t.data(), face + 1, 12);
        EXPECT_EQ(t, shot.surface->triangles[f]);
    }
    EXPECT_EQ(content(folder_ / "meshes/frame_000000.ply").find("strain"), std::string::npos);
}

TEST_F(Motion, ObjTextReadsBackToTheSameFloats) {
    const auto writer = open("meshes", RecordFormat::obj);
    ASSERT_TRUE(writer);
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(writer->add(torus(k / 7.0)));
    ASSERT_TRUE(writer->finish());
    EXPECT_EQ(files_in(folder_ / "meshes"), 3);
    std::vector<Triangle> triangles;
    EXPECT_EQ(vertices_of_obj(content(folder_ / "meshes/frame_000002.obj"), triangles), torus(2 / 7.0).positions);
    EXPECT_EQ(triangles, torus(0).surface->triangles);
}

TEST_F(Motion, VtuHasTheTetrahedraWithDisplacementVelocityAndStrain) {
    const auto scene = small_scene();
    World world(scene, 1);
    MotionOptions options{10, 0.5, {RecordFormat::vtu, folder_ / "run.pvd"}};
    auto writer = open_motion(options);
    ASSERT_TRUE(writer) << writer.message();
    const auto report = record_motion(*writer.value(), world, options);
    ASSERT_TRUE(report) << report.message();
    EXPECT_EQ(report.value().frames, 5);
    const Pvd pvd = read_pvd(folder_ / "run.pvd");
    ASSERT_EQ(pvd.times.size(), 5u);
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(pvd.times[k], k / 10.0, 1e-12);
    EXPECT_EQ(files_in(folder_ / "run"), 5);

    World again(scene, 1);  // what frame 4 must be
    for (int k = 1; k < 5; ++k) ASSERT_TRUE(again.advance_to(k / 10.0));
    const std::string text = content(pvd.files.at(4));
    const auto points = values<float>(vtu_array(text, "position")), moved = values<float>(vtu_array(text, "displacement"));
    const auto velocity = values<float>(vtu_array(text, "velocity")), strain = values<float>(vtu_array(text, "strain"));
    const auto& rest = scene->body.tets.vertices;
    ASSERT_EQ(points.size(), 3 * rest.size());
    ASSERT_EQ(velocity.size(), 3 * rest.size());
    ASSERT_EQ(strain.size(), rest.size());
    float largest = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            EXPECT_EQ(points[3 * i + k], float(again.positions()[3 * i + k]));
            EXPECT_EQ(velocity[3 * i + k], float(again.velocities()[3 * i + k]));
            EXPECT_NEAR(moved[3 * i + k], again.positions()[3 * i + k] - rest[i][k], 1e-5);
        }
        largest = std::max(largest, strain[i]);
    }
    EXPECT_GT(largest, 0.001f) << "it has been moving";
    const auto corners = values<int>(vtu_array(text, "connectivity")), offsets = values<int>(vtu_array(text, "offsets"));
    ASSERT_EQ(corners.size(), 4 * scene->body.tets.tets.size());
    EXPECT_EQ(std::memcmp(corners.data(), scene->body.tets.tets.data(), 4 * corners.size()), 0);
    EXPECT_EQ(offsets.back(), int(corners.size()));
    EXPECT_EQ(vtu_array(text, "types"), std::vector<char>(offsets.size(), 10));
}

TEST_F(Motion, VtuWithoutParticlesHasTheSurface) {
    const auto writer = open("run", RecordFormat::vtu);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add(torus(0.1)));
    ASSERT_TRUE(writer->finish());
    const std::string text = content(folder_ / "run/frame_000000.vtu");
    EXPECT_EQ(values<float>(vtu_array(text, "position")).size(), 3u * 128);
    EXPECT_EQ(vtu_array(text, "types"), std::vector<char>(256, 5));
    EXPECT_EQ(values<int>(vtu_array(text, "connectivity"))[3], torus(0).surface->triangles[1][0]);
}

// A ball that swings beside the torus, and a floor, which is not written.
Snapshot torus_and_ball(double t) {
    Snapshot shot = torus(t);
    Obstacle floor = make_obstacle(Obstacle::Kind::plane), ball = make_obstacle(Obstacle::Kind::sphere);
    floor.name = "floor", ball.name = "a ball", ball.radius = 0.5, ball.position = Vec3(3, 0, 0), ball.amplitude = Vec3(0, 1, 0);
    shot.settings.obstacles = {floor, ball};
    for (const Obstacle& o : shot.settings.obstacles) shot.obstacle_poses.push_back(pose(o, t));
    return shot;
}

TEST_F(Motion, ObstaclesAreInTheMeshesButForTheFloor) {
    const double t = 0.25;
    const Vec3f middle(3, 1, 0);  // of the ball then
    for (const RecordFormat format : {RecordFormat::obj, RecordFormat::ply, RecordFormat::vtu, RecordFormat::pc2}) {
        const auto writer = open(std::string("m") + info_of(format).id, format);
        ASSERT_TRUE(writer);
        ASSERT_TRUE(writer->add(torus_and_ball(t)));
        ASSERT_TRUE(writer->finish());
    }
    std::vector<Triangle> triangles, body;
    const std::string text = content(folder_ / "mobj/obstacles_000000.obj");
    const std::vector<Vec3f> vertices = vertices_of_obj(text, triangles);
    ASSERT_GT(vertices.size(), 100u);
    for (const Vec3f& x : vertices) EXPECT_NEAR((x - middle).norm(), 0.5f, 1e-5f);
    for (const Triangle& t : triangles)
        for (const int v : t) EXPECT_LT(v, static_cast<int>(vertices.size()));
    EXPECT_NE(text.find("g a_ball"), std::string::npos);
    EXPECT_NE(content(folder_ / "mply/obstacles_000000.ply").find("element vertex " + std::to_string(vertices.size())), std::string::npos);
    EXPECT_EQ(vertices_of_obj(content(folder_ / "mobj/frame_000000.obj"), body).size(), torus(t).positions.size());

    const std::string part = content(folder_ / "mvtu/obstacles_000000.vtu");
    const std::vector<float> moved = values<float>(vtu_array(part, "displacement")), at = values<float>(vtu_array(part, "position"));
    ASSERT_EQ(at.size(), 3 * vertices.size());
    for (std::size_t i = 0; i < at.size(); i += 3) EXPECT_NEAR(moved[i + 1], 1, 1e-5f);
    EXPECT_NE(content(folder_ / "mvtu.pvd").find("part=\"1\" file=\"mvtu/obstacles_000000.vtu\""), std::string::npos);
    EXPECT_EQ(vertices_of_obj(content(folder_ / "mpc2.obj"), body).size(), torus(t).positions.size());  // a cache holds one mesh
}

TEST_F(Motion, NothingIsOverwrittenAndPairsKeepOneNumber) {
    std::ofstream(folder_ / "a.obj") << "precious";  // a.pc2 is free, but the mesh beside it is not
    fs::create_directories(folder_ / "b");
    for (const auto& [name, format] : {std::pair{"a.pc2", RecordFormat::pc2}, {"b.pvd", RecordFormat::vtu}}) {
        const auto writer = open(name, format);
        ASSERT_TRUE(writer);
        ASSERT_TRUE(writer->add(torus(0)));
        ASSERT_TRUE(writer->finish());
    }
    for (const char* name : {"a-2.pc2", "a-2.obj", "b-2.pvd", "b-2/frame_000000.vtu"}) EXPECT_TRUE(fs::exists(folder_ / name)) << name;
    for (const char* name : {"a.pc2", "b.pvd"}) EXPECT_FALSE(fs::exists(folder_ / name)) << name;
    EXPECT_EQ(content(folder_ / "a.obj"), "precious");
}

TEST_F(Motion, WithoutAFrameNothingIsLeft) {
    for (const RecordFormatInfo& info : record_formats())
        if (!info.film) {
            ASSERT_TRUE(open("x", info.kind));
            EXPECT_TRUE(fs::is_empty(folder_)) << info.id;
        }
}

TEST_F(Motion, AnotherBodyEndsIt) {
    for (const RecordFormat format : {RecordFormat::pc2, RecordFormat::ply, RecordFormat::vtu}) {
        const auto writer = open("x", format);
        ASSERT_TRUE(writer);
        ASSERT_TRUE(writer->add(torus(0)));
        Snapshot pinned = torus(0.1);  // pins change: a new topology of the same mesh
        EXPECT_TRUE(writer->add(pinned));
        const auto other = writer->add(wobbling_torus(0.2, 16, 9));
        ASSERT_FALSE(other);
        EXPECT_NE(other.message().find("Another body"), std::string::npos) << other.message();
        EXPECT_TRUE(writer->finish());
        EXPECT_EQ(writer->frames(), 2);
    }
    EXPECT_EQ(read_pc2(folder_ / "x.pc2").samples, 2);
    EXPECT_EQ(read_pc2(folder_ / "x.pc2").data.size(), 2u * 128 * 3);
}

TEST_F(Motion, UnusablePlacesAreSaid) {
    for (const RecordFormat format : {RecordFormat::pc2, RecordFormat::ply, RecordFormat::obj, RecordFormat::vtu})
        for (const char* place : {"/proc/motion", "/dev/null/motion"}) {
            const auto target = record_target(place, format);
            ASSERT_TRUE(target);
            const auto writer = MotionWriter::open(target.value());
            ASSERT_FALSE(writer) << place;
            EXPECT_NE(writer.message().find(fs::path(place).parent_path().string()), std::string::npos) << writer.message();
        }
    const auto writer = open("x", RecordFormat::ply);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add(torus(0)));
    fs::create_directories(folder_ / "x/frame_000001.ply");  // a folder where the next file should go
    const auto blocked = writer->add(torus(0.1));
    ASSERT_FALSE(blocked);
    EXPECT_NE(blocked.message().find("frame_000001.ply"), std::string::npos) << blocked.message();
    EXPECT_EQ(files_in(folder_ / "x"), 2) << "no half-written file is left";
}

TEST_F(Motion, AFullDiskIsSaidAndKeepsWholeFrames) {
    const auto writer = open("x.pc2", RecordFormat::pc2);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add(torus(0)));
    const SmallFiles limit(32 + 2 * 128 * 12 + 700);  // in the middle of a sample
    ASSERT_TRUE(writer->add(torus(0.1)));
    const auto full = writer->add(torus(0.2));
    ASSERT_FALSE(full);
    EXPECT_NE(full.message().find("x.pc2"), std::string::npos) << full.message();
    EXPECT_TRUE(writer->finish());
    EXPECT_EQ(read_pc2(folder_ / "x.pc2").samples, 2);
    EXPECT_EQ(fs::file_size(folder_ / "x.pc2"), 32u + 2 * 128 * 12);
}

TEST_F(Motion, WithoutRoomForTheIndexTheLastFramesMakeIt) {
    const auto writer = open("x.pvd", RecordFormat::vtu);
    ASSERT_TRUE(writer);
    for (int k = 0; k < 60; ++k) ASSERT_TRUE(writer->add(wobbling_torus(k / 60.0, 4, 3)));
    {
        const SmallFiles limit(2500);
        const auto finished = writer->finish();
        ASSERT_FALSE(finished) << "frames are missing";
        const std::string removed = "the last " + std::to_string(60 - writer->frames()) + " of 60 frames were removed";
        EXPECT_NE(finished.message().find(removed), std::string::npos) << finished.message();
    }
    std::uint64_t bytes = 0;
    for (const auto& file : fs::directory_iterator(folder_ / "x")) bytes += file.file_size();
    EXPECT_EQ(writer->bytes(), bytes);
    const Pvd pvd = read_pvd(folder_ / "x.pvd");
    EXPECT_GT(writer->frames(), 5);
    EXPECT_LT(writer->frames(), 60);
    EXPECT_EQ(static_cast<int>(pvd.files.size()), writer->frames());
    EXPECT_EQ(files_in(folder_ / "x"), writer->frames()) << "no frame without its time";
    EXPECT_TRUE(fs::exists(pvd.files.back()));
}

TEST_F(Motion, AnIndexThatFailsForAnotherReasonCostsNoFrame) {
    const auto writer = open("x.pvd", RecordFormat::vtu);
    ASSERT_TRUE(writer);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(writer->add(wobbling_torus(k / 60.0, 4, 3)));
    fs::remove(folder_ / "x.pvd");
    fs::create_directories(folder_ / "x.pvd/inside");
    const auto finished = writer->finish();
    ASSERT_FALSE(finished);
    EXPECT_NE(finished.message().find("x.pvd"), std::string::npos) << finished.message();
    EXPECT_EQ(writer->frames(), 5);
    EXPECT_EQ(writer->path(), folder_ / "x") << "where they are";
    EXPECT_EQ(files_in(folder_ / "x"), 5);
}

TEST(RecordTarget, NamesAndFormatsAgreeOrItIsSaid) {
    const auto means = [](const char* out, std::optional<RecordFormat> asked) {
        const auto target = record_target(out, asked);
        return target ? std::string(info_of(target.value().format).id) + " " + target.value().out.string() : target.message();
    };
    EXPECT_EQ(means("x.mp4", {}), "mp4 x.mp4");
    EXPECT_EQ(means("x.pc2", {}), "pc2 x.pc2");
    EXPECT_EQ(means("x.pvd", {}), "vtu x.pvd");
    EXPECT_EQ(means("x.vtu", {}), "vtu x.pvd");
    EXPECT_EQ(means("x.ply", {}), "ply x");
    EXPECT_EQ(means("frames/", {}), "png frames/");
    EXPECT_EQ(means("x", RecordFormat::mp4), "mp4 x.mp4");
    EXPECT_EQ(means("v1.5", RecordFormat::pc2), "pc2 v1.5.pc2");
    EXPECT_EQ(means("x", RecordFormat::obj), "obj x");
    EXPECT_NE(means("x.mp4", RecordFormat::pc2).find("change one of the two"), std::string::npos);
}

}  // namespace
}  // namespace wobble
