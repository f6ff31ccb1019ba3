#include "app/scene_loader.h"

#include "engine/core/thread_priority.h"
#include "engine/sim/scene_file.h"

#include <exception>
#include <new>

namespace wobble {

SceneLoader::~SceneLoader() {
    unwanted_ = true;
    if (thread_.joinable()) thread_.join();
}

void SceneLoader::start(Wish wish) {
    if (thread_.joinable()) {  // poll() starts it when the one under way has noticed
        unwanted_ = true;
        next_ = std::move(wish);
        return;
    }
    what_ = std::holds_alternative<std::string>(wish) ? std::get<std::string>(wish) : std::get<Scene>(wish).name;
    unwanted_ = done_ = false;
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
    unwanted_ = true;
    next_.reset();
}

SceneLoader::Loaded SceneLoader::load(Wish wish, std::optional<RefusedScene>& refused) {
    const auto progress = [this](std::string_view stage, double fraction) {
        const std::lock_guard lock(mutex_);
        stage_ = stage;
        fraction_ = fraction;
        return !unwanted_;
    };
    if (std::holds_alternative<std::string>(wish)) {
        auto scene = load_scene(std::get<std::string>(wish));
        if (!scene) return scene.error();
        wish = std::move(scene).value();
    }
    std::optional<RefusedSurface> mesh;
    Loaded loaded = build_scene(std::get<Scene>(wish), progress, &mesh);
    if (mesh) refused = RefusedScene{std::move(std::get<Scene>(wish)), std::move(*mesh)};
    return loaded;
}

void SceneLoader::work(Wish wish, const std::string& what) {
    std::optional<RefusedScene> refused;
    const auto guarded = [&]() -> Loaded {  // nothing may leave a thread but a sentence
        try {
            return load(std::move(wish), refused);
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
    done_ = true;
}

std::optional<SceneLoader::Loaded> SceneLoader::poll() {
    if (!thread_.joinable() || !done_) return std::nullopt;
    thread_.join();
    std::optional<Loaded> result = std::exchange(result_, std::nullopt);
    refused_ = std::exchange(result_refused_, std::nullopt);
    if (unwanted_) result.reset(), refused_.reset();
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
