#pragma once
// A window that is remembered comes back where it can be seen and taken hold of, whatever became of the monitors.
#include "app/window/window_state.h"

#include <span>

namespace wobble {

struct ScreenArea {  // of a monitor, without its bars; screen coordinates
    int x = 0, y = 0, width = 0, height = 0;
};

// The shape as it is if its upper edge is well on one of the screens, else as much of it as fits in the middle of the first.
WindowShape visible_shape(WindowShape, std::span<const ScreenArea>);

}  // namespace wobble
