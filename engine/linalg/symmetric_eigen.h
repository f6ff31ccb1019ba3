#pragma once
// All eigenvalues and eigenvectors of a symmetric matrix, A = Q diag(value) Q^T (LAPACK dsyevd, on one thread: the same bits on every
// machine). Memory is kept from one matrix to the next, of whatever size.
#include <Eigen/Core>

#include <vector>

namespace wobble {

class SymmetricEigen {
public:
    using Matrix = Eigen::Map<Eigen::MatrixXd>;

    Matrix matrix(int n);  // to be filled with A; its lower triangle is enough
    bool compute();        // false: did not converge
    Eigen::Map<const Eigen::MatrixXd> Q() const { return {q_.data(), n_, n_}; }
    Eigen::Map<const Eigen::VectorXd> value() const { return {value_.data(), n_}; }  // ascending

private:
    int n_ = 0;
    std::vector<double> q_, value_, work_;
    std::vector<int> integers_;
};

}  // namespace wobble
