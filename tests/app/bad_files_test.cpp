// Files that are no good: a sentence each, exit code 2, nothing crashes or hangs.
#include "tests/app/process.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;

const std::string cube_vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
const std::string cube_faces = "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

// The cube again, moved half its size: the two surfaces cut through each other.
const std::string second_cube =
    "v .5 .5 .5\nv 1.5 .5 .5\nv 1.5 1.5 .5\nv .5 1.5 .5\nv .5 .5 1.5\nv 1.5 .5 1.5\nv 1.5 1.5 1.5\nv .5 1.5 1.5\n"
    "f 9 12 11 10\nf 13 14 15 16\nf 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\nf 12 9 13 16\n";

class BadFiles : public testing::TestWithParam<const char*> {
protected:
    fs::path folder = fs::temp_directory_path() / ("wobble_bad_" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    std::vector<std::string> command(const fs::path& file) const {
        std::vector<std::string> arguments{WOBBLE_PROGRAM, GetParam(), file.string()};
        if (GetParam() == std::string("record"))
            arguments.insert(arguments.end(), {"--out", film().string(), "--quiet", "--seconds", "0.2", "--fps", "10", "--size", "64x48"});
        if (GetParam() == std::string("run")) arguments.insert(arguments.end(), {"--seconds", "0.01", "--json"});
        return arguments;
    }
    fs::path film() const { return folder / "film.mp4"; }
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name, std::ios::binary) << text;
        return folder / name;
    }
    void expect_refused(const fs::path& file) const {
        SCOPED_TRACE(file);
        const Finished f = run_process(command(file), 60, {"DISPLAY", "WAYLAND_DISPLAY"});
        EXPECT_FALSE(f.timed_out);
        EXPECT_EQ(f.exit_code, 2) << f.out << f.err;
        EXPECT_TRUE(f.err.starts_with("wobble: ")) << f.err;
        EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
        EXPECT_NE(f.err.find(file.filename().string()), std::string::npos) << "the file is not named: " << f.err;
        if (GetParam() != std::string("check")) {
            EXPECT_EQ(f.out, "");
        }
        EXPECT_FALSE(fs::exists(film()));
    }
};

TEST_P(BadFiles, ThatAreNoFiles) {
    expect_refused(folder / "missing.obj");
    fs::create_directories(folder / "folder.obj");
    expect_refused(folder / "folder.obj");
    fs::create_directories(folder / "folder");
    expect_refused(folder / "folder");
    ASSERT_EQ(::mkfifo((folder / "pipe.obj").c_str(), 0600), 0);
    expect_refused(folder / "pipe.obj");
}

TEST_P(BadFiles, ThatAreNoMeshes) {
    expect_refused(write("empty.obj", ""));
    expect_refused(write("text.obj", "This is a letter, not a mesh.\nIt has several lines.\n"));
    expect_refused(write("notes.txt", "hello\n"));
    expect_refused(write("binary.obj", std::string("\x7f"
                                                   "ELF\0\1\2\3\0\0\0",
                                                   11)));
    expect_refused(write("points.obj", cube_vertices));
    write("big.obj", "v 0 0 0\n");
    fs::resize_file(folder / "big.obj", 300'000'000);  // sparse
    expect_refused(folder / "big.obj");
}

TEST_P(BadFiles, ThatHaveBadNumbers) {
    expect_refused(write("nan.obj", "v nan 0 0\n" + cube_vertices + cube_faces));
    expect_refused(write("inf.obj", "v 0 inf 0\n" + cube_vertices + cube_faces));
    expect_refused(write("range.obj", cube_vertices + cube_faces + "f 1 2 900\n"));
    expect_refused(write("negative.obj", cube_vertices + cube_faces + "f -1 -2 -900\n"));
    expect_refused(write("zero.obj", cube_vertices + cube_faces + "f 0 1 2\n"));
    expect_refused(write("huge_index.obj", cube_vertices + cube_faces + "f 1 2 99999999999999999999\n"));
}

// What does not enclose a body is a finding of check, and is wrapped by the others, which say so; asked for as a solid it is refused.
TEST_P(BadFiles, ThatDoNotEncloseABody) {
    const std::pair<fs::path, std::string> files[] = {
        {write("open.obj", cube_vertices + cube_faces.substr(0, cube_faces.rfind("f "))), "not closed (1 hole): wrapped"},
        {write("self_intersecting.obj", cube_vertices + cube_faces + second_cube), "cuts through itself: wrapped"},
        {write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n"), "wrapped"},
        {write("flipped.obj", cube_vertices + "f 1 2 3 4\n" + cube_faces.substr(cube_faces.find('\n') + 1)), "put in order"}};
    for (const auto& [file, done] : files) {
        if (GetParam() == std::string("check")) {
            expect_refused(file);
            continue;
        }
        SCOPED_TRACE(file);
        std::vector<std::string> few = command(file);
        few.insert(few.end(), {"--set", "resolution=150"});
        const Finished wrapped = run_process(few, 120, {"DISPLAY", "WAYLAND_DISPLAY"});
        EXPECT_EQ(wrapped.exit_code, 0) << wrapped.out << wrapped.err;
        if (GetParam() == std::string("run")) {  // the other one is asked to be quiet
            EXPECT_NE(wrapped.err.find(done), std::string::npos) << wrapped.err;
        }
        fs::remove(film());
        few.insert(few.end(), {"--as", "solid"});
        const Finished refused = run_process(few, 120, {"DISPLAY", "WAYLAND_DISPLAY"});
        EXPECT_EQ(refused.exit_code, 2) << refused.out << refused.err;
        EXPECT_NE(refused.err.find(file.filename().string()), std::string::npos) << refused.err;
        EXPECT_FALSE(fs::exists(film()));
    }
}

// The files above are bad for the reason given, not because everything is refused.
TEST_P(BadFiles, AreToldFromGoodOnes) {
    const Finished f = run_process(command(write("cube with space.obj", cube_vertices + cube_faces)), 120, {"DISPLAY", "WAYLAND_DISPLAY"});
    EXPECT_EQ(f.exit_code, 0) << f.out << f.err;
    const bool runs = GetParam() == std::string("run");  // says what it guessed of the file
    EXPECT_TRUE(runs ? f.err.starts_with("wobble: cube with space.obj: 1 x 1 x 1") : f.err.empty()) << f.err;
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), runs) << f.err;
    const bool records = GetParam() == std::string("record");
    EXPECT_NE(f.out.find(records ? "film.mp4: 2 frames" : "cube with space"), std::string::npos) << f.out;
    EXPECT_EQ(fs::exists(film()), records);
}

INSTANTIATE_TEST_SUITE_P(Commands, BadFiles, testing::Values("check", "run", "record"), [](const auto& test) { return test.param; });

TEST(CheckRepair, WritesAMeshThatCanBeSimulatedOrSaysWhyNot) {
    const fs::path folder = fs::temp_directory_path() / ("wobble_repair_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream(folder / name, std::ios::binary) << text;
        return (folder / name).string();
    };
    const auto check = [&](const std::string& file, std::vector<std::string> more) {
        more.insert(more.begin(), {WOBBLE_PROGRAM, "check", file});
        return run_process(more, 60);
    };
    const std::string out = (folder / "out.obj").string();
    std::string turned = cube_faces;
    turned.replace(turned.find("f 5 6 7 8"), 9, "f 8 7 6 5");
    const std::string file = write("turned.obj", cube_vertices + turned);
    EXPECT_EQ(check(file, {}).exit_code, 2);
    Finished f = check(file, {"--repair", out});
    EXPECT_EQ(f.exit_code, 0) << f.err;
    EXPECT_NE(f.out.find("Turned 2 faces"), std::string::npos) << f.out;
    EXPECT_EQ(check(out, {}).exit_code, 0);
    fs::remove(out);

    f = check(write("crossing.obj", cube_vertices + cube_faces + second_cube), {"--repair", out});
    EXPECT_EQ(f.exit_code, 2);
    EXPECT_NE(f.err.find("mesh editor"), std::string::npos) << f.err;
    EXPECT_FALSE(fs::exists(out)) << "nothing was repaired";
    f = check(write("good.obj", cube_vertices + cube_faces), {"--repair", out});
    EXPECT_EQ(f.exit_code, 0);
    EXPECT_FALSE(fs::exists(out));
    f = check(file, {"--repair", file});
    EXPECT_EQ(f.exit_code, 2) << "the mesh itself is not overwritten";
    f = check(file, {"--repair", (folder / "no" / "such" / "folder.obj").string()});
    EXPECT_EQ(f.exit_code, 1);
    EXPECT_EQ(check(file, {"--keep", "1"}).exit_code, 2);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace wobble
