#include "engine/model/constraints.h"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace wobble {

namespace {

int rank(const Mat3& P) { return static_cast<int>(std::lround(P.trace())); }

// The projector on what both allow: the eigenvectors of P + Q with eigenvalue 2.
Mat3 intersection(const Mat3& P, const Mat3& Q) {
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(P + Q);
    Mat3 both = Mat3::Zero();
    for (int k = 0; k < 3; ++k)
        if (eigen.eigenvalues()[k] > 2 - 1e-9) both += eigen.eigenvectors().col(k) * eigen.eigenvectors().col(k).transpose();
    return both;
}

}  // namespace

Constraints::Constraints(int particles, const std::vector<Constraint>& constraints) : Constraints(particles) {
    for (const Constraint& c : constraints) {
        if (rank(c.allowed) == 3) continue;
        int& at = index_[c.particle];
        if (at < 0) {
            at = static_cast<int>(constraints_.size());
            constraints_.push_back(c);
        } else {
            constraints_[at].allowed = intersection(constraints_[at].allowed, c.allowed);
        }
    }
    for (const Constraint& c : constraints_) {
        held_[c.particle] = rank(c.allowed) == 0;
        own_sliding_ = own_sliding_ || !held_[c.particle];
    }
    own_ = static_cast<int>(constraints_.size());
    sliding_ = own_sliding_;
}

void Constraints::set_contacts(const std::vector<Constraint>& contacts) {
    for (std::size_t k = static_cast<std::size_t>(own_); k < constraints_.size(); ++k) index_[constraints_[k].particle] = -1;
    constraints_.erase(constraints_.begin() + own_, constraints_.end());
    for (const Constraint& c : contacts) {
        if (index_[c.particle] >= 0) continue;
        index_[c.particle] = static_cast<int>(constraints_.size());
        constraints_.push_back(c);
    }
    sliding_ = own_sliding_ || !contacts.empty();
}

int Constraints::degrees_of_freedom() const {
    int sum = 3 * particles();
    for (int k = 0; k < own_; ++k) sum -= 3 - rank(constraints_[static_cast<std::size_t>(k)].allowed);
    return sum;
}

void Constraints::project(VecX& x) const {
    for (const Constraint& c : constraints_) {
        if (held_[c.particle]) particle(x, c.particle).setZero();
        else particle(x, c.particle) = (c.allowed * particle(x, c.particle)).eval();
    }
}

void Constraints::project(Workers& workers, BlockMatrix& A) const {
    project_matrix(workers, A, [](double) { return 0; });
}

void Constraints::eliminate(Workers& workers, BlockMatrix& A) const {
    project_matrix(workers, A, [](double size) { return size > 0 ? size : 1; });
}

// A = P A P + s (I - P), s = shift(mean size of the diagonal block)
template <class Shift>
void Constraints::project_matrix(Workers& workers, BlockMatrix& A, Shift&& shift) const {
    const BlockPattern& pattern = A.pattern();
    workers.ranges(A.rows(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const Constraint* row = of(i);
            for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
                const Constraint* column = of(pattern.column[k]);
                if (!row && !column) continue;
                auto block = A.at(k);
                const double s = shift(block.diagonal().cwiseAbs().mean());
                if (row) block = (row->allowed * block).eval();
                if (column) block = (block * column->allowed).eval();
                if (pattern.column[k] == i) block += s * (Mat3::Identity() - row->allowed);
            }
        }
    });
}

}  // namespace wobble
