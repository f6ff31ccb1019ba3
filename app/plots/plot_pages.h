#pragma once
// The pages of the plot strip: which quantities each has, and the lines to draw of the runs there are.
#include "app/plots/plots.h"
#include "app/plots/plots_state.h"

#include <span>
#include <string>
#include <vector>

namespace wobble {

struct PlotQuantity {
    const char* name;
    const char* about;
    Channel channel;
    PlotInk ink;         // of a single run; runs of a comparison have one each
    float thickness;     // at scale 1
    LineStyle style;     // in a comparison
    bool needed = true;  // else left out while it is zero
};

struct PlotPageInfo {
    const char* name;        // of the tab
    const char* short_name;  // where there is little room
    const char* title;       // of the values
    const char* unit;
    const char* about;
    const char* empty;  // when there is nothing to show
    bool mean;          // of many steps their mean is drawn, with a band
    int main;           // the quantity that stands for a run
    std::span<const PlotQuantity> quantities;
};
const PlotPageInfo& page_info(PlotPage);

inline PageView& page_view(PlotsState& plots) { return plots.views[static_cast<std::size_t>(plots.page)]; }
inline const PageView& page_view(const PlotsState& plots) { return plots.views[static_cast<std::size_t>(plots.page)]; }

bool comparing(const PlotsState&);
bool has_quantity(const PlotsState&, int quantity);    // of the open page: some run has something to show
bool shows_quantity(const PlotsState&, int quantity);  // and it is not hidden
int main_quantity(const PlotsState&);                  // the one that stands for a run: the page's, or the first one shown; -1: none

// What a run has of a quantity.
const SampleTrack& track_of(const RunHistory::Run&, PlotPage);
int channel_of(PlotPage, const PlotQuantity&);
double factor_of(const RunHistory::Run&, PlotPage);

LineStyle style_of(const PlotsState&, const PlotQuantity&);  // in a comparison; a line alone is solid
PlotInk ink_of(const PlotsState&, int run, const PlotQuantity&);
PlotInk earlier_ink(const PlotQuantity&);
std::vector<PlotLine> page_lines(const PlotsState&);  // pointing into its history

struct TimeExtent {
    double begin = 0, end = 0;  // s
};
TimeExtent extent(const PlotsState&);                     // of all that can be shown
double possible_speed(const RunHistory::Run&, double t);  // simulated seconds per second of stepping, over the second before t; 0: unknown

}  // namespace wobble
