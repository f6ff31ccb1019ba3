#include "engine/study/output/svg.h"

#include "engine/study/output/axis_map.h"
#include "engine/study/output/format_text.h"
#include "engine/study/output/palette.h"

#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

constexpr double width = 860, height = 540, left = 84, right = 210, top = 48, bottom = 60;  // pixels; the legend stands on the right

std::string hex(Colour c) { return format("#%02x%02x%02x", c.r, c.g, c.b); }

// The plot's rectangle in pixels. Regions keep the ratio of their axes: circles must look like circles.
struct Frame {
    AxisMaps axes;
    double x0 = left, y0 = top, w = width - left - right, h = height - top - bottom;

    explicit Frame(const Plot& plot) : axes(axis_maps(plot)) {
        if (!plot.region) return;
        const double ratio = (axes.x.high() - axes.x.low()) / (axes.y.high() - axes.y.low());
        if (w / h > ratio) w = h * ratio;
        else h = w / ratio;
    }
    double x(double v) const { return x0 + w * axes.x.at(v); }
    double y(double v) const { return y0 + h * (1 - axes.y.at(v)); }
};

std::string marker_svg(Marker shape, double x, double y, const std::string& colour) {
    const double r = 3.6;
    switch (shape) {
        case Marker::circle:
            return format("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\"/>", x, y, r, colour.c_str());
        case Marker::square:
            return format("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>", x - 0.9 * r, y - 0.9 * r, 1.8 * r,
                          1.8 * r, colour.c_str());
        case Marker::triangle:
            return format("<path d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2fZ\" fill=\"%s\"/>", x, y - 1.2 * r, x + 1.1 * r, y + 0.8 * r,
                          x - 1.1 * r, y + 0.8 * r, colour.c_str());
        case Marker::diamond:
            return format("<path d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2fL%.2f %.2fZ\" fill=\"%s\"/>", x, y - 1.3 * r, x + 1.3 * r, y, x,
                          y + 1.3 * r, x - 1.3 * r, y, colour.c_str());
        case Marker::cross:
            return format("<path d=\"M%.2f %.2fL%.2f %.2fM%.2f %.2fL%.2f %.2f\" stroke=\"%s\" stroke-width=\"2\"/>", x - r, y - r, x + r,
                          y + r, x - r, y + r, x + r, y - r, colour.c_str());
    }
    return "";
}

std::string axes_svg(const Plot& plot, const Frame& f) {
    std::string svg;
    for (const Tick& t : f.axes.x.ticks(static_cast<int>(f.w / 80))) {
        const double x = f.x(t.value);
        svg += format("<path d=\"M%.2f %.2fV%.2f\" stroke=\"%s\"/>\n", x, f.y0, f.y0 + f.h, t.label.empty() ? "#f0f0f0" : "#d4d4d4");
        if (!t.label.empty())
            svg += format("<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%s</text>\n", x, f.y0 + f.h + 18, t.label.c_str());
    }
    for (const Tick& t : f.axes.y.ticks(static_cast<int>(f.h / 45))) {
        const double y = f.y(t.value);
        svg += format("<path d=\"M%.2f %.2fH%.2f\" stroke=\"%s\"/>\n", f.x0, y, f.x0 + f.w, t.label.empty() ? "#f0f0f0" : "#d4d4d4");
        if (!t.label.empty())
            svg += format("<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">%s</text>\n", f.x0 - 7, y + 4.5, t.label.c_str());
    }
    const double cx = f.x0 + f.w / 2, cy = f.y0 + f.h / 2;
    svg += format("<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">", cx, f.y0 + f.h + 42) + xml_text(plot.x.label) + "</text>\n";
    svg += format("<text transform=\"translate(%.2f %.2f) rotate(-90)\" text-anchor=\"middle\">", f.x0 - 62, cy) + xml_text(plot.y.label) +
           "</text>\n";
    svg +=
        format("<text x=\"%.2f\" y=\"%.2f\" font-size=\"17\" font-weight=\"600\">", f.x0, f.y0 - 18) + xml_text(plot.title) + "</text>\n";
    return svg;
}

// One path of rectangles: neighbouring filled cells of a row are joined.
std::string region_svg(const RegionMap& region, const Frame& f) {
    std::string path;
    const double dx = (region.x_high - region.x_low) / region.columns, dy = (region.y_high - region.y_low) / region.rows;
    const auto filled = [&](int c, int r) { return region.at(c, r) <= region.level; };
    for (int r = 0; r < region.rows; ++r)
        for (int c = 0; c < region.columns; ++c) {
            if (!filled(c, r)) continue;
            int end = c;
            while (end < region.columns && filled(end, r)) ++end;
            const double x = f.x(region.x_low + c * dx), y = f.y(region.y_low + (r + 1) * dy);
            path += format("M%.2f %.2fh%.2fv%.2fh%.2fZ", x, y, f.x(region.x_low + end * dx) - x, f.y(region.y_low + r * dy) - y,
                           x - f.x(region.x_low + end * dx));
            c = end;
        }
    // The stroke closes the hairlines that renderers leave between neighbouring rectangles.
    return "<path fill=\"#7fa7cf\" stroke=\"#7fa7cf\" stroke-width=\"0.4\" d=\"" + path + "\"/>\n";
}

std::string series_svg(const Series& s, const Frame& f) {
    const std::string colour = hex(palette(s.colour));
    std::string path, marks;
    bool broken = true;
    for (const auto& [x, y] : s.points) {
        if (f.axes.x.shows(x) && y == INFINITY) {
            marks += "<g class=\"failed\">" + marker_svg(Marker::cross, f.x(x), f.y0 + 7, colour) + "</g>\n";
            broken = true;
            continue;
        }
        if (!f.axes.x.shows(x) || !f.axes.y.shows(y)) continue;
        // Far outside the frame nothing is seen, but huge numbers upset renderers.
        const double px = std::clamp(f.x(x), -1e4, 1e4), py = std::clamp(f.y(y), -1e4, 1e4);
        path += format("%c%.2f %.2f", broken ? 'M' : 'L', px, py);
        broken = false;
        if (s.markers) marks += marker_svg(marker(s.colour), px, py, colour) + "\n";
    }
    std::string svg = "<g><title>" + xml_text(s.label) + "</title>";
    if (!path.empty())
        svg += "<path fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"1.8\" stroke-linejoin=\"round\" d=\"" + path + "\"/>\n";
    return svg + marks + "</g>\n";
}

std::string legend_svg(const Plot& plot, const Frame& f) {
    std::string svg;
    double y = f.y0 + 10;
    const double x = f.x0 + f.w + 18;
    if (plot.region) {
        svg += format("<rect x=\"%.2f\" y=\"%.2f\" width=\"22\" height=\"12\" fill=\"#7fa7cf\"/>", x, y - 6);
        svg += format("<text x=\"%.2f\" y=\"%.2f\">", x + 30, y + 4.5) + xml_text(plot.region->label) + "</text>\n";
        y += 21;
    }
    for (const Series& s : plot.series) {
        const std::string colour = hex(palette(s.colour));
        svg += format("<path d=\"M%.2f %.2fh22\" stroke=\"%s\" stroke-width=\"1.8\"/>", x, y, colour.c_str());
        if (s.markers) svg += marker_svg(marker(s.colour), x + 11, y, colour);
        svg += format("<text x=\"%.2f\" y=\"%.2f\">", x + 30, y + 4.5) + xml_text(s.label) + "</text>\n";
        y += 21;
    }
    return svg;
}

}  // namespace

std::string xml_text(const std::string& text) {
    std::string safe;
    for (const char c : text) switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += static_cast<unsigned char>(c) < 32 ? ' ' : c;
        }
    return safe;
}

std::string to_svg(const Plot& plot) {
    const Frame f(plot);
    const double whole = std::max(height, f.y0 + 40 + 21.0 * static_cast<double>(plot.series.size()));
    std::string svg = format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g "
        "%g\" "
        "font-family=\"Inter, Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#222222\">\n",
        width, whole, width, whole);
    svg += format("<rect width=\"%g\" height=\"%g\" fill=\"#ffffff\"/>\n", width, whole);
    svg += format("<clipPath id=\"frame\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></clipPath>\n", f.x0, f.y0, f.w, f.h);
    if (plot.region) svg += "<g clip-path=\"url(#frame)\">" + region_svg(*plot.region, f) + "</g>\n";
    svg += axes_svg(plot, f) + "<g clip-path=\"url(#frame)\">\n";
    for (const Series& s : plot.series) svg += series_svg(s, f);
    svg += format("</g>\n<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" stroke=\"#888888\"/>\n", f.x0, f.y0, f.w,
                  f.h);
    return svg + legend_svg(plot, f) + "</svg>\n";
}

}  // namespace wobble
