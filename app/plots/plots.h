#pragma once
// Values over simulated time on ImGui's draw list: axes with round ticks, lines, values under the pointer; a drag zooms (a high one
// the values as well), the wheel zooms around the pointer (over the value axis the values), a right drag moves, a double click shows the
// usual part again, the time axis scrubs. Reads a few thousand entries of
// each track, however long it is.
#include "app/plots/plot_numbers.h"
#include "app/plots/sample_track.h"
#include "app/plots/time_view.h"
#include "app/plots/value_view.h"
#include "engine/study/output/palette.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wobble {

enum class LineStyle { solid, thin, dashed, dotted };

struct PlotInk {  // made for a dark background; see plot_style.h
    Colour colour{255, 255, 255};
    bool text = false;  // the colour of text instead
    float alpha = 1;
};

struct PlotLine {
    std::string label;  // under the pointer
    PlotInk ink;
    float thickness = 1.5f;  // at scale 1
    LineStyle style = LineStyle::solid;
    bool mean = false;   // the mean of many samples, and a pale band from lowest to highest; else through lowest and highest
    bool quiet = false;  // says nothing under the pointer
    const SampleTrack* track = nullptr;
    int channel = 0;
    double factor = 1;  // of the values
};

struct TimePlotOptions {
    std::string title, unit;  // of the values
    bool logarithmic = false;
    float scale = 1;                                // of the display
    TimeRange shown;                                // as the view said
    double begin = 0, end = 0;                      // s, of all there is to see
    double last = 1e300;                            // s, nothing after it is shown: the plots stand still
    std::optional<double> present;                  // s, marked
    double reachable_begin = 0, reachable_end = 0;  // s, where go_to makes sense
    std::string empty;                              // what to say without lines
};

struct TimePlotResult {
    std::optional<double> go_to;  // s, the user wants to be there
};

// Draws into the next `width` x `height` of the current ImGui window. `drag_from` is where a drag began, kept between frames.
TimePlotResult time_plot(const char* id, float width, float height, std::span<const PlotLine>, const TimePlotOptions&, TimeView&,
                         ValueView&, double& drag_from);

// Values along an axis as places on the screen.
struct PlotArea {
    float left, top, right, bottom;  // pixels
    TimeRange time;
    PlotRange range;
    bool logarithmic = false;
    float x(double t) const;
    float y(double v) const;  // on a logarithmic axis of |v|
    double t(float x) const;
    double v(float y) const;
    double column() const { return time.length() / std::max(1.0f, right - left); }  // s, one pixel
};

// The lowest and the highest of what is to be seen; of logarithmic axes the lowest and highest |v| above zero.
PlotRange visible_range(std::span<const std::vector<TrackColumn>> columns, std::span<const PlotLine> lines, bool logarithmic);

}  // namespace wobble
