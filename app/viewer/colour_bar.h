#pragma once
// The scale of the colours on the body, over the 3D view: bar, ticks, name and unit, and how many of the values are where.
#include "app/viewer/colour_map.h"
#include "app/viewer/layout.h"
#include "app/viewer/legend.h"

namespace wobble {

// In the upper right corner of the view. Empty if there are no colours or no room.
Legend colour_bar(const ColourScale&, const ViewRect& view, const LegendStyle&);

}  // namespace wobble
