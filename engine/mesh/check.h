#pragma once
// What is wrong with a surface, and where: everything that would make tetrahedralisation fail or the body misbehave.
#include "engine/core/result.h"
#include "engine/mesh/mesh.h"

#include <string>
#include <vector>

namespace wobble {

enum class Fault { not_finite, empty, degenerate, open, non_manifold, misoriented, inside_out, self_intersecting };

struct Finding {
    Fault fault;
    std::string sentence;     // for a person: what, where, how many, what to do
    std::vector<int> faces;   // offending triangles (all of them), to be highlighted
};

struct MeshReport {
    int vertices = 0, triangles = 0, components = 0;
    double volume = 0;         // m^3, of the closed surface
    Box box;
    std::vector<Finding> findings;  // in the order of Fault
    bool good() const { return findings.empty(); }
};

// All checks that make sense given the earlier ones (self-intersection only on finite meshes, ...).
MeshReport check_surface(const TriMesh&);

}  // namespace wobble
