#pragma once
// A loaded scene: its values and the body built from them, shared read-only between threads.
#include "engine/core/progress.h"
#include "engine/core/result.h"
#include "engine/mesh/body.h"
#include "engine/mesh/check.h"
#include "engine/sim/scene.h"

#include <memory>

namespace wobble {

struct LoadedScene {
    Scene scene;
    BodyMesh body;
};

// Builds the body (seconds for large meshes; progress may cancel). Runs on any thread.
Result<std::shared_ptr<const LoadedScene>> build_scene(Scene, const Progress& = {});

// `wobble check FILE`: loads and examines a mesh without building anything.
Result<MeshReport> check_mesh_file(const std::filesystem::path&);

}  // namespace wobble
