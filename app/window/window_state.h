#pragma once
// How the window looks: what is remembered between starts (see settings.h), and what the timings overlay shows.
#include "engine/scene/softness.h"

#include <future>
#include <memory>
#include <set>
#include <string>

namespace wobble {

enum class Theme { dark, light };

struct WindowShape {  // screen coordinates; of the window when it is neither maximised nor full screen
    int width = 1280, height = 800;
    bool maximised = false;
    static constexpr int anywhere = -100000;
    int x = anywhere, y = anywhere;  // of its upper left corner; anywhere: where the system puts it
    bool operator==(const WindowShape&) const = default;
};

struct WindowState {
    Theme theme = Theme::dark;
    float scale = 0;                             // of text and distances; 0: from the display
    float side_width = 312, strip_height = 190;  // at scale 1
    std::set<std::string> closed;                // sections of the side panel
    WindowShape window;
    bool full_screen = false;
    bool show_timings = false;
    std::string message;  // what was wrong with the settings file, or why it cannot be written

    std::string method_filter;                         // typed in the integrator chooser
    std::string banner;                                // the simulation's message being shown, and since when
    double banner_since = 0;                           // s, ImGui's time
    std::shared_ptr<const LoadedScene> measured_body;  // whose springs were looked at for the material presets
    int measured_number = 0;                           // which of its bodies
    double modulus_per_stiffness = 0;                  // 1/m, of it
    MeasuredWobble wobble;                             // of the selected body
    std::shared_future<MeasuredWobble> measuring;      // on a thread of its own; not valid: none under way

    struct Timings {  // of the last frames; ms
        double frame = 0, picture = 0, panels = 0, present = 0, step = 0;
        double start = -1;  // s, from the start of the program to the first picture
        double megabytes = 0;
        double read_at = -1;  // s, ImGui's time, of the memory
    } timings;
};

}  // namespace wobble
