#pragma once
// phipm (Niesen and Wright, Algorithm 919, ACM TOMS 38, 2012). In unit time (A = TJ, b_k times T^k), from t0 to t0 + tau:
//     w_0 = u(t0),   w_j = A w_{j-1} + sum_{l=0}^{p-j} t0^l/l! b_{j+l}   (j = 1 .. p),
//     u(t0 + tau) = sum_{j=0}^{p-1} tau^j/j! w_j + tau^p phi_p(tau A) w_p:        one Krylov space, that of w_p.
// Full orthogonalisation. Error from the next function, beta h_{m+1,m} int |e_m^T s^p phi_p(sH) e_1| ds (the authors: tau^(p+1) phi_{p+1},
// which is the integral without the bars), and corrected by it: that multiple of u_{m+1} is added. After each try either m (within
// [3m/4, 4m/3], 1 .. 100) or tau (within [tau/5, 2 tau]) changes, whichever a count of operations for the rest of the way finds cheaper;
// accepted when omega = error / its share of the tolerance <= 1.2. (One addition: a substep that a node or the end cuts short begins with
// fewer vectors.) One output time per sweep: several nodes cost several sweeps.
//
// A^p w_0 is large where T|J| is, and cancels in the sum: rounding leaves an error of about 1e-16 sum_j tau^j/j! |w_j| (measured in a
// prototype: 6e-10 at h rho = 1e3, 9e-7 at 1e4), below which no tolerance is kept. Sizes and tolerances as in phi_kiops.h.
#include "engine/solve/krylov/arnoldi.h"
#include "engine/solve/krylov/krylov_control.h"
#include "engine/solve/phi/small_flow.h"

#include <array>

namespace wobble {

class PhipmPhi : public PhiEvaluator {
public:
    static constexpr int max_substeps = 1000;

    explicit PhipmPhi(int max_dimension = 100) : PhipmPhi({max_dimension, Arnoldi::all, 1.2, false, "phipm"}) {}
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;

protected:
    struct Variant {
        int max_dimension, length;  // of the orthogonalisation
        double delta;
        bool simultaneous;  // all nodes in one sweep that stops at each; and no products with zero vectors
        const char* path;
    };
    explicit PhipmPhi(const Variant&);

private:
    static constexpr int most_terms = 8;
    bool sweep(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>, PhiReport&);
    bool recurrence(const Linearized&, std::span<const PhiTerm>, double t0, PhiReport&);
    bool substep(const Linearized&, std::span<const PhiNode>, double t0, PhiReport&);
    double judge(std::span<const PhiNode>, double t0, double size) const;
    void write(const Linearized&, VecX& x, VecX& v);
    void choose(const Linearized&, double omega, double remaining, bool accepted);
    double cost(const Linearized&, int m, double tau) const;

    Variant variant_;
    Arnoldi arnoldi_;
    SmallFlow flow_;
    KrylovControl control_;
    int p_ = 1;
    double T_ = 1, tau_ = 1, moved_ = 0, known_ = 0;  // tau_: of the try; known_: last size measured
    double designed_ = 0;                             // the tau that the next dimension was chosen for
    double polynomial_ = 0;                           // sum_{j=1}^{p-1} tau^j/j! |w_j|
    std::array<VecX, most_terms + 1> wx_, wv_;
    std::array<double, most_terms + 1> w_norm_{};
    std::vector<double> weights_;
    VecX x0_, v0_, work_;
};

}  // namespace wobble
