#include "app/viewer/colour_bar.h"

#include "app/plot_numbers.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace wobble {

namespace {

ImU32 packed(const Vec3f& c) { return ImGui::ColorConvertFloat4ToU32({c.x(), c.y(), c.z(), 1}); }

const FieldInfo* info(Field field) {
    for (const FieldInfo& one : fields())
        if (one.kind == field) return &one;
    return nullptr;
}

}  // namespace

void draw_colour_bar(ImDrawList& list, const ColourScale& scale, ImVec2 low, ImVec2 high) {
    const FieldInfo* field = info(scale.field);
    if (!field || field->kind == Field::none || !(scale.high > scale.low)) return;
    const float em = ImGui::GetFontSize(), pad = 0.7f * em, gap = 0.45f * em;
    const float tall = std::clamp(0.42f * (high.y - low.y), 5 * em, 15 * em), bar = 0.95f * em;
    const float histogram = high.x - low.x > 36 * em ? 2.6f * em : 0;  // a small view belongs to the body
    const AxisUnit unit = axis_unit(scale.high, field->unit);
    const std::string title = unit.name.empty() ? field->label : std::string(field->label) + ", " + unit.name;

    // Ticks first: their width gives that of the box.
    const auto ticks = linear_ticks({scale.low, scale.high}, static_cast<int>(std::clamp(tall / (2 * em), 2.0f, 6.0f)), unit.size);
    float widest = ImGui::CalcTextSize("0.00").x;
    for (const AxisTick& tick : ticks) widest = std::max(widest, ImGui::CalcTextSize(tick.label.c_str()).x);
    const float inner = std::max(histogram + bar + gap + widest, ImGui::CalcTextSize(title.c_str()).x);
    const ImVec2 size{inner + 2 * pad, tall + em + gap + 2.2f * pad};
    if (size.x + 2 * pad > high.x - low.x || size.y + 2 * pad > high.y - low.y) return;
    const ImVec2 corner{std::floor(high.x - size.x - pad), std::floor(low.y + pad)};
    const ImU32 text = ImGui::GetColorU32(ImGuiCol_Text), dim = ImGui::GetColorU32(ImGuiCol_TextDisabled);
    list.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, ImGui::GetColorU32(ImGuiCol_WindowBg, 0.82f), 0.45f * em);
    list.AddText({corner.x + pad, corner.y + 0.8f * pad}, text, title.c_str());

    const float top = std::floor(corner.y + pad + em + gap), bottom = top + std::floor(tall);
    const float left = std::floor(corner.x + pad + histogram), right = std::floor(left + bar);
    constexpr int bands = 64;
    for (int i = 0; i < bands; ++i) {  // from below
        const float a = static_cast<float>(i) / bands, b = static_cast<float>(i + 1) / bands;
        const ImU32 below = packed(colour_map(a)), above = packed(colour_map(b));
        list.AddRectFilledMultiColor({left, bottom - b * tall}, {right, bottom - a * tall}, above, above, below, below);
    }
    const auto bins = static_cast<float>(scale.histogram.size());
    for (std::size_t i = 0; i < scale.histogram.size(); ++i) {
        if (histogram <= 0 || scale.histogram[i] <= 0) continue;
        const float a = static_cast<float>(i) / bins, b = static_cast<float>(i + 1) / bins;
        const float length = std::sqrt(scale.histogram[i]) * (histogram - gap);  // by the root: single values are still seen
        list.AddRectFilled({left - 2 - length, bottom - b * tall + 0.5f}, {left - 2, bottom - a * tall - 0.5f},
                           packed(colour_map(0.5f * (a + b))));
    }
    for (const auto& [value, label] : ticks) {
        const float y = std::round(bottom - static_cast<float>((value - scale.low) / (scale.high - scale.low)) * tall);
        if (y < top - 1 || y > bottom + 1) continue;
        list.AddLine({right, y}, {right + 0.3f * em, y}, dim);
        list.AddText({right + gap, y - 0.5f * em}, text, label.c_str());
    }
}

}  // namespace wobble
