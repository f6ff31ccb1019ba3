#pragma once
// Drawing a fine surface that moves with coarse particles.
#include "engine/mesh/mesh.h"

#include <functional>

namespace wobble {

// Every point's place in the tets: the tet that contains it, or else the nearest one with extrapolated weights.
// Stopped by keep_going(fraction), it is of no use.
Embedding embed(const std::vector<Vec3>& points, const TetMesh&, const std::function<bool(double)>& keep_going = {});

// Every point is the particle of its own number.
Embedding embed_identically(int points);

// The points moved along with the particles; q holds three doubles per particle. Does not allocate once `out` has its size.
void deform(const Embedding&, const VecX& q, std::vector<Vec3f>& out);

}  // namespace wobble
