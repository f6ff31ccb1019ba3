#include "app/scene/scene_controller.h"

#include "engine/core/spelling.h"
#include "engine/sim/catalog.h"
#include "engine/sim/scene_shown.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace wobble {

namespace fs = std::filesystem;

void add_recent(std::vector<std::string>& recent, const std::string& file) {
    if (file.empty()) return;
    std::erase(recent, file);
    recent.insert(recent.begin(), file);
    if (recent.size() > most_recent_files) recent.resize(most_recent_files);
}

std::string file_of(const Scene& scene) {
    const auto* mesh = std::get_if<FileSource>(&scene.body().source);
    return whole_path(!scene.origin.empty() ? scene.origin : mesh ? mesh->file : fs::path());
}

std::string whole_path(const fs::path& file) {
    if (file.empty()) return "";
    std::error_code failure;
    const fs::path whole = fs::absolute(file, failure);
    return (failure ? file : whole).lexically_normal().string();
}

CameraView camera_view(const Camera& camera) {
    constexpr double degrees = 180 / std::numbers::pi;
    const auto tenth = [](double x) { return std::round(10 * x) / 10; };
    return {tenth(degrees * camera.yaw), tenth(degrees * camera.pitch), std::round(1000.0 * camera.distance / camera.size) / 1000};
}

RecordingOptions recording_options(const RecordState& r, double seconds) {
    return {r.fps, r.width, r.height, r.seconds > 0 ? r.seconds : seconds, r.format, r.seconds == 0, r.window_size, r.with_ui, r.legends};
}

void apply_view(const Scene& scene, UiState& ui) {
    if (scene.view) {
        const int samples = ui.view.samples, shadow_side = ui.view.shadow_side;
        ui.view = *scene.view;
        ui.view.samples = samples, ui.view.shadow_side = shadow_side;
    }
    const RecordingOptions& from = scene.recording;
    RecordState& to = ui.record;
    if (!from.format || to.recording) return;
    to.format = *from.format;
    to.fps = from.fps, to.width = from.width, to.height = from.height;
    to.seconds = from.until_stopped ? 0 : from.seconds;
    to.window_size = from.window_size, to.with_ui = from.panels, to.legends = from.legends;
}

void SceneController::show_faults(RefusedScene refused, UiState& ui) {
    const auto& source = std::get<FileSource>(refused.scene.body().source);
    auto mesh = std::make_shared<FaultyMesh>();
    mesh->file = source.file.string();
    mesh->largest_part = source.largest_part;
    mesh->surface = std::move(refused.mesh.surface);
    mesh->report = std::move(refused.mesh.report);
    mesh->repaired = std::move(refused.mesh.repaired);
    if (source.repair && mesh->repaired.empty()) mesh->repaired = {"Nothing of this can be repaired here."};
    mesh->scene = std::move(refused.scene);
    mesh->to_fit = refused.to_fit;
    mesh->camera_before = ui.scene.faulty ? ui.scene.faulty->camera_before : std::optional(ui.camera);
    Box box = bounding_box(mesh->surface.vertices);
    if (const double extent = mesh->surface.vertices.empty() ? 0 : box.size().maxCoeff(); extent > 0 && std::isfinite(extent)) {
        scale_and_rest(mesh->surface, box, 1);
        box = bounding_box(mesh->surface.vertices);
        ui.camera = make_camera(mesh->scene.camera, box);
        ui.camera.target += 0.3f * ui.camera.size * ui.camera.right();  // the page about it covers the right part of the view
    }
    ui.scene.faulty = std::move(mesh);
    ui.scene.show_report = true;
    ui.loading.error.clear();  // the page says it, and more
}

// The same file with other choices; material, method and painted pins as they are now.
void SceneController::open_anew(const ImportChoices& choices, const Snapshot& snapshot, SceneState& s, SceneLoader& loader) {
    Scene scene = scene_shown(snapshot);
    if (!SceneLoader::is_plain_mesh(scene)) return;
    apply(choices, scene);
    remember(s.imports, file_of(scene), choices);
    if (choices.resolution) loader.start(std::move(scene));
    else loader.start(SceneLoader::Mesh{std::move(scene)});
}

void SceneController::save(const Snapshot& snapshot, UiState& ui) {
    SceneState& s = ui.scene;
    if (saving_.valid() || !snapshot.scene) return;
    const TypedPath typed = split_path(s.save_as);
    if (typed.name.empty()) {
        s.message = "Type the name of a file to save to.", s.failed = true;
        return;
    }
    fs::path file = fs::path(typed.folder) / typed.name;
    if (file.extension() != ".toml") file += ".toml";
    s.saving = true;
    // While a faulty surface is shown, the camera that belongs to the scene is the one from before.
    const Camera& camera = s.faulty && s.faulty->camera_before ? *s.faulty->camera_before : ui.camera;
    Scene scene = scene_shown(snapshot, camera_view(camera));
    scene.view = ui.view;
    scene.recording = recording_options(ui.record, scene.recording.seconds);
    saving_ = std::async(std::launch::async, [scene, file, overwrite = s.overwrite]() -> Saved {
        std::error_code failure;
        if (!overwrite && fs::exists(file, failure)) return {true, file.string(), ""};
        const auto saved = save_shown(scene, file);
        return {false, file.string(), saved ? "" : saved.message()};
    });
}

void SceneController::take_saved(SceneState& s) {
    if (!saving_.valid() || saving_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    const Saved saved = saving_.get();
    s.saving = false;
    s.overwrite = saved.exists;
    s.failed = !saved.error.empty();
    s.message = saved.exists ? "" : s.failed ? saved.error : "Saved as " + in_quotes(saved.file) + ".";
    if (saved.exists || s.failed) return;
    s.show_save = false;
    s.save_as = saved.file;
    add_recent(s.recent, saved.file);
}

void SceneController::frame(const Snapshot& snapshot, UiState& ui, SceneLoader& loader, double now) {
    SceneState& s = ui.scene;
    if (!thumbnails_) {
        thumbnails_.emplace();
        s.pictures = thumbnails_->handles();
    }
    if (snapshot.scene != seen_) {
        const bool first = !seen_;
        const std::string before = seen_ ? file_of(seen_->scene) + seen_->scene.name : "";
        seen_ = snapshot.scene;
        s.faulty.reset();
        if (snapshot.scene) {
            const std::string file = file_of(snapshot.scene->scene);
            add_recent(s.recent, file);
            if (before != file + snapshot.scene->scene.name)
                s.save_as.clear(), s.show_import = SceneLoader::is_plain_mesh(snapshot.scene->scene);
            if (!first) s.message.clear();
        }
    }
    if (auto refused = loader.take_refused()) show_faults(std::move(*refused), ui);
    if (std::exchange(s.close_faulty, false) && s.faulty) {
        if (s.faulty->camera_before) ui.camera = *s.faulty->camera_before;
        s.faulty.reset();
        s.show_report = false;
    }
    if (std::exchange(s.repair, false) && s.faulty) {
        Scene scene = s.faulty->scene;
        auto& source = std::get<FileSource>(scene.body().source);
        source.repair = true;
        source.largest_part = s.faulty->largest_part;
        if (s.faulty->to_fit) loader.start(SceneLoader::Mesh{std::move(scene)});
        else loader.start(std::move(scene));
    }
    if (const auto choices = std::exchange(s.open_anew, std::nullopt); choices && snapshot.scene) open_anew(*choices, snapshot, s, loader);
    if (std::exchange(s.save, false)) save(snapshot, ui);
    take_saved(s);
    if (!ui.show_open && !s.show_save) s.folder.clear();
    folders_.frame(s, now);
}

}  // namespace wobble
