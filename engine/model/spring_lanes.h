#pragma once
// Four springs at a time, one per SIMD lane.
//   d = vector between the spring's ends, l = |d|, n = d / l, l0 rest length, k stiffness, u = difference of two end velocities
//   energy U(l), tension g(l) = U'(l) along n. A law says what these are:
//     linear       U = k/2 e^2,                      g = k e                        e = l - l0
//     stiffening   U = k (e^2/2 + c e^4/(4 l0^2)),   g = k (e + c e^3/l0^2)         (where l0 = 0: linear)
//     dashpot      no energy: secant 0, slope tau k, so that product and tangent give D_s = tau k n n^T
//   in terms of   secant = g/l,   slope = g',   curvature = g'':
//   force    T  = g n = secant d                                      (gradient of U with respect to d)
//   tangent  H  = secant I + (slope - secant) n n^T                   (Hessian; secant < 0 when compressed)
//   rate  (dH[u])u = b [ 2 (n.u) p + n |p|^2 ] + curvature (n.u)^2 n,   p = u - n (n.u),   b = (slope - secant) / l
//   dashpot's rate   (d(n n^T)[u])u = [ (n.u) p + n |p|^2 ] / l
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

// S: double, one stiffness for all, or Lane, one for each spring.
template <class S>
struct Linear {
    static constexpr bool curved = false;
    S k;
    Lane energy(const Lane& l, const Lane& l0) const { return 0.5 * k * (l - l0).square(); }
    Lane secant(const Lane&, const Lane& inverse, const Lane& l0) const { return k * (1 - l0 * inverse); }
    Lane slope(const Lane&, const Lane&) const { return Lane(Lane::Ones()) * k; }
    Lane curvature(const Lane&, const Lane&) const { return Lane::Zero(); }
};

template <class S>
struct Stiffening {
    static constexpr bool curved = true;
    S k;
    double c;
    Lane per_square(const Lane& l0) const { return (l0 > 0).select(c * l0.square().inverse(), 0.0); }  // c / l0^2
    Lane energy(const Lane& l, const Lane& l0) const {
        return 0.5 * k * (l - l0).square() * (1 + 0.5 * per_square(l0) * (l - l0).square());
    }
    Lane secant(const Lane& l, const Lane& inverse, const Lane& l0) const {
        return k * (1 - l0 * inverse) * (1 + per_square(l0) * (l - l0).square());
    }
    Lane slope(const Lane& l, const Lane& l0) const { return k * (1 + 3 * per_square(l0) * (l - l0).square()); }
    Lane curvature(const Lane& l, const Lane& l0) const { return 6 * k * per_square(l0) * (l - l0); }
};

template <class S>
struct Dashpot {
    static constexpr bool curved = false;
    S k;  // tau k
    Lane secant(const Lane&, const Lane&, const Lane&) const { return Lane::Zero(); }
    Lane slope(const Lane&, const Lane&) const { return Lane(Lane::Ones()) * k; }
};

template <class Law>
inline Lane energy(const Law& law, const Lane3& d, const Lane& l0) {
    return law.energy(length(d), l0);
}

template <class Law>
inline Lane3 tension(const Law& law, const Lane3& d, const Lane& l0) {
    const Lane l = length(d), g = law.secant(l, l.inverse(), l0);
    return {g * d[0], g * d[1], g * d[2]};
}

template <class Law>
inline Lane3 product(const Law& law, const Lane3& d, const Lane3& u, const Lane& l0) {
    const Lane l = length(d), inverse = l.inverse(), r = law.secant(l, inverse, l0);
    const Lane s = (law.slope(l, l0) - r) * dot(d, u) * inverse * inverse;  // (slope - secant) (n.u) / l
    return {r * u[0] + s * d[0], r * u[1] + s * d[1], r * u[2] + s * d[2]};
}

struct Split {  // u = n (n.u) + p
    Lane inverse, nu, pp;
    Lane3 n, p;
    Split(const Lane3& d, const Lane3& u) : inverse(length(d).inverse()), n{d[0] * inverse, d[1] * inverse, d[2] * inverse} {
        nu = dot(n, u);
        p = {u[0] - n[0] * nu, u[1] - n[1] * nu, u[2] - n[2] * nu};
        pp = dot(p, p);
    }
};

template <class Law>
inline Lane3 rate(const Law& law, const Lane3& d, const Lane3& u, const Lane& l0) {
    const Split w(d, u);
    const Lane l = length(d), b = (law.slope(l, l0) - law.secant(l, w.inverse, l0)) * w.inverse;
    Lane along = b * w.pp;
    if constexpr (Law::curved) along += law.curvature(l, l0) * w.nu.square();
    const Lane across = 2 * b * w.nu;
    return {across * w.p[0] + along * w.n[0], across * w.p[1] + along * w.n[1], across * w.p[2] + along * w.n[2]};
}

template <class S>
inline Lane3 rate(const Dashpot<S>& law, const Lane3& d, const Lane3& u, const Lane&) {
    const Split w(d, u);
    const Lane c = w.inverse * law.k, along = c * w.pp, across = c * w.nu;
    return {across * w.p[0] + along * w.n[0], across * w.p[1] + along * w.n[1], across * w.p[2] + along * w.n[2]};
}

// The six different entries of H: xx, xy, xz, yy, yz, zz.
template <class Law>
inline std::array<Lane, 6> tangent(const Law& law, const Lane3& d, const Lane& l0) {
    const Lane l = length(d), inverse = l.inverse(), r = law.secant(l, inverse, l0), s = (law.slope(l, l0) - r) * inverse * inverse;
    return {r + s * d[0] * d[0], s * d[0] * d[1], s * d[0] * d[2], r + s * d[1] * d[1], s * d[1] * d[2], r + s * d[2] * d[2]};
}

}  // namespace wobble::lanes
