#pragma once
// The part of the value axis that a plot shows: all there is to see, or what the user has zoomed to.
#include "app/plots/plot_numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace wobble {

struct ValueView {
    bool follows = true;  // what there is to see
    PlotRange fixed;      // while it does not

    void reset() { *this = {}; }
    // By the user, where the axis can show it.
    std::optional<PlotRange> chosen(bool logarithmic) const {
        return follows || (logarithmic && !(fixed.low > 0)) ? std::nullopt : std::optional(fixed);
    }
    PlotRange update(const PlotRange& all, bool logarithmic) const { return chosen(logarithmic).value_or(all); }

    // What the user does, given what update() said. One that shows everything follows again.
    void zoom(const PlotRange& shown, const PlotRange& all, double around, double factor, bool logarithmic) {  // factor > 1: more values
        const double low = along(shown.low, logarithmic), high = along(shown.high, logarithmic), middle = along(around, logarithmic);
        set({back(middle - (middle - low) * factor, logarithmic), back(middle + (high - middle) * factor, logarithmic)});
        if (fixed.low <= all.low && fixed.high >= all.high) reset();
    }
    void move(const PlotRange& shown, double by, bool logarithmic) {  // by: in shares of the axis
        const double low = along(shown.low, logarithmic), high = along(shown.high, logarithmic), way = by * (high - low);
        set({back(low + way, logarithmic), back(high + way, logarithmic)});
    }
    void select(double one, double other) { set({std::min(one, other), std::max(one, other)}); }

private:
    static double along(double v, bool logarithmic) { return logarithmic ? std::log(v) : v; }
    static double back(double place, bool logarithmic) { return logarithmic ? std::exp(place) : place; }
    void set(const PlotRange& wanted) {
        const double least = 1e-9 * std::max(std::abs(wanted.low), std::abs(wanted.high));  // closer, and ticks would be all the same
        if (std::isfinite(wanted.low) && std::isfinite(wanted.high) && wanted.high - wanted.low > least) follows = false, fixed = wanted;
    }
};

}  // namespace wobble
