#pragma once
// The mesh whose motion is written: of a single body from a file the file's own, else what is drawn.
#include "engine/scene/loaded_scene.h"
#include "engine/sim/snapshot.h"

#include <memory>
#include <string>
#include <vector>

namespace wobble {

// Of a scene with several bodies their names, each with its triangles.
struct BodyGroup {
    std::string name;
    IndexRange triangles;
};

class MotionMesh {
public:
    explicit MotionMesh(const Snapshot& first);

    const std::vector<Triangle>& triangles() const;
    const std::vector<BodyGroup>& groups() const { return groups_; }  // empty: one body
    const std::vector<Vec3f>& rest() const { return rest_; }
    std::vector<Vec3f> positions(const Snapshot&) const;
    std::vector<float> values(const Snapshot&) const;  // of the shown field, one per vertex; empty: none is shown
    bool of_file() const { return file_ != nullptr; }  // in its coordinates; else metres, y up

    // One of the bodies, each in the coordinates of its file, if it is from one.
    struct Part {
        std::string name;
        std::vector<Triangle> triangles;
        IndexRange drawn;          // its vertices among the drawn ones
        const FileVertices* file;  // null: not from one
        Affine to_scene;           // metres, y up
        IndexRange look;           // its triangles among the drawn ones, for their look; empty: they are not the same
    };
    std::vector<Part> parts() const;
    std::vector<Vec3f> positions(const Part&, const Snapshot&) const;
    const SurfaceLook* look() const;

    // The drawn surface at rest; where the snapshot does not know its scene: the positions themselves.
    static std::vector<Vec3f> drawn_rest(const Snapshot&);

private:
    std::shared_ptr<const LoadedScene> scene_;  // null: not known
    std::shared_ptr<const SurfaceTopology> surface_;
    std::vector<Vec3f> drawn_rest_, rest_;
    std::vector<BodyGroup> groups_;
    const FileVertices* file_ = nullptr;
};

}  // namespace wobble
