#pragma once
// KIOPS (Gaudreault, Rainwater, Tokman, J. Comput. Phys. 372, 2018): the general evaluator, for any damping. In unit time, with
//     A = [ TJ  B ; 0  N ]  and  z(t0) = (u(t0); mu t0^(p-1)/(p-1)!, .., mu t0, mu)        (arnoldi.h),
//     z(t0 + s) = exp(sA) z(t0) ~ beta U_m exp(sH) e_1.
// Incomplete orthogonalisation (2 vectors). The error of a substep tau is estimated by beta h_{m+1,m} int |e_m^T exp(sH) e_1| ds (the
// authors take |int|, which may vanish by chance where motion oscillates); omega = error / its share of the tolerance, accepted when
// <= 1.4. A basis that does not suffice grows within [3m/4, 4m/3], up to max_dimension; only then tau shrinks (or later grows) within a
// factor of 5. (One addition: a last substep that need not be as long as it could begins with fewer vectors.) Every node inside a
// substep comes from the same basis.
//
// Tolerance: the size of u(t) - u(0) in the energy norm is first taken from the small space, which overestimates it; when that is
// satisfied, the result is formed and its size measured (one product with K); if the tolerance then is not, the same basis grows on.
// Nothing is asked below 1e-15 of |z(t0)|.
//
// Incomplete orthogonalisation may fail where damping is strong: exp(sH) grows although exp(sA) does not, and rounding with it. Where
// that would spoil the result (SmallFlow::rounding), the substep is halved.
#include "engine/solve/krylov/arnoldi.h"
#include "engine/solve/krylov/krylov_control.h"
#include "engine/solve/phi/small_flow.h"

namespace wobble {

class KiopsPhi final : public PhiEvaluator {
public:
    static constexpr double hopeless =
        3000;  // |hJ| beyond which it gives up at once: thousands of products, and exponentials of H to match
    static constexpr int max_substeps = 1000;

    explicit KiopsPhi(int max_dimension = 128);
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;

private:
    bool substep(const Linearized&, std::span<const PhiNode>, double t0, PhiReport&);
    void choose(double omega, double t0, bool accepted);
    struct Verdict {
        double omega = 0, rounding = 0;  // relative to what is allowed
    };
    Verdict judge(std::span<const PhiNode>, double t0, bool measured) const;
    bool write(const Linearized&, std::span<const PhiNode>, PhiReport&);  // false: not finite

    Arnoldi arnoldi_;
    SmallFlow flow_;
    KrylovControl control_;
    double T_ = 1, end_ = 1, moved_ = 0, known_ = 0;  // moved_: largest size at the ends of earlier substeps; known_: last one measured
    std::vector<double> times_;  // of the outputs of this substep, from its begin: its nodes, and its end if that is none
    std::vector<double> sizes_;  // |u - u(0)| there
    std::vector<double> weights_;
    std::vector<Arnoldi::Output> outputs_;
    std::size_t inside_ = 0;  // nodes in this substep
    VecX x_, v_, x0_, v0_, work_;
};

}  // namespace wobble
