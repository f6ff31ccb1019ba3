#pragma once
// What the open and the save dialog share: a typed path with arrow keys and completion, above a list of the folder it is in.
#include "app/scene/scene_state.h"

#include <string>

namespace wobble {

struct FolderChoice {
    bool file = false;   // the path names what is wanted: Enter, or a double click on a file
    bool moved = false;  // it has changed
};

// Edits `path` by typing, clicking, keys: up and down walk through the list, Tab completes, Enter goes into a folder or takes a file.
// `meshes`: lists them besides folders and scenes.
FolderChoice folder_list(SceneState&, std::string& path, float height, bool meshes);

std::string size_text(std::uint64_t bytes);  // "1.2 MB"

}  // namespace wobble
