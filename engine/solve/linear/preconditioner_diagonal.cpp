#include "engine/solve/linear/preconditioner_diagonal.h"

#include <Eigen/LU>

#include <atomic>

namespace wobble {

// Positive definite by Sylvester: the leading minors are positive.
bool invert(const Mat3& A, Mat3& inverse) {
    const double minor = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0), determinant = A.determinant();
    if (!(A(0, 0) > 0 && minor > 0 && determinant > 0)) return false;
    inverse = A.inverse();
    inverse = (0.5 * (inverse + inverse.transpose())).eval();
    return inverse.allFinite();
}

double NoPreconditioner::apply(const VecX& r, VecX& z) {
    return blocked_sum(workers_, static_cast<int>(r.size()), [&](int begin, int end) {
        double sum = 0;
        for (int k = begin; k < end; ++k) z[k] = r[k], sum += r[k] * r[k];
        return sum;
    });
}

bool DiagonalPreconditioner::update(const BlockMatrix& A) {
    inverse_.resize(3 * A.rows());
    for (int i = 0; i < A.rows(); ++i)
        for (int d = 0; d < 3; ++d)
            if (!invert(A.at(A.pattern().diagonal[i])(d, d), inverse_[3 * i + d])) return false;
    return true;
}

bool DiagonalPreconditioner::update(const ScalarMatrix& A) {
    inverse_.resize(3 * A.rows());
    for (int i = 0; i < A.rows(); ++i)
        for (int d = 0; d < 3; ++d)
            if (!invert(A.at(A.pattern().diagonal[i]), inverse_[3 * i + d])) return false;
    return true;
}

double DiagonalPreconditioner::apply(const VecX& r, VecX& z) {
    return blocked_sum(workers_, static_cast<int>(r.size()), [&](int begin, int end) {
        double sum = 0;
        for (int k = begin; k < end; ++k) z[k] = inverse_[k] * r[k], sum += r[k] * z[k];
        return sum;
    });
}

bool BlockDiagonalPreconditioner::update(const BlockMatrix& A) {
    inverse_.resize(static_cast<std::size_t>(A.rows()));
    std::atomic<bool> definite{true};
    workers_.ranges(A.rows(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i)
            if (!invert(Mat3(A.at(A.pattern().diagonal[i])), inverse_[static_cast<std::size_t>(i)])) definite = false;
    });
    return definite;
}

double BlockDiagonalPreconditioner::apply(const VecX& r, VecX& z) {
    return blocked_sum(workers_, static_cast<int>(inverse_.size()), [&](int begin, int end) {
        double sum = 0;
        for (int i = begin; i < end; ++i) {
            const Vec3 ri = particle(r, i), zi = inverse_[static_cast<std::size_t>(i)] * ri;
            particle(z, i) = zi;
            sum += ri.dot(zi);
        }
        return sum;
    });
}

}  // namespace wobble
