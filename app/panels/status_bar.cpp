#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plots.h"

namespace wobble {

void status_bar(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {14 * ui.scale, 0.5f * (sizes.status - ImGui::GetFontSize())});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, {0.082f, 0.092f, 0.112f, 1});
    if (begin_fixed("status", {0, window.y - sizes.status}, {window.x, sizes.status},
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
        const auto field = [&](float at, const std::string& text) {
            ImGui::SameLine(at * ImGui::GetFontSize());
            ImGui::TextUnformatted(text.c_str());
        };
        char text[96];
        std::snprintf(text, sizeof text, "t = %.3f s", snapshot.t);
        ImGui::TextUnformatted(text);
        std::snprintf(text, sizeof text, "step %llu", static_cast<unsigned long long>(snapshot.step));
        field(8.5f, text);
        field(16, "h = " + short_number(snapshot.h) + "s" + (snapshot.automatic_step ? " (automatic)" : ""));
        std::snprintf(text, sizeof text, "%.0f steps/s", ui.steps_per_second);
        field(29, text);
        std::snprintf(text, sizeof text, "%.2f x real time", snapshot.realtime_factor);
        field(36.5f, text);
        const double drift = snapshot.energies.drift();
        std::snprintf(text, sizeof text, "energy error %.2g %%", 100 * drift);
        field(46, text);
        ImGui::SameLine();
        const char* help = "F1 help";
        std::snprintf(text, sizeof text, "%.0f fps    %s", ui.frames_per_second, help);
        ImGui::SameLine(window.x - ImGui::CalcTextSize(text).x - 14 * ui.scale);
        ImGui::TextDisabled("%s", text);
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

}  // namespace wobble
