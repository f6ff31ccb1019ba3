#include "app/window.h"

#include "app/glfw_window.h"
#include "app/panels/panels.h"
#include "app/scene_loader.h"
#include "app/study_runner.h"
#include "app/viewer/renderer.h"
#include "engine/core/spelling.h"
#include "engine/sim/simulation.h"
#include "engine/study/write.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

struct ViewerApp::Implementation {
    std::unique_ptr<GlfwWindow> window;  // first: its OpenGL context outlives the renderer
    std::unique_ptr<Renderer> renderer;
    Simulation simulation;
    SceneLoader loader;
    StudyRunner study;
    Input input;
    UiState ui;
    std::function<bool()> should_stop;
    PostCommand post = [this](Command command) { simulation.post(std::move(command)); };

    struct Drawn {  // what the renderer's picture shows; drawn again only when this changes
        std::shared_ptr<const Snapshot> snapshot;
        Camera camera;
        ViewOptions view;
        int width = 0, height = 0;
        bool operator==(const Drawn&) const = default;
    } drawn;
    std::shared_ptr<const SurfaceTopology> framed;  // the body the camera was set up for
    bool keep_camera = false;                       // the next body is the same one, built anew
    double counted_since = 0;                       // s, window time
    std::uint64_t counted_step = 0;
    int counted_frames = 0;
    double last_change = 0;    // s, window time: when something was last to be seen
    bool slow_motion = false;  // drawing takes so long that motion is no longer smooth

    Implementation(std::unique_ptr<GlfwWindow> w, std::unique_ptr<Renderer> r, std::shared_ptr<const LoadedScene> scene,
                   const ViewerOptions& options)
        : window(std::move(w)), renderer(std::move(r)), simulation(std::move(scene), options.threads), should_stop(options.should_stop) {
        ui.scale = window->scale();
        if (options.play) simulation.post(Play{});
    }

    Viewport viewport() const {
        const auto [width, height] = window->size();
        const PanelSizes sizes = panel_sizes(ui, static_cast<float>(width), static_cast<float>(height));
        const int left = static_cast<int>(sizes.side), bottom = static_cast<int>(sizes.strip + sizes.status);
        return {left, 0, std::max(1, width - left), std::max(1, height - bottom)};
    }

    void take_wishes(const Snapshot& snapshot);
    void take_loaded_scene();
    void take_study();
    void count(const Snapshot& snapshot);
    void draw_panels(const Snapshot& snapshot);
    void draw_picture(const std::shared_ptr<const Snapshot>& snapshot);
    bool frame(Image* whole_window);
};

// The frame loop: newest snapshot, input, panels post commands, picture.
bool ViewerApp::Implementation::frame(Image* whole_window) {
    const bool lively = window->time() - last_change < 0.5 || loader.busy() || study.busy();
    const std::vector<InputEvent> events = window->wait_for_frame(lively ? 1.0 / 60 : 1.0 / 10);
    const std::shared_ptr<const Snapshot> snapshot = simulation.latest();
    if (!events.empty() || snapshot != drawn.snapshot) last_change = window->time();
    for (const EnergySample& sample : simulation.take_trace()) ui.plots.history.add(sample);
    count(*snapshot);
    take_loaded_scene();
    take_study();

    window->begin_panels();
    const ImGuiIO& io = ImGui::GetIO();
    input.handle(events, {io.WantCaptureMouse && !input.dragging(), io.WantTextInput}, viewport(), *snapshot, ui, post);
    draw_panels(*snapshot);
    take_wishes(*snapshot);
    draw_picture(snapshot);
    window->end_panels();
    if (whole_window) *whole_window = window->read();
    window->present();
    return !window->wants_close() && !ui.quit && !(should_stop && should_stop());
}

void ViewerApp::Implementation::draw_panels(const Snapshot& snapshot) {
    if (ui.show_ui) {
        side_panel(snapshot, ui, post);
        plot_panel(snapshot, ui, post);
        status_bar(snapshot, ui, post);
    }
    message_banner(snapshot, ui, post);
    studies_panel(snapshot, ui, post);
    help_overlay(snapshot, ui, post);
    open_dialog(snapshot, ui, post);
}

void ViewerApp::Implementation::take_wishes(const Snapshot& snapshot) {
    if (snapshot.surface && framed != snapshot.surface) {
        ui.frame_body = ui.frame_body || !std::exchange(keep_camera, false);
        framed = snapshot.surface;
    }
    if (std::exchange(ui.frame_body, false) && snapshot.surface)
        ui.camera = make_camera(snapshot.scene ? snapshot.scene->scene.camera : CameraView{}, snapshot.surface->rest_box);
    if (const auto name = std::exchange(ui.open, std::nullopt)) {
        keep_camera = false;
        loader.start(*name);
    }
    if (auto scene = std::exchange(ui.rebuild, std::nullopt)) {
        keep_camera = true;
        loader.start(std::move(*scene));
    }
    if (std::exchange(ui.cancel_loading, false)) loader.cancel();
}

void ViewerApp::Implementation::take_loaded_scene() {
    if (auto loaded = loader.poll()) {
        if (*loaded) simulation.post(Load{std::move(*loaded).value()});
        ui.loading.error = *loaded ? "" : loaded->message();  // the running scene stays as it is
    }
    loader.show(ui.loading);
}

void ViewerApp::Implementation::take_study() {
    StudiesPage& page = ui.studies;
    if (std::exchange(page.cancel, false)) study.cancel();
    if (auto options = std::exchange(page.start, std::nullopt); options && page.started) {
        page.message.clear();
        study.start(*page.started, std::move(*options));
    }
    if (auto outcome = study.poll()) {
        if (*outcome) {
            page.result = std::make_shared<const StudyResult>(std::move(*outcome).value());
            page.plot = 0;
            page.folder = std::string("study-") + page.started->id;
        } else {
            page.message = outcome->message();
        }
    }
    if (std::exchange(page.save, false) && page.result) {
        const auto written = write_study(*page.result, page.folder);
        page.message = written ? std::to_string(written.value().size()) + " files are in " + in_quotes(page.folder) + "." : written.message();
    }
    page.running = study.busy();
    page.stage = study.stage();
    page.fraction = study.fraction();
}

void ViewerApp::Implementation::count(const Snapshot& snapshot) {
    ++counted_frames;
    const double now = window->time(), elapsed = now - counted_since;
    if (elapsed < 0.5) return;
    ui.frames_per_second = counted_frames / elapsed;
    const bool moving = now - last_change < 0.3;
    if (moving) slow_motion = ui.frames_per_second < (slow_motion ? 45 : 24);
    ui.steps_per_second = snapshot.step > counted_step ? static_cast<double>(snapshot.step - counted_step) / elapsed : 0;
    counted_since = now;
    counted_step = snapshot.step;
    counted_frames = 0;
}

void ViewerApp::Implementation::draw_picture(const std::shared_ptr<const Snapshot>& snapshot) {
    const Viewport view = viewport();
    const float pixels = window->pixels_per_unit();
    const auto to_pixels = [&](int v) { return static_cast<int>(std::lround(static_cast<float>(v) * pixels)); };
    ViewOptions options = ui.view;
    if (slow_motion && window->time() - last_change < 0.3) options.samples = 1;  // smooth edges come when it rests
    const Drawn wanted{snapshot, ui.camera, options, std::max(1, to_pixels(view.width)), std::max(1, to_pixels(view.height))};
    if (!(wanted == drawn)) {
        if (auto done = renderer->draw(*snapshot, ui.camera, options, wanted.width, wanted.height); !done)
            ui.loading.error = done.message();
        drawn = wanted;
    }
    const auto [width, height] = window->size();
    renderer->show(to_pixels(view.x), to_pixels(height - view.y - view.height));
}

ViewerApp::ViewerApp(std::unique_ptr<Implementation> self) : self_(std::move(self)) {}
ViewerApp::~ViewerApp() = default;

Result<std::unique_ptr<ViewerApp>> ViewerApp::make(std::shared_ptr<const LoadedScene> scene, const ViewerOptions& options) {
    auto window = GlfwWindow::make("Wobble", options.width, options.height);
    if (!window) return window.error();
    auto renderer = Renderer::make();
    if (!renderer) return renderer.error();
    return std::unique_ptr<ViewerApp>(
        new ViewerApp(std::make_unique<Implementation>(std::move(window).value(), std::move(renderer).value(), std::move(scene), options)));
}

bool ViewerApp::frame(Image* whole_window) { return self_->frame(whole_window); }
const UiState& ViewerApp::ui() const { return self_->ui; }
Viewport ViewerApp::viewport() const { return self_->viewport(); }
std::shared_ptr<const Snapshot> ViewerApp::latest() const { return self_->simulation.latest(); }
void ViewerApp::open(const std::string& name_or_file) { self_->ui.open = name_or_file; }

int run_viewer(std::shared_ptr<const LoadedScene> scene, const ViewerOptions& options) {
    auto app = ViewerApp::make(std::move(scene), options);
    if (!app) return std::fprintf(stderr, "%s\n", app.message().c_str()), 2;
    while (app.value()->frame()) {
    }
    return 0;
}

}  // namespace wobble
