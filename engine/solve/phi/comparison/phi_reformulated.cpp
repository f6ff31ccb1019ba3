#include "engine/solve/phi/comparison/phi_reformulated.h"

#include "engine/linalg/square_root.h"

#include <cmath>
#include <utility>

namespace wobble {

namespace {

// M^-1/2 A M^-1/2 on the free coordinates; index: their number, or -1.
Eigen::MatrixXd scaled(const BlockMatrix& A, const std::vector<int>& index, const Eigen::VectorXd& root_mass) {
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(root_mass.size(), root_mass.size());
    const BlockPattern& pattern = A.pattern();
    for (int i = 0; i < pattern.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) {
                    const int row = index[3 * i + r], column = index[3 * pattern.column[k] + c];
                    if (row >= 0 && column >= 0) S(row, column) = A.at(k)(r, c) / (root_mass[row] * root_mass[column]);
                }
    return S;
}

}  // namespace

bool ReformulatedPhi::prepare(const Linearized& system) {
    std::vector<double> now{system.alpha, system.beta};
    const auto append = [&](const double* data, std::size_t size) { now.insert(now.end(), data, data + size); };
    const std::size_t n = static_cast<std::size_t>(system.mass.size());
    append(system.K.blocks().block(0), 9 * static_cast<std::size_t>(system.K.pattern().blocks()));
    append(system.mass.data(), n);
    append(system.inverse_mass.data(), n);
    if (const BlockMatrix* D = system.D.blocks()) append(D->block(0), 9 * static_cast<std::size_t>(D->pattern().blocks()));
    const Eigen::MatrixXd other = system.D.other() && n <= max_unknowns ? system.D.other()->dense() : Eigen::MatrixXd();
    append(other.data(), static_cast<std::size_t>(other.size()));
    if (now == described_) return valid_;
    described_ = std::move(now);
    valid_ = false;

    std::vector<int> index(n, -1);
    shared_.free.clear();
    for (std::size_t k = 0; k < n; ++k)
        if (system.inverse_mass[k] != 0) index[k] = static_cast<int>(shared_.free.size()), shared_.free.push_back(static_cast<int>(k));
    const Eigen::Index N = static_cast<Eigen::Index>(shared_.free.size());
    if (N == 0 || N > max_unknowns) return false;
    shared_.root_mass.resize(N);
    for (Eigen::Index k = 0; k < N; ++k) shared_.root_mass[k] = std::sqrt(system.mass[shared_.free[k]]);
    shared_.L = scaled(system.K.blocks(), index, shared_.root_mass);
    if (!shared_.L.allFinite()) return false;
    shared_.D.resize(0, 0);
    if (const BlockMatrix* D = system.D.blocks()) shared_.D = scaled(*D, index, shared_.root_mass);
    else if (other.size() > 0)
        shared_.D = shared_.root_mass.cwiseInverse().asDiagonal() * other(shared_.free, shared_.free) *
                    shared_.root_mass.cwiseInverse().asDiagonal();
    else if (system.damped()) shared_.D = system.alpha * Eigen::MatrixXd::Identity(N, N) + system.beta * shared_.L;
    if (system.workers.stop_requested()) return described_.clear(), false;  // nothing has been made: the next call begins anew
    valid_ = root_ == Root::newton ? square_root_by_newton(shared_.L, shared_.Omega, shared_.inverse)
                                   : square_root_by_eigenvectors(shared_.L, shared_.Omega, shared_.inverse);
    return valid_ && !system.workers.stop_requested();
}

std::unique_ptr<KrylovProcess> ReformulatedPhi::make_process() { return std::make_unique<ReformulatedKrylov>(max_dimension_, shared_); }

}  // namespace wobble
