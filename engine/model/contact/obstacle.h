#pragma once
// A thing in the scene that bodies touch and that is not moved by them: floor, ball, box, capsule, cylinder, a surface from a file. Plain
// values, SI units; each has its own frame, in which its shape stands, and a motion of that frame (obstacle_motion.cpp). Bodies meet it
// through nearest(), the signed distance of a point from its surface (obstacle.cpp), and through what is sharp on it (sharp_points.h).
#include "engine/core/types.h"

#include <Eigen/Geometry>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wobble {

class ObstacleMesh;  // a closed or open triangle surface with what finds its nearest point

// x = turn X + position, X in the obstacle's own frame.
struct Pose {
    Vec3 position = Vec3::Zero();
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    Vec3 to_world(const Vec3& X) const { return turn * X + position; }
    Vec3 to_own(const Vec3& x) const { return turn.conjugate() * (x - position); }
    bool operator==(const Pose& other) const { return position == other.position && turn.coeffs() == other.turn.coeffs(); }
};

// At time t the obstacle has moved by `translation` and turned by `angle` about `axis` through its position, from where it stands.
// Before the first key it is where that says, after the last one likewise.
struct ObstacleKey {
    double t = 0;  // s
    Vec3 translation = Vec3::Zero();
    Vec3 axis = Vec3::UnitY();
    double angle = 0;  // degrees
    bool operator==(const ObstacleKey&) const = default;
};

struct Obstacle {
    enum class Kind { plane, sphere, box, capsule, cylinder, mesh };
    std::string name = {};  // unique in its scene; empty: "obstacle 1" ...
    Kind kind = Kind::plane;
    // Shapes in their own frame: the plane is y = 0 and solid below it; the others are centred, capsule and cylinder along y.
    double radius = 0.25;                      // m: sphere, capsule, cylinder
    double length = 0.5;                       // m: of the cylinder, and of the capsule's axis without its round ends
    Vec3 size = Vec3::Constant(0.5);           // m: of the box; x and z of the part of a plane that is drawn; of a mesh: times as large
    std::filesystem::path file = {};           // of a mesh
    std::shared_ptr<const ObstacleMesh> mesh;  // the file's at that size, see load_mesh() in obstacle_mesh.h
    // Where it stands at t = 0 ...
    Vec3 position = Vec3::Zero();  // m
    Vec3 axis = Vec3::UnitY();
    double angle = 0;  // degrees
    // ... and how it moves from there: between keys smoothly (cubic in time, at rest at the first and the last), besides
    // amplitude sin(2 pi frequency t) and a steady turn about `spin_axis` through its position.
    std::vector<ObstacleKey> keys = {};
    Vec3 amplitude = Vec3::Zero();  // m
    double frequency = 1;           // Hz
    Vec3 spin_axis = Vec3::UnitY();
    double spin = 0;                  // degrees per second
    double friction = -1;             // Coulomb's mu; negative: the bodies' own
    bool automatic = false;           // the floor that build_scene puts under the bodies, anew whenever it builds; in no scene file
    bool visible = true;              // drawn
    Vec3 colour = {0.5, 0.53, 0.57};  // linear red, green, blue
    bool operator==(const Obstacle&) const = default;

    bool moves() const { return !keys.empty() || amplitude.norm() * frequency > 0 || spin != 0; }
};

struct ObstacleKind {
    Obstacle::Kind kind;
    const char* id;
    const char* label;
    bool has_radius, has_length, has_size;
};
std::span<const ObstacleKind> obstacle_kinds();  // the one list
Obstacle make_obstacle(Obstacle::Kind);          // of a size that suits its kind
std::string obstacle_name(std::span<const Obstacle>, int index);

Pose pose(const Obstacle&, double t);
// Velocity at time t of the obstacle's point that is at x then, m/s.
Vec3 velocity(const Obstacle&, double t, const Vec3& x);

// Where x is with respect to the surface: distance is negative inside, the normal is the outward direction of the nearest point.
struct Nearest {
    double distance = 1e300;  // m
    Vec3 normal = Vec3::UnitY();
};
Nearest nearest(const Obstacle&, const Pose&, const Vec3& x);

}  // namespace wobble
