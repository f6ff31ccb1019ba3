// The section with the theme and the size of text and panels.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include <cmath>
#include <cstdio>

namespace wobble {

void interface_panel(const Snapshot&, UiState& ui, const PostCommand&) {
    WindowState& i = ui.interface;
    label_left("Theme", "Colours of the panels.");
    if (ImGui::RadioButton("dark", i.theme == Theme::dark)) i.theme = Theme::dark;
    ImGui::SameLine();
    if (ImGui::RadioButton("light", i.theme == Theme::light)) i.theme = Theme::light;

    label_left("Size", "Of text and panels. The display's own choice follows the monitor the window is on.");
    char now[32];
    const auto percent = [](float scale) { return static_cast<int>(std::lround(100 * scale)); };
    std::snprintf(now, sizeof now, i.scale > 0 ? "%d %%" : "display (%d %%)", percent(i.scale > 0 ? i.scale : ui.scale));
    if (ImGui::BeginCombo("##scale", now, ImGuiComboFlags_HeightLargest)) {
        if (ImGui::Selectable("from the display", i.scale == 0)) i.scale = 0;
        for (const int choice : {75, 90, 100, 110, 125, 150, 175, 200, 225, 250}) {
            char text[16];
            std::snprintf(text, sizeof text, "%d %%", choice);
            if (ImGui::Selectable(text, percent(i.scale) == choice)) i.scale = static_cast<float>(choice) / 100;
        }
        ImGui::EndCombo();
    } else {
        tooltip("From 75 % to 250 %; takes effect at once. WOBBLE_SCALE=2 or --scale 2 decide it for one start.");
    }
    const float second = 0.5f * ImGui::GetWindowWidth();
    ImGui::Checkbox("Full screen", &i.full_screen);
    tooltip("F11");
    ImGui::SameLine(second);
    ImGui::Checkbox("Timings", &i.show_timings);
    tooltip("Where the time of a frame and of a step goes (F3)");
    if (ImGui::Button("Usual sizes", {second - ImGui::GetCursorPosX() - ImGui::GetStyle().ItemSpacing.x, 0}))
        i.side_width = WindowState().side_width, i.strip_height = WindowState().strip_height;
    tooltip("Panel and plot strip as they were at first. Their edges can be dragged.");
    ImGui::SameLine(second);
    if (ImGui::Button("Keys...", {-1, 0})) ui.show_help = true;
    tooltip("All keys and what the mouse does (F1)");
}

}  // namespace wobble
