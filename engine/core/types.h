#pragma once
// The names everything else is written in. Units are SI throughout: metres, kilograms, seconds, newtons.
#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>

namespace wobble {

using Vec3 = Eigen::Vector3d;
using Vec3f = Eigen::Vector3f;
using Mat3 = Eigen::Matrix3d;
using VecX = Eigen::VectorXd;

using Triangle = std::array<int, 3>;  // counter-clockwise seen from outside
using Tet = std::array<int, 4>;       // positive volume: (v1-v0) x (v2-v0) . (v3-v0) > 0

// Every particle owns three consecutive entries of a state vector.
inline auto particle(const VecX& q, int i) { return q.segment<3>(3 * i); }
inline auto particle(VecX& q, int i) { return q.segment<3>(3 * i); }

}  // namespace wobble
