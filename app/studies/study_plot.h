#pragma once
// A study's plot on ImGui's draw list: logarithmic or linear axes, legend, markers, filled regions, values under the pointer.
#include "engine/study/study.h"

namespace wobble {

// Without its title, which stands above it in the page. Draws into the next `width` x `height` of the current ImGui window.
void draw_study_plot(const Plot&, float width, float height);

}  // namespace wobble
