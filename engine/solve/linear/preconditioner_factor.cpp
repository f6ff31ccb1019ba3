#include "engine/solve/linear/preconditioner_factor.h"

#include "engine/solve/linear/vertex_rotations.h"

namespace wobble {

bool RotatedFactor::factorize(const BlockMatrix& A0, const VecX& X) {
    X_ = X;
    turned_.resize(X.size());
    return cholesky_.factorize(A0);
}

void RotatedFactor::turn(const VecX& x, const std::vector<std::uint8_t>& keep) {
    vertex_rotations(workers_, body_, X_, x, R_);
    for (std::size_t i = 0; i < keep.size(); ++i)
        if (keep[i]) R_[i].setIdentity();
}

double RotatedFactor::apply(const VecX& r, VecX& z) {
    workers_.ranges(body_.rows(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i) particle(turned_, i) = R_[static_cast<std::size_t>(i)].transpose() * particle(r, i);
    });
    cholesky_.solve(turned_, turned_);
    return blocked_sum(workers_, body_.rows(), [&](int begin, int end) {
        double sum = 0;
        for (int i = begin; i < end; ++i) {
            const Vec3 zi = R_[static_cast<std::size_t>(i)] * particle(turned_, i);
            particle(z, i) = zi;
            sum += zi.dot(particle(r, i));
        }
        return sum;
    });
}

}  // namespace wobble
