#pragma once
// The scene section: recent files, what a mesh's examination found, pictures of the built-in scenes; see panels/scene_panel.cpp.
#include "engine/mesh/check.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wobble {

// A surface that could not be loaded as it is, shown with its faults.
struct FaultyMesh {
    std::string file;
    TriMesh surface;    // scaled to the size of a body, resting on y = 0
    MeshReport report;
    int selected = -1;  // the finding whose faces are highlighted; -1: all
    std::string repaired;  // what a repair did; empty: none yet
};

struct SceneState {
    std::vector<std::string> recent;           // files, newest first
    std::shared_ptr<FaultyMesh> faulty;        // shown instead of the body while not null
    bool show_report = false;                  // the mesh report's page
    std::shared_ptr<const MeshReport> report;  // of the mesh that is loaded
    std::string save_as;                       // typed
    bool show_save = false;
    std::string message;                       // where a scene was saved, or why not

    // Wishes, taken by the window once per frame.
    bool save = false, repair = false, close_faulty = false;
};

}  // namespace wobble
