#include "engine/mesh/geometry.h"

#include <Eigen/Geometry>

#include <cmath>

namespace wobble {

// By the regions of the plane in which a corner, an edge or the inside is nearest (Ericson, Real-Time Collision Detection, 5.1.5).
Vec3 closest_point_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return a;
    const double d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + d1 / (d1 - d3) * ab;
    const double d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + d2 / (d2 - d6) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
    const double sum = va + vb + vc;
    return a + (vb / sum) * ab + (vc / sum) * ac;
}

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 u = b - a, v = c - a, w = d - a;
    const double det = u.cross(v).dot(w);
    // Rounding error of the determinant, with a wide margin over the classical 7e-16 times the permanent (Shewchuk 1997).
    const Vec3 x = u.cwiseAbs(), y = v.cwiseAbs(), z = w.cwiseAbs();
    const double permanent =
        (x.y() * y.z() + x.z() * y.y()) * z.x() + (x.z() * y.x() + x.x() * y.z()) * z.y() + (x.x() * y.y() + x.y() * y.x()) * z.z();
    const double bound = 2e-15 * permanent;
    return det > bound ? 1 : det < -bound ? -1 : 0;
}

double tet_quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const double squares = (b - a).squaredNorm() + (c - a).squaredNorm() + (d - a).squaredNorm() + (c - b).squaredNorm() +
                           (d - b).squaredNorm() + (d - c).squaredNorm();
    if (!(squares > 0)) return 0;
    return std::sqrt(2.0) * (b - a).cross(c - a).dot(d - a) / std::pow(squares / 6, 1.5);
}

double triangle_quality(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double squares = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
    return squares > 0 ? 2 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / squares : 0;
}

}  // namespace wobble
