#pragma once
// Loads scenes on a background thread, one at a time; a newer wish replaces the one under way.
// All functions are for the UI thread and return at once, except the destructor, which waits for the work to notice it is unwanted.
#include "app/window/ui_state.h"
#include "engine/scene/loaded_scene.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>

namespace wobble {

// A scene that was not loaded because of its mesh.
struct RefusedScene {
    Scene scene;
    RefusedSurface mesh;
    bool to_fit = false;  // its resolution was to be chosen
};

class SceneLoader {
public:
    struct Mesh {  // from a file, without an explicit resolution: one that fits real time is chosen
        Scene scene;
    };
    struct Named {  // a built-in scene or a file
        std::string name;
        std::optional<ImportChoices> choices;  // if it is a mesh
        Named(std::string n, std::optional<ImportChoices> c = {}) : name(std::move(n)), choices(std::move(c)) {}
    };
    using Request = std::variant<Named, Scene, Mesh>;  // Scene: with its values
    using Loaded = Result<std::shared_ptr<const LoadedScene>>;

    SceneLoader() = default;
    ~SceneLoader();
    SceneLoader(const SceneLoader&) = delete;
    SceneLoader& operator=(const SceneLoader&) = delete;

    static bool is_plain_mesh(const Scene&);  // opened from a mesh, not from a scene file that could say more

    void start(Request);
    void cancel();
    bool busy() const { return thread_.joinable(); }
    std::optional<Loaded> poll();                                     // the result, once; nothing for cancelled work
    std::string take_choice() { return std::exchange(choice_, {}); }  // after poll() gave a scene: what its resolution was chosen for
    std::optional<RefusedScene> take_refused();  // after a failure: the surface that was the reason, if it was one; once
    void show(LoadingView&) const;               // active, what, stage, fraction

private:
    void work(Request, const std::string& what);
    Loaded load(Request, std::optional<RefusedScene>&, std::string& choice);

    std::thread thread_;
    std::stop_source unwanted_;  // a new one for each wish
    std::atomic<bool> done_ = false;
    std::optional<Request> next_;
    std::string what_;
    std::optional<RefusedScene> refused_;
    std::string choice_;
    mutable std::mutex mutex_;  // guards the five below
    std::string stage_;
    double fraction_ = 0;
    std::optional<Loaded> result_;
    std::optional<RefusedScene> result_refused_;
    std::string result_choice_;
};

}  // namespace wobble
