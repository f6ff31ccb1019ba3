#pragma once
// The same as SmallFlow (small_flow.h) for a skew-symmetric tridiagonal H, h_{j+1,j} = beta_j = -h_{j,j+1}: a symmetric eigenproblem,
//     H = D (-i T) D^-1,   D = diag(i^j),   T: zero diagonal, off-diagonal beta_j,   T = Q Lambda Q^T.
// In each eigenvector u' = -i l u + c(s) has the solution sum_{k=0}^{p-1} t0^k/k! s^(p-k) phi_{p-k}(-i s l), and
//     phi_k(-iz) = P_k(z) - i z P_{k+1}(z),   P_0 = cos, P_1 = sinc, P_{k+2} = (1/k! - P_k)/z^2.
// The factors i^j leave the real part in even entries, the imaginary one in odd entries. int |u_m| is sampled.
#include "engine/linalg/tridiagonal.h"

#include <span>
#include <vector>

namespace wobble {

class SkewFlow {
public:
    explicit SkewFlow(int largest) : eigen_(largest), zeros_(largest, 0.0), cosine_(largest), sine_(largest) {}

    // beta: m - 1 numbers. False if not finite.
    bool compute(std::span<const double> beta, int m, int p, std::span<const double> times, double t0);

    std::span<const double> value(int i) const { return {values_.data() + static_cast<std::size_t>(i) * m_, static_cast<std::size_t>(m_)}; }
    double last(int i) const { return last_[i]; }
    double last_size(int i) const { return last_size_[i]; }

private:
    void scalars(int p, double s, double t0);  // cosine_, sine_: the solution in each eigenvector, real and minus imaginary part
    double entry(int j) const;

    int m_ = 0;
    TridiagonalEigen eigen_;
    std::vector<double> zeros_, cosine_, sine_, values_, last_, last_size_;
};

}  // namespace wobble
