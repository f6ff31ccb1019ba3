#pragma once
// Small repairs that never change a shape.
#include "engine/mesh/mesh.h"

#include <functional>

namespace wobble {

// For each point the number of the first one nearer than `distance`: its own when there is none, or when keep_going() says no.
std::vector<int> first_near(const std::vector<Vec3>&, double distance, const std::function<bool()>& keep_going = {});

// For each point the number of the first one with the very same coordinates: its own when there is none.
std::vector<int> first_equal(const std::vector<Vec3>&);

// Merges vertices nearer than `distance` (the first one stays) and drops triangles that this flattens to an edge or a point.
// The merged ones stay behind, unused. Both return how many vertices they merged or dropped.
int weld(TriMesh&, double distance, const std::function<bool()>& keep_going = {});
int drop_unused_vertices(TriMesh&);

}  // namespace wobble
