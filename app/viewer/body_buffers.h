#pragma once
// The drawn surface on the graphics card: triangles stay, positions and normals follow the snapshot.
#include "app/viewer/gl.h"
#include "engine/sim/snapshot.h"

#include <memory>
#include <vector>

namespace wobble {

class BodyBuffers {
public:
    BodyBuffers();
    void update(const Snapshot&);
    void draw() const;
    const Vec3f& centre() const { return centre_; }  // of the moving body's bounding sphere
    float radius() const { return radius_; }
    bool closed() const { return !surface_ || surface_->closed; }

private:
    void load(const SurfaceTopology&);

    GlVertexArray array_;
    GlBuffer positions_, normals_, pinned_, triangles_;
    std::shared_ptr<const SurfaceTopology> surface_;  // the one in the buffers
    GLsizei index_count_ = 0;
    std::vector<Vec3f> normals_scratch_;
    Vec3f centre_ = Vec3f::Zero();
    float radius_ = 1;
};

}  // namespace wobble
