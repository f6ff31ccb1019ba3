#pragma once
// A surface from a file on the graphics card, however broken, with a mark per triangle.
#include "app/viewer/gl/gl.h"
#include "engine/scene/loaded_scene.h"

namespace wobble {

class SurfaceBuffers {
public:
    SurfaceBuffers();
    // Leaves out triangles that cannot be drawn (corners that are not numbers or do not exist).
    void update(const TriMesh&, const std::vector<std::uint8_t>& marked_faces);
    void draw() const;
    void use_marks(int texture_unit) const;  // usamplerBuffer, by gl_PrimitiveID
    const Vec3f& centre() const { return centre_; }
    float radius() const { return radius_; }
    float lowest() const { return lowest_; }

private:
    GlVertexArray array_;
    GlBuffer positions_, triangles_, marks_;
    GlTexture mark_texture_;
    GLsizei index_count_ = 0;
    Vec3f centre_ = Vec3f::Zero();
    float radius_ = 1, lowest_ = 0;
};

}  // namespace wobble
