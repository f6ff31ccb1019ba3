#include "app/plots/plots.h"

#include "app/plots/plot_style.h"

#include <imgui.h>

#include <cmath>
#include <limits>

namespace wobble {

namespace {

constexpr float click_pixels = 4;      // at scale 1: less is not a drag
constexpr float column_pixels = 1.5f;  // at scale 1: samples closer together become one column

struct Draft {
    ImDrawList& list;
    const PlotArea& area;
    const TimePlotOptions& options;
    float line;  // height of text
};

void draw_axes(const Draft& d, const AxisUnit& unit) {
    const PlotArea& a = d.area;
    const float line = d.line;
    const int count = std::max(1, static_cast<int>((a.bottom - a.top) / (1.7f * line)));
    float last_label = std::numeric_limits<float>::max();
    for (const AxisTick& tick : a.logarithmic ? logarithmic_ticks(a.range, count) : linear_ticks(a.range, count, unit.size)) {
        const float y = std::round(a.y(tick.value)) + 0.5f;
        const bool zero = !a.logarithmic && tick.value == 0;
        d.list.AddLine({a.left, y}, {a.right, y}, zero ? plot_ink(0.30f) : plot_ink(tick.label.empty() ? 0.035f : 0.085f));
        if (tick.label.empty() || y > last_label - 1.1f * line) continue;
        const float width = ImGui::CalcTextSize(tick.label.c_str()).x;
        d.list.AddText({a.left - width - 0.45f * line, y - 0.52f * line}, plot_dim(), tick.label.c_str());
        last_label = y;
    }
    const double distance = tick_distance(a.time.length(), std::max(1, static_cast<int>((a.right - a.left) / (5.5f * line))));
    float free_from = a.left - line;
    const double first = std::ceil(a.time.low / distance - 1e-6);
    for (int i = 0; i < 200; ++i) {
        const double t = (first + i) * distance;
        if (t > a.time.high + 1e-6 * distance) break;
        const float x = std::round(a.x(t)) + 0.5f;
        d.list.AddLine({x, a.top}, {x, a.bottom}, plot_ink(0.06f));
        const std::string text = time_label(t, distance) + " s";
        const float width = ImGui::CalcTextSize(text.c_str()).x;
        if (x - 0.5f * width < free_from || x + 0.5f * width > a.right + 1.2f * line) continue;
        d.list.AddText({x - 0.5f * width, a.bottom + 0.3f * line}, plot_dim(), text.c_str());
        free_from = x + 0.5f * width + 0.6f * line;
    }
    d.list.AddRect({a.left, a.top}, {a.right, a.bottom}, plot_ink(0.14f));
    const std::string name = d.options.title + (unit.name.empty() || a.logarithmic ? "" : "  [" + unit.name + "]") +
                             (a.logarithmic && !d.options.unit.empty() ? "  [" + d.options.unit + "]" : "");
    d.list.AddText({a.left, a.top - 1.2f * line}, plot_dim(), name.c_str());
}

// Cuts a line into dashes at fixed times, so that they move along with it.
void dashes(const Draft& d, const std::vector<ImVec2>& points, const PlotLine& line, unsigned colour, float thickness) {
    const float unit = std::max(1.0f, 0.42f * d.line), on = line.style == LineStyle::dashed ? 1.25f * unit : 0.45f * unit;
    const float period = on + (line.style == LineStyle::dashed ? 0.8f : 0.6f) * unit;
    const float phase = static_cast<float>(std::fmod(d.area.time.low / d.area.column(), static_cast<double>(period)));
    std::vector<ImVec2> dash;
    const auto flush = [&] {
        if (dash.size() > 1) d.list.AddPolyline(dash.data(), static_cast<int>(dash.size()), colour, 0, thickness);
        dash.clear();
    };
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        ImVec2 p = points[i];
        const ImVec2 q = points[i + 1];
        for (int guard = 0; guard < 4000; ++guard) {
            const float along = p.x - d.area.left + phase, start = std::floor((along + 1e-3f) / period) * period;
            const bool drawn = along + 1e-3f - start < on;
            const float next = start + (drawn ? on : period) - phase + d.area.left;
            const float end = std::min(next, q.x);
            const ImVec2 e{end, q.x > p.x ? p.y + (q.y - p.y) * (end - p.x) / (q.x - p.x) : q.y};
            if (drawn) {
                if (dash.empty()) dash.push_back(p);
                dash.push_back(e);
            }
            if (next <= q.x) flush();
            p = e;
            if (end >= q.x || !(next > d.area.left - 1e6f)) break;
        }
    }
    flush();
}

// One point per column. Where many samples differ by more than the line is thick: two points on a steep slope, a bar that the line runs
// through where they go to and fro.
void draw_line(const Draft& d, const std::vector<TrackColumn>& columns, const PlotLine& line) {
    const PlotArea& a = d.area;
    std::vector<ImVec2> points;
    points.reserve(columns.size());
    const bool thin = line.style == LineStyle::thin;
    const unsigned full = packed(line.ink), colour = thin ? (full & 0x00ffffffu) | ((full >> 24) * 11 / 16) << 24 : full;
    const unsigned pale = (full & 0x00ffffffu) | ((full >> 24) * 5 / 16) << 24;
    const float thickness = std::max(1.0f, (thin ? 0.65f : 1.0f) * line.thickness * d.options.scale);
    const float wide = 0.5f * column_pixels * d.options.scale, half = std::max(wide, 0.3f * thickness);
    float before_one = 0, before_other = 0;  // the extent of the column before
    for (const TrackColumn& column : columns) {
        const float x = a.x(column.t);
        const bool both_signs = a.logarithmic && column.low < 0 && column.high > 0;
        const double size = both_signs ? std::max(-column.low, column.high) : column.high;
        if (a.logarithmic && size == 0) continue;
        float one = a.y(line.factor * size), other = both_signs || (a.logarithmic && column.low == 0) ? one : a.y(line.factor * column.low);
        if (one > other) std::swap(one, other);
        const bool tall = other - one > 2 * thickness;
        if (line.mean) {
            if (tall) d.list.AddRectFilled({x - wide, one}, {x + wide, other}, pale);
            points.push_back({x, a.y(line.factor * column.mean)});
        } else if (tall && std::min(other, before_other) - std::max(one, before_one) < 0.5f * (other - one)) {  // steep
            const bool downwards = !points.empty() && points.back().y < 0.5f * (one + other);
            points.push_back({x - 0.5f * wide, downwards ? one : other});
            points.push_back({x + 0.5f * wide, downwards ? other : one});
        } else if (tall) {  // to and fro
            d.list.AddRectFilled({x - half, one}, {x + half, other}, colour);
            points.push_back({x, std::clamp(points.empty() ? 0.5f * (one + other) : points.back().y, one, other)});
        } else {
            points.push_back({x, 0.5f * (one + other)});
        }
        before_one = one, before_other = other;
    }
    if (line.style == LineStyle::dashed || line.style == LineStyle::dotted) return dashes(d, points, line, colour, thickness);
    d.list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0, thickness);
}

// Beside the pointer and above the plot, so that it hides none of it.
void begin_note(const Draft& d) {
    const PlotArea& a = d.area;
    const float x = ImGui::GetIO().MousePos.x;
    const bool to_the_left = x > a.left + 0.65f * (a.right - a.left);
    ImGui::SetNextWindowPos({x + (to_the_left ? -0.4f : 0.4f) * d.line, a.top - 3.1f * d.line}, ImGuiCond_Always,
                            {to_the_left ? 1.0f : 0.0f, 1.0f});
    ImGui::BeginTooltip();
}

void hover_row(const Draft& d, const PlotLine& line, double wanted) {
    const PlotArea& a = d.area;
    const SampleTrack& track = *line.track;
    const double reach = 2 * a.column();
    if (line.quiet || track.empty() || wanted < track.begin() - reach || wanted > std::min(track.end(), d.options.last) + reach) return;
    std::size_t row = track.row_at(wanted);
    if (row + 1 < track.size() && track.time(row + 1) - wanted < wanted - track.time(row) && track.time(row + 1) <= d.options.last) ++row;
    const double v = line.factor * track.value(line.channel, row);
    if (!std::isfinite(v)) return;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (line.ink.alpha < 1) ImGui::TextDisabled("%s", line.label.c_str());
    else ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(packed(line.ink)), "%s", line.label.c_str());
    ImGui::TableNextColumn();
    const auto text = [&](double value, int digits) { return with_unit(line.factor * value, d.options.unit, digits); };
    if (track.samples(row) == 1) ImGui::TextUnformatted(text(track.value(line.channel, row), 4).c_str());
    else ImGui::Text("%s to %s", text(track.low(line.channel, row), 3).c_str(), text(track.high(line.channel, row), 3).c_str());
    if (const float y = a.y(v); y >= a.top && y <= a.bottom) {
        d.list.AddCircleFilled({a.x(track.time(row)), y}, 0.26f * d.line, plot_background());
        d.list.AddCircleFilled({a.x(track.time(row)), y}, 0.19f * d.line, packed(line.ink));
    }
}

// The sample nearest to the pointer, of every line; earlier runs after the others.
void draw_hover(const Draft& d, std::span<const PlotLine> lines, double wanted) {
    const PlotArea& a = d.area;
    const float x = a.x(wanted);
    d.list.AddLine({x, a.top}, {x, a.bottom}, plot_ink(0.35f));
    begin_note(d);
    ImGui::TextDisabled("t = %s s", time_label(wanted, a.column()).c_str());
    if (ImGui::BeginTable("values", 2, ImGuiTableFlags_SizingFixedFit)) {
        for (const bool earlier : {false, true})
            for (const PlotLine& line : lines)
                if ((line.ink.alpha < 1) == earlier) hover_row(d, line, wanted);
        ImGui::EndTable();
    }
    ImGui::EndTooltip();
}

void draw_present(const Draft& d, bool scrubbing) {
    const PlotArea& a = d.area;
    const float line = d.line, y = a.bottom + 1;
    const auto place = [&](double t) { return std::clamp(a.x(t), a.left, a.right); };
    if (d.options.reachable_end > d.options.reachable_begin)  // where a click on the axis can go
        d.list.AddRectFilled({place(d.options.reachable_begin), y}, {place(d.options.reachable_end), y + 0.16f * line}, plot_ink(0.30f));
    if (!d.options.present || *d.options.present < a.time.low - a.column() || *d.options.present > a.time.high + a.column()) return;
    const float x = place(*d.options.present), r = (scrubbing ? 0.42f : 0.34f) * line;
    const unsigned accent = ImGui::GetColorU32(ImGuiCol_SliderGrab);
    d.list.AddLine({x, a.top}, {x, a.bottom}, ImGui::GetColorU32(ImGuiCol_SliderGrab, 0.75f), std::max(1.0f, d.options.scale));
    d.list.AddTriangleFilled({x, a.bottom - 0.1f * line}, {x + r, a.bottom + 1.3f * r}, {x - r, a.bottom + 1.3f * r}, accent);
}

// Beside the plot: the wheel zooms the values around the pointer, a drag moves them.
void handle_value_axis(const Draft& d, const PlotRange& all, ValueView& values) {
    const ImGuiIO& io = ImGui::GetIO();
    const PlotArea& a = d.area;
    if (ImGui::IsItemHovered()) {
        const float notches = std::clamp(io.MouseWheel, -5.0f, 5.0f);
        const double at = a.v(std::clamp(io.MousePos.y, a.top, a.bottom));
        if (notches != 0) values.zoom(a.range, all, at, std::pow(1.25, -notches), a.logarithmic);
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) values.reset();
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
        if (!ImGui::IsItemActive()) ImGui::SetTooltip("Wheel: zoom the values. Drag: move them. Double click: all of them.");
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, click_pixels * d.options.scale) && io.MouseDelta.y != 0)
        values.move(a.range, static_cast<double>(io.MouseDelta.y / (a.bottom - a.top)), a.logarithmic);
}

void handle_mouse(const Draft& d, TimeView& view, ValueView& values, double& drag_from) {
    const ImGuiIO& io = ImGui::GetIO();
    const PlotArea& a = d.area;
    const TimePlotOptions& o = d.options;
    const double at = a.t(std::clamp(io.MousePos.x, a.left, a.right));
    const float least = click_pixels * o.scale;
    if (ImGui::IsItemHovered()) {
        const float notches = std::clamp(io.MouseWheel, -5.0f, 5.0f);
        if (notches != 0) view.zoom(o.shown, at, std::pow(1.25, -notches), o.begin, std::min(o.end, o.last));
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return view.reset(), values.reset(), void(drag_from = -1);
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) drag_from = a.t(std::clamp(io.MouseClickedPos[0].x, a.left, a.right));
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Right, least) && io.MouseDelta.x != 0)
        view.pan(o.shown, -io.MouseDelta.x * a.column(), o.begin, std::min(o.end, o.last));
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Right, least) && io.MouseDelta.y != 0 && !values.follows)
        values.move(a.range, static_cast<double>(io.MouseDelta.y / (a.bottom - a.top)), a.logarithmic);
    if (drag_from < 0) return;
    const float from = a.x(drag_from), to = a.x(at);
    const float above = std::clamp(io.MouseClickedPos[0].y, a.top, a.bottom), below = std::clamp(io.MousePos.y, a.top, a.bottom);
    const bool box = std::abs(below - above) > 1.5f * d.line;  // lower ones are meant for the time only
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        const bool chosen = ImGui::IsItemDeactivated() && std::abs(to - from) > least;
        if (chosen) view.select(drag_from, at, std::numeric_limits<double>::infinity());
        if (chosen && box) values.select(a.v(above), a.v(below));
        drag_from = -1;
    } else if (std::abs(to - from) > least) {
        const float top = box ? std::min(above, below) : a.top, bottom = box ? std::max(above, below) : a.bottom;
        const unsigned edge = ImGui::GetColorU32(ImGuiCol_SliderGrab, 0.8f);
        d.list.AddRectFilled({std::min(from, to), top}, {std::max(from, to), bottom}, ImGui::GetColorU32(ImGuiCol_SliderGrab, 0.18f));
        for (const float x : {from, to}) d.list.AddLine({x, top}, {x, bottom}, edge);
        for (const float y : {top, bottom})
            if (box) d.list.AddLine({from, y}, {to, y}, edge);
        begin_note(d);
        ImGui::Text("%s s to %s s: %s", time_label(std::min(at, drag_from), a.column()).c_str(),
                    time_label(std::max(at, drag_from), a.column()).c_str(), with_unit(std::abs(at - drag_from), "s").c_str());
        ImGui::EndTooltip();
    }
}

}  // namespace

float PlotArea::x(double t) const {
    return left + static_cast<float>(std::clamp((t - time.low) / time.length(), -10.0, 11.0)) * (right - left);
}

float PlotArea::y(double v) const {
    double place = (v - range.low) / (range.high - range.low);
    if (logarithmic) {
        v = std::abs(v);
        place = v > 0 ? std::log(v / range.low) / std::log(range.high / range.low) : -1;
    }
    return bottom - static_cast<float>(std::clamp(place, -0.5, 1.5)) * (bottom - top);
}

double PlotArea::v(float py) const {
    const double place = static_cast<double>((bottom - py) / (bottom - top));
    return logarithmic ? range.low * std::pow(range.high / range.low, place) : range.low + place * (range.high - range.low);
}

double PlotArea::t(float px) const { return time.low + static_cast<double>((px - left) / (right - left)) * time.length(); }

PlotRange visible_range(std::span<const std::vector<TrackColumn>> columns, std::span<const PlotLine> lines, bool logarithmic) {
    PlotRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < columns.size(); ++i)
        for (const TrackColumn& column : columns[i]) {
            double low = lines[i].factor * column.low, high = lines[i].factor * column.high;
            if (logarithmic) {
                const double size = std::max(std::abs(low), std::abs(high));
                low = low < 0 && high > 0 ? size : std::min(std::abs(low), std::abs(high));
                if (low == 0) low = size;
                high = size;
                if (size == 0) continue;
            }
            range.low = std::min(range.low, low), range.high = std::max(range.high, high);
        }
    return range;
}

TimePlotResult time_plot(const char* id, float width, float height, std::span<const PlotLine> lines, const TimePlotOptions& options,
                         TimeView& view, ValueView& values, double& drag_from) {
    TimePlotResult result;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetFontSize();
    ImGui::PushID(id);
    PlotArea area{
        corner.x + 4.0f * line, corner.y + 1.3f * line, corner.x + width - 0.8f * line, corner.y + height - 1.5f * line, options.shown, {},
        options.logarithmic};
    if (area.right - area.left < 8 * line || area.bottom - area.top < 2 * line) {
        ImGui::Dummy({std::max(width, 1.0f), std::max(height, 1.0f)});
        ImGui::PopID();
        return result;
    }
    if (!(area.time.length() > 0)) area.time.high = area.time.low + 1;
    std::vector<std::vector<TrackColumn>> columns(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].track->columns(lines[i].channel, area.time.low, std::min(area.time.high, options.last),
                                column_pixels * options.scale * area.column(), columns[i]);
    const PlotRange seen = visible_range(columns, lines, area.logarithmic);
    const PlotRange all = round_range(seen.low, seen.high, area.logarithmic, static_cast<int>((area.bottom - area.top) / (1.7f * line)));
    area.range = values.update(all, area.logarithmic);
    const AxisUnit unit = axis_unit(std::max(std::abs(area.range.low), std::abs(area.range.high)), options.unit);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Draft draft{list, area, options, line};
    draw_axes(draft, unit);
    list.PushClipRect({area.left, area.top}, {area.right, area.bottom}, true);
    for (std::size_t i = 0; i < lines.size(); ++i) draw_line(draft, columns[i], lines[i]);
    list.PopClipRect();
    if (lines.empty() && !options.empty.empty()) {
        const ImVec2 size = ImGui::CalcTextSize(options.empty.c_str(), nullptr, false, area.right - area.left - 2 * line);
        list.AddText(nullptr, 0, {0.5f * (area.left + area.right - size.x), 0.5f * (area.top + area.bottom - size.y)}, plot_dim(),
                     options.empty.c_str(), nullptr, area.right - area.left - 2 * line);
    }

    ImGui::SetCursorScreenPos({corner.x, area.top});
    ImGui::InvisibleButton("value axis", {area.left - corner.x, area.bottom - area.top});
    handle_value_axis(draft, all, values);
    ImGui::SetCursorScreenPos({area.left, area.bottom});
    ImGui::InvisibleButton("time axis", {area.right - area.left, corner.y + height - area.bottom});
    const bool on_axis = ImGui::IsItemHovered() || ImGui::IsItemActive(), reachable = options.reachable_end > options.reachable_begin;
    draw_present(draft, on_axis && reachable);
    if (on_axis) {
        const double t = area.t(std::clamp(ImGui::GetIO().MousePos.x, area.left, area.right));
        const double there = std::clamp(t, options.reachable_begin, std::max(options.reachable_begin, options.reachable_end));
        if (reachable) {
            ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            ImGui::SetTooltip("Go to t = %s s", time_label(there, area.column()).c_str());
            if (ImGui::IsItemActivated() || (ImGui::IsItemActive() && ImGui::GetIO().MouseDelta.x != 0)) result.go_to = there;
        } else {
            ImGui::SetTooltip("Click here to go back in time, once there is a past to go to.");
        }
    }
    ImGui::SetCursorScreenPos({area.left, area.top});
    ImGui::InvisibleButton("plot", {area.right - area.left, area.bottom - area.top},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    handle_mouse(draft, view, values, drag_from);
    const float pointer = ImGui::GetIO().MousePos.x;
    const bool dragging = ImGui::IsMouseDown(ImGuiMouseButton_Right) || ImGui::IsMouseDragging(ImGuiMouseButton_Left);
    if (ImGui::IsItemHovered() && !dragging && !lines.empty()) draw_hover(draft, lines, area.t(std::clamp(pointer, area.left, area.right)));
    ImGui::SetCursorScreenPos({corner.x, corner.y + height});
    ImGui::Dummy({width, 0});
    ImGui::PopID();
    return result;
}

}  // namespace wobble
