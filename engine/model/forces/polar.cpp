#include "engine/model/forces/polar.h"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace wobble {

namespace {

using Lane = Eigen::Array4d;

constexpr double separate = 1e-2;  // least slope at the root, for F of size 1

Mat3 from_quaternion(double w, double a, double b, double c) {
    Mat3 R;
    R << 1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b),  //
        2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a),   //
        2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b);
    return R;
}

Mat3 by_eigenvectors(const Mat3& F) {
    Eigen::Matrix4d B;
    const double xx = F(0, 0), yy = F(1, 1), zz = F(2, 2);
    B << xx + yy + zz, F(2, 1) - F(1, 2), F(0, 2) - F(2, 0), F(1, 0) - F(0, 1),  //
        F(2, 1) - F(1, 2), xx - yy - zz, F(0, 1) + F(1, 0), F(0, 2) + F(2, 0),   //
        F(0, 2) - F(2, 0), F(0, 1) + F(1, 0), yy - xx - zz, F(1, 2) + F(2, 1),   //
        F(1, 0) - F(0, 1), F(0, 2) + F(2, 0), F(1, 2) + F(2, 1), zz - xx - yy;
    const Eigen::Vector4d x = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(B).eigenvectors().col(3);
    return from_quaternion(x[0], x[1], x[2], x[3]);
}

}  // namespace

void rotations_of(const Mat3 (&F)[4], Mat3 (&R)[4]) {
    Lane f[3][3], size = Lane::Zero();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            f[i][j] = Lane(F[0](i, j), F[1](i, j), F[2](i, j), F[3](i, j));
            size = size.max(f[i][j].abs());
        }
    const Lane scale = size.max(1e-150).inverse();
    for (auto& row : f)
        for (Lane& entry : row) entry *= scale;

    Lane squares = Lane::Zero(), cofactors = Lane::Zero(), determinant = Lane::Zero();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const Lane cofactor = f[i1][j1] * f[i2][j2] - f[i1][j2] * f[i2][j1];
            squares += f[i][j].square();
            cofactors += cofactor.square();
            if (i == 0) determinant += f[i][j] * cofactor;
        }
    const Lane c2 = -2 * squares, c1 = -8 * determinant, c0 = squares.square() - 4 * cofactors;
    Lane t = (3 * squares).sqrt(), slope = Lane::Zero();
    Eigen::Array<bool, 4, 1> active = (size > 0).eval();
    for (int iteration = 0; iteration < 20 && active.any(); ++iteration) {
        slope = active.select((4 * t.square() + 2 * c2) * t + c1, slope);
        const Lane step = (((t.square() + c2) * t + c1) * t + c0) / slope.max(0.1 * separate);
        t = active.select(t - step, t);
        active = active && (step.abs() > 1e-9 * t) && (slope > separate);  // quadratic: the next step would be below rounding
    }

    // The adjugate of B - t I, by its 2x2 minors of rows 0, 1 and of rows 2, 3.
    const Lane b00 = f[0][0] + f[1][1] + f[2][2] - t, b11 = f[0][0] - f[1][1] - f[2][2] - t, b22 = f[1][1] - f[0][0] - f[2][2] - t,
               b33 = f[2][2] - f[0][0] - f[1][1] - t, b01 = f[2][1] - f[1][2], b02 = f[0][2] - f[2][0], b03 = f[1][0] - f[0][1],
               b12 = f[0][1] + f[1][0], b13 = f[0][2] + f[2][0], b23 = f[1][2] + f[2][1];
    const Lane l01 = b00 * b11 - b01 * b01, l02 = b00 * b12 - b02 * b01, l03 = b00 * b13 - b03 * b01, l12 = b01 * b12 - b02 * b11,
               l13 = b01 * b13 - b03 * b11;
    const Lane m01 = b02 * b13 - b12 * b03, m02 = b02 * b23 - b22 * b03, m03 = b02 * b33 - b23 * b03, m12 = b12 * b23 - b22 * b13,
               m13 = b12 * b33 - b23 * b13, m23 = b22 * b33 - b23 * b23;
    const Lane a00 = b11 * m23 - b12 * m13 + b13 * m12, a01 = -(b01 * m23 - b12 * m03 + b13 * m02), a02 = b01 * m13 - b11 * m03 + b13 * m01,
               a03 = -(b01 * m12 - b11 * m02 + b12 * m01), a11 = b00 * m23 - b02 * m03 + b03 * m02,
               a12 = -(b00 * m13 - b01 * m03 + b03 * m01), a13 = b00 * m12 - b01 * m02 + b02 * m01, a22 = b03 * l13 - b13 * l03 + b33 * l01,
               a23 = -(b03 * l12 - b13 * l02 + b23 * l01), a33 = b02 * l12 - b12 * l02 + b22 * l01;
    Lane best = a00.abs(), x[4] = {a00, a01, a02, a03};
    const auto prefer = [&](const Lane& diagonal, const Lane& x0, const Lane& x1, const Lane& x2, const Lane& x3) {
        const Eigen::Array<bool, 4, 1> larger = diagonal.abs() > best;
        best = larger.select(diagonal.abs(), best);
        x[0] = larger.select(x0, x[0]), x[1] = larger.select(x1, x[1]), x[2] = larger.select(x2, x[2]), x[3] = larger.select(x3, x[3]);
    };
    prefer(a11, a01, a11, a12, a13);
    prefer(a22, a02, a12, a22, a23);
    prefer(a33, a03, a13, a23, a33);
    const Lane length = (x[0].square() + x[1].square() + x[2].square() + x[3].square()).sqrt(), inverse = length.max(1e-30).inverse();
    for (Lane& entry : x) entry *= inverse;

    for (int k = 0; k < 4; ++k)
        if (!(size[k] > 1e-150 && size[k] < 1e150)) R[k] = Mat3::Identity();  // also NaN
        else if (!(slope[k] > separate && length[k] > 0.1 * separate)) R[k] = by_eigenvectors(F[k] * scale[k]);
        else R[k] = from_quaternion(x[0][k], x[1][k], x[2][k], x[3][k]);
}

Mat3 rotation_of(const Mat3& F) {
    const Mat3 four[4] = {F, F, F, F};
    Mat3 R[4];
    rotations_of(four, R);
    return R[0];
}

}  // namespace wobble
