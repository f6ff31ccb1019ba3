#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "engine/sim/catalog.h"

namespace wobble {

void scene_panel(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    const Scene* scene = snapshot.scene ? &snapshot.scene->scene : nullptr;
    ImGui::SetNextItemWidth(-6.2f * ImGui::GetFontSize());
    if (ImGui::BeginCombo("##scene", scene ? scene->name.c_str() : "", ImGuiComboFlags_HeightLarge)) {
        for (const std::string& name : builtin_scene_names())
            if (ImGui::Selectable(name.c_str(), scene && scene->origin.empty() && scene->name == name)) ui.open = name;
        ImGui::EndCombo();
    }
    ImGui::SameLine();
    if (ImGui::Button("Open...", {-1, 0})) ui.show_open = true;
    tooltip("A mesh (.obj) or a scene (.toml); Ctrl+O, or drop a file on the window.");
    if (scene && !scene->title.empty()) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("%s", scene->title.c_str());
        ImGui::PopTextWrapPos();
    }
    if (ImGui::Button(ui.studies.show ? "Close the studies" : "Studies...", {-1, 0})) ui.studies.show = !ui.studies.show;
    tooltip("What the integrators do, measured: orders, stability, work and precision (F4)");
    ImGui::TextDisabled("%d particles, %d tets, %.3g kg", snapshot.particles, snapshot.tets, snapshot.mass);
}

}  // namespace wobble
