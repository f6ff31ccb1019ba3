#pragma once
// The project's own files as text, for the tests that read the source.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace wobble {

inline std::filesystem::path project_root() { return WOBBLE_SOURCE_DIR; }

inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

// Regular files below the root's folder `under` whose name matches; paths are relative to the root, sorted.
inline std::vector<std::filesystem::path> files_of(const std::string& under, const std::regex& name) {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    if (!fs::exists(project_root() / under)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(project_root() / under))
        if (entry.is_regular_file() && std::regex_match(entry.path().filename().string(), name))
            files.push_back(entry.path().lexically_relative(project_root()));
    std::sort(files.begin(), files.end());
    return files;
}

inline std::vector<std::filesystem::path> sources_of(const std::string& under) { return files_of(under, std::regex(R"(.*\.(h|cpp))")); }

// All matches of the first group of `pattern`.
inline std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) found.push_back((*it)[1]);
    return found;
}

// "# comment" to the end of each line; strings with # do not occur in the CMake files.
inline std::string without_comments(const std::string& cmake) { return std::regex_replace(cmake, std::regex("#[^\n]*"), ""); }

}  // namespace wobble
