#pragma once
// A loaded scene: its values and the body built from them, shared read-only between threads.
#include "engine/core/progress.h"
#include "engine/core/result.h"
#include "engine/mesh/surface/check.h"
#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/volume/quality.h"
#include "engine/model/constraints.h"
#include "engine/model/system_parts.h"
#include "engine/scene/file_vertices.h"
#include "engine/scene/import.h"
#include "engine/scene/scene.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wobble {

// What was found out about a body while it was built.
struct BodyReport {
    MeshReport surface;
    TetQuality tets;                      // of a solid
    std::vector<std::string> repaired;    // what was done to the surface of a file, one sentence each; empty: nothing
    std::vector<std::string> notes = {};  // what of a file was left out or not found, one sentence each
    std::optional<FileFrame> file = {};   // of a body from a file: where it lies in the world
    SurfaceUse used = SurfaceUse::solid;  // of the surface of a file
    std::string made = {};                // one sentence, where it could not be filled as it is: what was made of it, and why
};

// The scene's bodies in one mesh, one after the other, so that one system, one picture and one file hold them all; ranges say what is
// whose.
struct LoadedScene {
    Scene scene;
    BodyMesh body;                       // of all bodies
    std::vector<BodyRange> ranges = {};  // one per body; none: all is the only body's
    std::vector<BodyReport> reports = {BodyReport{}};
    double ground = 0;                                            // m, height of the ground under the bodies, see obstacles.h
    std::vector<std::shared_ptr<const FileVertices>> files = {};  // one per body; null: not from a file. Empty: no body is
    std::shared_ptr<const SurfaceLook> look = {};                 // of the drawn triangles of all bodies; null: no file has colours
    std::optional<Constraints> held = {};  // by the scene's own pins, found once by build_scene; none after an edit of the pins
    // Forces besides those of the bodies, as often as a system is made of them; empty: none.
    std::function<void(SystemParts&)> add_forces = {};

    BodyRange range(int i) const { return ranges.empty() ? whole(body) : ranges[static_cast<std::size_t>(i)]; }
    const BodyReport& report(int i = 0) const { return reports[static_cast<std::size_t>(i)]; }
    std::span<const Vec3> rest_of(int i) const;  // its particles
    int body_of_triangle(int triangle) const;    // of the drawn surface
    const FileVertices* file_of(int i) const {
        return static_cast<std::size_t>(i) < files.size() ? files[static_cast<std::size_t>(i)].get() : nullptr;
    }
    int body_of_particle(int particle) const;
};

// The drawn surface of all bodies at rest, as snapshots have it, to the last bit.
std::vector<Vec3f> drawn_at_rest(const LoadedScene&);

Constraints constraints(const LoadedScene&, const RunSettings&);  // of all bodies' pins
Constraints constraints(const LoadedScene&);                      // of the scene's own pins

// The surface of a mesh file that was refused, to be shown with its faults.
struct RefusedSurface {
    TriMesh surface;    // as in the file, or what its repair made of it
    MeshReport report;  // not good
    std::vector<std::string> repaired;
};

// Builds the bodies and reads the obstacles (seconds for large meshes; progress may cancel). Runs on any thread. A surface with faults that
// is refused is left in `refused`, if not null.
Result<std::shared_ptr<const LoadedScene>> build_scene(Scene, const Progress& = {}, std::optional<RefusedSurface>* refused = nullptr);

}  // namespace wobble
