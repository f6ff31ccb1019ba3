#pragma once
// The nearest point of a surface.
#include "engine/mesh/mesh.h"
#include "engine/mesh/surface/box_tree.h"

namespace wobble {

class NearestPoint {
public:
    explicit NearestPoint(const TriMesh&);  // keeps a copy of what it needs; at least one triangle

    Vec3 operator()(const Vec3& p, int* triangle = nullptr) const;
    // Only of triangles that look about the same way as `normal`, so that a point on one side of a thin wall stays on that side; of all
    // triangles when there is none within `reach`.
    Vec3 facing(const Vec3& p, const Vec3& normal, double reach, int* triangle = nullptr) const;

private:
    std::vector<std::array<Vec3, 3>> corners_;
    std::vector<Vec3> normals_;
    BoxTree tree_;
};

}  // namespace wobble
