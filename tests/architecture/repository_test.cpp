// Promises of the repository itself: the commands can be run, the README names what exists.
#include "tests/architecture/tree.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

namespace wobble {
namespace {

TEST(Repository, TheCommandsCanBeRun) {
    for (const char* script : {"app/run", "tests/run", ".ci/run"}) {
        const auto file = project_root() / script;
        ASSERT_TRUE(std::filesystem::exists(file)) << script;
        EXPECT_EQ(::access(file.c_str(), X_OK), 0) << script << " is not executable";
        EXPECT_TRUE(text_of(file).starts_with("#!")) << script;
    }
    EXPECT_NE(text_of(project_root() / ".ci/run").find("tests/run"), std::string::npos);
}

TEST(Repository, TheReadmeNamesPathsThatExist) {
    const std::string readme = text_of(project_root() / "README.md");
    ASSERT_FALSE(readme.empty());
    int named = 0;
    // `engine/x/y.h`, `assets/z`: a path in backquotes or a picture; x in a file name stands for a new file, and is then only a folder.
    const std::regex path(R"([`(]((?:engine|app|tests|assets|shaders|cmake)/[A-Za-z0-9_./-]*)[`)])");
    for (std::string name : matches(readme, path)) {
        ++named;
        const std::filesystem::path file(name);
        const bool placeholder = file.stem() == "x";
        EXPECT_TRUE(std::filesystem::exists(project_root() / (placeholder ? file.parent_path() : file))) << "README.md names " << name;
    }
    EXPECT_GT(named, 10);
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
