#pragma once
// Simple faults of a surface, repaired on request: doubled or unused vertices, flat or doubled triangles, loose faces, turned faces,
// small holes, small parts. What needs judgement (cuts through itself, large holes, inner walls) is left to a person and said.
#include "engine/mesh/surface/check.h"

namespace wobble {

struct RepairOptions {
    bool faults = true;        // false: only keep_parts
    double crack = 1e-4;       // of the box's diagonal: ends of open edges nearer than this become one vertex; in places where open edges
                               // are short, a quarter of the shortest
    int longest_rim = 200;     // edges; holes with more stay open
    double widest_hole = 0.5;  // of the box's diagonal; wider holes stay open
    int keep_parts = 0;        // only the largest by area; 0: all
};

struct Repaired {
    TriMesh mesh;
    std::vector<std::string> done;  // a sentence for each kind of change; empty: the mesh is as it was, bit by bit
    std::vector<std::string> left;  // what was not done, and why
    MeshReport report;              // of the mesh now; what could not be repaired is still in it
};

// `found` is check_surface(mesh). A good mesh comes back unchanged; a cancelled repair too, with report.cancelled.
Repaired repair(TriMesh mesh, const MeshReport& found, const RepairOptions& = {}, const Progress& = {});

}  // namespace wobble
