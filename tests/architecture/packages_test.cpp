// app/packages.txt against the tree: everything the build and the program look for is provided by a listed package, and every listed
// package is still needed. What a fresh machine lacks is found here before a user finds it.
#include "tests/architecture/tree.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace wobble {
namespace {

struct Listed {
    std::string package, purpose;
    std::vector<std::string> provides;
};

std::vector<Listed> listed_packages() {
    std::vector<Listed> list;
    std::istringstream lines(text_of(project_root() / "app/packages.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        Listed& row = list.emplace_back();
        words >> row.package >> row.purpose;
        for (std::string word; words >> word;) row.provides.push_back(word);
    }
    return list;
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

// "# comment" to the end of each line; strings with # do not occur in the calls looked at here.
std::string without_comments(const std::string& cmake) { return std::regex_replace(cmake, std::regex("#[^\n]*"), ""); }

bool is_keyword(const std::string& word) {
    static const std::regex keyword("[A-Z][A-Z_]*");
    return std::regex_match(word, keyword);
}

// The names looked for by find_program(VARIABLE names...), find_library, find_path: up to the first keyword that is not NAMES.
void add_find(const std::string& kind, const std::string& arguments, std::set<std::string>& needs) {
    const auto words = words_of(arguments);
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "NAMES") continue;
        if (is_keyword(words[i])) break;
        needs.insert(kind + ":" + words[i]);
    }
}

void add_package(const std::string& arguments, std::set<std::string>& needs) {
    const auto words = words_of(arguments);
    if (words.empty()) return;
    needs.insert("package:" + words[0]);
    bool components = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "COMPONENTS") components = true;
        else if (words[i] == "OPTIONAL_COMPONENTS" || words[i] == "NO_MODULE" || words[i] == "CONFIG" || words[i] == "REQUIRED")
            components = false;
        else if (components) needs.insert("package:" + words[0] + "/" + words[i]);
    }
}

void add_modules(const std::string& arguments, std::set<std::string>& needs) {
    const auto words = words_of(arguments);
    for (std::size_t i = 1; i < words.size(); ++i)
        if (!is_keyword(words[i])) needs.insert("module:" + std::regex_replace(words[i], std::regex("[<>=].*"), ""));
}

// Everything the CMake files and presets look for.
std::set<std::string> needs_of_build() {
    std::set<std::string> needs;
    std::vector<std::filesystem::path> files{"CMakeLists.txt"};
    for (const char* folder : {"engine", "app", "tests", "assets", "shaders", "cmake"})
        for (const auto& file : files_of(folder, std::regex(R"(CMakeLists\.txt|.*\.cmake)"))) files.push_back(file);
    for (const auto& file : files) {
        const std::string text = without_comments(text_of(project_root() / file));
        for (const auto& a : matches(text, std::regex(R"(find_package\s*\(([^)]*)\))"))) add_package(a, needs);
        for (const auto& a : matches(text, std::regex(R"(pkg_(?:check|search)_modules?\s*\(([^)]*)\))"))) add_modules(a, needs);
        for (const char* kind : {"program", "library", "path", "file"})
            for (const auto& a : matches(text, std::regex(std::string("find_") + kind + R"(\s*\(([^)]*)\))"))) add_find(kind, a, needs);
        for (const auto& a : matches(text, std::regex(R"(python3\s+-m\s+(\w+))"))) needs.insert("python:" + a);
        for (const auto& a : matches(text, std::regex(R"(\bLANGUAGES\s+([A-Z ]+))")))
            for (const auto& language : words_of(a)) needs.insert("language:" + language);
    }
    const std::string presets = text_of(project_root() / "CMakePresets.json");
    for (const auto& g : matches(presets, std::regex("\"generator\": *\"([^\"]+)\""))) needs.insert("generator:" + g);
    needs.insert("tool:cmake");
    return needs;
}

// All text in which a run-time need can show itself.
std::string all_sources() {
    std::string text;
    for (const char* folder : {"engine", "app", "tests"})
        for (const auto& file : files_of(folder, std::regex(R"(.*\.(h|cpp|sh|py)|run)")))
            if (file.filename() != "packages_test.cpp") text += text_of(project_root() / file);
    return text;
}

TEST(Packages, EverythingTheBuildLooksForIsProvided) {
    std::set<std::string> provided;
    for (const Listed& row : listed_packages()) provided.insert(row.provides.begin(), row.provides.end());
    const auto needs = needs_of_build();
    ASSERT_TRUE(needs.count("package:Eigen3") && needs.count("language:CXX") && needs.count("generator:Ninja"))
        << "the CMake files were not understood";
    for (const std::string& need : needs) EXPECT_TRUE(provided.count(need)) << need << ": no package in app/packages.txt provides it";
}

TEST(Packages, ProgramsStartedAtRunTimeAreProvided) {
    std::set<std::string> provided;
    for (const Listed& row : listed_packages()) provided.insert(row.provides.begin(), row.provides.end());
    const std::string sources = all_sources();
    for (const char* program :
         {"ffmpeg", "ffprobe", "xdotool", "Xvfb", "xvfb-run", "xauth", "python3", "glxinfo", "import", "convert", "xwd"})
        if (std::regex_search(sources, std::regex(std::string("[\"/]") + program + "[\" ]"))) {
            EXPECT_TRUE(provided.count(std::string("uses:") + program))
                << program << " is started somewhere, but app/packages.txt does not provide it";
        }
}

TEST(Packages, EveryListedPackageIsNeeded) {
    const auto needs = needs_of_build();
    const std::string sources = all_sources();
    for (const Listed& row : listed_packages()) {
        EXPECT_FALSE(row.provides.empty()) << row.package << " is listed without a reason";
        for (const std::string& word : row.provides) {
            const bool used = word.starts_with("uses:") ? sources.find(word.substr(5)) != std::string::npos : needs.count(word) > 0;
            EXPECT_TRUE(used) << row.package << " is listed for " << word << ", which nothing needs";
        }
    }
}

TEST(Packages, TheListIsWellFormed) {
    std::set<std::string> seen;
    std::map<std::string, std::string> provider;
    for (const Listed& row : listed_packages()) {
        EXPECT_TRUE(seen.insert(row.package).second) << row.package << " is listed twice";
        EXPECT_TRUE(row.purpose == "app" || row.purpose == "test" || row.purpose == "optional") << row.package << ": " << row.purpose;
        EXPECT_TRUE(std::regex_match(row.package, std::regex("[a-z0-9][a-z0-9+.-]+"))) << row.package;
    }
    // What the program needs must not depend on a package only the tests install.
    const std::string tests_cmake = text_of(project_root() / "tests/CMakeLists.txt");
    for (const Listed& row : listed_packages())
        for (const std::string& word : row.provides)
            if (row.purpose == "test" && word.starts_with("package:")) {
                EXPECT_NE(tests_cmake.find(word.substr(8, word.find('/') - 8)), std::string::npos) << row.package << ": " << word;
            }
}

}  // namespace
}  // namespace wobble
