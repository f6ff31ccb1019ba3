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
    float x_ = 0, y_ = 0;  // of the pointer as of the last event: asking GLFW would tell where it is by now, after a quick drag
};

}  // namespace wobble
