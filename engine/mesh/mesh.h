#pragma once
// The mesh values: what a file or a generator gives, and what the body is simulated on.
#include "engine/core/types.h"

#include <vector>

namespace wobble {

struct TriMesh {
    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;
};

struct TetMesh {
    std::vector<Vec3> vertices;       // ordered so that neighbours have near indices (banded matrices)
    std::vector<Tet> tets;            // sorted by smallest vertex, positive volume
    std::vector<Triangle> boundary;   // outward faces; indices into vertices
};

// Where each vertex of a fine surface sits in a tet mesh: x = sum_k weight[k] * vertices[tets[tet][k]].
// Weights sum to 1; a vertex slightly outside has a slightly negative one.
struct Embedding {
    std::vector<int> tet;
    std::vector<std::array<double, 4>> weight;
};

// A body ready to be simulated and drawn.
struct BodyMesh {
    TetMesh tets;
    TriMesh surface;      // what is drawn, at rest
    Embedding embedding;  // surface in tets
};

double volume(const TetMesh&, const Tet&);
double volume(const TetMesh&);
double signed_volume(const TriMesh&);  // positive when closed and oriented outward

struct Box {
    Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
    Vec3 size() const { return high - low; }
    Vec3 centre() const { return 0.5 * (low + high); }
    double diagonal() const { return size().norm(); }
};
Box bounding_box(const std::vector<Vec3>&);

}  // namespace wobble
