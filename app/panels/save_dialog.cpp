#include "app/panels/folder_list.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/scene/folder_reader.h"
#include "app/scene/scene_controller.h"
#include "app/window/theme.h"
#include "engine/core/spelling.h"

#include <algorithm>
#include <filesystem>

namespace wobble {

namespace {

// NAME.toml: where the scene came from if that was a scene file, else beside the mesh or in the folder of the last file.
std::string suggestion(const Snapshot& snapshot, const UiState& ui) {
    if (!snapshot.scene) return "scene.toml";
    const Scene& scene = snapshot.scene->scene;
    const std::string file = file_of(scene);
    if (file.ends_with(".toml")) return file;
    const std::string near = !file.empty() ? file : ui.scene.recent.empty() ? ui.open_path : ui.scene.recent.front();
    return split_path(near).folder + scene.name + ".toml";
}

}  // namespace

void save_dialog(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    const char* title = "Save the scene (.toml)";
    SceneState& s = ui.scene;
    if (s.show_save && !ImGui::IsPopupOpen(title)) {
        if (s.save_as.empty()) s.save_as = suggestion(snapshot, ui);
        s.filter.clear(), s.picked = -1, s.overwrite = false, s.message.clear(), s.failed = false;
        ImGui::OpenPopup(title);
    }
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0.5f * window.x, 0.5f * window.y}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(640 * ui.scale, 0.94f * window.x), std::min(460 * ui.scale, 0.94f * window.y)});
    bool open = true;
    if (!ImGui::BeginPopupModal(title, &open, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings)) {
        s.show_save = false;
        return;
    }
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("Saves what is set now: parameters, pins, integrator, step and view. It starts from the scene's beginning.");
    ImGui::PopTextWrapPos();
    const float footer = ImGui::GetFrameHeightWithSpacing() * (s.overwrite || s.failed ? 2.6f : 1.35f);
    const FolderChoice choice = folder_list(s, s.save_as, -footer, false);
    if (choice.moved) s.overwrite = s.failed = false;

    const std::string name = split_path(s.save_as).name;
    if (s.overwrite || s.failed) {
        ImGui::PushStyleColor(ImGuiCol_Text, theme_colours().alarm);
        ImGui::PushTextWrapPos(0);
        if (s.overwrite) ImGui::TextUnformatted((in_quotes(name) + " exists already. Overwrite it, or choose another name.").c_str());
        else ImGui::TextUnformatted(s.message.c_str());
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
    }
    const float width = 7 * ImGui::GetFontSize();
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - 2 * width - ImGui::GetStyle().ItemSpacing.x);
    const bool cancelled = ImGui::Button("Cancel", {width, 0}) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)) || !open;
    tooltip("Nothing is written (Escape).");
    ImGui::SameLine();
    ImGui::BeginDisabled(name.empty() || s.saving || !snapshot.scene);
    const bool pressed = ImGui::Button(s.overwrite ? "Overwrite" : "Save", {width, 0});
    ImGui::EndDisabled();
    tooltip(s.overwrite ? "Replaces the file that is there." : "Writes a scene file; a mesh is named relative to it.");
    // Enter saves, but overwriting takes the button: one Enter too many must not destroy a file.
    if (!s.saving && (pressed || (choice.file && !s.overwrite)) && !name.empty()) s.save = true;
    if (cancelled || !s.show_save) {
        s.show_save = s.overwrite = false;
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

}  // namespace wobble
