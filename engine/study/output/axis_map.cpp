#include "engine/study/output/axis_map.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

std::string short_text(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string power_text(int exponent) { return exponent == 0 ? "1" : exponent == 1 ? "10" : "1e" + std::to_string(exponent); }

}  // namespace

AxisMap::AxisMap(const Axis& axis, const std::vector<double>& data) : scale_(axis.scale), low_(0), high_(1) {
    const bool log = scale_ == Scale::logarithmic;
    double low = INFINITY, high = -INFINITY;
    for (const double v : data)
        if (shows(v)) low = std::min(low, v), high = std::max(high, v);
    if (!(low <= high)) low = log ? 0.1 : 0, high = 1;
    if (log) {  // to whole powers of ten if that is not much wider, else with a margin
        const double a = std::log10(low), b = std::log10(high), margin = 0.04 * (b - a) + 0.02;
        low = std::pow(10, b - a > 3 ? std::floor(a + 1e-9) : a - margin);
        high = std::pow(10, b - a > 3 ? std::ceil(b - 1e-9) : b + margin);
    } else {
        const double margin = high > low ? 0.04 * (high - low) : std::max(1e-12, 0.5 * std::abs(low));
        low -= margin, high += margin;
    }
    if (axis.low) low = *axis.low;
    if (axis.high) high = *axis.high;
    if (!(high > low)) high = log ? 10 * low : low + 1;
    low_ = low;
    high_ = high;
}

bool AxisMap::shows(double value) const { return std::isfinite(value) && (scale_ == Scale::linear || value > 0); }

double AxisMap::at(double value) const {
    return scale_ == Scale::linear ? (value - low_) / (high_ - low_) : std::log(value / low_) / std::log(high_ / low_);
}

double AxisMap::value_at(double place) const {
    return scale_ == Scale::linear ? low_ + place * (high_ - low_) : low_ * std::pow(high_ / low_, place);
}

std::vector<Tick> AxisMap::ticks(int count) const {
    std::vector<Tick> ticks;
    count = std::max(count, 2);
    if (scale_ == Scale::linear) {
        const double raw = (high_ - low_) / count, power = std::pow(10.0, std::floor(std::log10(raw))), m = raw / power;
        const double d = power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
        for (double k = std::ceil(low_ / d - 1e-9); k * d <= high_ + 1e-9 * d; ++k)
            ticks.push_back({k * d, short_text(k == 0 ? 0 : k * d)});
        return ticks;
    }
    const double a = std::log10(low_), b = std::log10(high_);
    const int first = static_cast<int>(std::floor(a)), last = static_cast<int>(std::ceil(b));
    const int every = std::max(1, static_cast<int>(std::ceil((b - a) / count)));
    const bool digits = b - a < 1.5;  // less than two powers: 2 and 5 get names too
    for (int e = first; e <= last; ++e)
        for (int m = 1; m < 10; ++m) {
            const double value = m * std::pow(10.0, e);
            if (value < low_ * (1 - 1e-9) || value > high_ * (1 + 1e-9)) continue;
            if (m == 1) ticks.push_back({value, e % every == 0 ? power_text(e) : ""});
            else if (every == 1 && b - a < 8) ticks.push_back({value, digits && (m == 2 || m == 5) ? short_text(value) : ""});
        }
    return ticks;
}

AxisMaps axis_maps(const Plot& plot) {
    std::vector<double> xs, ys;
    const auto within = [](const Axis& axis, double v) { return (!axis.low || v >= *axis.low) && (!axis.high || v <= *axis.high); };
    for (const Series& s : plot.series)
        for (const auto& [x, y] : s.points)
            if (within(plot.x, x) && (within(plot.y, y) || y == INFINITY)) xs.push_back(x), ys.push_back(y);
    Axis x = plot.x, y = plot.y;
    if (plot.region) {  // a picture: its frame is its grid
        x.low = plot.region->x_low, x.high = plot.region->x_high;
        y.low = plot.region->y_low, y.high = plot.region->y_high;
    }
    return {AxisMap(x, xs), AxisMap(y, ys)};
}

}  // namespace wobble
