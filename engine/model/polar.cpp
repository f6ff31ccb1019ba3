#include "engine/model/polar.h"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace wobble {

namespace {

using Mat4 = Eigen::Matrix4d;
using Vec4 = Eigen::Vector4d;

Mat3 from_quaternion(const Vec4& x) {
    const double w = x[0], a = x[1], b = x[2], c = x[3];
    Mat3 R;
    R << 1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b),  //
        2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a),   //
        2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b);
    return R;
}

// x^T B x = tr(R^T F)
Mat4 quadratic_form(const Mat3& F) {
    Mat4 B;
    const double xx = F(0, 0), yy = F(1, 1), zz = F(2, 2);
    B(0, 0) = xx + yy + zz, B(1, 1) = xx - yy - zz, B(2, 2) = yy - xx - zz, B(3, 3) = zz - xx - yy;
    B(0, 1) = B(1, 0) = F(2, 1) - F(1, 2);
    B(0, 2) = B(2, 0) = F(0, 2) - F(2, 0);
    B(0, 3) = B(3, 0) = F(1, 0) - F(0, 1);
    B(1, 2) = B(2, 1) = F(0, 1) + F(1, 0);
    B(1, 3) = B(3, 1) = F(0, 2) + F(2, 0);
    B(2, 3) = B(3, 2) = F(1, 2) + F(2, 1);
    return B;
}

Mat3 by_jacobi(const Mat4& B) { return from_quaternion(Eigen::SelfAdjointEigenSolver<Mat4>(B).eigenvectors().col(3)); }

}  // namespace

Mat3 rotation_of(const Mat3& F) {
    const double size = F.cwiseAbs().maxCoeff();
    if (!(size > 1e-150) || !(size < 1e150)) return Mat3::Identity();  // also NaN
    const Mat3 G = F / size;
    const Mat4 B = quadratic_form(G);

    // det(t I - B) = t^4 - 2 |G|^2 t^2 - 8 det(G) t + det B; its largest root is at most sqrt(3) |G|, the mean of equal eigenvalues s_k.
    const double c2 = -2 * G.squaredNorm(), c1 = -8 * G.determinant(), c0 = B.determinant();
    double t = std::sqrt(-1.5 * c2);
    for (int i = 0; i < 20; ++i) {
        const double slope = (4 * t * t + 2 * c2) * t + c1, value = ((t * t + c2) * t + c1) * t + c0;
        if (!(slope > 1e-2)) return by_jacobi(B);  // roots nearly meet
        const double step = value / slope;
        t -= step;
        if (std::abs(step) < 1e-9 * t) break;  // quadratic convergence: the next step would be below rounding
    }
    // (B - t I) has rank 3; every column of its adjugate is a multiple of x, and the one with the largest diagonal is the safest.
    const Mat4 C = B - t * Mat4::Identity();
    const auto minor3 = [&](int r, int c) {
        const int i0 = r == 0, i1 = 1 + (r <= 1), i2 = 2 + (r <= 2), j0 = c == 0, j1 = 1 + (c <= 1), j2 = 2 + (c <= 2);
        return C(i0, j0) * (C(i1, j1) * C(i2, j2) - C(i1, j2) * C(i2, j1)) - C(i0, j1) * (C(i1, j0) * C(i2, j2) - C(i1, j2) * C(i2, j0)) +
               C(i0, j2) * (C(i1, j0) * C(i2, j1) - C(i1, j1) * C(i2, j0));
    };
    Vec4 diagonal;
    for (int k = 0; k < 4; ++k) diagonal[k] = std::abs(minor3(k, k));
    int k = 0;
    diagonal.maxCoeff(&k);
    Vec4 x;
    for (int r = 0; r < 4; ++r) x[r] = ((r + k) % 2 ? -1 : 1) * minor3(r, k);
    const double length = x.norm();
    if (!(length > 1e-3)) return by_jacobi(B);
    return from_quaternion(x / length);
}

}  // namespace wobble
