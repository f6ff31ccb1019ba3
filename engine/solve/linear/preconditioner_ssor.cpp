#include "engine/solve/linear/preconditioner_ssor.h"

#include "engine/solve/linear/preconditioner_diagonal.h"

namespace wobble {

template <class Matrix, class Block>
bool Ssor<Matrix, Block>::update(const Matrix& A) {
    A_ = &A;
    inverse_.resize(static_cast<std::size_t>(A.rows()));
    for (int i = 0; i < A.rows(); ++i)
        if (!invert(Block(A.at(A.pattern().diagonal[i])), inverse_[static_cast<std::size_t>(i)])) return false;
    return true;
}

template <class Matrix, class Block>
double Ssor<Matrix, Block>::apply(const VecX& r, VecX& z) {
    const BlockPattern& pattern = A_->pattern();
    for (int i = 0; i < pattern.rows(); ++i) {
        Vec3 sum = particle(r, i);
        for (int k = pattern.row_begin[i]; k < pattern.diagonal[i]; ++k) sum -= A_->at(k) * particle(z, pattern.column[k]);
        particle(z, i) = inverse_[static_cast<std::size_t>(i)] * sum;
    }
    for (int i = pattern.rows() - 1; i >= 0; --i) {
        Vec3 sum = Vec3::Zero();
        for (int k = pattern.diagonal[i] + 1; k < pattern.row_begin[i + 1]; ++k) sum += A_->at(k) * particle(z, pattern.column[k]);
        particle(z, i) -= inverse_[static_cast<std::size_t>(i)] * sum;
    }
    return r.dot(z);
}

template class Ssor<BlockMatrix, Mat3>;
template class Ssor<ScalarMatrix, double>;

}  // namespace wobble
