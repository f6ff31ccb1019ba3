#pragma once
// The scene section: recent files, dialogs, what a mesh's examination found, pictures of the built-in scenes; see scene_controller.h.
#include "app/scene/import_choices.h"
#include "app/viewer/camera.h"
#include "engine/scene/loaded_scene.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wobble {

// A surface that could not be loaded as it is, shown with its faults.
struct FaultyMesh {
    std::string file;
    Scene scene;                          // what was to be loaded
    bool to_fit = false;                  // with a resolution that fits real time
    TriMesh surface;                      // scaled to the size of a body, resting on y = 0
    MeshReport report;                    // in the file's units
    std::vector<std::string> repaired;    // what a repair did, and what it left; empty: none yet
    bool largest_part = false;            // the next repair keeps only that
    int selected = -1;                    // the finding whose faces are highlighted; -1: all
    std::optional<Camera> camera_before;  // of the running scene, to go back to
};

// A folder as the dialogs show it; read in the background, because disks can be slow and frames must not be.
struct FolderListing {
    struct Entry {
        std::string name;
        bool folder;
        std::uint64_t bytes;
    };
    std::string folder;          // what was read
    std::vector<Entry> entries;  // folders first, then .obj and .toml files, by name
    std::string problem;         // why there is nothing, as a sentence
};

struct SceneState {
    std::vector<std::string> recent;                 // files, newest first
    std::set<std::string> missing;                   // of these: not there any more
    std::map<std::string, std::uintptr_t> pictures;  // OpenGL textures of the built-in scenes
    std::shared_ptr<const LoadedScene> fitted;       // the body whose resolution was chosen to fit real time,
    std::string choice;                              // and what is said about it
    std::shared_ptr<FaultyMesh> faulty;              // shown instead of the body while not null
    bool show_report = false;                        // the mesh report's page
    std::vector<std::string> imports;                // how files were opened, see import_choices.h
    bool show_import = false;                        // the card of the mesh file that is shown

    std::string folder;          // the one the open or save dialog is in; empty: none
    FolderListing listing;       // of it, or still of the last one
    std::string filter;          // typed behind the folder: only names with this in them are listed
    int picked = -1;             // the row that the arrow keys or a click have reached; -1: none
    bool cursor_to_end = false;  // of the typed path: what is there is to be added to, not replaced
    std::string save_as;         // typed
    bool show_save = false;
    bool saving = false;     // in the background
    bool overwrite = false;  // the file is there, and the dialog asks
    std::string message;     // where a scene was saved, or why not
    bool failed = false;     // it was not

    // Wishes, taken by the scene controller once per frame.
    bool save = false, repair = false, close_faulty = false;
    std::optional<ImportChoices> open_anew = {};  // the mesh file that is shown, loaded again like this
};

}  // namespace wobble
