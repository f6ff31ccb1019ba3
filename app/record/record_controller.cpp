#include "app/record/record_controller.h"

#include "app/record/unique_path.h"
#include "engine/sim/run_log.h"

#include <utility>

namespace wobble {

namespace fs = std::filesystem;

namespace {

std::string absolute_name(const fs::path& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    return (error ? path : absolute.lexically_normal()).string();
}

constexpr float ghost = 0.45f;  // opacity of the runs behind the active one, as in the window

}  // namespace

void RecordController::frame(UiState& ui, SimulationGroup& runs, const Snapshot& now, const WindowPixels& window,
                             const std::vector<FilmLook::Run>& runs_look) {
    RecordState& record = ui.record;
    FilmLook look{ui.camera, ui.view, ui.compare.layout, runs_look, ui.compare.active, record.legends};
    for (int i = 0; i < static_cast<int>(look.runs.size()); ++i)
        if (look.layout == Layout::overlaid && i != look.solid) look.runs[static_cast<std::size_t>(i)].opacity = ghost;
    const bool from_now = std::exchange(record.start_now, false), from_beginning = std::exchange(record.start_from_beginning, false);
    if ((from_now || from_beginning) && !recorder_.busy()) start(ui, runs, now, window, look, from_beginning);
    if (std::exchange(record.stop, false)) recorder_.stop();
    if (std::exchange(record.save_log, false)) save_log(runs);
    recorder_.look(look);

    // A comparison began, changed or ended, which is another film; what was to be shown with the panels cannot be shown any more.
    if (filming_ && (!runs.filming() || runs.count() != runs_)) recorder_.leave();
    const Recorder::State state = recorder_.state();
    if (filming_ && !state.takes_frames) {
        runs.end_film();
        filming_ = false;
    }
    if (recorder_.busy()) {
        record.frames = state.frames;
        record.fraction = state.wanted > 0 ? static_cast<double>(state.frames) / state.wanted : 0;
        record.megabytes = 1e-6 * static_cast<double>(state.bytes);
        record.path = state.path;
        record.finishing = !state.takes_frames;
    }
    if (auto outcome = recorder_.poll()) {
        record.failed = !outcome->good;
        record.message = std::move(outcome->message);
        record.path = outcome->good ? outcome->path : "";
        record.frames = outcome->frames;
        record.megabytes = 1e-6 * static_cast<double>(outcome->bytes);
        record.finishing = record.motion = false;
    }
    record.recording = recorder_.busy();
    while (auto told = errands_.poll()) {
        record.failed = !told->good;
        record.message = std::move(told->sentence);
    }
}

void RecordController::start(UiState& ui, SimulationGroup& runs, const Snapshot& now, const WindowPixels& window, const FilmLook& look,
                             bool from_beginning) {
    RecordState& record = ui.record;
    const auto refuse = [&](const std::string& why) {
        record.failed = true;
        record.message = why;
    };
    auto target = record_target(record.out.empty() ? "wobble" : record.out, record.format);
    if (!target) return refuse(target.message());
    Recorder::Options options;
    options.target = std::move(target).value();
    options.fps = record.fps;
    options.seconds = record.seconds;
    options.with_ui = record.with_ui;
    options.look = look;
    options.width = fitting_side(record.with_ui ? window.width : record.window_size ? window.view_width : record.width, record.format);
    options.height = fitting_side(record.with_ui ? window.height : record.window_size ? window.view_height : record.height, record.format);
    if (auto started = recorder_.start(std::move(options)); !started) return refuse(started.message());
    record.message.clear();
    record.failed = false;
    record.frames = 0;
    record.began_at = from_beginning ? 0 : now.t;
    record.motion = !info_of(record.format).film;
    if (record.motion) runs.post(wanted_data(ui.view, true));    // before the first frame is taken
    if (from_beginning) runs.post(Pause{}), runs.post(Reset{});  // no run leaves the start before its frame is requested
    runs.begin_film(record.fps, recorder_.sink());
    if (from_beginning) runs.post(Play{});
    filming_ = true;
    runs_ = runs.count();
}

void RecordController::save_log(const SimulationGroup& runs) {
    errands_.add([log = std::make_shared<const RunLog>(runs.first().run_log())]() -> FileJobs::JobResult {
        auto name = reserve_file("wobble-run.log");
        if (!name) return {false, name.message()};
        if (auto written = write_run_log(*log, name.value()); !written) {
            std::error_code ignored;
            fs::remove(name.value(), ignored);
            return {false, written.message()};
        }
        return {true, "The run log is in " + absolute_name(name.value()) + "; replay it with: wobble replay " + name.value().string()};
    });
}

void RecordController::keep_screenshot(Image picture) {
    errands_.add([shared = std::make_shared<const Image>(std::move(picture))]() -> FileJobs::JobResult {
        auto name = reserve_file("wobble-screenshot.png");
        if (!name) return {false, name.message()};
        if (auto written = write_png(*shared, name.value()); !written) {
            std::error_code ignored;
            fs::remove(name.value(), ignored);
            return {false, written.message()};
        }
        return {true, "The picture is in " + absolute_name(name.value())};
    });
}

}  // namespace wobble
