#pragma once
// How good a tet mesh is, and the hygiene that keeps simulations calm.
#include "engine/mesh/mesh.h"

namespace wobble {

struct TetQuality {
    double worst = 1, mean = 1;      // tet_quality of geometry.h: 1 regular, 0 flat
    double smallest_dihedral = 180;  // degrees
    int fewest_tets = 0;             // around any vertex
    int weak_vertices = 0;           // vertices held by fewer than three tets
};
TetQuality quality(const TetMesh&);

// Makes every vertex belong to at least three tets: explosions start at vertices held by one or two. Flips a face where that gives good
// tets, else splits a tet at its centroid. Volume and boundary stay; call before reorder(). A split makes light vertices: with
// `trim` a weak vertex whose tets have less volume than an average tet goes instead, with them, if it has no neighbour like it; the body
// may then lose such corners.
void strengthen_weak_vertices(TetMesh&, bool trim = false);

// Moves inner vertices so that the worst tet around each gets better; the surface stays, nothing gets worse.
void smooth_inside(TetMesh&);

}  // namespace wobble
