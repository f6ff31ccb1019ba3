#include "app/plots.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

constexpr ImU32 frame_colour = IM_COL32(255, 255, 255, 28), tick_colour = IM_COL32(255, 255, 255, 18),
                zero_colour = IM_COL32(255, 255, 255, 60), text_colour = IM_COL32(170, 178, 190, 255),
                strong_text = IM_COL32(228, 232, 238, 255);

struct Range {
    double low = 0, high = 0;  // zero is always shown: energies are compared with nothing
    void include(double v) {
        if (!std::isfinite(v)) return;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    void widen() {
        const double extent = high - low;
        if (extent <= 0) high = low + 1;
        low -= low < 0 ? 0.06 * extent : 0;
        high += high > 0 ? 0.08 * extent : 0;
    }
};

struct Area {
    ImVec2 low, high;  // pixels
    double x0, x1, y0, y1;
    float x(double v) const { return low.x + static_cast<float>((v - x0) / (x1 - x0)) * (high.x - low.x); }
    float y(double v) const { return high.y - static_cast<float>((v - y0) / (y1 - y0)) * (high.y - low.y); }
};

void draw_axes(ImDrawList& list, const Area& area, const PlotOptions& options, float line) {
    const double dx = tick_distance(area.x1 - area.x0, static_cast<int>((area.high.x - area.low.x) / (6 * line)));
    const double dy = tick_distance(area.y1 - area.y0, static_cast<int>((area.high.y - area.low.y) / (1.35f * line)));
    for (double v = std::ceil(area.y0 / dy) * dy; v <= area.y1; v += dy) {
        const float y = std::round(area.y(v)) + 0.5f;
        const bool zero = std::abs(v) < 1e-9 * dy;
        list.AddLine({area.low.x, y}, {area.high.x, y}, zero ? zero_colour : tick_colour);
        const std::string text = zero ? "0" : short_number(v) + options.y_unit;
        list.AddText({area.low.x - ImGui::CalcTextSize(text.c_str()).x - 0.4f * line, y - 0.5f * line}, text_colour, text.c_str());
    }
    for (double v = std::ceil(area.x0 / dx - 1e-9) * dx; v <= area.x1 + 1e-9 * dx; v += dx) {
        const float x = std::round(area.x(v)) + 0.5f;
        list.AddLine({x, area.low.y}, {x, area.high.y}, tick_colour);
        char text[32];
        std::snprintf(text, sizeof text, "%.4g %s", std::abs(v) < 1e-9 * dx ? 0.0 : v, options.x_unit.c_str());
        const float width = ImGui::CalcTextSize(text).x;
        if (x - 0.5f * width > area.low.x - line && x + 0.5f * width < area.high.x + line)
            list.AddText({x - 0.5f * width, area.high.y + 0.15f * line}, text_colour, text);
    }
    list.AddRect(area.low, area.high, frame_colour);
}

void draw_legend(ImDrawList& list, const Area& area, const std::vector<PlotSeries>& series, const PlotOptions& options, float line) {
    float x = area.low.x;
    const float y = area.low.y - 1.25f * line;
    for (const PlotSeries& s : series) {
        list.AddRectFilled({x, y + 0.38f * line}, {x + 0.9f * line, y + 0.58f * line}, s.colour, 0.1f * line);
        std::string text = s.label;
        if (!s.points.empty()) text += "  " + short_number(s.points.back().second) + options.y_unit;
        list.AddText({x + 1.2f * line, y}, strong_text, text.c_str());
        x += std::max(1.2f * line + ImGui::CalcTextSize(text.c_str()).x + 1.2f * line, 9.5f * line);
    }
}

// The sample nearest to the pointer, of every series.
void draw_hover(ImDrawList& list, const Area& area, const std::vector<PlotSeries>& series, const PlotOptions& options) {
    const float mouse = ImGui::GetIO().MousePos.x;
    const double wanted = area.x0 + (mouse - area.low.x) / (area.high.x - area.low.x) * (area.x1 - area.x0);
    list.AddLine({mouse, area.low.y}, {mouse, area.high.y}, zero_colour);
    ImGui::BeginTooltip();
    bool titled = false;
    for (const PlotSeries& s : series) {
        if (s.points.empty()) continue;
        auto at = std::ranges::lower_bound(s.points, wanted, {}, &std::pair<double, double>::first);
        if (at == s.points.end()) --at;
        if (at != s.points.begin() && wanted - (at - 1)->first < at->first - wanted) --at;
        if (!std::exchange(titled, true)) ImGui::TextDisabled("t = %.4g %s", at->first, options.x_unit.c_str());
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(s.colour), "%s", s.label.c_str());
        ImGui::SameLine(7.5f * ImGui::GetFontSize());
        ImGui::Text("%s%s", short_number(at->second, 4).c_str(), options.y_unit.c_str());
        list.AddCircleFilled({area.x(at->first), area.y(at->second)}, 0.22f * ImGui::GetFontSize(), s.colour);
    }
    ImGui::EndTooltip();
}

}  // namespace

double tick_distance(double range, int count) {
    if (!(range > 0) || !std::isfinite(range)) return 1;
    const double raw = range / std::max(count, 1), power = std::pow(10.0, std::floor(std::log10(raw)));
    const double m = raw / power;
    return power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
}

std::string short_number(double value, int digits) {
    static constexpr std::pair<double, const char*> prefixes[] = {{1e9, " G"}, {1e6, " M"},  {1e3, " k"},
                                                                  {1, " "},    {1e-3, " m"}, {1e-6, " \xc2\xb5"}};
    char text[48];
    const double size = std::abs(value);
    if (!std::isfinite(value)) return "? ";
    for (const auto& [unit, name] : prefixes)
        if (size >= 0.9995 * unit) {
            std::snprintf(text, sizeof text, "%.*g%s", digits, value / unit, name);
            return text;
        }
    if (size < 1e-15) return "0 ";
    std::snprintf(text, sizeof text, "%.*g ", digits, value);
    return text;
}

void plot_lines(const char* id, float width, float height, const std::vector<PlotSeries>& series, const PlotOptions& options) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetFontSize();
    ImGui::InvisibleButton(id, {std::max(width, 1.0f), std::max(height, 1.0f)});
    if (width < 12 * line || height < 5 * line) return;
    Range range;
    for (const PlotSeries& s : series)
        for (const auto& point : s.points) range.include(point.second);
    range.widen();
    const Area area{{corner.x + 4.6f * line, corner.y + 1.5f * line},
                    {corner.x + width - line, corner.y + height - 1.4f * line},
                    options.x_low,
                    std::max(options.x_high, options.x_low + 1e-9),
                    range.low,
                    range.high};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_axes(list, area, options, line);
    list.PushClipRect(area.low, area.high, true);
    std::vector<ImVec2> pixels;
    for (const PlotSeries& s : series) {
        pixels.clear();
        for (const auto& [x, y] : s.points)
            if (pixels.empty() || area.x(x) - pixels.back().x >= 0.7f || &s.points.back().first == &x)
                pixels.push_back({area.x(x), area.y(y)});
        list.AddPolyline(pixels.data(), static_cast<int>(pixels.size()), s.colour, 0, s.thickness * options.scale);
    }
    list.PopClipRect();
    draw_legend(list, area, series, options, line);
    if (ImGui::IsItemHovered() && ImGui::IsMouseHoveringRect(area.low, area.high)) draw_hover(list, area, series, options);
}

}  // namespace wobble
