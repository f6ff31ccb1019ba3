#include "app/scene_loader.h"

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
    thread_ = std::thread([this, wish = std::move(wish), what = what_]() mutable { work(std::move(wish), what); });
}

void SceneLoader::cancel() {
    unwanted_ = true;
    next_.reset();
}

void SceneLoader::work(Wish wish, const std::string& what) {
    const auto progress = [this](std::string_view stage, double fraction) {
        const std::lock_guard lock(mutex_);
        stage_ = stage;
        fraction_ = fraction;
        return !unwanted_;
    };
    const auto load = [&]() -> Loaded {
        if (auto* scene = std::get_if<Scene>(&wish)) return build_scene(std::move(*scene), progress);
        auto scene = load_scene(std::get<std::string>(wish));
        if (!scene) return scene.error();
        return build_scene(std::move(scene).value(), progress);
    };
    const auto guarded = [&]() -> Loaded {  // nothing may leave a thread but a sentence
        try {
            return load();
        } catch (const std::bad_alloc&) {
            return Error{"There is not enough memory for " + what + "; choose a smaller resolution."};
        } catch (const std::exception& error) {
            return Error{"Loading " + what + " failed unexpectedly (" + error.what() + ")."};
        }
    };
    Loaded loaded = guarded();
    const std::lock_guard lock(mutex_);
    result_ = std::move(loaded);
    done_ = true;
}

std::optional<SceneLoader::Loaded> SceneLoader::poll() {
    if (!thread_.joinable() || !done_) return std::nullopt;
    thread_.join();
    std::optional<Loaded> result = std::exchange(result_, std::nullopt);
    if (unwanted_) result.reset();
    if (next_) start(*std::exchange(next_, std::nullopt));
    return result;
}

void SceneLoader::show(LoadingView& view) const {
    const std::lock_guard lock(mutex_);
    view.active = thread_.joinable();
    view.what = what_;
    view.stage = stage_;
    view.fraction = fraction_;
}

}  // namespace wobble
