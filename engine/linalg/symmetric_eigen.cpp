#include "engine/linalg/symmetric_eigen.h"

#include "engine/linalg/one_blas_thread.h"

#include <algorithm>

extern "C" {
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work, const int* lwork,
             int* iwork, const int* liwork, int* info);
}

namespace wobble {

namespace {

template <class T>
void grow(std::vector<T>& memory, std::size_t size) {
    memory.resize(std::max(memory.size(), size));
}

}  // namespace

SymmetricEigen::Matrix SymmetricEigen::matrix(int n) {
    n_ = n;
    const std::size_t N = static_cast<std::size_t>(n);
    grow(q_, N * N);
    grow(value_, N);
    grow(work_, 1 + 6 * N + 2 * N * N);
    grow(integers_, 3 + 5 * N);
    return {q_.data(), n, n};
}

bool SymmetricEigen::compute() {
    // As much as this size wants and not what there is: LAPACK cuts its work by it, and the bits would depend on earlier matrices.
    const int lwork = 1 + 6 * n_ + 2 * n_ * n_, liwork = 3 + 5 * n_;
    int info = 0;
    one_blas_thread();
    dsyevd_("V", "L", &n_, q_.data(), &n_, value_.data(), work_.data(), &lwork, integers_.data(), &liwork, &info);
    return info == 0;
}

}  // namespace wobble
