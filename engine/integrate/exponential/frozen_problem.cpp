#include "engine/integrate/exponential/frozen_problem.h"

#include <algorithm>
#include <atomic>

namespace wobble {

void FrozenProblem::reserve(const MechanicalSystem& system, const State& u) {
    system_ = &system;
    u_ = &u;
    if (!K_ || &K_->edges().pattern() != &system.edge_pattern()) {
        K_ = std::make_unique<TangentBlocks>(system.new_tangent());
        D_.reset();
        rest_key_ = {};
    }
    if (&K_->pattern() != system.pattern().get()) rest_key_ = {};  // varying pairs: K_ and D_ follow when they are set
    if (system.tau() == 0) D_.reset();
    else if (!D_) D_ = std::make_unique<BlockMatrix>(system.pattern()), rest_key_ = {};
    for (VecX* x : {&a_, &e_, &e_D_, &Kw_, &Dw_, &product_, &Dv_, &rate_, &stage_.q, &stage_.v}) x->resize(u.q.size());
    argument_.resize(2 * static_cast<std::size_t>(u.q.size()) + EdgeRows<2, true>::beyond);
    sums_.resize(8 * static_cast<std::size_t>(system.particles()) + EdgeRows<2, true>::beyond);
    terms_.reserve(3);
}

// body(begin, end) over all coordinates. Every thread takes the same ones in every loop: a vector that one thread alone writes or adds up
// has to come over from the other core's cache first.
template <class Body>
void FrozenProblem::for_ranges(Body&& body) const {
    system_->workers().coordinates(system_->particles(), body);
}

void FrozenProblem::split_velocity() {
    const VecX& v = u_->v;
    free_.resize(v.size());
    w_.resize(v.size());
    for_ranges([&](int begin, int end) { std::copy(&v[begin], v.data() + end, &free_[begin]); });
    system_->constraints().project(free_);
    // Projecting on an oblique plane what lies in it already leaves rounding, which is no velocity.
    std::atomic<bool> moving = false;
    for_ranges([&](int begin, int end) {
        bool some = false;
        for (int k = begin; k < end; k += 3) {
            for (int d = k; d < k + 3; ++d) w_[d] = v[d] - free_[d];
            if (!(w_[k] != 0 || w_[k + 1] != 0 || w_[k + 2] != 0)) continue;
            if (w_.segment<3>(k).norm() <= 1e-13 * v.segment<3>(k).norm()) w_.segment<3>(k).setZero();
            else some = true;
        }
        if (some) moving = true;
    });
    moving_pins_ = moving;
}

// y = K (x + beta v)
void FrozenProblem::multiply(const VecX& x, double beta, const VecX& v, VecX& y) {
    double* const argument = argument_.data();
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) argument[k] = beta != 0 ? x[k] + beta * v[k] : x[k];
    });
    Workers& workers = system_->workers();
    wobble::multiply(workers, K_->edges(), argument, y.data(), sums_.data());  // what this adds in forbidden directions weigh() takes away
}

void FrozenProblem::weigh(VecX& force) const {
    const VecX& W = system_->inverse_mass();
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) force[k] *= W[k];
    });
    system_->constraints().project(force);
}

void FrozenProblem::weigh_sum(VecX& force, const VecX& more) const {
    const VecX& W = system_->inverse_mass();
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) force[k] = W[k] * (force[k] + more[k]);
    });
    system_->constraints().project(force);
}

void FrozenProblem::freeze(const MechanicalSystem& system, const State& u, StepReport& report, bool with_rate) {
    reserve(system, u);
    split_velocity();
    system.stiffness(u.q, K_->to_set());
    if (D_) system.step_matrix(u.q, 0, 0, 1, *D_);

    const bool moving_damping = with_rate && (system.beta() != 0 || system.tau() != 0);
    drifting_ = moving_damping || moving_pins_;
    if (moving_damping) {
        system.elastic_force_and_damping_rate(u.q, u.v, a_, e_D_);
        weigh(e_D_);
    } else {
        system.elastic_force(u.q, a_);
        if (moving_pins_) e_D_.setZero();
    }
    weigh_sum(a_, system.external_force());
    ++report.force_evaluations;
    if (moving_pins_) {
        e_ = e_D_;
        multiply(w_, 0, w_, Kw_);
        Dw_ = system.beta() * Kw_;  // alpha M w does not act on the others
        if (D_) D_->multiply(system.workers(), w_, Dw_);
        weigh(Kw_);
        weigh(Dw_);
        e_ -= Kw_;
        a_ -= Dw_;
    }
    project();
    rest_key_ = {};

    terms_.clear();
    terms_.push_back({0, nullptr, &free_});
    terms_.push_back({1, nullptr, &a_});
    if (drifting_) terms_.push_back({2, nullptr, moving_pins_ ? &e_ : &e_D_});
}

void FrozenProblem::project() {
    const Constraints& constraints = system_->constraints();
    K_->project(constraints.any_sliding() ? &constraints : nullptr);
    if (D_ && constraints.any_sliding()) constraints.project(system_->workers(), *D_);
}

void FrozenProblem::add_rate(StepReport& report) {
    system_->elastic_force_and_damping_rate(u_->q, u_->v, product_, e_D_);
    ++report.force_evaluations;
    weigh(e_D_);
    if (moving_pins_) e_ += e_D_;
    else if (!drifting_) terms_.push_back({2, nullptr, &e_D_});
    drifting_ = true;
}

void FrozenProblem::freeze_at_rest(const MechanicalSystem& system, const State& u, StepReport& report) {
    reserve(system, u);
    split_velocity();
    if (moving_pins_ || !rest_key_.describes(system, 1)) {
        system.stiffness(system.rest(), K_->to_set());
        if (moving_pins_) {
            multiply(w_, 0, w_, e_);
            e_ = -e_;
            weigh(e_);
        }
        if (D_) system.step_matrix(system.rest(), 0, 0, 1, *D_);
        project();
        rest_key_ = StepKey(system, 1);
    }
    system.force(u.q, u.v, a_);
    if (D_) {
        D_->multiply(system.workers(), free_, product_);
        a_ += product_;
    } else if (system.damped()) {
        multiply(free_, 0, free_, product_);
        a_ += system.beta() * product_ + system.alpha() * system.mass().cwiseProduct(free_);
    }
    weigh(a_);
    ++report.force_evaluations;
    drifting_ = moving_pins_;
    terms_.clear();
    terms_.push_back({0, nullptr, &free_});
    terms_.push_back({1, nullptr, &a_});
    if (drifting_) terms_.push_back({2, nullptr, &e_});
}

const Constraints* FrozenProblem::projector() const { return system_->constraints().any_sliding() ? &system_->constraints() : nullptr; }

Linearized FrozenProblem::linearized() const {
    const MechanicalSystem& s = *system_;
    return {s.workers(), {*K_, s.workers()}, s.mass(), s.inverse_mass(), s.alpha(), s.beta(), D_.get(), &K_->edges(), projector()};
}

Linearized FrozenProblem::undamped() const {
    const MechanicalSystem& s = *system_;
    return {s.workers(), {*K_, s.workers()}, s.mass(), s.inverse_mass(), 0, 0, nullptr, &K_->edges(), projector()};
}

void FrozenProblem::state_at(double t, const VecX& x, const VecX& v, State& U) const {
    const State& u = *u_;
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            U.q[k] = u.q[k] + x[k] + t * w_[k];
            U.v[k] = v[k] + w_[k];
        }
    });
    U.t = u.t + t;
}

void FrozenProblem::remainder(double t, const VecX& x, const VecX& v, VecX& r, StepReport& report) {
    state_at(t, x, v, stage_);
    system_->force(stage_.q, stage_.v, r);
    weigh(r);
    ++report.force_evaluations;
    subtract_linear(t, x, v, r, report);
}

// P W [ f(U) - D(U) v_U ] - P W f(u) + P W [ K (x + t w) + D (P v_U + w) ] - t e_D,   where a_0 already has - P W D w.
void FrozenProblem::subtract_linear(double t, const VecX& x, const VecX& v, VecX& r, StepReport& report) {
    const MechanicalSystem& s = *system_;
    multiply(x, D_ ? 0 : s.beta(), v, product_);
    ++report.operator_products;
    add_damping(v, product_, report);
    weigh(product_);
    const double pins = moving_pins_ ? t : 0, drift = drifting_ ? t : 0;
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) r[k] += product_[k] - a_[k];
        if (pins != 0)
            for (int k = begin; k < end; ++k) r[k] += pins * Kw_[k];
        if (drift != 0)
            for (int k = begin; k < end; ++k) r[k] -= drift * e_D_[k];
    });
}

// sum += what is left of D v without beta K v.
void FrozenProblem::add_damping(const VecX& v, VecX& sum, StepReport& report) {
    const MechanicalSystem& s = *system_;
    if (D_) {
        D_->multiply(s.workers(), v, Dv_);
        ++report.operator_products;
        for_ranges([&](int begin, int end) {
            for (int k = begin; k < end; ++k) sum[k] += Dv_[k];
        });
    } else if (s.alpha() != 0) {
        for_ranges([&](int begin, int end) {
            for (int k = begin; k < end; ++k) sum[k] += s.alpha() * s.mass()[k] * v[k];
        });
    }
}

void FrozenProblem::own_acceleration(VecX& a, StepReport& report) {
    const MechanicalSystem& s = *system_;
    const VecX& external = s.external_force();
    const double beta = D_ ? 0 : s.beta();
    if (beta != 0) {
        multiply(free_, 0, free_, product_);
        ++report.operator_products;
    }
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) product_[k] = external[k] + (beta != 0 ? beta * product_[k] : 0);
    });
    add_damping(free_, product_, report);
    weigh(product_);
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) a[k] = a_[k] - product_[k];
    });
}

// K v and K (q- - q + beta v-) as one product with two columns, the first only where there is damping.
template <int P, bool skewed>
void FrozenProblem::look_back_by_edges(const EdgeMatrix& K, const State& before, const VecX& own_before, VecX& own, VecX& r) {
    const MechanicalSystem& s = *system_;
    const double alpha = s.alpha(), beta = s.beta(), drift = drifting_ ? before.t - u_->t : 0;
    for_ranges([&](int begin, int end) {
        const double *const q = u_->q.data(), *const v = free_.data(), *const q_before = before.q.data(), *const v_before = before.v.data();
        double* const to = argument_.data();
        for (int k = begin; k < end; ++k) {
            if (P == 2) to[P * k] = v[k];
            to[P * k + P - 1] = q_before[k] - q[k] + beta * v_before[k];
        }
    });
    K.pattern().split(s.workers(), [&](int begin, int end) {
        const double *const x = argument_.data(), *const W = s.inverse_mass().data(), *const external = s.external_force().data();
        const double *const a = a_.data(), *const v = free_.data(), *const v_before = before.v.data(), *const then = own_before.data();
        const double* const e = drift != 0 ? e_D_.data() : nullptr;
        double *const rate = rate_.data(), *const now = own.data(), *const remainder = r.data();
        const EdgeRows<P, skewed> rows(K, x, sums_.data(), begin, end);
        for (int i = begin; i < end; ++i) {
            double product[3 * P];
            rows.multiply(i, x).write(product);
            const double drag = W[3 * i] != 0 ? alpha : 0;
            for (int d = 0; d < 3; ++d) {
                const int k = 3 * i + d;
                rate[k] = a[k] - drag * v[k] - (P == 2 ? W[k] * beta * product[P * d] : 0);
                now[k] = rate[k] - W[k] * external[k];
                remainder[k] = then[k] + W[k] * (external[k] + product[P * d + P - 1]) + drag * v_before[k] - a[k] - (e ? drift * e[k] : 0);
            }
        }
    });
}

void FrozenProblem::look_back(const State& before, const VecX& own_before, VecX& own, VecX& r, StepReport& report) {
    const MechanicalSystem& s = *system_;
    if (const EdgeMatrix* K = projector() ? nullptr : &K_->edges(); K && !D_) {
        const auto look = [&]<int P>() {
            if (K->has_skew()) look_back_by_edges<P, true>(*K, before, own_before, own, r);
            else look_back_by_edges<P, false>(*K, before, own_before, own, r);
            report.operator_products += P;
        };
        if (s.beta() != 0) look.template operator()<2>();
        else look.template operator()<1>();
        terms_.front().rate = &rate_;
        return;
    }
    own_acceleration(own, report);
    const VecX& external = s.external_force();
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) r[k] = external[k], stage_.q[k] = before.q[k] - u_->q[k];
    });
    weigh(r);
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) r[k] += own_before[k];
    });
    subtract_linear(before.t - u_->t, stage_.q, before.v, r, report);
}

// a_ = a(u) + P W D P v, so that a(U) - a(u) + P W [ K x + D (v - P v) ] = a(U) + P W [ K x + D v ] - a_: as remainder(), but for e.
void FrozenProblem::remainder_at_rest(double t, const VecX& x, const VecX& v, VecX& r, StepReport& report) {
    if (moving_pins_) {
        e_D_.setZero();
        Kw_ = -e_;  // of freeze_at_rest: P W K w
    }
    remainder(t, x, v, r, report);
}

void FrozenProblem::elastic_remainder(double t, const VecX& x, VecX& r, StepReport& report) {
    const MechanicalSystem& s = *system_;
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) stage_.q[k] = u_->q[k] + x[k] + t * w_[k];
    });
    s.elastic_force(stage_.q, r);
    ++report.force_evaluations;
    multiply(x, 0, x, product_);
    ++report.operator_products;
    const VecX& external = s.external_force();
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) product_[k] += external[k];
    });
    weigh_sum(r, product_);
    for_ranges([&](int begin, int end) {
        for (int k = begin; k < end; ++k) r[k] -= a_[k];
    });
    if (moving_pins_) r += t * Kw_ - Dw_;
}

void FrozenProblem::count(const PhiReport& phi, double tolerance, StepReport& report) {
    if (phi.dimension >= report.krylov_dimension) report.phi_path = phi.path;  // of the dearer sweep
    if (phi.loosened > 1) report.phi_error = std::max(report.phi_error, tolerance * phi.loosened);
    report.krylov_dimension = std::max(report.krylov_dimension, phi.dimension);
    report.predicted_dimension = std::max(report.predicted_dimension, phi.predicted_dimension);
    report.substeps = std::max(report.substeps, phi.substeps);
    report.operator_products += phi.products;
    report.solves += phi.solves;
    report.factorizations += phi.factorizations;
    if (phi.converged) return;
    report.status = StepStatus::krylov_stagnated;
    if (*phi.declined) return void(report.message = phi.declined);
    report.message =
        "evaluating phi takes too many products at this stiffness and damping; try a smaller step, less damping or implicit-euler";
}

}  // namespace wobble
