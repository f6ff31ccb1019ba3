#pragma once
// Numbers as colours: the map, and which numbers its two ends mean.
#include "app/viewer/view_options.h"
#include "engine/sim/snapshot.h"

#include <array>
#include <span>

namespace wobble {

// From deep blue over magenta and orange to light yellow: lightness grows evenly from 0 to 1, so that more always looks like more, also in
// print and to people who do not see red and green. sRGB.
Vec3f colour_map(float share);

struct ColourScale {
    Field field = Field::none;  // what is shown; none: no colours
    float low = 0, high = 1;
    std::array<float, 32> histogram = {};  // of the drawn values between low and high, the tallest 1
};

// The upper end follows the motion: it rises at once with the largest values but 2 %, and sinks slowly in simulated time, so that
// the colours of a swinging body do not flicker. Fixed if the options say so.
class ScaleChooser {
public:
    void update(std::span<const Snapshot* const>, const ViewOptions&);  // one scale for all of them
    const ColourScale& scale() const { return scale_; }

private:
    ColourScale scale_;
    float automatic_ = 0;
    double t_ = 0;  // s, simulated, of the last update
    std::shared_ptr<const SurfaceTopology> surface_;
    std::vector<float> sample_;
};

}  // namespace wobble
