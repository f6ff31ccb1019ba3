#include "app/window/window_events.h"

#include <GLFW/glfw3.h>

#include <cstring>
#include <utility>

namespace wobble {

namespace {

// The keys of the table in viewer/keys.h. Letters and signs by what is printed on them: GLFW's own names are those of one layout.
Key key_of(int key, int scancode) {
    static constexpr std::pair<const char*, Key> printed[] = {
        {"r", Key::r}, {"o", Key::o}, {"w", Key::w}, {"f", Key::f},    {"q", Key::q},    {"s", Key::s},    {"p", Key::p},
        {"v", Key::v}, {"t", Key::t}, {"c", Key::c}, {"+", Key::plus}, {"=", Key::plus}, {"-", Key::minus}};
    if (const char* name = glfwGetKeyName(key, scancode))
        for (const auto& [text, known] : printed)
            if (std::strcmp(name, text) == 0) return known;
    static constexpr std::pair<int, Key> named[] = {{GLFW_KEY_SPACE, Key::space},
                                                    {GLFW_KEY_RIGHT, Key::right_arrow},
                                                    {GLFW_KEY_LEFT, Key::left_arrow},
                                                    {GLFW_KEY_TAB, Key::tab},
                                                    {GLFW_KEY_F1, Key::f1},
                                                    {GLFW_KEY_F3, Key::f3},
                                                    {GLFW_KEY_F4, Key::f4},
                                                    {GLFW_KEY_F11, Key::f11},
                                                    {GLFW_KEY_ESCAPE, Key::escape},
                                                    {GLFW_KEY_KP_ADD, Key::plus},
                                                    {GLFW_KEY_KP_SUBTRACT, Key::minus}};
    for (const auto& [token, known] : named)
        if (key == token) return known;
    // A layout without Latin letters: by place.
    static constexpr std::pair<int, Key> places[] = {{GLFW_KEY_R, Key::r}, {GLFW_KEY_O, Key::o}, {GLFW_KEY_W, Key::w}, {GLFW_KEY_F, Key::f},
                                                     {GLFW_KEY_Q, Key::q}, {GLFW_KEY_S, Key::s}, {GLFW_KEY_P, Key::p}, {GLFW_KEY_V, Key::v},
                                                     {GLFW_KEY_T, Key::t}, {GLFW_KEY_C, Key::c}};
    const char* name = glfwGetKeyName(key, scancode);
    const bool latin = name && static_cast<unsigned char>(name[0]) < 0x80;
    for (const auto& [token, known] : places)
        if (!latin && key == token) return known;
    return Key::other;
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
    glfwSetKeyCallback(glfw_window, [](GLFWwindow* window, int key, int scancode, int action, int modifiers) {
        if (action != GLFW_RELEASE)
            of(window).events_.emplace_back(KeyPress{key_of(key, scancode), (modifiers & GLFW_MOD_CONTROL) != 0, action == GLFW_REPEAT});
    });
    glfwSetDropCallback(glfw_window, [](GLFWwindow* window, int count, const char** paths) {
        if (count > 0) of(window).events_.emplace_back(FileDrop{paths[0]});
    });
}

}  // namespace wobble
