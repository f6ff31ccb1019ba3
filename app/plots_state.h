#pragma once
// What the plot strip shows and how; see panels/plot_panel.cpp.
#include "app/run_history.h"

#include <optional>
#include <string>
#include <utility>

namespace wobble {

struct PlotsState {
    RunHistory history;                             // energies and work of the runs, this one and earlier ones
    int page = 0;                                   // which tab is open
    bool paused = false;                            // the plots stand still while the motion goes on
    std::optional<std::pair<double, double>> zoom;  // s, the part of the time axis that is shown
    bool earlier_runs = true;                       // shown as well
    std::string message;                            // where an export went, or why it failed

    // Wishes, taken by the window once per frame.
    bool export_csv = false, export_png = false;
};

}  // namespace wobble
