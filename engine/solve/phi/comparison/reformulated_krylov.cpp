#include "engine/solve/phi/comparison/reformulated_krylov.h"

#include <cassert>
#include <cmath>

namespace wobble {

namespace {

// y = A x for a symmetric A, by columns: each thread reads its own.
template <class In, class Out>
void multiply(Workers& workers, const Eigen::MatrixXd& A, const In& x, Out&& y) {
    workers.ranges(static_cast<int>(A.cols()),
                   [&](int begin, int end) { y.segment(begin, end - begin).noalias() = A.middleCols(begin, end - begin).transpose() * x; });
}

}  // namespace

KrylovProcess::Outcome ReformulatedKrylov::start(const Linearized& system, const VecX& x, const VecX& v) {
    workers_ = &system.workers;
    const Eigen::Index N = static_cast<Eigen::Index>(shared_.free.size());
    U_.resize(2 * N, max_dimension_ + 1);
    Eigen::VectorXd y(N);
    for (Eigen::Index k = 0; k < N; ++k) {
        y[k] = shared_.root_mass[k] * x[shared_.free[k]];
        U_(N + k, 0) = shared_.root_mass[k] * v[shared_.free[k]];
    }
    multiply(*workers_, shared_.Omega, y, U_.col(0).head(N));
    ++products_;
    const double norm = U_.col(0).norm();
    if (!std::isfinite(norm)) return Outcome::not_finite;
    begin(norm);
    return Outcome::good;
}

KrylovProcess::Outcome ReformulatedKrylov::extend() {
    assert(dimension_ < max_dimension_ && !complete_);
    const int j = dimension_;
    const Eigen::Index N = static_cast<Eigen::Index>(shared_.free.size());
    U_.col(j) /= j == 0 ? beta_ : H(j, j - 1);
    multiply(*workers_, shared_.Omega, U_.col(j).tail(N), U_.col(j + 1).head(N));
    multiply(*workers_, shared_.Omega, U_.col(j).head(N), U_.col(j + 1).tail(N));
    U_.col(j + 1).tail(N) *= -1;
    if (shared_.D.size() > 0) U_.col(j + 1).tail(N).noalias() -= shared_.D * U_.col(j).tail(N);
    ++products_;
    const double before = U_.col(j + 1).norm();
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i <= j; ++i) {
            const double h = U_.col(i).dot(U_.col(j + 1));
            entry(i, j) += h;
            U_.col(j + 1) -= h * U_.col(i);
        }
    const double h = U_.col(j + 1).norm();
    if (!std::isfinite(h) || !std::isfinite(before)) return Outcome::not_finite;
    entry(j + 1, j) = h;
    grown(before);
    return Outcome::good;
}

void ReformulatedKrylov::add(std::span<const double> weights, double next_weight, VecX& x, VecX& v) const {
    const Eigen::Index N = static_cast<Eigen::Index>(shared_.free.size()), m = static_cast<Eigen::Index>(weights.size());
    Eigen::VectorXd X = next_weight * U_.col(m);
    if (m > 0) X += U_.leftCols(m) * Eigen::Map<const Eigen::VectorXd>(weights.data(), m);
    const Eigen::VectorXd y = shared_.inverse * X.head(N);
    for (Eigen::Index k = 0; k < N; ++k) {
        x[shared_.free[k]] += y[k] / shared_.root_mass[k];
        v[shared_.free[k]] += X[N + k] / shared_.root_mass[k];
    }
}

}  // namespace wobble
