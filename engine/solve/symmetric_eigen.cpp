#include "engine/solve/symmetric_eigen.h"

#include <algorithm>

extern "C" {
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work, const int* lwork,
             int* iwork, const int* liwork, int* info);
void openblas_set_num_threads(int);
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
    const int lwork = static_cast<int>(work_.size()), liwork = static_cast<int>(integers_.size());
    int info = 0;
    openblas_set_num_threads(1);
    dsyevd_("V", "L", &n_, q_.data(), &n_, value_.data(), work_.data(), &lwork, integers_.data(), &liwork, &info);
    return info == 0;
}

}  // namespace wobble
