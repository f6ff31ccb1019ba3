#include "app/plots/plot_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace wobble {

namespace {

constexpr std::pair<double, const char*> prefixes[] = {{1e9, "G"},  {1e6, "M"},         {1e3, "k"}, {1, ""},
                                                       {1e-3, "m"}, {1e-6, "\xc2\xb5"}, {1e-9, "n"}};
constexpr int most_decades = 12;  // of a logarithmic axis: below is noise

std::string formatted(const char* format, int digits, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, digits, value);
    return text;
}

bool takes_prefix(const std::string& unit) { return !unit.empty() && unit != "%"; }

}  // namespace

double tick_distance(double range, int count) {
    if (!(range > 0) || !std::isfinite(range)) return 1;
    const double raw = range / std::max(count, 1), power = std::pow(10.0, std::floor(std::log10(raw)));
    const double m = raw / power;
    return power * (m <= 1 + 1e-9 ? 1 : m <= 2 + 1e-9 ? 2 : m <= 5 + 1e-9 ? 5 : 10);
}

std::string short_number(double value, int digits) {
    const double size = std::abs(value);
    if (!std::isfinite(value)) return "? ";
    if (size < 1e-15) return "0 ";
    for (const auto& [unit, name] : prefixes)
        if (size >= 0.9995 * unit) return formatted("%.*g ", digits, value / unit) + name;
    return formatted("%.*g ", digits, value);
}

std::string with_unit(double value, const std::string& unit, int digits) {
    if (takes_prefix(unit)) return short_number(value, digits) + unit;
    if (!std::isfinite(value)) return "?";
    return formatted("%.*g", digits, value) + (unit.empty() ? "" : " " + unit);
}

AxisUnit axis_unit(double largest, const std::string& unit) {
    if (!(largest > 0) || !std::isfinite(largest)) return {1, unit};
    if (takes_prefix(unit)) {
        for (const auto& [size, name] : prefixes)
            if (largest >= 0.9995 * size) return {size, name + unit};
    } else if (largest >= 1e-3 && largest < 1e5) {
        return {1, unit};
    }
    const double size = std::pow(10.0, 3 * std::floor(std::log10(largest) / 3));
    return {size, formatted("1e%+.*f ", 0, std::log10(size)) + unit};
}

PlotRange round_range(double lowest, double highest, bool logarithmic, int ticks) {
    if (!(highest >= lowest)) return logarithmic ? PlotRange{0.1, 10} : PlotRange{0, 1};
    if (logarithmic) {
        const double top = std::ceil(std::log10(std::max(highest, 1e-300)) - 1e-9);
        double bottom = std::floor(std::log10(std::max(lowest, 1e-300)) + 1e-9);
        bottom = std::clamp(bottom, top - most_decades, top - 1);
        return {std::pow(10.0, bottom), std::pow(10.0, top)};
    }
    lowest = std::min(lowest, 0.0), highest = std::max(highest, 0.0);
    const double extent = highest - lowest;
    if (!(extent > 0) || !std::isfinite(extent)) return {0, 1};
    const double unit = 0.25 * tick_distance(1.08 * extent, ticks);
    return {lowest < 0 ? std::floor((lowest - 0.03 * extent) / unit) * unit : 0,
            highest > 0 ? std::ceil((highest + 0.03 * extent) / unit) * unit : 0};
}

std::vector<AxisTick> linear_ticks(const PlotRange& range, int count, double unit_size) {
    const double distance = tick_distance(range.high - range.low, count);
    const int first = static_cast<int>(std::clamp(std::ceil(range.low / distance - 1e-6), -1e6, 1e6));
    std::vector<AxisTick> ticks;
    for (int i = first; i * distance <= range.high + 1e-6 * distance && ticks.size() < 100; ++i)
        ticks.push_back({i * distance, formatted("%.*g", 5, i * distance / unit_size)});
    return ticks;
}

std::vector<AxisTick> logarithmic_ticks(const PlotRange& range, int count) {
    const int first = static_cast<int>(std::lround(std::log10(range.low))), last = static_cast<int>(std::lround(std::log10(range.high)));
    const int every = std::max(1, (last - first + std::max(count, 1) - 1) / std::max(count, 1));
    std::vector<AxisTick> ticks;
    for (int power = first; power <= last; ++power) {
        const double value = std::pow(10.0, power);
        const bool plain = power >= -3 && power <= 4;
        const bool labelled = (power - first) % every == 0;
        ticks.push_back({value, !labelled ? "" : plain ? formatted("%.*g", 6, value) : formatted("1e%.*f", 0, power)});
        if (every == 1 && last - first <= 4 && power < last)
            for (int m = 2; m < 10; ++m) ticks.push_back({m * value, ""});
    }
    return ticks;
}

std::string time_label(double t, double distance) {
    const int decimals = distance > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(distance) - 1e-9)), 0, 9) : 3;
    const std::string text = formatted("%.*f", decimals, t);
    return text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos ? text.substr(1) : text;
}

}  // namespace wobble
