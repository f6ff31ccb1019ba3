#include "app/window/window.h"

#include "app/panels/panels.h"
#include "app/plots/plot_export.h"
#include "app/record/record_controller.h"
#include "app/runs/simulation_group.h"
#include "app/scene/scene_controller.h"
#include "app/scene/scene_loader.h"
#include "app/studies/study_runner.h"
#include "app/viewer/colour_bar.h"
#include "app/window/glfw_window.h"
#include "app/window/process_age.h"
#include "app/window/viewport.h"
#include "app/window/window_settings.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

// The run that holds up the others: slower than real time, and much slower than the second slowest.
void find_bottleneck(std::vector<CompareState::Run>& runs) {
    double slowest = 0, second = 0;
    for (const CompareState::Run& run : runs)
        if (const double cost = run.out ? 0 : run.cost(); cost > slowest) second = std::exchange(slowest, cost);
        else second = std::max(second, cost);
    for (CompareState::Run& run : runs) run.brake = !run.out && run.cost() == slowest && slowest > 1 && second > 0 && slowest > 3 * second;
}

}  // namespace

struct ViewerApp::Implementation {
    std::unique_ptr<GlfwWindow> window;  // first: its OpenGL context outlives the renderer
    std::unique_ptr<Viewport> stage;
    SimulationGroup runs;
    RecordController record;
    PlotExporter plot_exporter;
    SceneLoader loader;
    SceneController scenes;
    StudyRunner study;
    WindowSettings interface;
    DataRequest data;
    Input input;
    UiState ui;
    SeenControls controls;
    std::function<void()> ready;
    std::function<int()> should_stop;
    PostCommand post = [this](Command command) { runs.post(std::move(command), ui.compare.active); };

    FrameBarrier::Set shown;                    // in this frame: one state per run, of the same simulated time
    std::shared_ptr<const LoadedScene> framed;  // the body the camera was set up for
    bool keep_camera = false;                   // the next body is the same one, built anew
    double counted_since = 0;                   // s, window time
    std::uint64_t counted_step = 0;
    int counted_frames = 0;
    double last_change = 0;  // s, window time: when something was last to be seen
    DetailChooser detail;
    int stops_seen = 0;    // of should_stop()
    bool gone = false;     // its settings are kept, the window is hidden
    bool awaited = false;  // the window closes when the recording under way is complete

    Implementation(std::unique_ptr<GlfwWindow> w, std::unique_ptr<Viewport> s, std::shared_ptr<const LoadedScene> scene,
                   const ViewerOptions& options)
        : window(std::move(w)),
          stage(std::move(s)),
          runs(std::move(scene), options.threads),
          interface(options.settings_file, options.scale),
          ready(options.ready),
          should_stop(options.should_stop) {
        interface.begin(ui, *window);
        if (options.list_controls) ImGui::GetIO().UserData = &controls;
        if (options.play) runs.post(Play{});
        if (options.open) open_scene(*options.open, options);
        window->show();
    }
    ~Implementation() { close(); }  // a long step or a disk may take a moment to give up
    void close() {
        if (std::exchange(gone, true)) return;
        interface.finish(ui, *window);  // while there is a window: a hidden one is no longer maximised
        window->hide();
    }

    ViewRect viewport() const {
        const auto [width, height] = window->size();
        const PanelSizes sizes = panel_sizes(ui, static_cast<float>(width), static_cast<float>(height));
        const int left = static_cast<int>(sizes.side), bottom = static_cast<int>(sizes.strip + sizes.status);
        return {left, 0, std::max(1, width - left), std::max(1, height - bottom)};
    }

    // The part of the 3D view that belongs to the active run.
    ViewRect active_cell() const {
        const auto all = cells(ui.compare.layout, runs.count(), viewport());
        return all[static_cast<std::size_t>(ui.compare.active)];
    }
    const Snapshot& now() const { return *shown[static_cast<std::size_t>(ui.compare.active)]; }  // what panels and input mean

    void open_scene(Scene, const ViewerOptions&);
    void take_states(bool events);
    void take_wishes();
    void take_comparison();
    void take_loaded_scene();
    void choose_cell(const std::vector<InputEvent>&);
    void count();
    void draw_panels();
    std::optional<PictureDetail> draw_picture(bool to_keep);
    std::vector<FilmLook::Run> film_runs() const;
    Image screenshot() const;
    bool leave();
    bool frame(Image* whole_window);
};

// The frame loop: newest states, input, panels post commands, picture.
bool ViewerApp::Implementation::frame(Image* whole_window) {
    const bool running = !shown.empty() && now().running;
    const bool lively = running || window->time() - last_change < 0.5 || loader.busy() || study.busy() || record.busy();
    const std::vector<InputEvent> events = window->wait_for_frame(lively ? 1.0 / 60 : 1.0 / 10);
    take_comparison();
    take_states(!events.empty());
    count();
    take_loaded_scene();
    scenes.frame(now(), ui, loader, window->time());
    study.frame(ui.studies);

    interface.frame(ui, *window);
    window->begin_panels();
    controls.clear();
    const ImGuiIO& io = ImGui::GetIO();
    if (!io.WantCaptureMouse) choose_cell(events);
    input.handle(events, {io.WantCaptureMouse && !input.dragging(), io.WantTextInput}, active_cell(), now(), ui, post);
    if (!events.empty() && record.ui_frame_wanted().empty()) shown = runs.shown();  // what they did is seen at once
    {
        const WindowSettings::Timer timer(ui.interface.timings.panels);
        draw_panels();
    }
    take_wishes();
    const bool to_keep = whole_window || ui.record.screenshot || !record.ui_frame_wanted().empty();  // drawn at full quality
    window->finish_drawing();  // the display's own pace is no work of this frame: neither before the picture nor after it
    const double drawing_since = window->time();
    const std::optional<PictureDetail> drawn = draw_picture(to_keep);
    window->end_panels();
    {
        const WindowSettings::Timer timer(ui.interface.timings.present);
        if (drawn) window->finish_drawing();
        if (drawn && !to_keep) detail.drawn(*drawn, window->time() - drawing_since, window->display_frame());
        if (record.ui_frame_wanted() == shown) record.add_ui_frame(window->read());  // it may have come only after this frame began
        if (std::exchange(ui.record.screenshot, false)) record.keep_screenshot(screenshot());
        plot_exporter.frame(
            ui.plots, [&] { return window->read(); }, window->pixels_per_unit());
        if (whole_window) *whole_window = window->read();
        window->present();
    }
    if (drawn && ready) std::exchange(ready, nullptr)();
    if (drawn && ui.interface.timings.start < 0) ui.interface.timings.start = seconds_since_start();
    const bool goes_on = !leave();
    if (!goes_on) close();  // the window closes before the engine finishes
    return goes_on;
}

// The first wish to close the window lets a recording come to its end, which goes on being shown; the second one abandons it.
bool ViewerApp::Implementation::leave() {
    const int stops = should_stop ? should_stop() : 0;
    const bool signalled = stops > std::exchange(stops_seen, stops);
    const bool closed = window->take_close(), quit = std::exchange(ui.quit, false);
    if (closed || quit || signalled) {
        if (ui.leaving || stops > 1) return record.abandon(), true;
        ui.leaving = true;
        awaited = record.busy();
        if (awaited) post(Pause{});  // all of the computer for the film
        record.leave();
    }
    if (!ui.leaving || record.busy()) return false;
    if (std::exchange(awaited, false) && ui.record.failed) {
        if (stops_seen > 0) std::fprintf(stderr, "wobble: %s\n", ui.record.message.c_str());
        else ui.leaving = false;  // the sentence is worth reading
    }
    return ui.leaving;
}

// The scene of the command line: what that leaves open is as it was the last time.
void ViewerApp::Implementation::open_scene(Scene scene, const ViewerOptions& options) {
    const auto before = options.mesh_chosen ? std::nullopt : remembered(ui.scene.imports, file_of(scene));
    if (options.fit_opened && before) apply(*before, scene);
    if (options.fit_opened && !(before && before->resolution)) loader.start(SceneLoader::Mesh{std::move(scene)});
    else loader.start(std::move(scene));
}

// What this frame shows, and what happened since the last one.
void ViewerApp::Implementation::take_states(bool events) {
    auto wanted = record.ui_frame_wanted();  // a film with the panels shows its own states, one after the other
    if (wanted.size() != static_cast<std::size_t>(runs.count())) wanted = runs.shown();
    if (events || wanted != shown) last_change = window->time();
    shown = std::move(wanted);
    RunHistory& history = ui.plots.history;
    history.set_runs(runs.count());
    if (now().scene != framed) history.new_body();
    for (int i = 0; i < runs.count(); ++i) {
        const auto latest = runs.latest(i);
        history.describe(i, latest->settings.method, latest->automatic_step() ? 0 : latest->asked_step);
        const bool compared = i < static_cast<int>(ui.compare.runs.size());
        for (const EnergySample& sample : runs.take_trace(i)) {
            history.add(i, sample);
            if (compared) ui.compare.runs[static_cast<std::size_t>(i)].add(sample);
        }
    }
    for (const FrameBarrier::Distance& d : runs.take_distances()) {
        history.add_difference(d.member, d.t, d.metres);
        if (d.member < static_cast<int>(ui.compare.runs.size())) ui.compare.runs[static_cast<std::size_t>(d.member)].difference = d.metres;
    }
}

void ViewerApp::Implementation::take_comparison() {
    CompareState& compare = ui.compare;
    if (std::exchange(compare.stop, false)) runs.end_comparison(compare.active), compare.active = 0;
    const double step = compare.same_step ? compare.step : 0;
    if (compare.start && runs.compare(compare.methods, step)) compare.start = false, compare.runs.clear();
    if (std::exchange(compare.new_step, false) && runs.comparing()) runs.set_step_of_all(step);
    runs.leave_failed_behind();
    compare.on = runs.comparing();
    if (compare.on) {  // the integrator section may have changed one
        compare.methods = runs.methods();
        compare.same_step = runs.step_of_all() > 0;
        if (compare.same_step) compare.step = runs.step_of_all();
    }
    compare.active = std::clamp(compare.active, 0, runs.count() - 1);
    compare.runs.resize(compare.on ? static_cast<std::size_t>(runs.count()) : 0);
    for (int i = 0; i < static_cast<int>(compare.runs.size()); ++i) {
        compare.runs[static_cast<std::size_t>(i)].method = compare.methods[static_cast<std::size_t>(i)];
        compare.runs[static_cast<std::size_t>(i)].preparing = runs.latest(i)->preparing;
        compare.runs[static_cast<std::size_t>(i)].out = runs.left_behind(i);
        compare.runs[static_cast<std::size_t>(i)].message = runs.latest(i)->message;
    }
    find_bottleneck(compare.runs);
}

// Side by side, a press on a body makes its run the one the panels speak of.
void ViewerApp::Implementation::choose_cell(const std::vector<InputEvent>& events) {
    if (!runs.comparing() || ui.compare.layout != Layout::side_by_side || input.dragging()) return;
    const auto all = cells(ui.compare.layout, runs.count(), viewport());
    for (const InputEvent& event : events)
        if (const auto* press = std::get_if<MousePress>(&event))
            for (int i = 0; i < runs.count(); ++i) {
                const ViewRect& c = all[static_cast<std::size_t>(i)];
                const float x = press->x - static_cast<float>(c.x), y = press->y - static_cast<float>(c.y);
                if (x >= 0 && y >= 0 && x < static_cast<float>(c.width) && y < static_cast<float>(c.height)) ui.compare.active = i;
            }
}

void ViewerApp::Implementation::draw_panels() {
    const Snapshot& snapshot = now();
    compare_labels(shown, viewport(), ui);
    if (ui.show_ui) {
        side_panel(snapshot, ui, post);
        plot_panel(snapshot, ui, post);
        status_bar(snapshot, ui, post);
    }
    message_banner(snapshot, ui, post);
    mesh_report_panel(snapshot, ui, post);
    import_card(snapshot, ui, post);
    studies_panel(snapshot, ui, post);
    help_overlay(snapshot, ui, post);
    timings_overlay(snapshot, ui, post);
    open_dialog(snapshot, ui, post);
    save_dialog(snapshot, ui, post);
}

void ViewerApp::Implementation::take_wishes() {
    const Snapshot& snapshot = now();
    if (snapshot.scene && framed != snapshot.scene) {
        const bool another = !std::exchange(keep_camera, false);
        ui.frame_body = ui.frame_body || another;
        framed = snapshot.scene;
        if (another) apply_view(framed->scene, ui);
        if (const Scene& scene = framed->scene; another && !scene.compared_with.empty() && !ui.compare.on) {
            ui.compare.methods = {scene.settings.method, scene.compared_with};
            ui.compare.same_step = scene.settings.step > 0;
            if (ui.compare.same_step) ui.compare.step = scene.settings.step;
            ui.compare.start = true;
        }
    }
    if (std::exchange(ui.frame_body, false) && snapshot.surface)
        ui.camera = make_camera(snapshot.scene ? snapshot.scene->scene.camera : CameraView{}, snapshot.surface->rest_box);
    if (const auto name = std::exchange(ui.open, std::nullopt)) {
        keep_camera = false;
        loader.start(SceneLoader::Named{*name, remembered(ui.scene.imports, whole_path(*name))});
    }
    if (auto scene = std::exchange(ui.rebuild, std::nullopt)) {
        keep_camera = true;
        loader.start(std::move(*scene));
    }
    if (std::exchange(ui.cancel_loading, false)) loader.cancel();
    if (const auto show = data.next(shown, wanted_data(ui.view, ui.record.motion), window->time())) post(*show);
}

void ViewerApp::Implementation::take_loaded_scene() {
    if (auto loaded = loader.poll()) {
        if (*loaded) {
            ui.scene.choice = loader.take_choice();
            ui.scene.fitted = ui.scene.choice.empty() ? nullptr : loaded->value();
            runs.post(Load{std::move(*loaded).value()});
        }
        ui.loading.error = *loaded ? "" : loaded->message();  // the running scene stays as it is
    }
    loader.show(ui.loading);
}

void ViewerApp::Implementation::count() {
    const std::uint64_t step = now().step;
    ++counted_frames;
    const double time = window->time(), elapsed = time - counted_since;
    if (elapsed < 0.5) return;
    ui.frames_per_second = counted_frames / elapsed;
    ui.steps_per_second = step > counted_step ? static_cast<double>(step - counted_step) / elapsed : 0;
    counted_since = time;
    counted_step = step;
    counted_frames = 0;
}

// The detail of the new picture; none if the old one is still right.
std::optional<PictureDetail> ViewerApp::Implementation::draw_picture(bool to_keep) {
    const ViewRect view = viewport();
    const float pixels = window->pixels_per_unit();
    const auto to_pixels = [&](int v) { return static_cast<int>(std::lround(static_cast<float>(v) * pixels)); };
    const auto [width, height] = window->size();
    record.frame(ui, runs, now(), {to_pixels(width), to_pixels(height), to_pixels(view.width), to_pixels(view.height)}, film_runs());
    bool drawn = false;
    PictureDetail used = PictureDetail::fine;
    {
        const WindowSettings::Timer timer(ui.interface.timings.picture);
        const bool moving = !to_keep && window->time() - last_change < 0.3;  // what is rough gets smooth when it rests
        used = moving ? detail.in_motion() : PictureDetail::fine;
        drawn = stage->draw(shown, ui, to_pixels(view.width), to_pixels(view.height), used);
        if (drawn) window->finish_drawing();  // a card, or the processor in its place, works on after the calls
    }
    stage->show(to_pixels(view.x), to_pixels(height - view.y - view.height));
    wobble::draw(*ImGui::GetBackgroundDrawList(), colour_bar(stage->colour_scale(), view, imgui_style()));
    return drawn ? std::optional(used) : std::nullopt;
}

std::vector<FilmLook::Run> ViewerApp::Implementation::film_runs() const {
    std::vector<FilmLook::Run> all;
    for (int i = 0; i < runs.count() && runs.comparing(); ++i)
        all.push_back({body_colour(i, runs.count(), ui.view), 1, runs.left_behind(i)});
    return all;
}

Image ViewerApp::Implementation::screenshot() const {
    if (ui.record.screenshot_with_ui) return window->read();
    Image picture = stage->picture();
    const FilmLook look{ui.camera, ui.view, ui.compare.layout, film_runs(), ui.compare.active};
    if (ui.record.legends && !ui.scene.faulty)
        add_legends(picture, shown, look, stage->colour_scale(), TextRaster(picture.width, picture.height));
    return picture;
}

ViewerApp::ViewerApp(std::unique_ptr<Implementation> self) : self_(std::move(self)) {}
ViewerApp::~ViewerApp() = default;

Result<std::unique_ptr<ViewerApp>> ViewerApp::make(std::shared_ptr<const LoadedScene> scene, const ViewerOptions& options) {
    std::promise<Result<std::shared_ptr<const LoadedScene>>> there;
    there.set_value(std::move(scene));
    return make(SceneToCome{there.get_future()}, options);
}

Result<std::unique_ptr<ViewerApp>> ViewerApp::make(SceneToCome to_come, const ViewerOptions& options) {
    auto window = GlfwWindow::make("Wobble", options.width, options.height);
    if (!window) return to_come.unwanted.request_stop(), window.error();
    auto stage = Viewport::make();
    if (!stage) return to_come.unwanted.request_stop(), stage.error();
    auto scene = to_come.scene.get();
    if (!scene) return scene.error();
    return std::unique_ptr<ViewerApp>(new ViewerApp(
        std::make_unique<Implementation>(std::move(window).value(), std::move(stage).value(), std::move(scene).value(), options)));
}

bool ViewerApp::frame(Image* whole_window) { return self_->frame(whole_window); }
const UiState& ViewerApp::ui() const { return self_->ui; }
UiState& ViewerApp::ui() { return self_->ui; }
FrameBarrier::Set ViewerApp::shown() const { return self_->shown; }
const SeenControls& ViewerApp::controls() const { return self_->controls; }
void ViewerApp::post(Command command) { self_->post(std::move(command)); }
ViewRect ViewerApp::viewport() const { return self_->viewport(); }
std::shared_ptr<const Snapshot> ViewerApp::latest() const { return self_->runs.latest(0); }
void ViewerApp::open(const std::string& name_or_file) { self_->ui.open = name_or_file; }

Result<void> run_viewer(SceneToCome scene, const ViewerOptions& options) {
    auto app = ViewerApp::make(std::move(scene), options);
    if (!app) return app.error();
    while (app.value()->frame()) {
    }
    return {};
}

}  // namespace wobble
