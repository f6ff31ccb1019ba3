#include "app/window/window_settings.h"

#include "app/window/glfw_window.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

void smooth(double& value, double now) { value = value > 0 ? value + 0.1 * (now - value) : now; }

}  // namespace

WindowSettings::Timer::~Timer() {
    smooth(milliseconds_, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count());
}

void WindowSettings::begin(UiState& ui, GlfwWindow& window) {
    WindowShape made = window.shape();
    made.x = made.y = WindowShape::anywhere;  // settings that say nothing of a place leave it to the system
    ui.interface.window = made;
    ui.interface.closed = {"WindowSettings"};  // seldom wanted; what the settings say counts
    settings_.load(ui);
    if (!(ui.interface.window == made)) window.set_shape(ui.interface.window);
    look(ui, window);
}

void WindowSettings::look(UiState& ui, GlfwWindow& window) {
    const float wanted = fixed_scale_ > 0 ? fixed_scale_ : ui.interface.scale > 0 ? ui.interface.scale : window.scale();
    ui.scale = std::clamp(wanted, 0.5f, 4.0f);
    window.set_look(ui.interface.theme, ui.scale);
}

void WindowSettings::frame(UiState& ui, GlfwWindow& window) {
    look(ui, window);
    if (ui.interface.full_screen != full_screen_) {
        window.set_full_screen(ui.interface.full_screen);
        full_screen_ = ui.interface.full_screen = window.full_screen();
    }
    ui.interface.window = window.shape();
    const double now = window.time();
    if (last_frame_ >= 0) smooth(ui.interface.timings.frame, 1e3 * (now - last_frame_));
    last_frame_ = now;
    settings_.keep(ui, now);
}

void WindowSettings::finish(UiState& ui, GlfwWindow& window) {
    ui.interface.window = window.shape();
    settings_.finish(ui);
}

}  // namespace wobble
