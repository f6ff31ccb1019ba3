#pragma once
// The controls of the last frame and where they are, for tests that press every one of them: noted by tooltip(), which every control has.
// Only kept on request (ViewerOptions::list_controls); the list travels in ImGui's user data.
#include <string>
#include <vector>

namespace wobble {

struct SeenControl {
    std::string window, tooltip;  // of ImGui; what it says
    float x0, y0, x1, y1;         // visible part, window coordinates
    bool enabled;
    bool label;  // explains and cannot be pressed
};
using SeenControls = std::vector<SeenControl>;

}  // namespace wobble
