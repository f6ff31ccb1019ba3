#include "app/viewer/normals.h"

#include <Eigen/Geometry>

namespace wobble {

void vertex_normals(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles, std::vector<Vec3f>& normals) {
    normals.assign(positions.size(), Vec3f::Zero());
    for (const auto& [a, b, c] : triangles) {
        const Vec3f n = (positions[b] - positions[a]).cross(positions[c] - positions[a]);  // twice the area long
        normals[a] += n;
        normals[b] += n;
        normals[c] += n;
    }
    for (Vec3f& n : normals) {
        const float length = n.norm();
        n = length > 0 ? Vec3f(n / length) : Vec3f::UnitY();
    }
}

}  // namespace wobble
