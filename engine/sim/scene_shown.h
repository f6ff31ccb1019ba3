#pragma once
// "The GUI saves what it shows": the scene that starts like the running one is set up now.
#include "engine/sim/snapshot.h"

namespace wobble {

// The loaded scene with the present parameters, pins, method, step, solver and step control. It starts from the scene's initial
// state, not from the present motion. A Scene without anything when nothing is loaded.
Scene scene_shown(const Snapshot&);
Scene scene_shown(const Snapshot&, const CameraView&);  // the same, seen like this

// Writes the scene, its mesh file named relative to it, after making sure that it can be read back.
Result<void> save_shown(const Scene&, const std::filesystem::path& file);

}  // namespace wobble
