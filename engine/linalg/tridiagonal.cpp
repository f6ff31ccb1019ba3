#include "engine/linalg/tridiagonal.h"

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

namespace {

bool all_finite(std::span<const double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

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
    if (!all_finite(diagonal) || !all_finite(off_diagonal.first(m_ - 1))) return false;
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

TridiagonalEnds::TridiagonalEnds(int largest) : values_(largest), off_diagonal_(largest), first_(largest), last_(largest) {}

// d and e converge to the eigenvalues and to zero. A sweep of rotations G_i in the planes (i, i+1), from the first negligible e upwards to
// row l, chases the bulge that the shift makes; the rows of Z follow, Z <- Z G_i^T. What is below rounding of the largest number
// counts as zero, too: among much smaller ones there is only noise of that size, which would be chased for ever.
bool TridiagonalEnds::compute(std::span<const double> diagonal, std::span<const double> off_diagonal) {
    m_ = static_cast<int>(diagonal.size());
    assert(m_ >= 1 && m_ <= static_cast<int>(values_.size()) && static_cast<int>(off_diagonal.size()) >= m_ - 1);
    if (!all_finite(diagonal) || !all_finite(off_diagonal.first(m_ - 1))) return false;
    double *const d = values_.data(), *const e = off_diagonal_.data(), *const z0 = first_.data(), *const z1 = last_.data();
    std::copy(diagonal.begin(), diagonal.end(), d);
    std::copy_n(off_diagonal.begin(), m_ - 1, e);
    e[m_ - 1] = 0;
    double norm = 0;
    for (int i = 0; i < m_; ++i) norm = std::max({norm, std::abs(d[i]), std::abs(e[i])});
    if (norm == 0) norm = 1;
    for (int i = 0; i < m_; ++i) d[i] /= norm, e[i] /= norm;  // so that no square overflows
    std::fill_n(z0, m_, 0.0), std::fill_n(z1, m_, 0.0);
    z0[0] = z1[m_ - 1] = 1;

    for (int l = 0; l < m_; ++l) {
        for (int sweep = 0;; ++sweep) {
            int end = l;
            while (end < m_ - 1 && std::abs(e[end]) > 1e-16 * (std::abs(d[end]) + std::abs(d[end + 1]) + 1)) ++end;
            if (end == l) break;
            if (sweep == 50) return false;
            const double half = (d[l + 1] - d[l]) / (2 * e[l]);
            double g = d[end] - d[l] + e[l] / (half + std::copysign(std::sqrt(half * half + 1), half));
            double s = 1, c = 1, p = 0;
            int i = end - 1;
            for (; i >= l; --i) {
                const double f = s * e[i], b = c * e[i], r = std::sqrt(f * f + g * g);
                e[i + 1] = r;
                if (r == 0) break;  // split: the rest of the sweep has nothing to chase
                s = f / r, c = g / r;
                const double shifted = d[i + 1] - p, t = (d[i] - shifted) * s + 2 * c * b;
                p = s * t;
                d[i + 1] = shifted + p;
                g = c * t - b;
                for (double* z : {z0, z1}) {
                    const double above = z[i + 1];
                    z[i + 1] = s * z[i] + c * above;
                    z[i] = c * z[i] - s * above;
                }
            }
            if (i >= l) {
                d[i + 1] -= p;
                e[end] = 0;
                continue;
            }
            d[l] -= p;
            e[l] = g;
            e[end] = 0;
        }
    }
    for (int i = 0; i < m_; ++i) d[i] *= norm;
    return all_finite({d, static_cast<std::size_t>(m_)});
}

void TridiagonalEnds::set(const TridiagonalEigen& eigen) {
    m_ = eigen.size();
    for (int i = 0; i < m_; ++i) values_[i] = eigen.value(i), first_[i] = eigen.vector(0, i), last_[i] = eigen.vector(m_ - 1, i);
}

}  // namespace wobble
