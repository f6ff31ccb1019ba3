#pragma once
// The interactive viewer: one window, one simulation.
#include "app/panels/seen_controls.h"
#include "app/record/image.h"
#include "app/viewer/input.h"
#include "app/window/ui_state.h"
#include "engine/scene/loaded_scene.h"
#include "engine/sim/frame_barrier.h"
#include "engine/sim/snapshot.h"

#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>

namespace wobble {

struct ViewerOptions {
    int width = 1280, height = 800;            // of the window, screen coordinates
    int threads = 0;                           // of the engine; 0: one per core
    bool play = true;                          // starts moving
    std::optional<Scene> open = {};            // loaded in the background and shown instead as soon as it is there
    bool fit_opened = false;                   // with a resolution that fits real time instead of its own
    bool mesh_chosen = false;                  // its size, axis or pins were asked for: not as it was opened the last time
    std::filesystem::path settings_file = {};  // remembered between starts, see settings.h; empty: nothing is
    double scale = 0;                          // of text and distances, whatever the settings say; 0: what they say
    bool list_controls = false;                // notes where every control is, for controls()
    std::function<void()> ready = {};          // called, if not empty, when the first picture of the body is on the display
    std::function<int()> should_stop = {};     // asked every frame, if not empty: how many requests to close there were, as by Ctrl+Q
};

struct SceneToCome {
    std::future<Result<std::shared_ptr<const LoadedScene>>> scene;
    std::stop_source unwanted = {};  // told when there will be no window to show it in
};

// Runs until the window is closed; a sentence when there is no scene, no display or no OpenGL 3.3. The window is made while the scene is.
Result<void> run_viewer(SceneToCome, const ViewerOptions& = {});

// The same, frame by frame. Main thread only; one at a time.
class ViewerApp {
public:
    static Result<std::unique_ptr<ViewerApp>> make(SceneToCome, const ViewerOptions&);
    static Result<std::unique_ptr<ViewerApp>> make(std::shared_ptr<const LoadedScene>, const ViewerOptions&);
    ~ViewerApp();

    // Events, newest snapshot, panels, picture. False when the user wants to leave. `whole_window`: receives what is shown, if not null.
    bool frame(Image* whole_window = nullptr);

    const UiState& ui() const;
    UiState& ui();                                   // wishes and options, as panels set them
    ViewRect viewport() const;                       // where the 3D view is, window coordinates
    std::shared_ptr<const Snapshot> latest() const;  // of the simulation, the first one in a comparison
    FrameBarrier::Set shown() const;                 // what the last frame showed: one state per run
    void post(Command);                              // as a panel would
    const SeenControls& controls() const;            // of the last frame, if the options asked for them
    void open(const std::string& name_or_file);      // as if dropped on the window

private:
    struct Implementation;
    explicit ViewerApp(std::unique_ptr<Implementation>);
    std::unique_ptr<Implementation> self_;
};

}  // namespace wobble
