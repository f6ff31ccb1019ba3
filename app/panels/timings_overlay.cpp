// F3: where the time of a frame and of a step goes, in the upper right corner of the 3D view.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plots/plots.h"
#include "app/window/theme.h"
#include "engine/core/memory_use.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

// A row with a bar: share of the budget, red beyond it.
void row(const char* name, const std::string& value, double share, const char* help) {
    const float em = ImGui::GetFontSize();
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(name);
    tooltip(help);
    ImGui::TableNextColumn();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, 5.2f * em - ImGui::CalcTextSize(value.c_str()).x));
    ImGui::TextUnformatted(value.c_str());
    if (!ImGui::TableNextColumn()) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = 6 * em, thick = 0.42f * em, y = at.y + 0.5f * (ImGui::GetTextLineHeight() - thick);
    ImGui::Dummy({width, ImGui::GetTextLineHeight()});
    if (share < 0) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto part = static_cast<float>(std::clamp(share, 0.0, 1.0));
    list.AddRectFilled({at.x, y}, {at.x + width, y + thick}, ImGui::GetColorU32(ImGuiCol_FrameBg), 0.5f * thick);
    list.AddRectFilled({at.x, y}, {at.x + std::max(thick, part * width), y + thick},
                       share > 1 ? theme_colours().alarm : theme_colours().good, 0.5f * thick);
}

std::string milliseconds(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.2f ms" : "%.1f ms", value);
    return text;
}

}  // namespace

void timings_overlay(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    if (!ui.interface.show_timings) return;
    WindowState::Timings& t = ui.interface.timings;
    const double now = ImGui::GetTime();
    if (t.read_at < 0 || now - t.read_at > 0.5) {
        t.megabytes = resident_megabytes();
        t.read_at = now;
    }
    const double step_ms = 1e3 * snapshot.report.seconds;
    if (step_ms > 0) t.step = t.step > 0 ? t.step + 0.1 * (step_ms - t.step) : step_ms;

    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float margin = 12 * ui.scale;
    ImGui::SetNextWindowPos({window.x - margin, margin}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowBgAlpha(0.94f);
    ImGui::Begin("timings", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
    const bool bars =
        window.x - panel_sizes(ui, window.x, window.y).side > 21 * ImGui::GetFontSize();  // else they would hide the side panel
    if (ImGui::BeginTable("rows", 3, ImGuiTableFlags_SizingFixedFit)) {
        for (const char* column : {"name", "value"}) ImGui::TableSetupColumn(column);
        ImGui::TableSetupColumn("bar", bars ? ImGuiTableColumnFlags_None : ImGuiTableColumnFlags_Disabled);
        constexpr double budget = 1e3 / 60;  // ms, of a frame
        char text[64];
        std::snprintf(text, sizeof text, "%.0f fps", ui.frames_per_second);
        row("Display", text, -1, "Pictures per second: at most 60, and fewer while nothing moves.");
        row("Picture", milliseconds(t.picture), t.picture / budget, "Drawing the body: the bar is full at a 60th of a second.");
        row("Panels", milliseconds(t.panels), t.panels / budget, "Panels and plots: the bar is full at a 60th of a second.");
        row("Present", milliseconds(t.present), t.present / budget,
            "Until the display has taken the picture, which may mean waiting for its next one.");
        const double h_ms = 1e3 * snapshot.h, allowed = snapshot.speed > 0 ? h_ms / snapshot.speed : 0;
        row("Step", milliseconds(t.step), allowed > 0 ? t.step / allowed : -1,
            "Calculating one step, on its own thread: the bar is full where the wanted speed is lost.");
        row("Step stands for", milliseconds(h_ms), -1, "Simulated time of the last step.");
        std::snprintf(text, sizeof text, "%.2f x", snapshot.realtime_factor);
        row("Real time", text, snapshot.running ? snapshot.realtime_factor / std::max(1e-9, snapshot.speed) * 0.999 : -1,
            "Simulated seconds per second; the bar shows the share of the wanted speed.");
        std::snprintf(text, sizeof text, "%.0f /s", ui.steps_per_second);
        row("Steps", text, -1, "Steps per second.");
        std::snprintf(text, sizeof text, "%.2f s", t.start);
        if (t.start > 0) row("Start", text, -1, "From the start of the program to the first picture of the body.");
        std::snprintf(text, sizeof text, "%.0f MB", t.megabytes);
        row("Memory", text, -1, "Of the whole program.");
        ImGui::EndTable();
    }
    ImGui::End();
}

}  // namespace wobble
