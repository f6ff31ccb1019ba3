#pragma once
// What the window knows besides the simulation: camera, options, and what the panels want the window to do. Lives on the UI thread.
#include "app/plots/plots_state.h"
#include "app/record/record_state.h"
#include "app/runs/compare_state.h"
#include "app/scene/scene_state.h"
#include "app/viewer/camera.h"
#include "app/viewer/view_options.h"
#include "app/window/window_state.h"
#include "engine/scene/scene.h"
#include "engine/sim/command.h"
#include "engine/study/study.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wobble {

using PostCommand = std::function<void(Command)>;

struct LoadingView {  // of the scene being loaded in the background
    bool active = false;
    std::string what, stage;
    double fraction = 0;
    std::string error;  // why the last one failed; empty after a success
};

struct ContactState {          // of the section Contact
    int selected = -1;         // obstacle
    bool choose_mesh = false;  // the open dialog chooses an obstacle's mesh, not a scene
};

struct StudiesPage {  // runs in the background, see study_runner.h
    bool show = false;
    int selected = 0, plot = 0;
    bool quick = false;
    std::string integrators;  // ids, separated by commas; empty: all
    double seconds = 1;
    std::string folder;   // to save to
    std::string message;  // what went wrong, or where the files are
    bool running = false;
    std::string stage;
    double fraction = 0;
    std::shared_ptr<const StudyResult> result;  // of the last one that finished
    // Wishes, taken by the window once per frame.
    std::optional<StudyOptions> start;
    const Study* started = nullptr;  // which one `start` means
    bool cancel = false, save = false;
};

struct UiState {
    Camera camera;
    ViewOptions view;
    PlotsState plots;
    RecordState record;
    SceneState scene;
    CompareState compare;
    WindowState interface;
    LoadingView loading;
    StudiesPage studies;
    ContactState contact;
    int body = 0;     // the selected one of a scene with several
    float scale = 1;  // of fonts and distances, from the display
    bool show_ui = true, show_help = false, show_open = false;
    std::string open_path;                 // typed in the open dialog
    std::string dismissed;                 // the simulation's message that was closed
    std::map<std::string, double> edited;  // parameters that need a new body, while their slider is held
    double frames_per_second = 0, steps_per_second = 0;

    // Wishes: set by panels and keys, taken by the window once per frame.
    std::optional<std::string> open;  // a built-in scene's name or a file
    std::optional<Scene> rebuild;     // this scene with parameters that need a new body
    bool cancel_loading = false, frame_body = false;
    bool quit = false;     // a second one abandons the recording that the first one waits for
    bool leaving = false;  // as soon as the recording under way is complete; false again: stays
};

}  // namespace wobble
