#include "engine/model/forces/polar.h"

#include "engine/model/forces/polar_lanes.h"

#include <Eigen/Eigenvalues>

namespace wobble {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in spring_lanes.h

Mat3 lanes::rotation_by_eigenvectors(const Mat3& F) {
    Eigen::Matrix4d B;
    const double xx = F(0, 0), yy = F(1, 1), zz = F(2, 2);
    B << xx + yy + zz, F(2, 1) - F(1, 2), F(0, 2) - F(2, 0), F(1, 0) - F(0, 1),  //
        F(2, 1) - F(1, 2), xx - yy - zz, F(0, 1) + F(1, 0), F(0, 2) + F(2, 0),   //
        F(0, 2) - F(2, 0), F(0, 1) + F(1, 0), yy - xx - zz, F(1, 2) + F(2, 1),   //
        F(1, 0) - F(0, 1), F(0, 2) + F(2, 0), F(1, 2) + F(2, 1), zz - xx - yy;
    const Eigen::Vector4d x = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(B).eigenvectors().col(3);
    const double w = x[0], a = x[1], b = x[2], c = x[3];
    Mat3 R;
    R << 1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b),  //
        2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a),   //
        2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b);
    return R;
}

void rotations_of(const Mat3 (&F)[4], Mat3 (&R)[4]) {
    lanes::Lane33 four;
    for (int k = 0; k < 4; ++k) lanes::set_matrix(four, k, F[k]);
    four = lanes::rotations(four);
    for (int k = 0; k < 4; ++k) R[k] = lanes::matrix(four, k);
}

Mat3 rotation_of(const Mat3& F) {
    const Mat3 four[4] = {F, F, F, F};
    Mat3 R[4];
    rotations_of(four, R);
    return R[0];
}

#pragma GCC diagnostic pop

}  // namespace wobble
