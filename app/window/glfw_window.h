#pragma once
// A window with OpenGL 3.3 and ImGui in it. Main thread only, one at a time (GLFW and ImGui keep their state per process).
#include "app/record/image.h"
#include "app/viewer/input.h"
#include "app/window/window_events.h"
#include "app/window/window_state.h"
#include "engine/core/result.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wobble {

class GlfwWindow {
public:
    static Result<std::unique_ptr<GlfwWindow>> make(const std::string& title, int width, int height);  // context is current afterwards
    ~GlfwWindow();
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;

    // Sleeps until `seconds` after the last frame or, if that is more than a display's frame away, until something happens.
    std::vector<InputEvent> wait_for_frame(double seconds);
    void begin_panels();
    void end_panels();
    void finish_drawing();  // waits until all drawing asked for so far is done; not for the display, as present() may
    void present();

    std::pair<int, int> size() const;  // screen coordinates
    float pixels_per_unit() const;     // framebuffer pixels per screen coordinate
    float scale() const;               // size of text and distances that the display asks for; changes with the monitor
    double time() const;               // s, since the start
    double display_frame() const;      // s, from one picture of the display to the next
    void show();                       // until then it is made, but not seen
    bool take_close();                 // it was asked to close since the last call
    void hide();                       // gone for the user, while what was begun comes to its end

    void set_look(Theme, float scale);  // from the next frame on
    WindowShape shape() const;          // to come back to at the next start
    void set_shape(const WindowShape&);
    void set_full_screen(bool);  // on the monitor the window is on
    bool full_screen() const;
    Image read() const;  // the frame drawn so far

private:
    GlfwWindow() = default;
    GLFWwindow* window_ = nullptr;
    std::unique_ptr<WindowEvents> events_;
    bool panels_ready_ = false;
    double last_frame_ = 0;
    struct Look {
        Theme theme = Theme::dark;
        float scale = 1;
        bool operator==(const Look&) const = default;
    } look_, wanted_look_;
    struct Place {
        int x = 0, y = 0, width = 1280, height = 800;
    } windowed_;  // before it went full screen, or was maximised
};

}  // namespace wobble
