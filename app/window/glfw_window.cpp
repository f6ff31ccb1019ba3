#include "app/window/glfw_window.h"

#include "app/window/theme.h"
#include "app/window/window_place.h"

#include <GLFW/glfw3.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

std::string last_reason() {
    const char* reason = nullptr;
    return glfwGetError(&reason) != GLFW_NO_ERROR && reason ? std::string(" (") + reason + ")" : "";
}

constexpr const char* record_instead = "; use `app/run record SCENE --out wobble.mp4` instead, which needs no window.";

}  // namespace

Result<std::unique_ptr<GlfwWindow>> GlfwWindow::make(const std::string& title, int width, int height) {
    if (!glfwInit()) return Error{"There is no display to open a window on" + last_reason() + record_instead};
    std::unique_ptr<GlfwWindow> self(new GlfwWindow);  // from here on its destructor cleans up
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    self->window_ = glfwCreateWindow(std::clamp(width, 200, 16384), std::clamp(height, 150, 16384), title.c_str(), nullptr, nullptr);
    if (!self->window_) return Error{"Cannot open a window with OpenGL 3.3" + last_reason() + record_instead};
    glfwMakeContextCurrent(self->window_);
    if (!gladLoadGL(glfwGetProcAddress)) return Error{std::string("The OpenGL functions cannot be loaded") + record_instead};
    glfwSwapInterval(1);
    self->events_ = std::make_unique<WindowEvents>(self->window_);
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // leaves no files behind
    ImGui::GetIO().LogFilename = nullptr;
    glfwGetWindowPos(self->window_, &self->windowed_.x, &self->windowed_.y);
    glfwGetWindowSize(self->window_, &self->windowed_.width, &self->windowed_.height);
    self->look_ = self->wanted_look_ = {Theme::dark, self->scale()};
    apply_theme(self->look_.theme, self->look_.scale);
    self->panels_ready_ = ImGui_ImplGlfw_InitForOpenGL(self->window_, true) && ImGui_ImplOpenGL3_Init("#version 330 core");
    if (!self->panels_ready_) return Error{std::string("The panels cannot be drawn with this OpenGL") + record_instead};
    return self;
}

GlfwWindow::~GlfwWindow() {
    if (panels_ready_) {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
    }
    if (ImGui::GetCurrentContext()) ImGui::DestroyContext();
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
}

std::vector<InputEvent> GlfwWindow::wait_for_frame(double seconds) {
    glfwPollEvents();
    std::vector<InputEvent> events = events_->take();
    constexpr double display_frame = 1.0 / 60;
    while (true) {
        const double left = last_frame_ + (events.empty() ? seconds : display_frame) - glfwGetTime();
        if (left <= 0) break;
        glfwWaitEventsTimeout(left);
        for (InputEvent& event : events_->take()) events.push_back(std::move(event));
    }
    last_frame_ = glfwGetTime();
    return events;
}

void GlfwWindow::set_look(Theme theme, float scale) { wanted_look_ = {theme, std::isfinite(scale) ? std::clamp(scale, 0.5f, 4.0f) : 1}; }

void GlfwWindow::begin_panels() {
    if (!(wanted_look_ == look_)) {
        look_ = wanted_look_;
        apply_theme(look_.theme, look_.scale);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    if (!glfwGetWindowMonitor(window_) && !glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) && !glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) {
        glfwGetWindowPos(window_, &windowed_.x, &windowed_.y);
        glfwGetWindowSize(window_, &windowed_.width, &windowed_.height);
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    const auto& background = theme_colours().background;
    glClearColor(background[0], background[1], background[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

void GlfwWindow::end_panels() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void GlfwWindow::finish_drawing() { glFinish(); }

void GlfwWindow::present() { glfwSwapBuffers(window_); }

std::pair<int, int> GlfwWindow::size() const {
    int width = 1, height = 1;
    glfwGetWindowSize(window_, &width, &height);
    return {std::max(1, width), std::max(1, height)};
}

float GlfwWindow::pixels_per_unit() const {
    int pixels = 0, ignored = 0;
    glfwGetFramebufferSize(window_, &pixels, &ignored);
    return pixels > 0 ? static_cast<float>(pixels) / static_cast<float>(size().first) : 1;
}

float GlfwWindow::scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(std::max(x, y) / pixels_per_unit(), 1.0f, 4.0f);
}

WindowShape GlfwWindow::shape() const {
    return {std::max(1, windowed_.width), std::max(1, windowed_.height), glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0, windowed_.x,
            windowed_.y};
}

void GlfwWindow::set_shape(const WindowShape& wanted) {
    std::vector<ScreenArea> screens;
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);  // the primary one first
    for (int i = 0; i < count; ++i) {
        ScreenArea area;
        glfwGetMonitorWorkarea(monitors[i], &area.x, &area.y, &area.width, &area.height);
        if (area.width > 0 && area.height > 0) screens.push_back(area);
    }
    const WindowShape shape = visible_shape(wanted, screens);
    glfwSetWindowSize(window_, std::clamp(shape.width, 200, 16384), std::clamp(shape.height, 150, 16384));
    if (shape.x != WindowShape::anywhere && shape.y != WindowShape::anywhere) glfwSetWindowPos(window_, shape.x, shape.y);
    if (shape.maximised) glfwMaximizeWindow(window_);
}

bool GlfwWindow::full_screen() const { return glfwGetWindowMonitor(window_) != nullptr; }

void GlfwWindow::set_full_screen(bool wanted) {
    if (wanted == full_screen()) return;
    if (!wanted) return glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.width, windowed_.height, GLFW_DONT_CARE);
    int count = 0, x = 0, y = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    const auto [width, height] = size();
    glfwGetWindowPos(window_, &x, &y);
    GLFWmonitor* best = nullptr;
    long most = -1;
    for (int i = 0; i < count; ++i) {  // the one with most of the window on it
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (!mode) continue;
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const long common_x = std::max(0, std::min(x + width, left + mode->width) - std::max(x, left));
        const long common_y = std::max(0, std::min(y + height, top + mode->height) - std::max(y, top));
        if (common_x * common_y > most) most = common_x * common_y, best = monitors[i];
    }
    if (!best) return;
    const GLFWvidmode* mode = glfwGetVideoMode(best);
    glfwSetWindowMonitor(window_, best, 0, 0, mode->width, mode->height, mode->refreshRate);
}

double GlfwWindow::display_frame() const {
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    return 1.0 / (mode && mode->refreshRate > 0 ? mode->refreshRate : 60);
}

double GlfwWindow::time() const { return glfwGetTime(); }

void GlfwWindow::show() { glfwShowWindow(window_); }

bool GlfwWindow::take_close() {
    const bool asked = glfwWindowShouldClose(window_) != 0;
    glfwSetWindowShouldClose(window_, GLFW_FALSE);
    return asked;
}

void GlfwWindow::hide() {
    set_full_screen(false);  // GLFW hides no window that has a monitor
    glfwHideWindow(window_);
    glfwPollEvents();  // sends it on its way
}

Image GlfwWindow::read() const {
    int width = 1, height = 1;
    glfwGetFramebufferSize(window_, &width, &height);
    Image image(std::max(1, width), std::max(1, height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glReadBuffer(GL_BACK);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
    image.flip();
    return image;
}

}  // namespace wobble
