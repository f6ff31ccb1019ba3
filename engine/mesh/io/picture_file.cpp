#include "engine/core/file.h"
#include "engine/core/spelling.h"
#include "engine/mesh/io/readers.h"

#include <algorithm>

namespace wobble {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_picture_file = 64'000'000;

}  // namespace

bool is_picture(std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n") || bytes.starts_with("\xff\xd8\xff"); }

std::optional<std::string> read_picture(const fs::path& mesh_file, std::string named, std::vector<std::string>& notes) {
    std::replace(named.begin(), named.end(), '\\', '/');
    if (named.empty() || named.size() > 4096 || named.find('\0') != std::string::npos) return std::nullopt;
    const fs::path folder = mesh_file.parent_path();
    std::error_code missing;
    fs::path found = folder / named;
    if (!fs::exists(found, missing)) found = folder / fs::path(named).filename();  // names from another machine
    auto bytes = read_file(found, largest_picture_file);
    if (!bytes) return notes.push_back("The picture " + in_quotes(named) + " was not found or cannot be read."), std::nullopt;
    if (!is_picture(bytes.value())) return notes.push_back("The picture " + in_quotes(named) + " is neither PNG nor JPEG."), std::nullopt;
    return std::move(bytes).value();
}

}  // namespace wobble
