#include "app/panels/widgets.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace wobble {

bool begin_fixed(const char* id, ImVec2 corner, ImVec2 size, ImGuiWindowFlags extra) {
    ImGui::SetNextWindowPos(corner);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    const bool open = ImGui::Begin(id, nullptr,
                                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav | extra);
    ImGui::PopStyleVar();
    return open;
}

void tooltip(const std::string& text) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || text.empty()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(22 * ImGui::GetFontSize());
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

bool value_slider(const char* id, const char* label, const char* unit, const char* help, double& value, const ValueRange& range) {
    ImGui::PushID(id);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    tooltip(help);
    ImGui::SameLine(0.40f * ImGui::GetWindowWidth());
    ImGui::SetNextItemWidth(-1);
    // ImGui's logarithmic slider cannot start at zero without an epsilon of its own, so zero is the place just left of `low`.
    const bool zero_end = range.logarithmic && range.zero_allowed;
    const double low = zero_end ? range.low / 2 : range.low;
    double shown = zero_end && value == 0 ? low : value;
    char format[48];
    const std::string suffix = std::string(unit).empty() ? "" : " " + std::string(unit);
    if (zero_end && value == 0)
        std::snprintf(format, sizeof format, "0%s", suffix.c_str());
    else
        std::snprintf(format, sizeof format, "%%.4g%s", suffix.c_str());
    const bool changed = ImGui::SliderScalar("##value", ImGuiDataType_Double, &shown, &low, &range.high, format,
                                             range.logarithmic ? ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoRoundToFormat : 0);
    if (!ImGui::IsItemActive()) tooltip(std::string(help) + "\n\nDrag, or Ctrl-click to type a value.");
    ImGui::PopID();
    if (!changed || !std::isfinite(shown)) return false;
    double wanted = zero_end && shown < 0.75 * range.low ? 0 : std::clamp(shown, range.low, range.high);
    if (wanted == value) return false;
    value = wanted;
    return true;
}

bool icon_button(const char* id, const char* icon_name, ImVec2 size, const char* tooltip_text, bool accent) {
    const std::string_view icon = icon_name;
    if (accent) {
        const ImVec4 colour = ImGui::GetStyleColorVec4(ImGuiCol_SliderGrab), bright = ImGui::GetStyleColorVec4(ImGuiCol_SliderGrabActive);
        ImGui::PushStyleColor(ImGuiCol_Button, colour);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, bright);
        ImGui::PushStyleColor(ImGuiCol_ButtonActive, bright);
    }
    const bool pressed = ImGui::Button((std::string("##") + id).c_str(), size);
    if (accent) ImGui::PopStyleColor(3);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax(), c{0.5f * (low.x + high.x), 0.5f * (low.y + high.y)};
    const float r = 0.22f * (high.y - low.y);
    const ImU32 ink = accent ? IM_COL32(28, 22, 20, 255) : ImGui::GetColorU32(ImGuiCol_Text);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (icon == "play") list.AddTriangleFilled({c.x - 0.8f * r, c.y - r}, {c.x + 1.1f * r, c.y}, {c.x - 0.8f * r, c.y + r}, ink);
    if (icon == "pause") {
        list.AddRectFilled({c.x - 0.9f * r, c.y - r}, {c.x - 0.25f * r, c.y + r}, ink, 1);
        list.AddRectFilled({c.x + 0.25f * r, c.y - r}, {c.x + 0.9f * r, c.y + r}, ink, 1);
    }
    if (icon == "step") {
        list.AddTriangleFilled({c.x - r, c.y - r}, {c.x + 0.5f * r, c.y}, {c.x - r, c.y + r}, ink);
        list.AddRectFilled({c.x + 0.6f * r, c.y - r}, {c.x + 1.0f * r, c.y + r}, ink, 1);
    }
    if (icon == "reset") {
        list.AddTriangleFilled({c.x + r, c.y - r}, {c.x - 0.5f * r, c.y}, {c.x + r, c.y + r}, ink);
        list.AddRectFilled({c.x - 1.0f * r, c.y - r}, {c.x - 0.6f * r, c.y + r}, ink, 1);
    }
    tooltip(tooltip_text);
    return pressed;
}

}  // namespace wobble
