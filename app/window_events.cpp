#include "app/window_events.h"

#include <GLFW/glfw3.h>

namespace wobble {

namespace {

Key key_of(int key) {
    switch (key) {
        case GLFW_KEY_SPACE:
            return Key::space;
        case GLFW_KEY_RIGHT:
            return Key::right_arrow;
        case GLFW_KEY_R:
            return Key::r;
        case GLFW_KEY_O:
            return Key::o;
        case GLFW_KEY_W:
            return Key::w;
        case GLFW_KEY_F:
            return Key::f;
        case GLFW_KEY_Q:
            return Key::q;
        case GLFW_KEY_TAB:
            return Key::tab;
        case GLFW_KEY_F1:
            return Key::f1;
        case GLFW_KEY_F4:
            return Key::f4;
        case GLFW_KEY_EQUAL:
        case GLFW_KEY_KP_ADD:
            return Key::plus;
        case GLFW_KEY_MINUS:
        case GLFW_KEY_KP_SUBTRACT:
            return Key::minus;
        case GLFW_KEY_ESCAPE:
            return Key::escape;
        default:
            return Key::other;
    }
}

Button button_of(int button) {
    return button == GLFW_MOUSE_BUTTON_LEFT ? Button::left : button == GLFW_MOUSE_BUTTON_RIGHT ? Button::right : Button::middle;
}

}  // namespace

WindowEvents& WindowEvents::of(GLFWwindow* window) { return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window)); }

WindowEvents::WindowEvents(GLFWwindow* glfw_window) {
    glfwSetWindowUserPointer(glfw_window, this);
    double start_x = 0, start_y = 0;
    glfwGetCursorPos(glfw_window, &start_x, &start_y);
    x_ = static_cast<float>(start_x);
    y_ = static_cast<float>(start_y);
    glfwSetMouseButtonCallback(glfw_window, [](GLFWwindow* window, int button, int action, int modifiers) {
        if (action == GLFW_PRESS)
            of(window).events_.emplace_back(MousePress{button_of(button), (modifiers & GLFW_MOD_CONTROL) != 0,
                                                       (modifiers & GLFW_MOD_SHIFT) != 0, of(window).x_, of(window).y_, glfwGetTime()});
        else of(window).events_.emplace_back(MouseRelease{button_of(button)});
    });
    glfwSetCursorPosCallback(glfw_window, [](GLFWwindow* window, double x, double y) {
        WindowEvents& self = of(window);
        self.x_ = static_cast<float>(x);
        self.y_ = static_cast<float>(y);
        self.events_.emplace_back(MouseMove{self.x_, self.y_});
    });
    glfwSetScrollCallback(glfw_window,
                          [](GLFWwindow* window, double, double y) { of(window).events_.emplace_back(MouseWheel{static_cast<float>(y)}); });
    glfwSetKeyCallback(glfw_window, [](GLFWwindow* window, int key, int, int action, int modifiers) {
        if (action != GLFW_RELEASE)
            of(window).events_.emplace_back(KeyPress{key_of(key), (modifiers & GLFW_MOD_CONTROL) != 0, action == GLFW_REPEAT});
    });
    glfwSetDropCallback(glfw_window, [](GLFWwindow* window, int count, const char** paths) {
        if (count > 0) of(window).events_.emplace_back(FileDrop{paths[0]});
    });
}

}  // namespace wobble
