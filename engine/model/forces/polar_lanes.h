#pragma once
// The rotations of four matrices, one per SIMD lane; formulas in polar.h.
#include "engine/model/forces/matrix_lanes.h"

namespace wobble::lanes {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in spring_lanes.h

typedef long long Mask __attribute__((vector_size(32)));

constexpr double separate_roots = 1e-2;  // least slope at the root, for F of size 1

[[gnu::always_inline]] inline Lane larger(const Lane& a, const Lane& b) { return a > b ? a : b; }
[[gnu::always_inline]] inline Lane absolute(const Lane& a) { return larger(a, -a); }
[[gnu::always_inline]] inline bool any(const Mask& m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }

Mat3 rotation_by_eigenvectors(const Mat3& F);  // of F of size 1, by a general eigenvalue solver

// Each depends on its own F only, whatever the others are.
[[gnu::always_inline]] inline Lane33 rotations(const Lane33& matrices) {
    const Lane3 sizes{larger(larger(absolute(matrices.x.x), absolute(matrices.x.y)), absolute(matrices.x.z)),
                      larger(larger(absolute(matrices.y.x), absolute(matrices.y.y)), absolute(matrices.y.z)),
                      larger(larger(absolute(matrices.z.x), absolute(matrices.z.y)), absolute(matrices.z.z))};
    const Lane size = larger(larger(sizes.x, sizes.y), sizes.z);
    const Lane scale = 1.0 / larger(size, all(1e-150));
    const Lane33 F = scale * matrices, C = cofactors(F);
    const Lane squares = inner(F, F), c2 = -2.0 * squares, c1 = -8.0 * dot(F.x, C.x), c0 = squares * squares - 4.0 * inner(C, C);
    Lane t = square_root(3.0 * squares), slope = all(0);
    Mask active = size > 0.0;
    for (int iteration = 0; iteration < 20 && any(active); ++iteration) {
        const Lane tt = t * t;
        slope = active ? (4.0 * tt + 2.0 * c2) * t + c1 : slope;
        const Lane step = (((tt + c2) * t + c1) * t + c0) / larger(slope, all(0.1 * separate_roots));
        t = active ? t - step : t;
        active = active & (absolute(step) > 1e-9 * t) & (slope > separate_roots);  // quadratic: the next step would be below rounding
    }

    // The adjugate of B - t I, by its 2x2 minors of rows 0, 1 and of rows 2, 3.
    const Lane xx = F.x.x, yy = F.y.y, zz = F.z.z;
    const Lane b00 = xx + yy + zz - t, b11 = xx - yy - zz - t, b22 = yy - xx - zz - t, b33 = zz - xx - yy - t;
    const Lane b01 = F.y.z - F.z.y, b02 = F.z.x - F.x.z, b03 = F.x.y - F.y.x, b12 = F.y.x + F.x.y, b13 = F.z.x + F.x.z, b23 = F.z.y + F.y.z;
    const Lane l01 = b00 * b11 - b01 * b01, l02 = b00 * b12 - b02 * b01, l03 = b00 * b13 - b03 * b01, l12 = b01 * b12 - b02 * b11,
               l13 = b01 * b13 - b03 * b11;
    const Lane m01 = b02 * b13 - b12 * b03, m02 = b02 * b23 - b22 * b03, m03 = b02 * b33 - b23 * b03, m12 = b12 * b23 - b22 * b13,
               m13 = b12 * b33 - b23 * b13, m23 = b22 * b33 - b23 * b23;
    const Lane a00 = b11 * m23 - b12 * m13 + b13 * m12, a01 = -(b01 * m23 - b12 * m03 + b13 * m02), a02 = b01 * m13 - b11 * m03 + b13 * m01,
               a03 = -(b01 * m12 - b11 * m02 + b12 * m01), a11 = b00 * m23 - b02 * m03 + b03 * m02,
               a12 = -(b00 * m13 - b01 * m03 + b03 * m01), a13 = b00 * m12 - b01 * m02 + b02 * m01, a22 = b03 * l13 - b13 * l03 + b33 * l01,
               a23 = -(b03 * l12 - b13 * l02 + b23 * l01), a33 = b02 * l12 - b12 * l02 + b22 * l01;
    Lane best = absolute(a00), x0 = a00, x1 = a01, x2 = a02, x3 = a03;
    const auto prefer = [&](const Lane& diagonal, const Lane& y0, const Lane& y1, const Lane& y2, const Lane& y3) {
        const Lane value = absolute(diagonal);
        const Mask better = value > best;
        best = better ? value : best;
        x0 = better ? y0 : x0, x1 = better ? y1 : x1, x2 = better ? y2 : x2, x3 = better ? y3 : x3;
    };
    prefer(a11, a01, a11, a12, a13);
    prefer(a22, a02, a12, a22, a23);
    prefer(a33, a03, a13, a23, a33);
    const Lane lengths = square_root(x0 * x0 + x1 * x1 + x2 * x2 + x3 * x3), inverse = 1.0 / larger(lengths, all(1e-30));
    x0 *= inverse, x1 *= inverse, x2 *= inverse, x3 *= inverse;
    Lane33 R{{1.0 - 2.0 * (x2 * x2 + x3 * x3), 2.0 * (x1 * x2 + x0 * x3), 2.0 * (x1 * x3 - x0 * x2)},
             {2.0 * (x1 * x2 - x0 * x3), 1.0 - 2.0 * (x1 * x1 + x3 * x3), 2.0 * (x2 * x3 + x0 * x1)},
             {2.0 * (x1 * x3 + x0 * x2), 2.0 * (x2 * x3 - x0 * x1), 1.0 - 2.0 * (x1 * x1 + x2 * x2)}};
    const Mask good = (size > 1e-150) & (size < 1e150) & (slope > separate_roots) & (lengths > 0.1 * separate_roots);
    if (any(~good)) [[unlikely]]
        for (int k = 0; k < 4; ++k) {
            if (good[k]) continue;
            const bool sized = size[k] > 1e-150 && size[k] < 1e150 && squares[k] < 1e300;  // not NaN either
            set_matrix(R, k, sized ? rotation_by_eigenvectors(matrix(F, k)) : Mat3(Mat3::Identity()));
        }
    return R;
}

#pragma GCC diagnostic pop

}  // namespace wobble::lanes
