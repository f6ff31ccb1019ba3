#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include <algorithm>

namespace wobble {

namespace {

// A card over the top of the 3D view, as tall as its sentence; true when it is closed.
bool card(const char* id, float y, float left, float width, const ImVec4& edge, const std::string& text, const char* button) {
    ImGui::SetNextWindowPos({left, y});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleColor(ImGuiCol_Border, edge);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.5f);
    ImGui::Begin(
        id, nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    const float room = ImGui::CalcTextSize(button).x + 3 * ImGui::GetFontSize();
    ImGui::PushTextWrapPos(width - room);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::SameLine(width - room + ImGui::GetFontSize());
    const bool closed = ImGui::Button(button);
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    return closed;
}

}  // namespace

void message_banner(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float side = panel_sizes(ui, window.x, window.y).side, margin = 16 * ui.scale;
    const float width = std::min(window.x - side - 2 * margin, 640 * ui.scale), left = side + 0.5f * (window.x - side - width);
    const float row = 3.4f * ImGui::GetFontSize();
    const ImVec4 alarm{0.93f, 0.36f, 0.30f, 1}, calm{1, 1, 1, 0.25f};
    float y = margin;
    if (snapshot.message.empty()) ui.dismissed.clear();
    if (!snapshot.message.empty() && snapshot.message != ui.dismissed) {
        if (card("message", y, left, width, alarm, snapshot.message, "Close")) ui.dismissed = snapshot.message;
        y += 1.4f * row;
    }
    if (!ui.loading.error.empty()) {
        if (card("load error", y, left, width, alarm, ui.loading.error, "Close")) ui.loading.error.clear();
        y += 1.4f * row;
    }
    if (ui.loading.active) {
        char text[200];
        std::snprintf(text, sizeof text, "Loading %.100s: %.40s, %.0f %%", ui.loading.what.c_str(), ui.loading.stage.c_str(),
                      100 * ui.loading.fraction);
        if (card("loading", y, left, width, calm, text, "Cancel")) ui.cancel_loading = true;
    }
}

}  // namespace wobble
