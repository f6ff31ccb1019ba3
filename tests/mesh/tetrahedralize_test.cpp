#include "engine/mesh/volume/tetrahedralize.h"

#include "engine/core/child_process.h"
#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/volume/quality.h"
#include "engine/mesh/volume/tetgen_protocol.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace wobble {
namespace {

TriMesh ball() { return find_shape("sphere")->make({{"radius", 0.5}}, 0.12); }

TEST(Tetrahedralize, FillsTheSurfaceExactly) {
    const TriMesh surface = ball();
    const Result<TetMesh> mesh = tetrahedralize(surface, {});
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    EXPECT_NEAR(volume(mesh.value()), signed_volume(surface), 1e-12);
    for (const Tet& tet : mesh.value().tets) EXPECT_GT(volume(mesh.value(), tet), 0);
    // keep_surface: the boundary is the input, vertex for vertex.
    EXPECT_EQ(mesh.value().boundary.size(), surface.triangles.size());
    EXPECT_NEAR(signed_volume({mesh.value().vertices, mesh.value().boundary}), signed_volume(surface), 1e-12);
    const auto key = [](const Vec3& p) { return std::array<double, 3>{p.x(), p.y(), p.z()}; };
    std::set<std::array<double, 3>> points;
    for (const Vec3& p : mesh.value().vertices) points.insert(key(p));
    for (const Vec3& p : surface.vertices) EXPECT_TRUE(points.contains(key(p)));
}

TEST(Tetrahedralize, EveryVertexIsUsedAndHeldByThreeTets) {
    for (const TriMesh& surface : {ball(), cube()}) {
        const Result<TetMesh> mesh = tetrahedralize(surface, {});
        ASSERT_TRUE(mesh.ok()) << mesh.message();
        EXPECT_EQ(quality(mesh.value()).weak_vertices, 0);
        EXPECT_GE(quality(mesh.value()).fewest_tets, 3);
    }
}

TEST(Tetrahedralize, MaxVolumeHolds) {
    TetrahedralizeOptions options;
    options.max_volume = 2e-4;
    options.keep_surface = false;  // with large faces kept, TetGen may not put points near them and misses the limit there
    const Result<TetMesh> mesh = tetrahedralize(ball(), options);
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    for (const Tet& tet : mesh.value().tets) EXPECT_LE(volume(mesh.value(), tet), 1.5 * 2e-4);
    EXPECT_NEAR(volume(mesh.value()), signed_volume(ball()), 1e-12);
    options.max_volume = 0;
    EXPECT_LT(tetrahedralize(ball(), options).value().tets.size(), mesh.value().tets.size() / 2);
}

TEST(Tetrahedralize, AnySizeOfBody) {
    for (double scale : {1e-6, 1e6}) {
        TriMesh surface = ball();
        for (Vec3& p : surface.vertices) p *= scale;
        TetrahedralizeOptions options;
        options.max_volume = 1e-3 * scale * scale * scale;
        const Result<TetMesh> mesh = tetrahedralize(surface, options);
        ASSERT_TRUE(mesh.ok()) << mesh.message();
        EXPECT_NEAR(volume(mesh.value()) / signed_volume(surface), 1, 1e-12);
        EXPECT_GT(mesh.value().tets.size(), 500u);
    }
}

TEST(Tetrahedralize, CavitiesStayEmptyAndSeparatePartsAreFilled) {
    TriMesh mesh = cube(Vec3::Zero(), 3), hole = cube(Vec3::Ones());
    for (Triangle& t : hole.triangles) std::swap(t[0], t[1]);
    add(mesh, hole);
    add(mesh, cube(Vec3(10, 0, 0)));
    const Result<TetMesh> tets = tetrahedralize(mesh, {});
    ASSERT_TRUE(tets.ok()) << tets.message();
    EXPECT_NEAR(volume(tets.value()), 27, 1e-12);
    EXPECT_EQ(tets.value().boundary.size(), 36u);
}

TEST(Tetrahedralize, NewSurfaceVerticesWhenAllowed) {
    TetrahedralizeOptions options;
    options.keep_surface = false;
    options.max_volume = 1e-3;
    const Result<TetMesh> mesh = tetrahedralize(cube(), options);
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    EXPECT_GT(mesh.value().boundary.size(), 12u);
    EXPECT_NEAR(volume(mesh.value()), 1, 1e-12);
}

TEST(Tetrahedralize, SelfIntersectionIsASentence) {  // whether TetGen notices or crashes
    TriMesh mesh = cube();
    add(mesh, cube(Vec3(0.5, 0.5, 0.5)));
    const Result<TetMesh> tets = tetrahedralize(mesh, {});
    ASSERT_FALSE(tets.ok());
    EXPECT_TRUE(tets.message().starts_with("TetGen")) << tets.message();
}

TEST(Tetrahedralize, NonsenseOptionsAreRefused) {
    TetrahedralizeOptions options;
    options.quality = 0;
    EXPECT_FALSE(tetrahedralize(cube(), options).ok());
    options = {};
    options.max_volume = -1;
    EXPECT_FALSE(tetrahedralize(cube(), options).ok());
    EXPECT_FALSE(tetrahedralize({}, {}).ok());
}

// A helper that misbehaves: the sentence must contain `part`.
void expect_failure(const std::filesystem::path& helper, const std::string& part, double timeout = 20, const Progress& progress = {}) {
    TetrahedralizeOptions options;
    options.helper = helper;
    options.timeout_seconds = timeout;
    const Result<TetMesh> mesh = tetrahedralize(ball(), options, progress);
    ASSERT_FALSE(mesh.ok());
    EXPECT_NE(mesh.message().find(part), std::string::npos) << mesh.message();
    EXPECT_TRUE(mesh.message().ends_with('.') || mesh.message().ends_with('?')) << mesh.message();
}

TEST(HelperFails, MissingExitCrashTimeOutAndCancel) {
    const Folder folder;
    expect_failure(folder.path() / "none", "Cannot start");
    expect_failure(folder.script("exit", "exit 3"), "exit code 3");
    expect_failure(folder.script("crash", "kill -SEGV $$"), "crashed");
    expect_failure(folder.script("sleep", "sleep 100"), "within 0.3 s", 0.3);
    expect_failure(folder.script("busy", "cat >/dev/null; sleep 100"), "within 0.3 s", 0.3);
    int calls = 0;
    expect_failure(folder.script("sleep2", "sleep 100"), "cancelled", 20, [&](std::string_view, double) { return ++calls < 3; });
    expect_failure(folder.script("memory", "exit 65"), "more than 8 GB; ask for fewer vertices (a lower --set resolution=)");
}

TEST(HelperFails, FacesThatPointNowhereAreRefusedNotCrashedOn) {
    TriMesh mesh = ball();  // corners at the first face: all others are still to come
    for (int wrong : {-1, static_cast<int>(mesh.vertices.size())}) {
        TriMesh bad;
        bad.vertices = mesh.vertices;
        bad.triangles.assign(1000, {0, 1, 2});
        bad.triangles[0][1] = wrong;
        using namespace tetgen_protocol;
        const Header header{question_magic, bad.vertices.size(), bad.triangles.size(), 0};
        std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
        bytes.append(switches_length, '\0');
        bytes.append(reinterpret_cast<const char*>(bad.vertices.data()), bad.vertices.size() * sizeof(Vec3));
        bytes.append(reinterpret_cast<const char*>(bad.triangles.data()), bad.triangles.size() * sizeof(Triangle));
        const auto helper = std::filesystem::read_symlink("/proc/self/exe").replace_filename("wobble-tetgen");
        Result<ChildProcess> child = ChildProcess::start(helper, {}, {});
        ASSERT_TRUE(child.ok()) << child.message();
        child.value().write(bytes);
        const ChildOutcome outcome = child.value().finish();
        EXPECT_EQ(outcome.end, ChildOutcome::End::exited);
        EXPECT_EQ(outcome.code, bad_question);
    }
}

TEST(HelperFails, MemoryLimitOfTheRealHelper) {
    TetrahedralizeOptions options;
    options.memory_limit_gb = 0.03;
    options.max_volume = 1e-6;
    options.keep_surface = false;
    const Result<TetMesh> mesh = tetrahedralize(cube(), options);
    ASSERT_FALSE(mesh.ok());
    EXPECT_NE(mesh.message().find("0.03 GB"), std::string::npos) << mesh.message();
}

TEST(HelperFails, NonsenseAnswers) {
    const Folder folder;
    const auto answer = [&](const std::string& bytes) {
        const auto file = folder.file("answer.bin", bytes);
        expect_failure(folder.script("liar", "cat >/dev/null; cat " + file.string()), "makes no sense");
    };
    const auto header = [](std::uint64_t magic, std::uint64_t points, std::uint64_t tets) {
        const tetgen_protocol::Header h{magic, points, tets, 0};
        return std::string(reinterpret_cast<const char*>(&h), sizeof h);
    };
    const auto bytes = [](const auto& values) {
        return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
    };
    const std::vector<double> points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::uint64_t magic = tetgen_protocol::answer_magic;
    answer("");
    answer("hello");
    answer(std::string(100000, 'x'));
    answer(header(1, 4, 1) + bytes(points) + bytes(std::vector<int>{0, 1, 2, 3}));
    answer(header(magic, 1ull << 61, 1));
    answer(header(magic, 4, ~0ull) + bytes(points));
    answer(header(magic, 4, 1) + bytes(points));  // cut off
    answer(header(magic, 4, 1) + bytes(points) + bytes(std::vector<int>{0, 1, 2, 4}));
    answer(header(magic, 4, 1) + bytes(points) + bytes(std::vector<int>{0, 1, -1, 3}));
    std::vector<double> odd = points;
    odd[5] = std::nan("");
    answer(header(magic, 4, 1) + bytes(odd) + bytes(std::vector<int>{0, 1, 2, 3}));

    // The same bytes without a lie are taken.
    TetrahedralizeOptions options;
    const auto file = folder.file("good.bin", header(magic, 4, 1) + bytes(points) + bytes(std::vector<int>{0, 1, 2, 3}));
    options.helper = folder.script("honest", "cat >/dev/null; cat " + file.string());
    const Result<TetMesh> mesh = tetrahedralize(ball(), options);
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    EXPECT_EQ(mesh.value().boundary.size(), 4u);
}

TEST(Quality, SmoothingImprovesTheWorstAndLeavesTheSurfaceAlone) {
    TetrahedralizeOptions options;
    options.max_volume = 3e-4;
    TetMesh mesh = tetrahedralize(ball(), options).value();
    // Spoil it: every inner vertex is pushed as far as its tets allow.
    std::vector<char> outer(mesh.vertices.size(), 0);
    for (const Triangle& t : mesh.boundary)
        for (int v : t) outer[v] = 1;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (outer[v]) continue;
        const Vec3 old = mesh.vertices[v];
        mesh.vertices[v] += Vec3(0.02, -0.015, 0.01);
        if (std::any_of(mesh.tets.begin(), mesh.tets.end(), [&](const Tet& t) { return volume(mesh, t) <= 0; })) mesh.vertices[v] = old;
    }
    const TetMesh spoilt = mesh;
    smooth_inside(mesh);
    EXPECT_GT(quality(mesh).worst, 1.5 * quality(spoilt).worst);
    EXPECT_NEAR(volume(mesh), volume(spoilt), 1e-12);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) EXPECT_TRUE(!outer[v] || mesh.vertices[v] == spoilt.vertices[v]);
}

TEST(Quality, WeakVerticesAreStrengthened) {
    // A single tet, and two tets on a common face: all corners are weak.
    for (int count : {1, 2}) {
        TetMesh mesh;
        mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.9, 0.9, 0.9}};
        mesh.tets = {{0, 1, 2, 3}};
        if (count == 2) mesh.tets.push_back({1, 2, 3, 4});
        else mesh.vertices.pop_back();
        const double before = volume(mesh);
        EXPECT_GT(quality(mesh).weak_vertices, 0);
        strengthen_weak_vertices(mesh);
        EXPECT_EQ(quality(mesh).weak_vertices, 0);
        EXPECT_GT(quality(mesh).worst, 0);
        EXPECT_NEAR(volume(mesh), before, 1e-14);
    }
}

}  // namespace
}  // namespace wobble
