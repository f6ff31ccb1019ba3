#pragma once
// What the plot strip shows and how; see panels/plot_panel.cpp.
#include "app/plots/run_history.h"
#include "app/plots/time_view.h"
#include "app/plots/value_view.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace wobble {

enum class PlotPage { energy, drift, work, timing, difference, count };

struct PlotRect {
    float x = 0, y = 0, width = 0, height = 0;  // screen coordinates of the window
};

struct PageView {  // bits: one per quantity or run, set if it is hidden
    bool logarithmic = false;
    std::uint32_t hidden = 0, hidden_comparing = 0, hidden_runs = 0;
    ValueView values = {};
};

struct PlotsState {
    RunHistory history;  // energies and work of the runs, this one and earlier ones
    PlotPage page = PlotPage::energy;
    // A comparison begins with few lines per run: kinetic and total energy, the error itself.
    std::array<PageView, static_cast<std::size_t>(PlotPage::count)> views{{{.hidden_comparing = 0b011110}, {.hidden_comparing = 0b10}}};
    TimeView time;
    TimeRange shown;           // what it came to in the last frame
    bool paused = false;       // the plots stand still while the motion goes on
    double paused_at = 0;      // s, simulated, the last that is shown then
    bool earlier_runs = true;  // shown as well
    double drag_from = -1;     // s, where a drag over the plot began; negative: none
    std::string body;          // name of the scene the history is of
    std::string message;       // where an export went, or why it failed
    bool exporting = false;
    PlotRect rect;             // where the strip is, for pictures of it
    double panel_seconds = 0;  // what drawing the strip takes, smoothed

    // Wishes, taken by the window once per frame.
    bool export_csv = false, export_svg = false, export_png = false;
};

}  // namespace wobble
