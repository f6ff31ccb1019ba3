#pragma once
// The scale of the colours on the body, over the 3D view: bar, ticks, name and unit, and how many of the values are where.
#include "app/viewer/colour_map.h"

#include <imgui.h>

namespace wobble {

// In the upper right corner of the view between `low` and `high`, in ImGui's units. Nothing if there are no colours or no room.
void draw_colour_bar(ImDrawList&, const ColourScale&, ImVec2 low, ImVec2 high);

}  // namespace wobble
