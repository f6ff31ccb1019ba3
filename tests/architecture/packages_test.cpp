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

// What is looked for, and how much it matters.
struct Need {
    bool by_program = false;  // looked for outside tests/
    bool required = false;    // the build fails without it
};

struct Needs {
    std::map<std::string, Need> all;
    bool in_tests = false;  // whose file is being read
    void add(const std::string& word, bool required = true) {
        all[word].by_program |= !in_tests;
        all[word].required |= required;
    }
};

bool is_keyword(const std::string& word) {
    static const std::regex keyword("[A-Z][A-Z_]*");
    return std::regex_match(word, keyword);
}

// The names looked for by find_program(VARIABLE names...), find_library, find_path: up to the first keyword that is not NAMES.
void add_find(const std::string& kind, const std::string& arguments, Needs& needs) {
    const auto words = words_of(arguments);
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "NAMES") continue;
        if (is_keyword(words[i])) break;
        needs.add(kind + ":" + words[i], kind != "program" || std::find(words.begin(), words.end(), "REQUIRED") != words.end());
    }
}

void add_package(const std::string& arguments, Needs& needs) {
    const auto words = words_of(arguments);
    if (words.empty()) return;
    needs.add("package:" + words[0]);
    bool components = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "COMPONENTS") components = true;
        else if (words[i] == "OPTIONAL_COMPONENTS" || words[i] == "NO_MODULE" || words[i] == "CONFIG" || words[i] == "REQUIRED")
            components = false;
        else if (components) needs.add("package:" + words[0] + "/" + words[i]);
    }
}

void add_modules(const std::string& arguments, Needs& needs) {
    const auto words = words_of(arguments);
    for (std::size_t i = 1; i < words.size(); ++i)
        if (!is_keyword(words[i])) needs.add("module:" + std::regex_replace(words[i], std::regex("[<>=].*"), ""));
}

// Everything the CMake files and presets look for.
std::map<std::string, Need> needs_of_build() {
    Needs needs;
    std::vector<std::filesystem::path> files{"CMakeLists.txt"};
    for (const char* folder : {"engine", "app", "tests", "assets", "shaders", "cmake"})
        for (const auto& file : files_of(folder, std::regex(R"(CMakeLists\.txt|.*\.cmake)"))) files.push_back(file);
    for (const auto& file : files) {
        needs.in_tests = file.string().starts_with("tests/");
        const std::string text = without_comments(text_of(project_root() / file));
        for (const auto& a : matches(text, std::regex(R"(find_package\s*\(([^)]*)\))"))) add_package(a, needs);
        for (const auto& a : matches(text, std::regex(R"(pkg_(?:check|search)_modules?\s*\(([^)]*)\))"))) add_modules(a, needs);
        for (const char* kind : {"program", "library", "path", "file"})
            for (const auto& a : matches(text, std::regex(std::string("find_") + kind + R"(\s*\(([^)]*)\))"))) add_find(kind, a, needs);
        for (const auto& a : matches(text, std::regex(R"(python3\s+-m\s+(\w+))"))) needs.add("python:" + a);
        for (const auto& a : matches(text, std::regex(R"(\bLANGUAGES\s+([A-Z ]+))")))
            for (const auto& language : words_of(a)) needs.add("language:" + language);
    }
    needs.in_tests = false;
    const std::string presets = text_of(project_root() / "CMakePresets.json");
    for (const auto& g : matches(presets, std::regex("\"generator\": *\"([^\"]+)\""))) needs.add("generator:" + g);
    needs.add("tool:cmake");
    return needs.all;
}

// All text of these folders in which a run-time need can show itself.
std::string sources_in(const std::vector<std::string>& folders) {
    std::string text;
    for (const std::string& folder : folders)
        for (const auto& file : files_of(folder, std::regex(R"(.*\.(h|cpp|sh|py)|run)")))
            if (file.filename() != "packages_test.cpp") text += text_of(project_root() / file);
    return text;
}

// What the rows for these purposes provide.
std::set<std::string> provided_for(const std::set<std::string>& purposes) {
    std::set<std::string> provided;
    for (const Listed& row : listed_packages())
        if (purposes.count(row.purpose)) provided.insert(row.provides.begin(), row.provides.end());
    return provided;
}

TEST(Packages, EverythingTheBuildLooksForIsProvided) {
    const auto needs = needs_of_build();
    ASSERT_TRUE(needs.count("package:Eigen3") && needs.count("language:CXX") && needs.count("generator:Ninja"))
        << "the CMake files were not understood";
    const auto for_app = provided_for({"app"}), for_tests = provided_for({"app", "test"}),
               at_all = provided_for({"app", "test", "optional"});
    for (const auto& [word, need] : needs) {
        EXPECT_TRUE(at_all.count(word)) << word << ": no package in app/packages.txt provides it";
        if (!need.required) continue;
        EXPECT_TRUE((need.by_program ? for_app : for_tests).count(word))
            << word
            << (need.by_program ? " is looked for outside tests/: its package must be marked app" : " is required: it is not optional");
    }
}

TEST(Packages, OnlyWhatTheBuildCanDoWithoutIsOptional) {
    const auto needs = needs_of_build();
    for (const Listed& row : listed_packages())
        if (row.purpose == "optional") {
            for (const std::string& word : row.provides)
                EXPECT_TRUE(word.starts_with("program:") && needs.count(word) && !needs.at(word).required)
                    << row.package << ": " << word << " is not a find_program() without REQUIRED";
        }
}

TEST(Packages, ProgramsStartedAtRunTimeAreProvided) {
    const std::string of_program = sources_in({"engine", "app"}), of_tests = sources_in({"tests"});
    const auto for_app = provided_for({"app"}), for_tests = provided_for({"app", "test"});
    for (const char* program :
         {"ffmpeg", "ffprobe", "xdotool", "Xvfb", "clang-format", "xvfb-run", "xauth", "python3", "glxinfo", "import", "convert", "xwd"}) {
        const std::regex started(std::string("[\"/]") + program + "[\" ]");
        const std::string word = std::string("uses:") + program;
        if (std::regex_search(of_program, started)) {
            EXPECT_TRUE(for_app.count(word)) << "the program starts " << program << ": app/packages.txt needs a row marked app for it";
        }
        if (std::regex_search(of_tests, started)) {
            EXPECT_TRUE(for_tests.count(word)) << "a test starts " << program << ", but app/packages.txt does not provide it";
        }
    }
}

TEST(Packages, EveryListedPackageIsNeeded) {
    const auto needs = needs_of_build();
    const std::string sources = sources_in({"engine", "app", "tests"});
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
    for (const Listed& row : listed_packages()) {
        EXPECT_TRUE(seen.insert(row.package).second) << row.package << " is listed twice";
        EXPECT_TRUE(row.purpose == "app" || row.purpose == "test" || row.purpose == "optional") << row.package << ": " << row.purpose;
        EXPECT_TRUE(std::regex_match(row.package, std::regex("[a-z0-9][a-z0-9+.-]+"))) << row.package;
    }
}

}  // namespace
}  // namespace wobble
