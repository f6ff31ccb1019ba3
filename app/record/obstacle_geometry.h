#pragma once
// Obstacles as triangles beside the moving bodies, for exported meshes: those that are drawn, without the floor, which goes on for ever.
#include "app/record/motion_writer.h"

#include <vector>

namespace wobble {

struct ObstacleGeometry {
    std::vector<Vec3f> positions, displacement, velocity;  // displacement from where it stands at t = 0
    std::vector<Triangle> triangles;                       // of these positions, counted from 0
    std::vector<float> numbers;                            // of the obstacle, per position: after those of the bodies
    std::vector<BodyGroup> groups;                         // names, with ranges of the triangles
};
ObstacleGeometry obstacle_geometry(const Snapshot&);
void put_into(ObstacleGeometry&, const Affine& to_scene);   // the coordinates that became the scene's
std::string obstacles_name(int frame, const char* suffix);  // obstacles_000012.ply

}  // namespace wobble
