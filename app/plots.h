#pragma once
// A line plot on ImGui's draw list: axes with round ticks, legend, values under the pointer.
#include <string>
#include <utility>
#include <vector>

namespace wobble {

struct PlotSeries {
    std::string label;
    unsigned colour;  // ImGui's packed colour
    float thickness = 1.5f;
    std::vector<std::pair<double, double>> points;  // x grows
};

struct PlotOptions {
    std::string x_unit, y_unit;
    double x_low = 0, x_high = 1;
    float scale = 1;  // of the display
};

// Draws into the next `width` x `height` of the current ImGui window.
void plot_lines(const char* id, float width, float height, const std::vector<PlotSeries>&, const PlotOptions&);

// Distance between ticks that gives about `count` of them over `range`: 1, 2 or 5 times a power of ten.
double tick_distance(double range, int count);

// A value with a prefix for thousands ("12.3 k", "4.56 m"), short enough for an axis or a tooltip.
std::string short_number(double value, int digits = 3);

}  // namespace wobble
