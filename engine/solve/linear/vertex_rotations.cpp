#include "engine/solve/linear/vertex_rotations.h"

#include <Eigen/LU>
#include <Eigen/SVD>

#include <cmath>

namespace wobble {

namespace {

Mat3 rotation_by_svd(const Mat3& F) {
    if (!F.allFinite()) return Mat3::Identity();
    const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 U = svd.matrixU();
    if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) = -U.col(2);  // the smallest singular value turns round
    return U * svd.matrixV().transpose();
}

}  // namespace

Mat3 nearest_rotation(const Mat3& F) {
    const double size = F.norm();
    if (!(size > 0)) return Mat3::Identity();
    Mat3 R = F / size;
    if (!(R.determinant() > 1e-6)) return rotation_by_svd(F);
    for (int iteration = 0; iteration < 20; ++iteration) {
        const Mat3 inverse = R.inverse().transpose();
        const double c = std::sqrt(inverse.norm() / R.norm());
        const Mat3 next = 0.5 * (c * R + inverse / c);
        const double change = (next - R).squaredNorm();
        R = next;
        if (change < 1e-24) return R;
    }
    return rotation_by_svd(F);
}

void vertex_rotations(Workers& workers, const BlockPattern& pattern, const VecX& X, const VecX& x, std::vector<Mat3>& R) {
    R.resize(static_cast<std::size_t>(pattern.rows()));
    workers.ranges(pattern.rows(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Mat3 F = Mat3::Zero();
            const Vec3 xi = particle(x, i), Xi = particle(X, i);
            for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
                const int j = pattern.column[k];
                F += (particle(x, j) - xi) * (particle(X, j) - Xi).transpose();
            }
            R[static_cast<std::size_t>(i)] = nearest_rotation(F);
        }
    });
}

}  // namespace wobble
