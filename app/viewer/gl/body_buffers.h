#pragma once
// The drawn surface on the graphics card: triangles stay, positions, normals and field values follow the snapshot.
#include "app/viewer/gl/gl.h"
#include "engine/sim/snapshot.h"

#include <memory>
#include <vector>

namespace wobble {

class BodyBuffers {
public:
    BodyBuffers();
    // Does nothing if the same shared snapshot is there already.
    void update(const std::shared_ptr<const Snapshot>&);
    void draw() const;
    const Vec3f& centre() const { return centre_; }  // of the moving body's bounding sphere
    float radius() const { return radius_; }
    bool closed() const { return !surface_ || surface_->closed; }
    bool empty() const { return index_count_ == 0; }
    Field field() const { return field_; }  // of the values that are there

private:
    void load(const SurfaceTopology&);

    GlVertexArray array_;
    GlBuffer positions_, normals_, pinned_, values_, triangles_;
    std::shared_ptr<const Snapshot> snapshot_;        // the one in the buffers, if it is shared
    std::shared_ptr<const SurfaceTopology> surface_;  // the one in the buffers
    GLsizei index_count_ = 0;
    Field field_ = Field::none;
    std::vector<Vec3f> normals_scratch_;
    Vec3f centre_ = Vec3f::Zero();
    float radius_ = 1;
};

}  // namespace wobble
