#include "engine/mesh/io/obj.h"

#include "engine/core/text.h"
#include "engine/mesh/surface/check.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace wobble {
namespace {

constexpr const char* quad_cube =
    "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
    "g lower\nf 1 3 4 2\nf 5 6 8 7\ng upper\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

// Every refusal is a single sentence that names the file and contains `part`.
void expect_refused(const std::filesystem::path& file, const std::string& part) {
    const Result<TriMesh> mesh = load_obj(file);
    ASSERT_FALSE(mesh.ok()) << file;
    EXPECT_NE(mesh.message().find(part), std::string::npos) << mesh.message();
    EXPECT_NE(mesh.message().find(file.string()), std::string::npos) << mesh.message();
    EXPECT_TRUE(mesh.message().ends_with('.')) << mesh.message();
    EXPECT_EQ(mesh.message().find('\n'), std::string::npos) << mesh.message();
}

TEST(Obj, QuadsAndGroupsBecomeOneClosedSurface) {
    const Folder folder;
    const Result<TriMesh> mesh = load_obj(folder.file("cube.obj", quad_cube));
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    EXPECT_EQ(mesh.value().vertices.size(), 8u);
    EXPECT_EQ(mesh.value().triangles.size(), 12u);
    EXPECT_DOUBLE_EQ(signed_volume(mesh.value()), 1);
    EXPECT_TRUE(check_surface(mesh.value()).good());
}

TEST(Obj, NegativeIndicesNormalsTexturesCommentsContinuedLinesAndWindowsLineEnds) {
    const Folder folder;
    const Result<TriMesh> mesh =
        load_obj(folder.file("t.obj",
                             "mtllib nothing.mtl\r\n# a tet\r\nv 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nv 0 0 1\r\nvt 0 0\r\nvn 0 0 1\r\n"
                             "usemtl x\r\nf -4/1/1 -2/1/1 -3/1/1\r\nf 1//1 2//1 4//1\r\nf 2 3 \\\r\n 4\r\n  f 1/1 4/1 3/1 # last\r\n"));
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    EXPECT_EQ(mesh.value().triangles.size(), 4u);
    EXPECT_NEAR(signed_volume(mesh.value()), 1.0 / 6, 1e-15);
    EXPECT_TRUE(check_surface(mesh.value()).good());
}

TEST(Obj, ABackslashThatEndsACommentContinuesNothing) {
    const Folder folder;
    const Result<TriMesh> mesh =
        load_obj(folder.file("c.obj", "# C:\\meshes\\\nv 0 0 0\nv 1 0 0 # \\\r\nv 0 1 0\nf 1 2 \\\n3 # \\\nf 1 3 2\n"));
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    EXPECT_EQ(mesh.value().vertices.size(), 3u);
    EXPECT_EQ(mesh.value().triangles.size(), 2u);
}

TEST(Obj, VerticesMayFollowTheFacesThatUseThem) {
    const Folder folder;
    const Result<TriMesh> mesh = load_obj(folder.file("late.obj", "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"));
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    EXPECT_EQ(mesh.value().triangles.size(), 1u);
}

TEST(Obj, DuplicateVerticesAreWeldedAndUnusedOnesDropped) {
    const Folder folder;
    const TriMesh whole = cube();
    std::string soup = "v 7 7 7\n";
    int n = 1;
    for (const Triangle& t : whole.triangles) {
        for (int v : t) soup += text("v ", whole.vertices[v].transpose(), "\n");
        soup += text("f ", n + 1, ' ', n + 2, ' ', n + 3, "\n");
        n += 3;
    }
    const Result<TriMesh> mesh = load_obj(folder.file("soup.obj", soup));
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    EXPECT_EQ(mesh.value().vertices.size(), 8u);
    EXPECT_TRUE(check_surface(mesh.value()).good());
}

TEST(Obj, ConcavePolygonIsCutInside) {
    const Folder folder;
    // An L of area 3: a fan from its first corner would leave the L.
    const Result<TriMesh> mesh = load_obj(folder.file("l.obj", "v 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\nf 1 2 3 4 5 6\n"));
    ASSERT_TRUE(mesh.ok()) << mesh.message();
    ASSERT_EQ(mesh.value().triangles.size(), 4u);
    double sum = 0;
    for (const auto& [a, b, c] : mesh.value().triangles) {
        const auto& v = mesh.value().vertices;
        const double twice = (v[b] - v[a]).x() * (v[c] - v[a]).y() - (v[b] - v[a]).y() * (v[c] - v[a]).x();
        EXPECT_GT(twice, 0);
        sum += twice / 2;
    }
    EXPECT_DOUBLE_EQ(sum, 3);
}

TEST(Obj, DegeneratePolygonsDoNotCrash) {
    const Folder folder;
    for (const char* face : {"f 1 1 1 1", "f 1 2 1 2", "f 1 2 3 2 1", "f 1 1 2 3"}) {
        const Result<TriMesh> mesh = load_obj(folder.file("d.obj", text("v 0 0 0\nv 1 0 0\nv 2 0 0\n", face, "\n")));
        ASSERT_TRUE(mesh.ok()) << mesh.message();
        EXPECT_FALSE(check_surface(mesh.value()).good());
    }
}

TEST(Obj, SaveAndLoadKeepEveryDigitThatCounts) {
    const Folder folder;
    TriMesh mesh = cube(Vec3(0.1, -1.0 / 3, 1e-7), 0.7);
    ASSERT_TRUE(save_obj(mesh, folder.path() / "out.obj").ok());
    const Result<TriMesh> back = load_obj(folder.path() / "out.obj");
    ASSERT_TRUE(back.ok()) << back.message();
    EXPECT_EQ(back.value().triangles, mesh.triangles);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) EXPECT_LT((back.value().vertices[v] - mesh.vertices[v]).norm(), 1e-15);
    EXPECT_FALSE(save_obj(mesh, folder.path() / "no" / "such" / "folder.obj").ok());
    EXPECT_FALSE(save_obj(mesh, "/dev/full").ok());
}

TEST(ObjRefuses, WhatIsNoReadableFile) {
    const Folder folder;
    expect_refused(folder.path() / "missing.obj", "no file");
    expect_refused(folder.path(), "folder");
    expect_refused(folder.file("empty.obj", ""), "empty");
    ASSERT_EQ(mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
    expect_refused(folder.path() / "fifo", "not a regular file");
    expect_refused("/dev/zero", "not a regular file");
    const auto locked = folder.file("locked.obj", quad_cube);
    std::filesystem::permissions(locked, std::filesystem::perms::none);
    if (geteuid() != 0) expect_refused(locked, "permission");
}

TEST(ObjRefuses, AnythingTooLarge) {
    const Folder folder;
    const auto file = folder.file("big.obj", "v 0 0 0\n");
    std::filesystem::resize_file(file, 400'000'000);  // sparse: nothing is read, nothing is stored
    expect_refused(file, "400 MB, more than the limit of 256 MB");
}

TEST(ObjRefuses, WhatIsNoObj) {
    const Folder folder;
    expect_refused(folder.file("text.obj", "Dear reader,\nthis is a letter.\n"), "no vertices");
    expect_refused(folder.file("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"), "no faces");
    std::string garbage;
    for (unsigned i = 0; i < 100000; ++i) garbage += static_cast<char>(i * i * 31 + i / 7);
    expect_refused(folder.file("garbage.obj", garbage), "not text");
    std::erase(garbage, '\0');
    expect_refused(folder.file("garbage2.obj", garbage), ".obj");
    expect_refused(folder.file("long.obj", "v 0 0 0\n" + std::string(1 << 20, 'f')), "line 2");
    expect_refused(folder.file("slashes.obj", "f " + std::string(1 << 15, '\\') + "\n\\\n\\\n\\"), ".obj");
}

TEST(ObjRefuses, CoordinatesThatAreNoNumbers) {
    const Folder folder;
    for (const char* bad : {"nan", "inf", "-inf", "1e999", "1e300", "0x10", "abc", "1,5", "--1", "1e", ""})
        expect_refused(folder.file("bad.obj", text("v 0 0 0\nv 1 0 0\nv 0 1 ", bad, "\nf 1 2 3\n")), "line 3");
    expect_refused(folder.file("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"), "\"nan\"");
}

TEST(ObjRefuses, FacesThatPointNowhere) {
    const Folder folder;
    for (const char* bad : {"f 1 2 4", "f 0 1 2", "f -4 -1 -2", "f 1 2 99999999999999999999", "f 1 2 4294967297", "f 1 2 x", "f 1 2", "f",
                            "f 1 2 -2147483648"})
        expect_refused(folder.file("bad.obj", text("v 0 0 0\nv 1 0 0\nv 0 1 0\n", bad, "\n")), "line 4");
    std::string many = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
    for (int i = 0; i < 1000; ++i) many += text(' ', i % 3 + 1);
    expect_refused(folder.file("many.obj", many), "1000 corners");
}

}  // namespace
}  // namespace wobble
