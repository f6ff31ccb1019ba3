#pragma once
// An evaluator with one Krylov basis of full size per start vector (KrylovProcess), in an inner product whose norm is the energy norm.
// Undamped, the initial value joins the first term, u(t) = b_0 + [ t phi_1(tJ) (J b_0 + b_1) + .. ]: one basis for both. With damping
// J b_0 would be huge only to cancel, and b_0 has a basis of its own. Substeps from t0:
//     u(t0 + s) = phi_0(sJ) u(t0) + sum_k w_k(s),    w_k' = J w_k + (t0 + s)^(k-1)/(k-1)! b_k,   w_k(0) = 0,
// each w_k in the basis of b_k by small_flow.h, or skew_flow.h where H is skew. Error: the residual h_{m+1,m} u_m(s) u_{m+1} integrated,
// since errors do not grow in the energy norm (K >= 0); its integral is added as a correction, which also carries motions without energy.
// A basis grows until its error fits; if it cannot, the substep is shortened.
#include "engine/solve/krylov/krylov_process.h"
#include "engine/solve/phi/phi_evaluator.h"
#include "engine/solve/phi/skew_flow.h"
#include "engine/solve/phi/small_flow.h"

#include <memory>
#include <vector>

namespace wobble {

class BasesPhi : public PhiEvaluator {
public:
    static constexpr int max_substeps = 400;

    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) final;
    // Krylov matrix of column c of the last substep, for tests.
    const KrylovProcess& process(int c) const { return *columns_[static_cast<std::size_t>(c)].process; }

protected:
    BasesPhi(int max_dimension, const char* path) : max_dimension_(max_dimension), path_(path) {}
    virtual bool prepare(const Linearized&) = 0;  // false: this K cannot be treated
    virtual std::unique_ptr<KrylovProcess> make_process() = 0;
    virtual bool mend(KrylovProcess&) { return false; }  // the inner product was none: can it be changed?
    virtual bool energy_norm() const { return true; }    // false: it is larger than the energy norm

    int max_dimension_;

private:
    struct Column {
        int p = 0;
        const VecX *x = nullptr, *v = nullptr;  // null: zero
        std::unique_ptr<KrylovProcess> process;
        std::unique_ptr<SmallFlow> small;
        std::unique_ptr<SkewFlow> skew;
        int checked = 0;  // dimension at which the flow was computed
        std::span<const double> value(int i) const { return process->skew() ? skew->value(i) : small->value(i); }
        double last(int i) const { return process->skew() ? skew->last(i) : small->last(i); }
        double error(int i) const;
        double size(int i, bool less_start) const;
    };
    enum class Result { good, failed, again };

    void collect(const Linearized&, std::span<const PhiTerm>, PhiReport&);
    void add_column(int p, const VecX* x, const VecX* v);
    Result substep(const Linearized&, std::span<const PhiNode>, double t0, double end, PhiReport&);
    void set_end(std::span<const PhiNode>, double t0, double end);
    bool flow(Column&, double t0);
    Result grow(Column&, const Linearized&, int to);
    // Error relative to what is allowed, worst node; of one column or of all (null).
    double judge(std::span<const PhiNode>, double t0, bool measured, const Column*) const;
    void write(const Linearized&, std::span<const PhiNode>, double t0);

    const char* path_;
    std::vector<Column> columns_;
    std::size_t used_ = 0;
    bool merged_ = false;
    double end_ = 0, moved_ = 0;
    std::vector<double> times_, sizes_, weights_;
    std::size_t inside_ = 0;
    VecX x_, v_, x0_, v0_, first_x_, first_v_, next_x_, next_v_, work_, zero_;
};

}  // namespace wobble
