#include "app/studies/study_plot.h"

#include "app/plots/plot_style.h"
#include "engine/study/output/axis_map.h"
#include "engine/study/output/palette.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

constexpr ImU32 region_colour = IM_COL32(94, 150, 214, 170);

// The palette is made for paper; on a dark panel colours are mixed with white.
ImU32 colour_of(int index) {
    const Colour c = palette(index);
    const auto part = [light = light_theme()](int v) { return light ? v : v + (255 - v) * 35 / 100; };
    return IM_COL32(part(c.r), part(c.g), part(c.b), 255);
}

struct Area {
    AxisMaps axes;
    ImVec2 low, high;  // pixels
    float x(double v) const { return low.x + static_cast<float>(std::clamp(axes.x.at(v), -20.0, 20.0)) * (high.x - low.x); }
    float y(double v) const { return high.y - static_cast<float>(std::clamp(axes.y.at(v), -20.0, 20.0)) * (high.y - low.y); }
    double value_x(float px) const { return axes.x.value_at((px - low.x) / (high.x - low.x)); }
    double value_y(float py) const { return axes.y.value_at((high.y - py) / (high.y - low.y)); }
};

void draw_marker(ImDrawList& list, Marker shape, ImVec2 p, float r, ImU32 colour) {
    switch (shape) {
        case Marker::circle:
            return list.AddCircleFilled(p, r, colour);
        case Marker::square:
            return list.AddRectFilled({p.x - 0.9f * r, p.y - 0.9f * r}, {p.x + 0.9f * r, p.y + 0.9f * r}, colour);
        case Marker::triangle:
            return list.AddTriangleFilled({p.x, p.y - 1.2f * r}, {p.x + 1.1f * r, p.y + 0.8f * r}, {p.x - 1.1f * r, p.y + 0.8f * r},
                                          colour);
        case Marker::diamond:
            return list.AddQuadFilled({p.x, p.y - 1.3f * r}, {p.x + 1.3f * r, p.y}, {p.x, p.y + 1.3f * r}, {p.x - 1.3f * r, p.y}, colour);
        case Marker::cross:
            list.AddLine({p.x - r, p.y - r}, {p.x + r, p.y + r}, colour, 0.55f * r);
            return list.AddLine({p.x - r, p.y + r}, {p.x + r, p.y - r}, colour, 0.55f * r);
    }
}

void draw_axes(ImDrawList& list, const Plot& plot, const Area& area, float line) {
    for (const Tick& t : area.axes.x.ticks(static_cast<int>((area.high.x - area.low.x) / (5 * line)))) {
        const float x = std::round(area.x(t.value)) + 0.5f;
        list.AddLine({x, area.low.y}, {x, area.high.y}, t.label.empty() ? plot_ink(0.05f) : plot_ink(0.13f));
        const float width = ImGui::CalcTextSize(t.label.c_str()).x;
        list.AddText({x - 0.5f * width, area.high.y + 0.25f * line}, plot_dim(), t.label.c_str());
    }
    for (const Tick& t : area.axes.y.ticks(static_cast<int>((area.high.y - area.low.y) / (2.6f * line)))) {
        const float y = std::round(area.y(t.value)) + 0.5f;
        list.AddLine({area.low.x, y}, {area.high.x, y}, t.label.empty() ? plot_ink(0.05f) : plot_ink(0.13f));
        list.AddText({area.low.x - ImGui::CalcTextSize(t.label.c_str()).x - 0.4f * line, y - 0.5f * line}, plot_dim(), t.label.c_str());
    }
    const float x_width = ImGui::CalcTextSize(plot.x.label.c_str()).x;
    list.AddText({0.5f * (area.low.x + area.high.x - x_width), area.high.y + 1.5f * line}, plot_dim(), plot.x.label.c_str());
    // ImGui does not turn text: the label of the y axis stands above it.
    list.AddText({area.low.x - 3.2f * line, area.low.y - 1.35f * line}, plot_dim(), plot.y.label.c_str());
    list.AddRect(area.low, area.high, plot_ink(0.28f));
}

void draw_region(ImDrawList& list, const RegionMap& map, const Area& area) {
    const double dx = (map.x_high - map.x_low) / map.columns, dy = (map.y_high - map.y_low) / map.rows;
    for (int r = 0; r < map.rows; ++r)
        for (int c = 0; c < map.columns; ++c) {
            int end = c;
            while (end < map.columns && map.at(end, r) <= map.level) ++end;
            if (end == c) continue;
            list.AddRectFilled({area.x(map.x_low + c * dx), area.y(map.y_low + (r + 1) * dy)},
                               {area.x(map.x_low + end * dx), area.y(map.y_low + r * dy)}, region_colour);
            c = end;
        }
}

void draw_series(ImDrawList& list, const Series& s, const Area& area, float line) {
    std::vector<ImVec2> pixels;
    const auto draw = [&] {
        list.AddPolyline(pixels.data(), static_cast<int>(pixels.size()), colour_of(s.colour), 0, 0.11f * line);
        if (s.markers)
            for (const ImVec2& p : pixels) draw_marker(list, marker(s.colour), p, 0.26f * line, colour_of(s.colour));
        pixels.clear();
    };
    for (const auto& [x, y] : s.points)
        if (area.axes.x.shows(x) && y == INFINITY) {
            draw();
            draw_marker(list, Marker::cross, {area.x(x), area.low.y + 0.5f * line}, 0.26f * line, colour_of(s.colour));
        } else if (area.axes.x.shows(x) && area.axes.y.shows(y)) {
            pixels.push_back({area.x(x), area.y(y)});
        }
    draw();
}

void draw_legend(ImDrawList& list, const Plot& plot, const Area& area, float line) {
    ImVec2 at{area.high.x + 0.9f * line, area.low.y + 0.2f * line};
    if (plot.region) {
        list.AddRectFilled({at.x, at.y + 0.2f * line}, {at.x + 1.4f * line, at.y + 0.9f * line}, region_colour);
        list.AddText({at.x + 1.9f * line, at.y}, plot_ink(0.95f), plot.region->label.c_str());
        at.y += 1.35f * line;
    }
    for (const Series& s : plot.series) {
        list.AddLine({at.x, at.y + 0.55f * line}, {at.x + 1.4f * line, at.y + 0.55f * line}, colour_of(s.colour), 0.11f * line);
        if (s.markers) draw_marker(list, marker(s.colour), {at.x + 0.7f * line, at.y + 0.55f * line}, 0.26f * line, colour_of(s.colour));
        list.AddText({at.x + 1.9f * line, at.y}, plot_ink(0.95f), s.label.c_str());
        at.y += 1.3f * line;
    }
}

// The point nearest to the pointer, or the value of the region's cell under it.
void draw_hover(ImDrawList& list, const Plot& plot, const Area& area, float line) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (plot.region) {
        const RegionMap& map = *plot.region;
        const double x = area.value_x(mouse.x), y = area.value_y(mouse.y);
        const int c = std::clamp(static_cast<int>((x - map.x_low) / (map.x_high - map.x_low) * map.columns), 0, map.columns - 1);
        const int r = std::clamp(static_cast<int>((y - map.y_low) / (map.y_high - map.y_low) * map.rows), 0, map.rows - 1);
        ImGui::SetTooltip("%.3g %+.3g i\ngrowth per step %.4g", map.x(c), map.y(r), map.at(c, r));
        return;
    }
    float nearest = 3 * line * 3 * line;
    const Series* series = nullptr;
    std::pair<double, double> value;
    ImVec2 place;
    for (const Series& s : plot.series)
        for (const auto& [x, y] : s.points) {
            const bool failed = y == INFINITY;
            if (!area.axes.x.shows(x) || !(failed || area.axes.y.shows(y))) continue;
            const ImVec2 p{area.x(x), failed ? area.low.y + 0.5f * line : area.y(y)};
            const float d = (p.x - mouse.x) * (p.x - mouse.x) + (p.y - mouse.y) * (p.y - mouse.y);
            if (d < nearest) nearest = d, series = &s, value = {x, y}, place = p;
        }
    if (!series) return;
    list.AddCircle(place, 0.5f * line, plot_ink(0.95f), 0, 0.1f * line);
    ImGui::BeginTooltip();
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(colour_of(series->colour)), "%s", series->label.c_str());
    if (value.second == INFINITY) ImGui::TextUnformatted("diverged or failed");
    else ImGui::Text("%.4g  %s", value.second, plot.y.label.c_str());
    ImGui::TextDisabled("%.4g  %s", value.first, plot.x.label.c_str());
    ImGui::EndTooltip();
}

}  // namespace

void draw_study_plot(const Plot& plot, float width, float height) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetFontSize();
    ImGui::InvisibleButton("plot", {std::max(width, 1.0f), std::max(height, 1.0f)});
    float legend = plot.region ? ImGui::CalcTextSize(plot.region->label.c_str()).x : 0;
    for (const Series& s : plot.series) legend = std::max(legend, ImGui::CalcTextSize(s.label.c_str()).x);
    Area area{axis_maps(plot),
              {corner.x + 4.6f * line, corner.y + 2.0f * line},
              {corner.x + width - legend - 4 * line, corner.y + height - 3 * line}};
    if (area.high.x - area.low.x < 6 * line || area.high.y - area.low.y < 4 * line) return;
    if (plot.region) {  // circles stay circles
        const float ratio = static_cast<float>((area.axes.x.high() - area.axes.x.low()) / (area.axes.y.high() - area.axes.y.low()));
        if ((area.high.x - area.low.x) / (area.high.y - area.low.y) > ratio) area.high.x = area.low.x + ratio * (area.high.y - area.low.y);
        else area.high.y = area.low.y + (area.high.x - area.low.x) / ratio;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(area.low, area.high, true);
    if (plot.region) draw_region(list, *plot.region, area);
    list.PopClipRect();
    draw_axes(list, plot, area, line);
    list.PushClipRect(area.low, area.high, true);
    for (const Series& s : plot.series) draw_series(list, s, area, line);
    list.PopClipRect();
    draw_legend(list, plot, area, line);
    if (ImGui::IsItemHovered() && ImGui::IsMouseHoveringRect(area.low, area.high)) draw_hover(list, plot, area, line);
}

}  // namespace wobble
