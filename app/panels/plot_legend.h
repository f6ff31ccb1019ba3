#pragma once
// The legend of the plot strip: what is drawn how, its present value; a click hides or shows it.
#include "app/plots/plots_state.h"

namespace wobble {

float legend_width();
void plot_legend(PlotsState&, double t, float height);  // values at simulated time t

}  // namespace wobble
