#include "app/panels/widgets.h"

#include "app/plots.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

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

void tooltip(const std::string& text) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || text.empty()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(22 * ImGui::GetFontSize());
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

namespace {

std::string with_powers(std::string unit) {  // "kg/m^3" -> "kg/m\u00b3"
    for (const auto& [plain, fine] : {std::pair{"^2", "\xc2\xb2"}, std::pair{"^3", "\xc2\xb3"}})
        if (const auto at = unit.find(plain); at != std::string::npos) unit.replace(at, 2, fine);
    return unit;
}

// "40 kN/m": a prefix reads well in front of a simple unit; "vertices", "ms" and plain numbers are written out.
std::string value_text(double value, const std::string& unit) {
    char text[64];
    if (unit.starts_with("N") || unit == "s") return short_number(value, 4) + unit;
    std::snprintf(text, sizeof text, value != 0 && std::abs(value) < 1e-3 ? "%.3g %s" : "%.5g %s", value, with_powers(unit).c_str());
    return text;
}

// ImGui's slider hides its value behind the grab; here the bar is filled up to the value and the text stays on top.
bool filled_slider(double& shown, double low, double high, bool logarithmic, const std::string& text) {
    const bool typing = ImGui::TempInputIsActive(ImGui::GetID("##value"));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.ChannelsSplit(2);
    list.ChannelsSetCurrent(1);
    for (const ImGuiCol slot :
         {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive})
        ImGui::PushStyleColor(slot, IM_COL32_BLACK_TRANS);
    ImGui::PushStyleColor(ImGuiCol_Text, typing ? ImGui::GetColorU32(ImGuiCol_Text) : IM_COL32_BLACK_TRANS);
    const bool changed = ImGui::SliderScalar("##value", ImGuiDataType_Double, &shown, &low, &high, "%.6g",
                                             logarithmic ? ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoRoundToFormat : 0);
    ImGui::PopStyleColor(6);
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const bool lively = ImGui::IsItemHovered() || ImGui::IsItemActive();
    const double part = logarithmic ? std::log(shown / low) / std::log(high / low) : (shown - low) / (high - low);
    const float edge = from.x + static_cast<float>(std::clamp(part, 0.0, 1.0)) * (to.x - from.x), round = ImGui::GetStyle().FrameRounding;
    list.ChannelsSetCurrent(0);
    list.AddRectFilled(from, to, ImGui::GetColorU32(lively ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), round);
    if (!typing) {
        list.PushClipRect(from, {edge, to.y}, true);
        list.AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_SliderGrab, lively ? 0.50f : 0.36f), round);
        list.PopClipRect();
        list.PushClipRect({edge - 2, from.y}, {edge + 1, to.y}, true);
        list.AddRectFilled(from, to, ImGui::GetColorU32(lively ? ImGuiCol_SliderGrabActive : ImGuiCol_SliderGrab), round);
        list.PopClipRect();
        const ImVec2 size = ImGui::CalcTextSize(text.c_str());
        list.AddText({std::round(0.5f * (from.x + to.x - size.x)), from.y + ImGui::GetStyle().FramePadding.y},
                     ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
    }
    list.ChannelsMerge();
    return changed;
}

}  // namespace

bool value_slider(const char* id, const char* label, const char* unit, const char* help, double& value, const ValueRange& range) {
    ImGui::PushID(id);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    tooltip(help);
    ImGui::SameLine(0.40f * ImGui::GetWindowWidth());
    ImGui::SetNextItemWidth(-1);
    // A logarithmic slider has no zero: it is the place just left of `low`.
    const bool zero_end = range.logarithmic && range.zero_allowed;
    const double low = zero_end ? range.low / 2 : range.low;
    double shown = zero_end && value == 0 ? low : value;
    const bool changed = filled_slider(shown, low, range.high, range.logarithmic, value_text(value, unit));
    if (!ImGui::IsItemActive()) tooltip(std::string(help) + "\n\nDrag, or Ctrl-click to type a value.");
    ImGui::PopID();
    if (!changed || !std::isfinite(shown)) return false;
    const double wanted = zero_end && shown < 0.75 * range.low ? 0 : std::clamp(shown, range.low, range.high);
    return std::exchange(value, wanted) != wanted;
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
