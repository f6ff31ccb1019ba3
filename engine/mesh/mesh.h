#pragma once
// The mesh values: what a file or a generator gives, and what the body is simulated on.
#include "engine/core/types.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wobble {

struct TriMesh {
    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;
};

struct TetMesh {
    std::vector<Vec3> vertices;      // ordered so that neighbours have near indices (banded matrices)
    std::vector<Tet> tets;           // sorted by smallest vertex, positive volume
    std::vector<Triangle> boundary;  // outward faces; indices into vertices
};

// A spring between two particles of a sheet.
enum class LinkKind : std::uint8_t { structural, shear, bending };
struct Link {
    int i, j;  // i < j
    LinkKind kind;
};

// How each vertex of the drawn surface follows the particles: x = sum_k weight[k] * particle[k].
// Weights sum to 1; a vertex slightly outside its tet has a slightly negative one. A vertex that is a particle has weight 1 for it.
struct Embedding {
    std::vector<std::array<int, 4>> particle;
    std::vector<std::array<double, 4>> weight;
};

// A body ready to be simulated and drawn. Its particles are tets.vertices. A solid has tets; a sheet has none, but links between its
// particles, and its triangles (seen from its front) in tets.boundary.
struct BodyMesh {
    TetMesh tets;
    std::vector<Link> links = {};
    TriMesh surface = {};      // what is drawn, at rest; closed for a solid, seen from both sides for a sheet
    Embedding embedding = {};  // surface in particles
    bool two_sided = false;    // the surface of a solid may show its inner side: it is not closed, or not oriented
    bool sheet() const { return tets.tets.empty(); }
};

// Which part of a mesh of several bodies is one body's: [begin, end) of each list.
struct IndexRange {
    int begin = 0, end = 0;
    int size() const { return end - begin; }
    bool contains(int i) const { return i >= begin && i < end; }
};
struct BodyRange {
    IndexRange particles, tets, boundary, links;  // simulated
    IndexRange vertices, triangles;               // drawn
    bool sheet() const { return tets.size() == 0; }
};
BodyRange whole(const BodyMesh&);
BodyRange append(BodyMesh& all, const BodyMesh& one);  // returns where it lies now

double volume(const TetMesh&, const Tet&);
double volume(const TetMesh&);
double area(const TriMesh&);
double signed_volume(const TriMesh&);  // positive when closed and oriented outward

struct Box {
    Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
    Vec3 size() const { return high - low; }
    Vec3 centre() const { return 0.5 * (low + high); }
    double diagonal() const { return size().norm(); }
};
Box bounding_box(std::span<const Vec3>);

}  // namespace wobble
