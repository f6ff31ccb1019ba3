#pragma once
// What the window knows besides the simulation: camera, options, and what the panels want the window to do. Lives on the UI thread.
#include "app/energy_history.h"
#include "app/viewer/camera.h"
#include "app/viewer/view_options.h"
#include "engine/sim/command.h"
#include "engine/sim/scene.h"

#include <functional>
#include <map>
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

struct FolderListing {  // of the open dialog, read again now and then
    struct Entry {
        std::string name;
        bool folder;
    };
    std::string folder;
    double read_at = -1;  // s, ImGui's time; negative: never
    std::vector<Entry> entries;
};

struct UiState {
    Camera camera;
    ViewOptions view;
    EnergyHistory history;
    LoadingView loading;
    float scale = 1;  // of fonts and distances, from the display
    bool show_ui = true, show_help = false, show_open = false;
    std::string open_path;                 // typed in the open dialog
    FolderListing listing;                 // of the folder it is in
    std::string dismissed;                 // the simulation's message that was closed
    std::map<std::string, double> edited;  // parameters that need a new body, while their slider is held
    double frames_per_second = 0, steps_per_second = 0;

    // Wishes: set by panels and keys, taken by the window once per frame.
    std::optional<std::string> open;  // a built-in scene's name or a file
    std::optional<Scene> rebuild;     // this scene with parameters that need a new body
    bool cancel_loading = false, frame_body = false, quit = false;
};

}  // namespace wobble
