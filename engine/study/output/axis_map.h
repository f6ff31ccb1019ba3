#pragma once
// An axis with its range and ticks settled, for SVG files and the viewer alike.
#include "engine/study/study.h"

#include <string>
#include <vector>

namespace wobble {

struct Tick {
    double value;
    std::string label;  // empty: a minor tick, a line without text
};

class AxisMap {
public:
    AxisMap(const Axis&, const std::vector<double>& data);  // data that cannot be shown does not widen the range

    bool shows(double value) const;       // finite, and positive on a logarithmic axis
    double at(double value) const;        // 0 at the low end, 1 at the high one; outside for values outside
    double value_at(double place) const;  // the inverse
    double low() const { return low_; }
    double high() const { return high_; }
    std::vector<Tick> ticks(int count) const;  // about `count` labelled ones

private:
    Scale scale_;
    double low_, high_;
};

struct AxisMaps {
    AxisMap x, y;
};
AxisMaps axis_maps(const Plot&);  // from all its series and its region

}  // namespace wobble
