#pragma once
// GLFW's callbacks of one window, collected in order. Install before ImGui's back end, which passes everything on to them.
#include "app/viewer/input.h"

#include <utility>
#include <vector>

struct GLFWwindow;

namespace wobble {

class WindowEvents {
public:
    explicit WindowEvents(GLFWwindow*);  // takes the window's user pointer; must outlive the window's last event
    WindowEvents(const WindowEvents&) = delete;
    WindowEvents& operator=(const WindowEvents&) = delete;
    std::vector<InputEvent> take() { return std::exchange(events_, {}); }

private:
    static WindowEvents& of(GLFWwindow*);
    std::vector<InputEvent> events_;
};

}  // namespace wobble
