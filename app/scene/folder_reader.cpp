#include "app/scene/folder_reader.h"

#include "engine/core/spelling.h"
#include "engine/sim/catalog.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace wobble {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_entries = 5000;

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

FolderListing read_folder(const std::string& folder) {
    FolderListing listing{folder, {}, ""};
    std::error_code failure;
    fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, failure), end;
    if (failure) {
        listing.problem = in_quotes(folder) + " cannot be read (" + failure.message() + ").";
        return listing;
    }
    for (; it != end && listing.entries.size() < most_entries; it.increment(failure)) {
        if (failure) break;
        std::error_code ignored;
        const std::string name = it->path().filename().string(), extension = lower(it->path().extension().string());
        if (name.starts_with('.')) continue;
        if (it->is_directory(ignored)) listing.entries.push_back({name, true, 0});
        else if (extension == ".toml" || has_mesh_ending(it->path())) {
            const auto bytes = it->file_size(ignored);
            listing.entries.push_back({name, false, ignored ? 0 : static_cast<std::uint64_t>(bytes)});
        }
    }
    std::ranges::sort(listing.entries, [](const auto& a, const auto& b) {
        if (a.folder != b.folder) return a.folder;
        const std::string x = lower(a.name), y = lower(b.name);
        return x != y ? x < y : a.name < b.name;
    });
    if (listing.entries.size() >= most_entries) listing.problem = "Only the first " + std::to_string(most_entries) + " names are shown.";
    else if (listing.entries.empty()) listing.problem = "There are no folders, meshes or scenes here: " + mesh_endings() + ", .toml.";
    return listing;
}

TypedPath split_path(const std::string& typed) {
    std::string path = typed;
    const char* home = std::getenv("HOME");
    if (home && (path == "~" || path.starts_with("~/"))) path.replace(0, 1, home);
    if (const auto twice = path.rfind("//"); twice != std::string::npos) path.erase(0, twice + 1);  // begun anew behind what was there
    const auto slash = path.rfind('/');
    std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    if (!folder.starts_with('/')) {
        std::error_code failure;
        const fs::path here = fs::current_path(failure);
        if (!failure) folder = (here / folder).string();
    }
    if (!folder.ends_with('/')) folder += '/';
    return {folder, name};
}

std::string folder_above(const std::string& folder) {
    const fs::path normal = fs::path(folder).lexically_normal();
    const fs::path here = normal.has_filename() ? normal : normal.parent_path();  // "a/b/" ends in an empty name
    std::string above = here.parent_path().string();
    if (above.empty()) above = "/";
    return above.ends_with('/') ? above : above + "/";
}

void FolderReader::frame(SceneState& scene, double now) {
    if (reading_.valid() && reading_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        Found found = reading_.get();
        if (!found.listing.folder.empty()) scene.listing = std::move(found.listing);
        scene.missing = std::move(found.missing);
    }
    const double patience = scene.folder.empty() ? 5 : 1;
    if (reading_.valid() || (scene.folder == folder_ && now - started_ < patience)) return;
    folder_ = scene.folder;
    started_ = now;
    reading_ = std::async(std::launch::async, [folder = scene.folder, recent = scene.recent] {
        Found found;
        if (!folder.empty()) found.listing = read_folder(folder);
        std::error_code failure;
        for (const std::string& file : recent)
            if (!fs::exists(file, failure)) found.missing.insert(file);
        return found;
    });
}

}  // namespace wobble
