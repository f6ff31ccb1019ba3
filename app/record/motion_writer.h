#pragma once
// Where the moving mesh of a recording goes, one snapshot at a time, straight to disk:
//     pc2   X.pc2, Blender's Mesh Cache: the 12 bytes "POINTCACHE2", int32 version 1, int32 vertices, float32 start 0, float32 rate 1 (one
//           sample per frame), int32 samples; then x, y, z of every vertex of every sample as float32; all little endian. Beside it X.obj,
//           the same vertices at rest in the same order with their triangles: Blender attaches the cache to that.
//     ply   a folder of frame_000000.ply: binary, little endian; the shown field as a vertex property of its name
//     obj   a folder of frame_000000.obj
// Several bodies: groups of OBJ, the vertex property body of PLY, the point data body of VTU.
//     vtu   X.pvd, which knows the times, and a folder X of frame_000000.vtu: the tetrahedra if the snapshots carry the particles, else the
//           drawn surface; displacement from rest, of tetrahedra also the velocity, and the field the snapshots carry, at every point
// Obstacles that are drawn, the floor excepted, where frames are files: obstacles_000000.obj, .ply or .vtu beside each frame (of .vtu as
// its second part), in the coordinates of the frames. Files that hold the whole motion (pc2, usda, glb) are without them.
//     usda  X.usda, USD as text: a Mesh for each body, a time sample of its points for each frame, whose number is the time code; each Mesh
//           has the transformation that puts the file's coordinates into the scene
//     glb   X.glb, binary glTF: a mesh for each body with a morph target for each frame and an animation of their weights
// The motion of a single body from a file is that of the file's own mesh: all its vertices in its order and its coordinates, so that a
// cache fits the mesh it was made from; .usda and .glb have every body so, and say where it stands. Otherwise metres, y up, as in the scene
// (.vtu always: it is the simulated mesh). Blender's OBJ import turns the object as a whole and leaves its vertices as they are,
// so the cache fits without any turning in the modifier (its default, forward Y and up Z, means none).
// Names are numbered and never overwrite. A full disk or an unwritable folder is a sentence; frames complete until then stay readable.
#include "app/record/motion_mesh.h"
#include "app/record/record_format.h"
#include "engine/sim/snapshot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace wobble {

class MotionWriter {
public:
    // Takes the name; everything that can be refused without a body is refused here. `format` is not one of a film.
    static Result<std::unique_ptr<MotionWriter>> open(const RecordTarget&, int fps = 30);
    virtual ~MotionWriter() = default;  // a writer without a frame leaves nothing behind
    MotionWriter(const MotionWriter&) = delete;
    MotionWriter& operator=(const MotionWriter&) = delete;

    // The first one decides about the mesh; one that does not fit it is refused.
    Result<void> add(const Snapshot&);
    Result<void> finish();  // once, after the last one or after a failure

    int frames() const { return frames_; }
    std::uint64_t bytes() const { return bytes_; }  // on disk, approximately
    const std::filesystem::path& path() const { return path_; }

protected:
    explicit MotionWriter(std::filesystem::path path) : path_(std::move(path)) {}
    virtual Result<void> begin(const Snapshot& first) = 0;
    virtual Result<void> write(const Snapshot&) = 0;
    virtual Result<void> end() { return {}; }
    const MotionMesh& mesh() const { return *mesh_; }

    std::filesystem::path path_;
    int frames_ = 0;
    std::uint64_t bytes_ = 0;

private:
    std::shared_ptr<const SurfaceTopology> surface_;  // of the first
    std::optional<MotionMesh> mesh_;                  // of the first
    bool began_ = false, ended_ = false;
};

// Of a scene with several bodies the number of the body, from 0, of each vertex of the drawn surface or of each particle; else empty.
std::vector<float> body_numbers(const Snapshot&, bool particles);

}  // namespace wobble
