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
// Lanes are the compiler's own vectors: unlike a small array they are put together and taken apart in registers.
#include "engine/core/types.h"

#include <array>
#ifdef __AVX512VL__
#include <immintrin.h>
#endif

namespace wobble::lanes {

constexpr double bound_strain = 0.5;  // up to which add_linear_stiffness() bounds the tangent of stiffening springs

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // processors without such registers pass lanes in memory, if a call is left at all

typedef double Lane __attribute__((vector_size(32)));
typedef double Pair __attribute__((vector_size(16)));
typedef double UnalignedLane __attribute__((vector_size(32), aligned(8), may_alias));
typedef double UnalignedPair __attribute__((vector_size(16), aligned(8), may_alias));
struct Lane3 {  // x, y, z of four vectors
    Lane x, y, z;
};
struct Lane6 {  // xx, xy, xz, yy, yz, zz of four symmetric matrices
    Lane xx, xy, xz, yy, yz, zz;
};

#define WOBBLE_LANES [[gnu::always_inline]] inline

WOBBLE_LANES Lane all(double x) { return Lane{x, x, x, x}; }
WOBBLE_LANES double total(const Lane& a) { return (a[0] + a[1]) + (a[2] + a[3]); }
WOBBLE_LANES Lane load(const double* p) { return *reinterpret_cast<const UnalignedLane*>(p); }
WOBBLE_LANES Pair load_pair(const double* p) { return *reinterpret_cast<const UnalignedPair*>(p); }
WOBBLE_LANES Lane square(const Lane& a) { return a * a; }
WOBBLE_LANES Lane square_root(Lane a) {
    Eigen::Map<Eigen::Array4d, Eigen::Aligned32> map(reinterpret_cast<double*>(&a));
    map = map.sqrt();
    return a;
}

WOBBLE_LANES Lane3 operator+(const Lane3& a, const Lane3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
WOBBLE_LANES Lane3 operator-(const Lane3& a, const Lane3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
WOBBLE_LANES Lane3 operator*(double s, const Lane3& a) { return {s * a.x, s * a.y, s * a.z}; }
WOBBLE_LANES Lane3 operator*(const Lane& s, const Lane3& a) { return {s * a.x, s * a.y, s * a.z}; }
WOBBLE_LANES Lane dot(const Lane3& a, const Lane3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
WOBBLE_LANES Lane6 operator+(const Lane6& a, const Lane6& b) {
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
WOBBLE_LANES Lane6 operator-(const Lane6& a, const Lane6& b) {
    return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
}
WOBBLE_LANES Lane6 operator*(double s, const Lane6& a) { return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz}; }

// Vectors of the particles i[0], i[1], i[2], i[3] of x, three numbers each.
WOBBLE_LANES Lane3 gather(const double* x, const int* i) {
    const double *p0 = x + 3 * i[0], *p1 = x + 3 * i[1], *p2 = x + 3 * i[2], *p3 = x + 3 * i[3];
    const Lane even = __builtin_shufflevector(load_pair(p0), load_pair(p2), 0, 1, 2, 3);
    const Lane odd = __builtin_shufflevector(load_pair(p1), load_pair(p3), 0, 1, 2, 3);
    return {__builtin_shufflevector(even, odd, 0, 4, 2, 6), __builtin_shufflevector(even, odd, 1, 5, 3, 7),
            Lane{p0[2], p1[2], p2[2], p3[2]}};
}

// The vector of one particle, in all lanes.
WOBBLE_LANES Lane3 all3(const double* p) { return {all(p[0]), all(p[1]), all(p[2])}; }

// The vectors one by one: pairs[lane] = x, y and z[lane].
struct Vectors {
    Pair xy[4];
    Lane z;
    WOBBLE_LANES explicit Vectors(const Lane3& a) : z(a.z) {
        const Lane even = __builtin_shufflevector(a.x, a.y, 0, 4, 2, 6), odd = __builtin_shufflevector(a.x, a.y, 1, 5, 3, 7);
        xy[0] = __builtin_shufflevector(even, even, 0, 1), xy[2] = __builtin_shufflevector(even, even, 2, 3);
        xy[1] = __builtin_shufflevector(odd, odd, 0, 1), xy[3] = __builtin_shufflevector(odd, odd, 2, 3);
    }
    WOBBLE_LANES void add_to(double* p, int lane) const {
        *reinterpret_cast<UnalignedPair*>(p) += xy[lane];
        p[2] += z[lane];
    }
    WOBBLE_LANES void subtract_all_from(double* p) const {
        *reinterpret_cast<UnalignedPair*>(p) -= (xy[0] + xy[1]) + (xy[2] + xy[3]);
        p[2] -= total(z);
    }
};

// The symmetric matrices one by one: first[lane] = xx, xy, xz, yy and last[lane] = yz, zz.
struct Sixes {
    Lane first[4];
    Pair last[4];
    WOBBLE_LANES explicit Sixes(const Lane6& a) {
        const Lane e = __builtin_shufflevector(a.xx, a.xy, 0, 4, 2, 6), o = __builtin_shufflevector(a.xx, a.xy, 1, 5, 3, 7);
        const Lane f = __builtin_shufflevector(a.xz, a.yy, 0, 4, 2, 6), p = __builtin_shufflevector(a.xz, a.yy, 1, 5, 3, 7);
        first[0] = __builtin_shufflevector(e, f, 0, 1, 4, 5), first[2] = __builtin_shufflevector(e, f, 2, 3, 6, 7);
        first[1] = __builtin_shufflevector(o, p, 0, 1, 4, 5), first[3] = __builtin_shufflevector(o, p, 2, 3, 6, 7);
        const Lane g = __builtin_shufflevector(a.yz, a.zz, 0, 4, 2, 6), q = __builtin_shufflevector(a.yz, a.zz, 1, 5, 3, 7);
        last[0] = __builtin_shufflevector(g, g, 0, 1), last[2] = __builtin_shufflevector(g, g, 2, 3);
        last[1] = __builtin_shufflevector(q, q, 0, 1), last[3] = __builtin_shufflevector(q, q, 2, 3);
    }
    WOBBLE_LANES void add_to(double* six, int lane) const {
        *reinterpret_cast<UnalignedLane*>(six) += first[lane];
        *reinterpret_cast<UnalignedPair*>(six + 4) += last[lane];
    }
    WOBBLE_LANES void subtract_from(double* six, int lane) const {
        *reinterpret_cast<UnalignedLane*>(six) -= first[lane];
        *reinterpret_cast<UnalignedPair*>(six + 4) -= last[lane];
    }
    WOBBLE_LANES void negated_to(double* six, int lane) const {
        *reinterpret_cast<UnalignedLane*>(six) = -first[lane];
        *reinterpret_cast<UnalignedPair*>(six + 4) = -last[lane];
    }
};

// A spring squeezed to a point has no direction; the tiny addition keeps its numbers finite.
WOBBLE_LANES Lane length_squared(const Lane3& d) { return dot(d, d) + 1e-120; }
WOBBLE_LANES Lane length(const Lane3& d) { return square_root(length_squared(d)); }

// 1 / l and l. Root and quotient are a fifth of a force's time. Where the processor offers y = 1 / sqrt(x) to 14 bits, the series of
// (1 - e)^-1/2, e = 1 - x y^2 < 2^-13, makes them 53 in fewer cycles.
struct Length {
    Lane inverse, l;
    WOBBLE_LANES explicit Length(const Lane3& d) {
        const Lane x = length_squared(d);
#ifdef __AVX512VL__
        const Lane y = _mm256_rsqrt14_pd(x), e = 1.0 - x * (y * y);
        inverse = y + y * e * (0.5 + e * (0.375 + e * 0.3125));
        l = x * inverse;
#else
        l = square_root(x);
        inverse = 1.0 / l;
#endif
    }
};

// S: double, one stiffness for all, or Lane, one for each spring.
template <class S>
struct Linear {
    static constexpr bool curved = false;
    S k;
    WOBBLE_LANES Lane energy(const Lane& l, const Lane& l0) const { return 0.5 * k * square(l - l0); }
    WOBBLE_LANES Lane secant(const Lane&, const Lane& inverse, const Lane& l0) const { return k * (1.0 - l0 * inverse); }
    WOBBLE_LANES Lane slope(const Lane&, const Lane&) const { return all(1) * k; }
    WOBBLE_LANES Lane curvature(const Lane&, const Lane&) const { return all(0); }
};

template <class S>
struct Stiffening {
    static constexpr bool curved = true;
    S k;
    double c;
    WOBBLE_LANES Lane per_square(const Lane& l0) const { return l0 > 0.0 ? c / square(l0) : all(0); }  // c / l0^2
    WOBBLE_LANES Lane energy(const Lane& l, const Lane& l0) const {
        return 0.5 * k * square(l - l0) * (1.0 + 0.5 * per_square(l0) * square(l - l0));
    }
    WOBBLE_LANES Lane secant(const Lane& l, const Lane& inverse, const Lane& l0) const {
        return k * (1.0 - l0 * inverse) * (1.0 + per_square(l0) * square(l - l0));
    }
    WOBBLE_LANES Lane slope(const Lane& l, const Lane& l0) const { return k * (1.0 + 3.0 * per_square(l0) * square(l - l0)); }
    WOBBLE_LANES Lane curvature(const Lane& l, const Lane& l0) const { return 6.0 * k * per_square(l0) * (l - l0); }
};

template <class S>
struct Dashpot {
    static constexpr bool curved = false;
    S k;  // tau k
    WOBBLE_LANES Lane secant(const Lane&, const Lane&, const Lane&) const { return all(0); }
    WOBBLE_LANES Lane slope(const Lane&, const Lane&) const { return all(1) * k; }
};

template <class Law>
WOBBLE_LANES Lane energy(const Law& law, const Lane3& d, const Lane& l0) {
    return law.energy(length(d), l0);
}

template <class Law>
WOBBLE_LANES Lane3 tension(const Law& law, const Lane3& d, const Lane& l0) {
    const auto [inverse, l] = Length(d);
    return law.secant(l, inverse, l0) * d;
}

// The same, and U is added to `energy`.
template <class Law>
WOBBLE_LANES Lane3 tension(const Law& law, const Lane3& d, const Lane& l0, Lane& energy) {
    const auto [inverse, l] = Length(d);
    energy += law.energy(l, l0);
    return law.secant(l, inverse, l0) * d;
}

template <class Law>
WOBBLE_LANES Lane3 product(const Law& law, const Lane3& d, const Lane3& u, const Lane& l0) {
    const auto [inverse, l] = Length(d);
    const Lane r = law.secant(l, inverse, l0);
    const Lane s = (law.slope(l, l0) - r) * dot(d, u) * inverse * inverse;  // (slope - secant) (n.u) / l
    return r * u + s * d;
}

struct Split {  // u = n (n.u) + p
    Lane inverse, l, nu, pp;
    Lane3 n, p;
    WOBBLE_LANES Split(const Lane3& d, const Lane3& u) {
        const Length length(d);
        inverse = length.inverse, l = length.l;
        n = inverse * d;
        nu = dot(n, u);
        p = u - nu * n;
        pp = dot(p, p);
    }
};

template <class Law>
WOBBLE_LANES Lane3 rate(const Law& law, const Lane3& d, const Lane3& u, const Lane& l0) {
    const Split w(d, u);
    const Lane b = (law.slope(w.l, l0) - law.secant(w.l, w.inverse, l0)) * w.inverse;
    Lane along = b * w.pp;
    if constexpr (Law::curved) along += law.curvature(w.l, l0) * square(w.nu);
    return (2.0 * b * w.nu) * w.p + along * w.n;
}

// Both at once: d becomes the tension, u the rate.
template <class Law>
WOBBLE_LANES void tension_and_rate(const Law& law, Lane3& d, Lane3& u, const Lane& l0) {
    const Split w(d, u);
    const Lane secant = law.secant(w.l, w.inverse, l0), b = (law.slope(w.l, l0) - secant) * w.inverse;
    Lane along = b * w.pp;
    if constexpr (Law::curved) along += law.curvature(w.l, l0) * square(w.nu);
    d = secant * d;
    u = (2.0 * b * w.nu) * w.p + along * w.n;
}

template <class S>
WOBBLE_LANES Lane3 rate(const Dashpot<S>& law, const Lane3& d, const Lane3& u, const Lane&) {
    const Split w(d, u);
    const Lane c = w.inverse * law.k;
    return (c * w.nu) * w.p + (c * w.pp) * w.n;
}

template <class Law>
WOBBLE_LANES Lane6 tangent(const Law& law, const Lane3& d, const Lane& l0) {
    const auto [inverse, l] = Length(d);
    const Lane r = law.secant(l, inverse, l0), s = (law.slope(l, l0) - r) * inverse * inverse;
    const Lane3 sd = s * d;
    return {r + sd.x * d.x, sd.x * d.y, sd.x * d.z, r + sd.y * d.y, sd.y * d.z, r + sd.z * d.z};
}

#undef WOBBLE_LANES
#pragma GCC diagnostic pop

}  // namespace wobble::lanes
