#include "app/panels/widgets.h"

#include "app/panels/seen_controls.h"

#include <imgui_internal.h>

#include <cmath>
#include <string_view>

namespace wobble {

bool begin_fixed(const char* id, ImVec2 corner, ImVec2 size, ImGuiWindowFlags extra) {
    ImGui::SetNextWindowPos(corner);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    const bool open =
        ImGui::Begin(id, nullptr,
                     ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav | extra);
    ImGui::PopStyleVar();
    return open;
}

void label_left(const char* text, const char* tooltip_text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    tooltip(tooltip_text);
    ImGui::SameLine(value_column * ImGui::GetWindowWidth());
    ImGui::SetNextItemWidth(-1);
}

void note_control(const std::string& text) {
    auto* seen = static_cast<SeenControls*>(ImGui::GetIO().UserData);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (!seen || !ImGui::IsItemVisible()) return;
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    const bool enabled = (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0;
    seen->push_back({ImGui::GetCurrentWindow()->Name, text, std::max(low.x, clip.Min.x), std::max(low.y, clip.Min.y),
                     std::min(high.x, clip.Max.x), std::min(high.y, clip.Max.y), enabled, ImGui::GetItemID() == 0});
}

void tooltip(const std::string& text, const std::string& dim) {
    note_control(text.empty() ? dim : text);
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || (text.empty() && dim.empty())) return;
    // A pointer that only passes by wants no explanation.
    constexpr float patience = 0.35f;  // s
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    if (context.HoveredId != 0 && context.HoveredIdTimer < patience) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(23 * ImGui::GetFontSize());
    if (!text.empty()) ImGui::TextUnformatted(text.c_str());
    if (!dim.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
        ImGui::TextUnformatted(dim.c_str());
        ImGui::PopStyleColor();
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void draw_icon(ImDrawList& list, const char* icon_name, ImVec2 c, float r, ImU32 ink) {
    const std::string_view icon = icon_name;
    const float d = icon == "step-back" || icon == "reset" ? -r : r;  // the same, mirrored
    if (icon == "play") list.AddTriangleFilled({c.x - 0.8f * r, c.y - r}, {c.x + 1.1f * r, c.y}, {c.x - 0.8f * r, c.y + r}, ink);
    if (icon == "pause") {
        list.AddRectFilled({c.x - 0.9f * r, c.y - r}, {c.x - 0.25f * r, c.y + r}, ink, 1);
        list.AddRectFilled({c.x + 0.25f * r, c.y - r}, {c.x + 0.9f * r, c.y + r}, ink, 1);
    }
    const auto bar = [&](float from, float to) {
        list.AddRectFilled({c.x + std::min(from, to) * r, c.y - r}, {c.x + std::max(from, to) * r, c.y + r}, ink, 1);
    };
    const float sign = d < 0 ? -1.0f : 1.0f;
    const auto wedge = [&](float from, float to) {  // points towards `to`
        if (sign > 0) list.AddTriangleFilled({c.x + from * r, c.y - r}, {c.x + to * r, c.y}, {c.x + from * r, c.y + r}, ink);
        else list.AddTriangleFilled({c.x - from * r, c.y + r}, {c.x - to * r, c.y}, {c.x - from * r, c.y - r}, ink);
    };
    if (icon == "step" || icon == "step-back") {  // a bar that is passed
        bar(sign * -1.0f, sign * -0.62f);
        wedge(-0.35f, 1.05f);
    }
    if (icon == "reset") {  // two wedges that end at a bar: all the way back
        wedge(-1.2f, -0.15f);
        wedge(-0.25f, 0.8f);
        bar(sign * 0.85f, sign * 1.2f);
    }
    if (icon == "round-arrow") {
        const float begin = -0.35f * IM_PI, end = 1.35f * IM_PI, radius = 0.85f * r;
        list.PathArcTo(c, radius, begin, end, 20);
        list.PathStroke(ink, 0, std::max(1.0f, 0.24f * r));
        const ImVec2 tip{c.x + radius * std::cos(begin), c.y + radius * std::sin(begin)};
        const float a = 0.55f * r;
        list.AddTriangleFilled({tip.x - 1.15f * a, tip.y - 0.55f * a}, {tip.x + 0.55f * a, tip.y - 0.85f * a},
                               {tip.x + 0.1f * a, tip.y + 0.95f * a}, ink);
    }
    if (icon == "record") list.AddCircleFilled(c, r, ink, 24);
    if (icon == "close") {
        const float w = std::max(1.0f, 0.22f * r);
        list.AddLine({c.x - 0.7f * r, c.y - 0.7f * r}, {c.x + 0.7f * r, c.y + 0.7f * r}, ink, w);
        list.AddLine({c.x - 0.7f * r, c.y + 0.7f * r}, {c.x + 0.7f * r, c.y - 0.7f * r}, ink, w);
    }
}

bool icon_button(const char* id, const char* icon, ImVec2 size, const char* tooltip_text, bool accent) {
    if (accent) {
        const ImVec4 colour = ImGui::GetStyleColorVec4(ImGuiCol_SliderGrab), bright = ImGui::GetStyleColorVec4(ImGuiCol_SliderGrabActive);
        ImGui::PushStyleColor(ImGuiCol_Button, colour);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, bright);
        ImGui::PushStyleColor(ImGuiCol_ButtonActive, bright);
    }
    const bool pressed = ImGui::Button((std::string("##") + id).c_str(), size);
    if (accent) ImGui::PopStyleColor(3);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax(), c{0.5f * (low.x + high.x), 0.5f * (low.y + high.y)};
    const ImU32 ink = accent ? IM_COL32(28, 22, 20, 255) : ImGui::GetColorU32(ImGuiCol_Text);
    draw_icon(*ImGui::GetWindowDrawList(), icon, c, 0.22f * (high.y - low.y), ink);
    tooltip(tooltip_text);
    return pressed;
}

}  // namespace wobble
