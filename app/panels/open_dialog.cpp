#include "app/panels/folder_list.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/scene/folder_reader.h"
#include "engine/sim/catalog.h"

#include <algorithm>

namespace wobble {

namespace {

// One line about what the path names, as far as the list knows.
std::string preview(const SceneState& scene, const std::string& path) {
    const TypedPath typed = split_path(path);
    for (const FolderListing::Entry& entry : scene.listing.entries) {
        if (entry.folder || entry.name != typed.name || scene.listing.folder != typed.folder) continue;
        const bool mesh = !entry.name.ends_with(".toml");
        if (mesh && entry.bytes > largest_mesh_file)
            return "A mesh of " + size_text(entry.bytes) + ": too large, at most " + size_text(largest_mesh_file) + ".";
        return (mesh ? "A mesh, " : "A scene, ") + size_text(entry.bytes) + ".";
    }
    return "";
}

}  // namespace

void open_dialog(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    const bool obstacle = ui.contact.choose_mesh;
    const char* title = obstacle ? "Choose a mesh as an obstacle" : "Open a mesh or a scene";
    if (ui.show_open && !ImGui::IsPopupOpen(title)) {
        // In the folder it was in last, or that of the last file.
        if (ui.open_path.empty() && !ui.scene.recent.empty()) ui.open_path = split_path(ui.scene.recent.front()).folder;
        ui.open_path = split_path(ui.open_path).folder;
        ui.scene.filter.clear(), ui.scene.picked = -1;
        ImGui::OpenPopup(title);
    }
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0.5f * window.x, 0.5f * window.y}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(640 * ui.scale, 0.94f * window.x), std::min(460 * ui.scale, 0.94f * window.y)});
    bool open = true;
    if (!ImGui::BeginPopupModal(title, &open, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings)) {
        ui.show_open = ui.contact.choose_mesh = false;
        return;
    }
    const FolderChoice choice = folder_list(ui.scene, ui.open_path, -1.35f * ImGui::GetFrameHeightWithSpacing(), true);
    const bool names_file = !split_path(ui.open_path).name.empty();
    ImGui::AlignTextToFramePadding();
    const std::string line = preview(ui.scene, ui.open_path);
    ImGui::TextDisabled("%s", line.empty() ? "Meshes (.obj, .ply, .stl, .glb, ...) and scenes (.toml)" : line.c_str());
    if (line.empty()) tooltip(("Meshes: " + mesh_endings() + ". Scenes: .toml.").c_str());
    const float width = 7 * ImGui::GetFontSize();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 2 * width - ImGui::GetStyle().ItemSpacing.x);
    const bool cancelled = ImGui::Button("Cancel", {width, 0}) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)) || !open;
    tooltip("The running scene goes on (Escape).");
    ImGui::SameLine();
    ImGui::BeginDisabled(!names_file);
    const bool pressed = ImGui::Button("Open", {width, 0});
    ImGui::EndDisabled();
    tooltip(!names_file ? "Choose a file first."
            : obstacle  ? "Puts it beside the bodies."
                        : "Loads it in the background; the running scene goes on until it is ready.");
    if ((choice.file || pressed) && names_file) {
        const TypedPath typed = split_path(ui.open_path);
        if (obstacle) add_mesh(typed.folder + typed.name, snapshot, ui, post);
        else ui.open = typed.folder + typed.name;
        ui.show_open = false;
    }
    if (cancelled || ui.open || !ui.show_open) {
        ui.show_open = ui.contact.choose_mesh = false;
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

}  // namespace wobble
