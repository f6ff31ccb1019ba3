#pragma once
// The simulated tetrahedra on the graphics card: which particles they join stays, where these are follows the snapshot. What is cut away
// is decided while drawing, by their places at rest.
#include "app/viewer/gl/gl.h"
#include "engine/sim/snapshot.h"

#include <memory>

namespace wobble {

class TetBuffers {
public:
    TetBuffers();
    void update(const std::shared_ptr<const Snapshot>&);
    bool ready() const { return index_count_ > 0; }  // else there are no tets, or the snapshot came without particles
    Field field() const { return field_; }           // of the values that are there
    void draw() const;                               // as GL_LINES_ADJACENCY, four corners each: for tets.geom

private:
    void load(const BodyMesh&);

    GlVertexArray array_;
    GlBuffer positions_, rest_, values_, tets_;
    std::shared_ptr<const LoadedScene> scene_;  // whose tets are in the buffers
    GLsizei index_count_ = 0;
    Field field_ = Field::none;
};

}  // namespace wobble
