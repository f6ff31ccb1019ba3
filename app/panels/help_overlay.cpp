#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/viewer/keys.h"

#include <algorithm>
#include <string_view>

namespace wobble {

namespace {

void heading(const char* text) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_SliderGrabActive));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}

// A key looks like one.
void key_cap(const char* text) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(text);
    const float pad = 0.35f * ImGui::GetFontSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({at.x, at.y - 1}, {at.x + size.x + 2 * pad, at.y + size.y + 1}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                       0.25f * ImGui::GetFontSize());
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + pad);
    ImGui::TextUnformatted(text);
}

void row(const char* written, const char* meaning) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    key_cap(written);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(meaning);
}

void keys(bool first_half) {
    if (!ImGui::BeginTable(first_half ? "motion" : "rest", 2, ImGuiTableFlags_SizingFixedFit)) return;
    const char* group = nullptr;
    const auto in_first = [](const KeyBinding& b) { return std::string_view(b.group) == "Motion" || std::string_view(b.group) == "View"; };
    for (const KeyBinding& binding : key_bindings()) {
        if (in_first(binding) != first_half) continue;
        if (!group || std::string_view(group) != binding.group) heading(group = binding.group);
        row(binding.written, binding.meaning);
    }
    ImGui::EndTable();
}

void mouse() {
    if (!ImGui::BeginTable("mouse", 2, ImGuiTableFlags_SizingFixedFit)) return;
    heading("Mouse");
    for (const MouseGesture& gesture : mouse_gestures()) row(gesture.written, gesture.meaning);
    ImGui::EndTable();
}

}  // namespace

void help_overlay(const Snapshot&, UiState& ui, const PostCommand&) {
    if (!ui.show_help) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    const float em = ImGui::GetFontSize();
    // Over the panels, too: on a small window the view alone has no room for it.
    const float wanted = 64 * em, width = std::min(wanted, window.x - 2 * em), height = window.y - sizes.status - 2 * em;
    const bool beside = width >= 37 * em, mouse_beside = width >= 56 * em;
    ImGui::SetNextWindowPos({0.5f * window.x, 0.5f * (window.y - sizes.status)}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {1.4f * em, 1.1f * em});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    if (ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1)) ImGui::SetNextWindowFocus();
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(2);
    ImGui::TextUnformatted("Keys and mouse");
    ImGui::SameLine(0, 1.5f * em);
    ImGui::TextDisabled("F1 or Escape closes this list");
    ImGui::Dummy({0, 0.3f * em});
    ImGui::BeginGroup();
    keys(true);
    if (!beside) keys(false);
    ImGui::EndGroup();
    if (beside) {
        ImGui::SameLine(0, 1.2f * em);
        ImGui::BeginGroup();
        keys(false);
        ImGui::EndGroup();
        if (mouse_beside) ImGui::SameLine(0, 1.2f * em);
    }
    ImGui::BeginGroup();
    mouse();
    ImGui::EndGroup();
    ImGui::End();
}

}  // namespace wobble
