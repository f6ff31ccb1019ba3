#pragma once
// Four springs at a time, one per SIMD lane.
//   d = vector between the spring's ends, l = |d|, n = d / l, l0 rest length, k stiffness, u = difference of two end velocities
//   energy   U  = k/2 (l - l0)^2
//   tension  T  = k (l - l0) n                                        (gradient of U with respect to d)
//   tangent  H  = k [ r I + (1 - r) n n^T ],  r = 1 - l0/l            (Hessian; r < 0 when compressed)
//   rate  (dH[u])u = k l0/l^2 [ 2 (n.u) p + n |p|^2 ],  p = u - n (n.u)
#include "engine/core/types.h"

#include <array>

namespace wobble::lanes {

using Lane = Eigen::Array4d;
using Lane3 = std::array<Lane, 3>;  // x, y, z of four vectors

// Four points as they lie in memory, x y z each.
inline Lane3 gather(const double* const p[4]) {
    return {Lane(p[0][0], p[1][0], p[2][0], p[3][0]), Lane(p[0][1], p[1][1], p[2][1], p[3][1]), Lane(p[0][2], p[1][2], p[2][2], p[3][2])};
}

inline Lane3 difference(const Lane3& a, const Lane3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Lane dot(const Lane3& a, const Lane3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// A spring squeezed to a point has no direction; the tiny addition keeps its numbers finite.
inline Lane length(const Lane3& d) { return (dot(d, d) + 1e-120).sqrt(); }

inline Lane energy(const Lane3& d, double k, const Lane& l0) { return 0.5 * k * (length(d) - l0).square(); }

inline Lane3 tension(const Lane3& d, double k, const Lane& l0) {
    const Lane g = k * (1 - l0 / length(d));
    return {g * d[0], g * d[1], g * d[2]};
}

inline Lane3 product(const Lane3& d, const Lane3& u, double k, const Lane& l0) {
    const Lane inverse = length(d).inverse();
    const Lane r = 1 - l0 * inverse;
    const Lane s = (1 - r) * dot(d, u) * inverse * inverse;  // (1 - r) (n.u) / l
    return {k * (r * u[0] + s * d[0]), k * (r * u[1] + s * d[1]), k * (r * u[2] + s * d[2])};
}

inline Lane3 rate(const Lane3& d, const Lane3& u, double k, const Lane& l0) {
    const Lane inverse = length(d).inverse();
    const Lane3 n = {d[0] * inverse, d[1] * inverse, d[2] * inverse};
    const Lane nu = dot(n, u);
    const Lane3 p = {u[0] - n[0] * nu, u[1] - n[1] * nu, u[2] - n[2] * nu};
    const Lane c = k * l0 * inverse * inverse, pp = dot(p, p);
    return {c * (2 * nu * p[0] + n[0] * pp), c * (2 * nu * p[1] + n[1] * pp), c * (2 * nu * p[2] + n[2] * pp)};
}

// The six different entries of H: xx, xy, xz, yy, yz, zz.
inline std::array<Lane, 6> tangent(const Lane3& d, double k, const Lane& l0) {
    const Lane inverse = length(d).inverse();
    const Lane r = 1 - l0 * inverse;
    const Lane kr = k * r, s = k * (1 - r) * inverse * inverse;
    return {kr + s * d[0] * d[0], s * d[0] * d[1], s * d[0] * d[2], kr + s * d[1] * d[1], s * d[1] * d[2], kr + s * d[2] * d[2]};
}

}  // namespace wobble::lanes
