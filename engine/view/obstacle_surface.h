#pragma once
// Triangles of an obstacle's surface in its own frame, outward: for pictures and exported meshes. Round ones are polyhedra of 48 sides;
// of a plane it is the part that is drawn.
#include "engine/mesh/mesh.h"
#include "engine/model/contact/obstacle.h"

namespace wobble {

TriMesh obstacle_surface(const Obstacle&);

}  // namespace wobble
