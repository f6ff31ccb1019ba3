#pragma once
// A soup of triangles, asked from any point: how far is it, and how often does it go round?
#include "engine/mesh/mesh.h"

namespace wobble {

// Nothing is expected of the triangles but finite corners. All questions may be asked from several threads.
class TriangleTree {
public:
    explicit TriangleTree(const TriMesh&);  // keeps a copy of what it needs

    // The generalised winding number at p: 1 inside of a closed surface, 0 outside, something between where the surface has holes.
    double winding(const Vec3& p) const;        // far triangles taken together, within about 0.03
    double winding_exact(const Vec3& p) const;  // of all triangles, one by one

    // Distance to the nearest triangle, if that is below `farthest`, or else `farthest`.
    double distance(const Vec3& p, double farthest) const;

private:
    struct Corners {
        Vec3 a, b, c;
    };
    struct Node {
        Box box;
        int first = 0, count = 0;    // triangles below it
        int right = 0;               // the left child follows its parent; 0: a leaf
        Vec3 centre = Vec3::Zero();  // p~, weighted by area
        Vec3 dipole = Vec3::Zero();  // sum of a n
        Mat3 moment = Mat3::Zero();  // sum of (c - p~) (a n)^T
        double radius = 0;           // of a ball around p~ that holds them
    };
    void build(std::vector<int>& order, const TriMesh&, int first, int count);
    void expand(Node&) const;

    std::vector<Corners> corners_;  // in the order of the leaves
    std::vector<Node> nodes_;
};

}  // namespace wobble
