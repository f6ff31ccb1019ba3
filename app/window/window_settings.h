#pragma once
// Between the window and the panels: the settings, the scale and theme, full screen, and the times of the timings overlay.
#include "app/window/settings.h"

#include <chrono>

namespace wobble {

class GlfwWindow;

class WindowSettings {
public:
    // Reads the settings. scale: of text and distances, whatever they say; 0: what they say.
    WindowSettings(std::filesystem::path settings_file, double scale)
        : settings_(std::move(settings_file)), fixed_scale_(static_cast<float>(scale)) {}

    void begin(UiState&, GlfwWindow&);   // once, before the first frame
    void frame(UiState&, GlfwWindow&);   // at the beginning of every frame, before begin_panels
    void finish(UiState&, GlfwWindow&);  // once, after the last

    // How long the parts of a frame take, smoothed: call before and after.
    class Timer {
    public:
        explicit Timer(double& milliseconds) : milliseconds_(milliseconds) {}
        ~Timer();
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;

    private:
        double& milliseconds_;
        std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    };

private:
    void look(UiState&, GlfwWindow&);
    SettingsKeeper settings_;
    float fixed_scale_ = 0;
    bool full_screen_ = false;
    double last_frame_ = -1;  // s, window time
};

}  // namespace wobble
