#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace wobble {

namespace {

namespace fs = std::filesystem;

using Entry = FolderListing::Entry;

// Folders and files that can be opened, of the folder the typed path is in. A file system can fail anywhere: then the list is short.
std::vector<Entry> entries_of(const fs::path& folder) {
    std::vector<Entry> entries;
    std::error_code failure;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, failure), end;
         !failure && it != end && entries.size() < 2000; it.increment(failure)) {
        std::error_code ignored;
        const std::string name = it->path().filename().string(), extension = it->path().extension().string();
        if (name.starts_with('.')) continue;
        if (it->is_directory(ignored)) entries.push_back({name, true});
        else if (extension == ".obj" || extension == ".toml") entries.push_back({name, false});
    }
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return a.folder != b.folder ? a.folder : a.name < b.name; });
    return entries;
}

fs::path folder_of(const std::string& typed) {
    std::error_code failure;
    if (typed.empty()) return fs::current_path(failure);
    const fs::path path(typed);
    if (fs::is_directory(path, failure)) return path;
    return path.has_parent_path() ? path.parent_path() : fs::current_path(failure);
}

// Disks can be slow, frames must not be: a folder is read once a second at most.
const std::vector<Entry>& listed(FolderListing& listing, const fs::path& folder) {
    const double now = ImGui::GetTime();
    if (listing.read_at < 0 || listing.folder != folder.string() || now - listing.read_at > 1)
        listing = {folder.string(), now, entries_of(folder)};
    return listing.entries;
}

// The folder above; the same one where the file system cannot say (the current folder may have been deleted).
fs::path above(const fs::path& folder) {
    std::error_code failure;
    const fs::path whole = fs::absolute(folder, failure);
    if (failure) return folder;
    const fs::path normal = whole.lexically_normal();
    return normal.has_filename() ? normal.parent_path() : normal.parent_path().parent_path();  // "a/b/" ends in an empty name
}

}  // namespace

void open_dialog(const Snapshot&, UiState& ui, const PostCommand&) {
    const char* title = "Open a mesh (.obj) or a scene (.toml)";
    if (ui.show_open && !ImGui::IsPopupOpen(title)) {
        std::error_code failure;
        if (ui.open_path.empty()) ui.open_path = fs::current_path(failure).string() + "/";
        ImGui::OpenPopup(title);
    }
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0.5f * window.x, 0.5f * window.y}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(620 * ui.scale, 0.9f * window.x), std::min(420 * ui.scale, 0.9f * window.y)});
    bool open = true;
    if (!ImGui::BeginPopupModal(title, &open, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings)) {
        ui.show_open = false;
        return;
    }
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1);
    bool chosen = ImGui::InputText("##path", &ui.open_path, ImGuiInputTextFlags_EnterReturnsTrue);
    const fs::path folder = folder_of(ui.open_path);
    ImGui::BeginChild("files", {0, -1.4f * ImGui::GetFrameHeightWithSpacing()}, true);
    if (ImGui::Selectable("..", false, ImGuiSelectableFlags_DontClosePopups)) ui.open_path = above(folder).string();
    for (const Entry& entry : listed(ui.listing, folder)) {
        const std::string label = entry.folder ? entry.name + "/" : entry.name;
        if (!ImGui::Selectable(label.c_str(), false, ImGuiSelectableFlags_DontClosePopups | ImGuiSelectableFlags_AllowDoubleClick))
            continue;
        ui.open_path = (folder / label).string();
        chosen = chosen || (!entry.folder && ImGui::IsMouseDoubleClicked(0));
    }
    ImGui::EndChild();
    chosen = ImGui::Button("Open", {7 * ImGui::GetFontSize(), 0}) || chosen;
    ImGui::SameLine();
    const bool cancelled =
        ImGui::Button("Cancel", {7 * ImGui::GetFontSize(), 0}) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)) || !open;
    std::error_code failure;
    if (chosen && !fs::is_directory(ui.open_path, failure)) ui.open = ui.open_path;
    if (cancelled || ui.open) {
        ui.show_open = false;
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

}  // namespace wobble
