#pragma once
// The surfaces of all bodies as contact sees them: vertices, triangles and edges, body after body. Indices of features count within these
// lists; corners are particles.
#include "engine/mesh/mesh.h"

#include <span>
#include <vector>

namespace wobble {

struct ContactSurface {
    struct Body {
        IndexRange vertices, triangles, edges;
        bool sheet = false;   // two-sided; a solid's triangles are seen from outside
        double size = 0;      // m, the diagonal of its box at rest
        double shortest = 0;  // m, of its edges
        double mean = 0;      // m, of its edges
        double tets_per_particle = 0;
        bool corotational = false;  // else of springs
    };
    std::vector<Body> bodies;
    std::vector<int> vertices;  // particles; ascending within a body
    std::vector<Triangle> triangles;
    std::vector<std::array<int, 3>> triangle_edges;  // edge k lies opposite to corner k
    std::vector<std::array<int, 2>> edges;           // i < j
    std::vector<std::array<int, 2>> edge_triangles;  // -1: none
    std::vector<std::uint8_t> sharp;                 // of edges: not between coplanar triangles at rest
    std::vector<int> vertex_body, triangle_body, edge_body;
    std::vector<Vec3> rest;  // of all particles

    // Parts of a surface that belong together: they share a particle, or were nearer than `distance` to each other at rest.
    bool neighbours_vertex_triangle(int vertex, int triangle, double distance) const;
    bool neighbours_edges(int one, int other, double distance) const;
};

ContactSurface contact_surface(const TetMesh&, std::span<const BodyRange>);

}  // namespace wobble
