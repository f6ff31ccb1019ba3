#include "app/scene/scene_loader.h"

#include "app/scene/fit_resolution.h"
#include "engine/core/thread_priority.h"
#include "engine/scene/scene_file.h"

#include <exception>
#include <new>

namespace wobble {

SceneLoader::~SceneLoader() {
    unwanted_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void SceneLoader::start(Request wish) {
    if (thread_.joinable()) {  // poll() starts it when the one under way has noticed
        unwanted_.request_stop();
        next_ = std::move(wish);
        return;
    }
    const auto* file = std::get_if<Named>(&wish);
    const auto* mesh = std::get_if<Mesh>(&wish);
    what_ = file ? file->name : mesh ? mesh->scene.name : std::get<Scene>(wish).name;
    unwanted_ = std::stop_source();
    done_ = false;
    {
        const std::lock_guard lock(mutex_);
        stage_ = "reading";
        fraction_ = 0;
        result_.reset();
    }
    thread_ = std::thread([this, wish = std::move(wish), what = what_]() mutable {
        give_way();
        work(std::move(wish), what);
    });
}

void SceneLoader::cancel() {
    unwanted_.request_stop();
    next_.reset();
}

SceneLoader::Loaded SceneLoader::load(Request wish, std::optional<RefusedScene>& refused, std::string& choice) {
    const auto progress = [this](std::string_view stage, double fraction) {
        const std::lock_guard lock(mutex_);
        stage_ = stage;
        fraction_ = fraction;
        return !unwanted_.stop_requested();
    };
    if (const auto* named = std::get_if<Named>(&wish)) {
        const auto choices = named->choices;
        auto scene = load_scene(named->name);
        if (!scene) return scene.error();
        const bool mesh = is_plain_mesh(scene.value());
        if (mesh && choices) apply(*choices, scene.value());
        if (mesh && !(choices && choices->resolution)) wish = Mesh{std::move(scene).value()};
        else wish = std::move(scene).value();
    }
    const bool to_fit = std::holds_alternative<Mesh>(wish);
    Scene scene = to_fit ? std::move(std::get<Mesh>(wish).scene) : std::move(std::get<Scene>(wish));
    std::optional<RefusedSurface> mesh;
    Loaded loaded = build_scene(scene, progress, &mesh);
    if (mesh) refused = RefusedScene{std::move(scene), std::move(*mesh), to_fit};
    if (!loaded || !to_fit) return loaded;
    auto fitted = fit_to_real_time(loaded.value(), progress, unwanted_.get_token());
    if (!fitted) return fitted.error();
    choice = std::move(fitted.value().choice);
    for (const BodyReport& report : fitted.value().scene->reports)
        if (!report.made.empty()) choice = report.made + (choice.empty() ? "" : " ") + choice;
    return std::move(fitted.value().scene);
}

bool SceneLoader::is_plain_mesh(const Scene& scene) {
    return scene.origin.empty() && std::holds_alternative<FileSource>(scene.body().source);
}

void SceneLoader::work(Request wish, const std::string& what) {
    std::optional<RefusedScene> refused;
    std::string choice;
    const auto guarded = [&]() -> Loaded {  // nothing may leave a thread but a sentence
        try {
            return load(std::move(wish), refused, choice);
        } catch (const std::bad_alloc&) {
            return Error{"There is not enough memory for " + what + "; choose a smaller resolution."};
        } catch (const std::exception& error) {
            return Error{"Loading " + what + " failed unexpectedly (" + error.what() + ")."};
        }
    };
    Loaded loaded = guarded();
    const std::lock_guard lock(mutex_);
    result_ = std::move(loaded);
    result_refused_ = std::move(refused);
    result_choice_ = std::move(choice);
    done_ = true;
}

std::optional<SceneLoader::Loaded> SceneLoader::poll() {
    if (!thread_.joinable() || !done_) return std::nullopt;
    thread_.join();
    std::optional<Loaded> result = std::exchange(result_, std::nullopt);
    refused_ = std::exchange(result_refused_, std::nullopt);
    choice_ = std::exchange(result_choice_, {});
    if (unwanted_.stop_requested()) result.reset(), refused_.reset();
    if (next_) start(*std::exchange(next_, std::nullopt));
    return result;
}

std::optional<RefusedScene> SceneLoader::take_refused() { return std::exchange(refused_, std::nullopt); }

void SceneLoader::show(LoadingView& view) const {
    const std::lock_guard lock(mutex_);
    view.active = thread_.joinable();
    view.what = what_;
    view.stage = stage_;
    view.fraction = fraction_;
}

}  // namespace wobble
