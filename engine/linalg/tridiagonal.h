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

// Eigenvalues and, of the eigenvectors, the first and last entries only: all that an error estimate asks for, by implicit QL with
// Wilkinson's shifts applied to these two rows (Golub and Welsch, Math. Comp. 23 (1969)). A quarter of the time of all vectors at m = 20.
class TridiagonalEnds {
public:
    explicit TridiagonalEnds(int largest);

    bool compute(std::span<const double> diagonal,
                 std::span<const double> off_diagonal);  // false if not finite, or not done after 50 sweeps

    void set(const TridiagonalEigen&);  // from all of the vectors

    int size() const { return m_; }
    double value(int i) const { return values_[i]; }  // theta_i, in any order
    double first(int i) const { return first_[i]; }
    double last(int i) const { return last_[i]; }

private:
    int m_ = 0;
    std::vector<double> values_, off_diagonal_, first_, last_;
};

}  // namespace wobble
