#pragma once
// The drawn surface on the graphics card: triangles stay, positions, normals and field values follow the snapshot.
#include "app/viewer/gl/gl.h"
#include "app/viewer/split_surface.h"
#include "engine/sim/snapshot.h"

#include <memory>
#include <optional>
#include <vector>

namespace wobble {

class BodyBuffers {
public:
    BodyBuffers();
    // Does nothing if the same shared snapshot is there already.
    void update(const std::shared_ptr<const Snapshot>&);
    void draw() const;
    void draw_with_pictures() const;                      // the file's, at texture unit 3
    bool coloured() const { return split_.has_value(); }  // by its file
    const Vec3f& centre() const { return centre_; }       // of the moving body's bounding sphere
    float radius() const { return radius_; }
    bool closed() const { return !surface_ || surface_->closed; }
    bool empty() const { return index_count_ == 0; }
    Field field() const { return field_; }  // of the values that are there

private:
    void load(const Snapshot&);
    template <class T>
    void fill_vertices(const GlBuffer&, const std::vector<T>& of_surface);

    GlVertexArray array_;
    GlBuffer positions_, normals_, pinned_, values_, colours_, uv_, triangles_;
    std::shared_ptr<const Snapshot> snapshot_;        // the one in the buffers, if it is shared
    std::shared_ptr<const SurfaceTopology> surface_;  // the one in the buffers
    GLsizei index_count_ = 0;
    Field field_ = Field::none;
    std::shared_ptr<const SurfaceLook> look_;
    std::optional<SplitSurface> split_;  // none: the file has no colours
    std::vector<GlTexture> pictures_;    // of the file, behind them a white one
    std::vector<Vec3f> normals_scratch_;
    Vec3f centre_ = Vec3f::Zero();
    float radius_ = 1;
};

}  // namespace wobble
