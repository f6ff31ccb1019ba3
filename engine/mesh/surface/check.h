#pragma once
// What is wrong with a surface, and where: everything that would make tetrahedralisation fail or the body misbehave.
#include "engine/core/progress.h"
#include "engine/core/result.h"
#include "engine/mesh/mesh.h"

#include <string>
#include <vector>

namespace wobble {

enum class Fault {
    not_finite,
    empty,
    degenerate,
    open,
    non_manifold,
    misoriented,
    too_many_parts,
    inside_out,
    self_intersecting,
    unchecked
};

struct Finding {
    Fault fault;
    std::string sentence;    // for a person: what, where, how many, what to do
    std::vector<int> faces;  // offending triangles, to be highlighted: all of them unless the sentence says otherwise
    long count = 0;          // of an open surface: its holes
};

struct MeshReport {
    int vertices = 0, triangles = 0, components = 0;
    double volume = 0;  // m^3, of the closed surface
    Box box;
    std::vector<Finding> findings;  // in the order of Fault
    bool cancelled = false;         // then the last finding says so
    bool good() const { return findings.empty(); }
};

// All checks that make sense given the earlier ones (self-intersection only on finite meshes, ...).
// The work is bounded: a surface too entangled to be checked within some seconds is refused as `unchecked`.
MeshReport check_surface(const TriMesh&, const Progress& = {});

bool is_flat(const TriMesh&, const Triangle&, double diagonal);  // no area to the precision of the arithmetic; `diagonal` of the mesh

}  // namespace wobble
