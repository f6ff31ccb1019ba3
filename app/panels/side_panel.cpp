#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include <algorithm>

namespace wobble {

PanelSizes panel_sizes(const UiState& ui, float window_width, float window_height) {
    if (!ui.show_ui) return {};
    const float s = ui.scale;
    return {std::min(312 * s, 0.5f * window_width), std::min(190 * s, 0.35f * window_height), 28 * s};
}

void side_panel(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    if (begin_fixed("side", {0, 0}, {sizes.side, window.y - sizes.status})) {
        struct Section {
            const char* title;
            void (*panel)(const Snapshot&, UiState&, const PostCommand&);
        };
        static constexpr Section sections[] = {{"Scene", scene_panel},
                                               {"Playback", playback_panel},
                                               {"Material", material_panel},
                                               {"Integrator", integrator_panel},
                                               {"View", view_panel}};
        for (const Section& section : sections) {
            if (!ImGui::CollapsingHeader(section.title, ImGuiTreeNodeFlags_DefaultOpen)) continue;
            ImGui::PushID(section.title);
            section.panel(snapshot, ui, post);
            ImGui::PopID();
            ImGui::Dummy({0, 1});
        }
    }
    ImGui::End();
}

}  // namespace wobble
