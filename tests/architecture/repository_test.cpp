// Promises of the repository itself: the commands can be run, the README names what exists, sources are formatted, folders are not full.
#include "engine/core/child_process.h"
#include "tests/architecture/tree.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <set>

namespace wobble {
namespace {

TEST(Repository, TheCommandsCanBeRun) {
    for (const char* script : {"app/run", "tests/run", "tests/same_bits", ".ci/run"}) {
        const auto file = project_root() / script;
        ASSERT_TRUE(std::filesystem::exists(file)) << script;
        EXPECT_EQ(::access(file.c_str(), X_OK), 0) << script << " is not executable";
        EXPECT_TRUE(text_of(file).starts_with("#!")) << script;
    }
    EXPECT_NE(text_of(project_root() / ".ci/run").find("tests/run"), std::string::npos);
}

constexpr const char* readmes[] = {"README.md", "app/README.md", "engine/README.md", "engine/study/RESULTS.md", "tests/README.md"};

TEST(Repository, TheReadmesNamePathsThatExist) {
    // `engine/x/y.h`, `assets/z`: a path in backquotes or a picture; x in a file name stands for a new file, and is then only a folder.
    const std::regex path(R"([`(]((?:engine|app|tests|assets|shaders|cmake)/[A-Za-z0-9_./-]*)[`)])");
    for (const char* readme : readmes) {
        const auto names = matches(text_of(project_root() / readme), path);
        EXPECT_GE(names.size(), 2u) << readme;
        for (const std::string& name : names) {
            const std::filesystem::path file(name);
            const bool placeholder = file.stem() == "x";
            EXPECT_TRUE(std::filesystem::exists(project_root() / (placeholder ? file.parent_path() : file))) << readme << " names " << name;
        }
    }
}

TEST(Repository, TheFirstReadmeIsShort) { EXPECT_LE(text_of(project_root() / "README.md").size(), 8192u); }

// Sources are cited by author and year; comments state facts. The words are put together here, so that this file has none of them.
TEST(Repository, TextsNameSourcesAndFacts) {
    std::string words = "\\b(seed papers?";
    for (const char* before : {"some", "no", "any"}) words += std::string("|") + before + "body";
    const std::regex banned(words + "|who" + "ever|seeds? 00[0-9])\\b", std::regex::icase);
    std::vector<std::filesystem::path> files(std::begin(readmes), std::end(readmes));
    for (const char* folder : {"engine", "app", "tests", "assets", "shaders"})
        for (const auto& file : files_of(folder, std::regex(R"(.*\.(h|cpp|toml|txt|glsl|vert|frag))"))) files.push_back(file);
    ASSERT_GT(files.size(), 300u);
    for (const auto& file : files)
        if (file.filename() != "repository_test.cpp")
            for (const std::string& word : matches(text_of(project_root() / file), banned)) ADD_FAILURE() << file << " says " << word;
}

TEST(Repository, SourcesAreAsClangFormatWritesThem) {
    std::vector<std::string> arguments{"--style=file", "--dry-run", "-Werror"};
    for (const char* folder : {"engine", "app", "tests", "assets", "shaders"})
        for (const auto& file : sources_of(folder)) arguments.push_back((project_root() / file).string());
    ASSERT_GT(arguments.size(), 300u);
    auto child = ChildProcess::start("clang-format", arguments, {.timeout_seconds = 240});
    ASSERT_TRUE(child.ok()) << child.message();
    const ChildOutcome outcome = child.value().finish();
    EXPECT_TRUE(outcome.fine()) << outcome.errors << "clang-format -i FILE puts a file right.";
}

// More than one sees at a glance is a folder that wants to be two.
TEST(Repository, NoFolderHoldsMoreThanFortyTwoFiles) {
    std::map<std::filesystem::path, int> files_in;
    for (const char* folder : {"engine", "app", "tests", "assets", "shaders", ".ci"})
        for (const auto& file : files_of(folder, std::regex(".*"))) ++files_in[file.parent_path()];
    for (const auto& entry : std::filesystem::directory_iterator(project_root())) files_in["."] += entry.is_regular_file();
    ASSERT_GT(files_in.size(), 20u);
    for (const auto& [folder, files] : files_in) EXPECT_LE(files, 42) << folder;
}

TEST(Repository, EverySourceFileIsBuilt) {
    const std::regex source(R"re(([^\s()"]+\.cpp)(?![^\s()"]))re");
    std::set<std::filesystem::path> built;  // every word of a CMakeLists.txt that ends in .cpp, seen from the root
    for (const char* folder : {"engine", "app", "tests"})
        for (const auto& file : files_of(folder, std::regex(R"(CMakeLists\.txt)")))
            for (const std::string& word : matches(without_comments(text_of(project_root() / file)), source))
                built.insert((file.parent_path() / word).lexically_normal());
    for (const std::string& word : matches(without_comments(text_of(project_root() / "CMakeLists.txt")), source)) built.insert(word);
    ASSERT_GT(built.size(), 50u);
    for (const char* folder : {"engine", "app", "tests"})
        for (const auto& file : files_of(folder, std::regex(R"(.*\.cpp)")))
            EXPECT_TRUE(built.count(file)) << file << " is in no source list";
    for (const auto& file : built) EXPECT_TRUE(std::filesystem::exists(project_root() / file)) << file << " is listed but not there";
}

}  // namespace
}  // namespace wobble
