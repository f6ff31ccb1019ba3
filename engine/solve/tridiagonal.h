#pragma once
// Eigen decomposition of the small symmetric tridiagonal matrices that Lanczos makes, by LAPACK (dstemr, O(m^2); dsteqr
// should it fail), in workspace made once.
#include <Eigen/Core>

#include <span>
#include <vector>

namespace wobble {

class TridiagonalEigen {
public:
    explicit TridiagonalEigen(int largest);

    // diagonal: m entries, off_diagonal: m-1. False if the numbers are not finite or LAPACK gave up.
    bool compute(std::span<const double> diagonal, std::span<const double> off_diagonal);

    int size() const { return m_; }
    double value(int i) const { return values_[i]; }                                                  // theta_i, ascending
    double vector(int row, int i) const { return vectors_[static_cast<std::size_t>(i) * m_ + row]; }  // entry `row` of eigenvector i

private:
    int largest_, m_ = 0;
    std::vector<double> values_, vectors_, diagonal_, off_diagonal_, work_;
    std::vector<int> integers_, support_;
};

}  // namespace wobble
