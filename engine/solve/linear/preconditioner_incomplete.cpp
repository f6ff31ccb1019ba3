#include "engine/solve/linear/preconditioner_incomplete.h"

#include "engine/solve/linear/preconditioner_diagonal.h"

namespace wobble {

namespace {

double size(double a) { return std::abs(a); }
double size(const Mat3& A) { return A.diagonal().cwiseAbs().mean(); }
void add_to_diagonal(double& a, double s) { a += s; }
void add_to_diagonal(Mat3& A, double s) { A.diagonal().array() += s; }
double transposed(double a) { return a; }
auto transposed(const Mat3& A) { return A.transpose(); }

}  // namespace

template <class Matrix, class Block>
void IncompleteCholesky<Matrix, Block>::find_transposed(const BlockPattern& pattern) {
    L_.resize(static_cast<std::size_t>(pattern.blocks()));
    inverse_.resize(static_cast<std::size_t>(pattern.rows()));
    transposed_.resize(static_cast<std::size_t>(pattern.blocks()));
    for (int i = 0; i < pattern.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
            transposed_[static_cast<std::size_t>(k)] = pattern.find(pattern.column[k], i);
}

template <class Matrix, class Block>
bool IncompleteCholesky<Matrix, Block>::update(const Matrix& A) {
    if (pattern_ != A.shared_pattern()) pattern_ = A.shared_pattern(), find_transposed(*pattern_);
    for (shift_ = 0; shift_ < 10; shift_ = shift_ == 0 ? 1e-3 : 4 * shift_)
        if (factorize(A, shift_)) return true;
    return false;
}

// Row by row. While row i is made, L_ij stands for the product L_ij E_j; it is divided by E_j once E_i has been summed up.
template <class Matrix, class Block>
bool IncompleteCholesky<Matrix, Block>::factorize(const Matrix& A, double s) {
    const BlockPattern& pattern = *pattern_;
    const auto L = [&](int k) -> Block& { return L_[static_cast<std::size_t>(k)]; };
    for (int i = 0; i < pattern.rows(); ++i) {
        const int begin = pattern.row_begin[i], diagonal = pattern.diagonal[i];
        for (int k = begin; k < diagonal; ++k) L(k) = A.at(k);
        Block E = A.at(diagonal);
        add_to_diagonal(E, s * size(E));
        for (int k = begin; k < diagonal; ++k) {
            // L_ij E_j is complete now, j = column[k]. Every later block (i, m) whose row m also has column j loses L_ij E_j L_mj^T.
            const int j = pattern.column[k];
            int below = pattern.diagonal[j] + 1;  // blocks (j, m) with m > j tell which rows m have column j
            for (int later = k + 1; later < diagonal; ++later) {
                const int m = pattern.column[later];
                while (below < pattern.row_begin[j + 1] && pattern.column[below] < m) ++below;
                if (below == pattern.row_begin[j + 1]) break;
                if (pattern.column[below] != m) continue;
                L(later) -= L(k) * transposed(L(transposed_[static_cast<std::size_t>(below)]));
            }
            const Block LE = L(k);
            L(k) = LE * inverse_[static_cast<std::size_t>(j)];
            E -= LE * transposed(L(k));
        }
        if (!invert(E, inverse_[static_cast<std::size_t>(i)])) return false;
    }
    return true;
}

// L y = r,  E w = y,  L^T z = w, the last one column by column: z_j loses L_ij^T z_i as soon as z_i is known.
template <class Matrix, class Block>
double IncompleteCholesky<Matrix, Block>::apply(const VecX& r, VecX& z) {
    const BlockPattern& pattern = *pattern_;
    for (int i = 0; i < pattern.rows(); ++i) {
        Vec3 sum = particle(r, i);
        for (int k = pattern.row_begin[i]; k < pattern.diagonal[i]; ++k)
            sum -= L_[static_cast<std::size_t>(k)] * particle(z, pattern.column[k]);
        particle(z, i) = sum;
    }
    for (int i = 0; i < pattern.rows(); ++i) particle(z, i) = (inverse_[static_cast<std::size_t>(i)] * particle(z, i)).eval();
    for (int i = pattern.rows() - 1; i >= 0; --i) {
        const Vec3 zi = particle(z, i);
        for (int k = pattern.row_begin[i]; k < pattern.diagonal[i]; ++k)
            particle(z, pattern.column[k]) -= transposed(L_[static_cast<std::size_t>(k)]) * zi;
    }
    return r.dot(z);
}

template class IncompleteCholesky<BlockMatrix, Mat3>;
template class IncompleteCholesky<ScalarMatrix, double>;

}  // namespace wobble
