#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace wobble {

void view_panel(const Snapshot&, UiState& ui, const PostCommand&) {
    const float second = 0.5f * ImGui::GetWindowWidth();
    ImGui::Checkbox("Wireframe", &ui.view.wireframe);
    tooltip("W");
    ImGui::SameLine(second);
    ImGui::Checkbox("Ground", &ui.view.ground);
    ImGui::Checkbox("Shadow", &ui.view.shadow);
    ImGui::SameLine(second);
    ImGui::Checkbox("Held parts", &ui.view.highlight_pins);
    tooltip("Tints the part of the body that is pinned.");
    if (ImGui::Button("Frame the body", {-1, 0})) ui.frame_body = true;
    tooltip("Back to the scene's own view (F)");
}

}  // namespace wobble
