#include "engine/solve/tridiagonal.h"

#include <algorithm>
#include <cassert>
#include <cmath>

extern "C" {
void dstemr_(const char* jobz, const char* range, const int* n, double* d, double* e, const double* vl, const double* vu, const int* il,
             const int* iu, int* m, double* w, double* z, const int* ldz, const int* nzc, int* isuppz, int* tryrac, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
void dsteqr_(const char* compz, const int* n, double* d, double* e, double* z, const int* ldz, double* work, int* info);
}

namespace wobble {

TridiagonalEigen::TridiagonalEigen(int largest)
    : largest_(largest),
      values_(largest),
      vectors_(static_cast<std::size_t>(largest) * largest),
      diagonal_(largest),
      off_diagonal_(largest),
      work_(20 * largest),
      integers_(12 * largest),
      support_(2 * largest) {}

bool TridiagonalEigen::compute(std::span<const double> diagonal, std::span<const double> off_diagonal) {
    m_ = static_cast<int>(diagonal.size());
    assert(m_ >= 1 && m_ <= largest_ && static_cast<int>(off_diagonal.size()) >= m_ - 1);
    const auto finite = [](double x) { return std::isfinite(x); };
    if (!std::all_of(diagonal.begin(), diagonal.end(), finite) ||
        !std::all_of(off_diagonal.begin(), off_diagonal.begin() + (m_ - 1), finite))
        return false;
    const auto load = [&] {  // LAPACK overwrites its input
        std::copy(diagonal.begin(), diagonal.end(), diagonal_.begin());
        std::copy(off_diagonal.begin(), off_diagonal.begin() + (m_ - 1), off_diagonal_.begin());
    };

    load();
    const double none = 0;
    const int unused = 0, lwork = static_cast<int>(work_.size()), liwork = static_cast<int>(integers_.size());
    int found = 0, accurate = 1, info = 0;
    dstemr_("V", "A", &m_, diagonal_.data(), off_diagonal_.data(), &none, &none, &unused, &unused, &found, values_.data(), vectors_.data(),
            &m_, &m_, support_.data(), &accurate, work_.data(), &lwork, integers_.data(), &liwork, &info);
    if (info == 0 && found == m_) return true;

    load();
    dsteqr_("I", &m_, diagonal_.data(), off_diagonal_.data(), vectors_.data(), &m_, work_.data(), &info);
    std::copy_n(diagonal_.begin(), m_, values_.begin());
    return info == 0;
}

}  // namespace wobble
