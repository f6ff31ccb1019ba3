#include "app/viewer/colour_bar.h"

#include "app/plots/plot_numbers.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace wobble {

namespace {

LegendColour packed(const Vec3f& c) {
    const auto byte = [](float x) { return static_cast<std::uint8_t>(std::lround(255 * std::clamp(x, 0.0f, 1.0f))); };
    return {byte(c.x()), byte(c.y()), byte(c.z())};
}

const FieldInfo* info(Field field) {
    for (const FieldInfo& one : fields())
        if (one.kind == field) return &one;
    return nullptr;
}

}  // namespace

Legend colour_bar(const ColourScale& scale, const ViewRect& view, const LegendStyle& style) {
    Legend legend;
    const FieldInfo* field = info(scale.field);
    if (!field || field->kind == Field::none || !(scale.high > scale.low)) return legend;
    const float em = style.em, pad = 0.7f * em, gap = 0.45f * em;
    const float room_x = static_cast<float>(view.width), room_y = static_cast<float>(view.height);
    const float tall = std::clamp(0.42f * room_y, 5 * em, 15 * em), bar = 0.95f * em;
    const float histogram = room_x > 36 * em ? 2.6f * em : 0;  // a small view belongs to the body
    const AxisUnit unit = axis_unit(scale.high, field->unit);
    const std::string title = unit.name.empty() ? field->label : std::string(field->label) + ", " + unit.name;

    // Ticks first: their width gives that of the box.
    const auto ticks = linear_ticks({scale.low, scale.high}, static_cast<int>(std::clamp(tall / (2 * em), 2.0f, 6.0f)), unit.size);
    float widest = style.width("0.00");
    for (const AxisTick& tick : ticks) widest = std::max(widest, style.width(tick.label));
    const float inner = std::max(histogram + bar + gap + widest, style.width(title));
    const float wide = inner + 2 * pad, high = tall + em + gap + 2.2f * pad;
    if (wide + 2 * pad > room_x || high + 2 * pad > room_y) return legend;
    const float x = std::floor(static_cast<float>(view.x) + room_x - wide - pad), y = std::floor(static_cast<float>(view.y) + pad);
    legend.boxes.push_back({x, y, x + wide, y + high, style.box, style.box, 0.45f * em});
    legend.texts.push_back({x + pad, y + 0.8f * pad, style.text, title});

    const float top = std::floor(y + pad + em + gap), bottom = top + std::floor(tall);
    const float left = std::floor(x + pad + histogram), right = std::floor(left + bar);
    constexpr int bands = 64;
    for (int i = 0; i < bands; ++i) {  // from below
        const float a = static_cast<float>(i) / bands, b = static_cast<float>(i + 1) / bands;
        legend.boxes.push_back({left, bottom - b * tall, right, bottom - a * tall, packed(colour_map(b)), packed(colour_map(a))});
    }
    const auto bins = static_cast<float>(scale.histogram.size());
    for (std::size_t i = 0; i < scale.histogram.size(); ++i) {
        if (histogram <= 0 || scale.histogram[i] <= 0) continue;
        const float a = static_cast<float>(i) / bins, b = static_cast<float>(i + 1) / bins;
        const float length = std::sqrt(scale.histogram[i]) * (histogram - gap);  // by the root: single values are still seen
        const LegendColour colour = packed(colour_map(0.5f * (a + b)));
        legend.boxes.push_back({left - 2 - length, bottom - b * tall + 0.5f, left - 2, bottom - a * tall - 0.5f, colour, colour});
    }
    for (const auto& [value, label] : ticks) {
        const float at = std::round(bottom - static_cast<float>((value - scale.low) / (scale.high - scale.low)) * tall);
        if (at < top - 1 || at > bottom + 1) continue;
        legend.boxes.push_back({right, at, right + 0.3f * em, at + std::max(1.0f, std::round(em / 15)), style.dim, style.dim});
        legend.texts.push_back({right + gap, at - 0.5f * em, style.text, label});
    }
    return legend;
}

}  // namespace wobble
