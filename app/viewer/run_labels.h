#pragma once
// Which run of a comparison is which, in films: method, step and energy error in the corner of its cell, with the run's colour. The
// window's own labels (panels/compare_panel.cpp) also give what matters during the run: speeds, distances, failures.
#include "app/viewer/layout.h"
#include "app/viewer/legend.h"
#include "engine/sim/snapshot.h"

#include <memory>
#include <span>

namespace wobble {

struct RunLabelOptions {
    Layout layout = Layout::side_by_side;
    int active = -1;        // the one the panels speak of; -1: all alike
    std::vector<bool> out;  // those that stopped and were left behind
};
// Empty for a single run.
Legend run_labels(std::span<const std::shared_ptr<const Snapshot>>, const ViewRect& view, const RunLabelOptions&, const LegendStyle&);

}  // namespace wobble
