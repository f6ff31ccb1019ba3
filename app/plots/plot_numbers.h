#pragma once
// Numbers of plots: ticks at round places, short texts, one unit with a prefix for a whole axis.
#include <string>
#include <vector>

namespace wobble {

// Distance between ticks that gives about `count` of them over `range`: 1, 2 or 5 times a power of ten.
double tick_distance(double range, int count);

// A value with a prefix for thousands ("12.3 k", "4.56 m"), short enough for an axis or a tooltip.
std::string short_number(double value, int digits = 3);

// A value with its unit. Units of measurement get prefixes ("12.3 mJ"); counts ("") and "%" do not.
std::string with_unit(double value, const std::string& unit, int digits = 3);

struct AxisUnit {
    double size = 1;   // values are divided by it
    std::string name;  // "mJ", "%", "1e-9 %"
};
AxisUnit axis_unit(double largest, const std::string& unit);

struct AxisTick {
    double value;
    std::string label;  // empty: a line only
};
struct PlotRange {
    double low = 0, high = 1;
};
// The range of an axis that holds these values, with round ends so that it does not tremble; a linear one shows zero.
PlotRange round_range(double lowest, double highest, bool logarithmic, int ticks);
std::vector<AxisTick> linear_ticks(const PlotRange&, int count, double unit_size);
std::vector<AxisTick> logarithmic_ticks(const PlotRange&, int count);
std::string time_label(double t, double distance);  // as many decimals as ticks at that distance need

}  // namespace wobble
