#pragma once
// What a Krylov method does inside its small space: for an upper Hessenberg matrix H (m x m) and ascending times s
//     u' = H u + c(s) e_1,   c = (t0 + s)^(p-1)/(p-1)!,  u(0) = 0     (p >= 1)        t0 = 0:   u(s) = s^p phi_p(sH) e_1,
//     u' = H u,              u(0) = e_1                               (p = 0).
// Only this column of the matrix function is ever needed, so no dense exponential is formed: u is integrated by its Taylor series,
//     d_0 = u(s),   d_{k+1} = delta/(k+1) ( H d_k + delta^k/k! c^(k)(s) e_1 ),   u(s + delta) = sum_k d_k,   delta |H|_1 <= 3,
// products with H alone. Incomplete orthogonalisation makes H tridiagonal: then this costs O(m) per product, nothing beside the sparse
// matrix; a full H costs m^2/2. All times come from one pass. On the way the last entry is integrated, which is the error estimate:
//     int_0^s u_m  (t0 = 0: s^(p+1) e_m^T phi_{p+1}(sH) e_1)    and    int_0^s |u_m|,  in which oscillations cannot cancel by chance.
#include <span>
#include <vector>

namespace wobble {

class SmallFlow {
public:
    explicit SmallFlow(int largest);

    // H column-major with leading dimension `leading`; nonzero only up to `upper` diagonals above the main one. False if not finite or
    // too far to go (|sH| beyond 1e5).
    bool compute(const double* H, int leading, int m, int upper, int p, std::span<const double> times, double t0 = 0);

    std::span<const double> value(int i) const {
        return {values_.data() + static_cast<std::size_t>(i) * largest_, static_cast<std::size_t>(m_)};
    }
    double last(int i) const { return last_[i]; }            // int_0^s u_m
    double last_size(int i) const { return last_size_[i]; }  // int_0^s |u_m|
    double norm(int i, bool less_start) const;               // |u(s)|, or |u(s) - e_1|
    // What rounding in A U = U H + .. makes of it: 1e-16 |H| int_0^s |u|. A basis that is not orthogonal can have an H whose flow grows
    // where that of A does not, in coefficients that cancel; zero while |u| stays below 100.
    double rounding(int i) const { return rounding_[i]; }

private:
    void multiply(const std::vector<double>& d, std::vector<double>& Hd) const;

    int largest_, m_ = 0, upper_ = 0, leading_ = 0;
    const double* H_ = nullptr;
    std::vector<double> values_, last_, last_size_, rounding_;
    std::vector<double> u_, d_, Hd_, lower_diagonal_, diagonal_, upper_diagonal_;  // the diagonals if H is tridiagonal
};

}  // namespace wobble
