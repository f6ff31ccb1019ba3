#pragma once
// The obstacles of a snapshot on the graphics card: triangles with flat faces and smooth rounds, moved to where they are. The floor is
// not among them: it is drawn as the ground.
#include "app/viewer/gl/gl.h"
#include "engine/sim/snapshot.h"

#include <memory>
#include <span>
#include <vector>

namespace wobble {

// Corners of triangles in the obstacle's frame, three per triangle, with the normal of each: the mean over the faces around the vertex
// that bend by less than 35 degrees from this one.
struct CreasedSurface {
    std::vector<Vec3f> corners, normals;
};
CreasedSurface creased(const TriMesh&);

class ObstacleBuffers {
public:
    struct Part {
        GLint first;  // corner
        GLsizei count;
        Vec3f colour;
        bool bounded;  // all of it is drawn; a plane goes on
    };
    ObstacleBuffers();
    void update(const Snapshot&);
    std::span<const Part> parts() const { return parts_; }
    void draw(const Part&) const;
    void draw() const;  // all
    // Of what is bounded; radius 0: nothing is.
    const Vec3f& centre() const { return centre_; }
    float radius() const { return radius_; }

private:
    GlVertexArray array_;
    GlBuffer positions_, normals_;
    std::vector<Obstacle> shapes_;  // what is in the buffers
    int floor_ = -1;                // which of them is the ground
    std::vector<Pose> poses_;
    std::vector<CreasedSurface> surfaces_;
    std::vector<Part> parts_;
    Vec3f centre_ = Vec3f::Zero();
    float radius_ = 0;
};

}  // namespace wobble
