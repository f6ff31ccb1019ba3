#include "app/plots/time_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wobble {

namespace {
constexpr double at_first = 0.25;   // s; an axis is at least that long while a run begins
constexpr double near_edge = 0.02;  // of the length
}  // namespace

void TimeView::show_all() {
    follows = true;
    length = std::numeric_limits<double>::infinity();
}

TimeRange TimeView::update(double begin, double end, double present) {
    end = std::max(end, present);
    begin = std::min(begin, present);
    if (!follows) return fixed;
    if (present > high) high = present;
    if (present < high - length) high = present + 0.5 * length;  // it has gone back, out of sight
    high = std::clamp(high, std::max(present, std::min(end, begin + length)), end);
    const double low = std::max(begin, high - length);
    return {low, std::max(high, low + std::min(length, at_first))};
}

void TimeView::zoom(TimeRange shown, double around, double factor, double begin, double end) {
    if (!(factor > 0) || !std::isfinite(factor) || !std::isfinite(around)) return;
    const double longest = std::max(end - begin, at_first);
    const double wanted = std::clamp(shown.length() * factor, shortest, longest);
    around = std::clamp(around, shown.low, shown.high);
    double low = around - (around - shown.low) / shown.length() * wanted;
    low = std::max(begin, std::min(low, std::max(begin, end - wanted)));
    fixed = {low, low + wanted};
    follows = fixed.high >= end - near_edge * wanted;
    length = wanted >= longest ? std::numeric_limits<double>::infinity() : wanted;
    if (follows) high = fixed.high;
}

void TimeView::pan(TimeRange shown, double by, double begin, double end) {
    if (!std::isfinite(by)) return;
    const double wanted = shown.length(), low = std::clamp(shown.low + by, begin, std::max(begin, end - wanted));
    fixed = {low, low + wanted};
    follows = low + wanted >= end && by > 0;
    if (follows) length = wanted, high = low + wanted;
}

void TimeView::select(double from, double to, double end) {
    if (!std::isfinite(from) || !std::isfinite(to)) return;
    const double low = std::min(from, to), wanted = std::max(std::abs(to - from), shortest);
    fixed = {low, low + wanted};
    follows = false;
    if (fixed.high >= end) follows = true, length = wanted, high = end;
}

}  // namespace wobble
