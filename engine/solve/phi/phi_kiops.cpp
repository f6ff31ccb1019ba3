#include "engine/solve/phi/phi_kiops.h"

#include "engine/solve/jacobian.h"
#include "engine/solve/phi/initial_value.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {
constexpr double delta = 1.4, gamma = 0.9, gamma_at_limit = 0.6;
constexpr int least_dimension = 10;
}  // namespace

KiopsPhi::KiopsPhi(int max_dimension) : arnoldi_(max_dimension, 2), flow_(max_dimension) {}

namespace {

// About the largest |eigenvalue| of J: the highest frequency, or the fastest decay that damping brings.
double fastest_rate(const Linearized& system) {
    const double omega = frequency_scale(system);
    double decay = system.alpha + system.beta * omega * omega;
    if (system.D) decay = system.D.fastest_decay(system.inverse_mass);
    return std::max(omega, decay);
}

}  // namespace

PhiReport KiopsPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    assert(!nodes.empty());
    PhiReport report{.substeps = 0, .path = "kiops"};
    T_ = nodes.back().t;
    if (T_ * fastest_rate(system) > hopeless) return report.converged = false, report;
    arnoldi_.set(system, T_, terms);
    initial_value(system, terms, x0_, v0_);
    x_ = x0_;
    v_ = v0_;
    control_ = {};
    control_.m = std::min(control_.m, arnoldi_.max_dimension());
    moved_ = known_ = 0;
    double t0 = 0;
    while (t0 < 1) {
        std::size_t first = 0;
        for (const PhiNode& node : nodes) first += node.t <= t0 * T_;
        report.converged = substep(system, nodes.subspan(first), t0, report) && (end_ == 1 || (end_ - t0) * max_substeps > 1);
        if (!report.converged) return report;
        ++report.substeps;
        t0 = end_;
    }
    return report;
}

// One substep from t0, as long as it turns out; leaves its end in end_.
bool KiopsPhi::substep(const Linearized& system, std::span<const PhiNode> nodes, double t0, PhiReport& report) {
    const int p = arnoldi_.p();
    double a[8];
    for (int k = 0; k < p; ++k) {  // entry k of the polynomial part: mu t0^(p-1-k) / (p-1-k)!
        a[k] = arnoldi_.mu();
        for (int l = 1; l <= p - 1 - k; ++l) a[k] *= t0 / l;
    }
    if (!arnoldi_.start(x_, v_, {a, static_cast<std::size_t>(p)})) return false;
    if (arnoldi_.complete()) {  // everything is zero, and stays so
        for (const PhiNode& node : nodes) node.x->setZero(), node.v->setZero();
        end_ = 1;
        return true;
    }
    const int products = Jacobian(system).products();
    control_.rejected = 0;
    bool spoilt = false;  // by rounding
    for (int tries = 0; tries < 60; ++tries) {
        while (arnoldi_.dimension() < control_.m && !arnoldi_.complete()) {
            if (system.workers.stop_requested() || !arnoldi_.extend()) return false;
            report.products += products;
        }
        report.dimension = std::max(report.dimension, arnoldi_.dimension());
        if (arnoldi_.complete() && !spoilt) control_.tau = 1 - t0;
        end_ = t0 + control_.tau > 1 - 1e-12 ? 1 : t0 + control_.tau;

        times_.clear();
        for (const PhiNode& node : nodes)
            if (node.t <= end_ * T_) times_.push_back(node.t / T_ - t0);
        inside_ = times_.size();
        if (inside_ == 0 || times_.back() < end_ - t0) {
            if (end_ == 1) times_.back() = 1 - t0;
            else times_.push_back(end_ - t0);
        }
        if (!flow_.compute(arnoldi_.H(), arnoldi_.leading(), arnoldi_.dimension(), arnoldi_.upper(), 0, times_)) return false;
        Verdict verdict = judge(nodes, t0, false);
        if (verdict.omega <= delta && verdict.rounding <= delta) {
            if (!write(system, nodes, report)) return false;
            verdict = judge(nodes, t0, true);
            if (known_ == 0) control_.rejected = 0;  // measured by another scale than the tries before: nothing to learn from
            known_ = sizes_.back();
        }
        const double omega = verdict.omega;
        if (!std::isfinite(omega)) return false;
        if (verdict.rounding > delta) {
            control_.tau = 0.5 * (end_ - t0);
            control_.rejected = 0;  // says nothing about convergence
            spoilt = true;
            continue;
        }
        const bool accepted = omega <= delta;
        choose(omega, t0, accepted);
        if (!accepted) continue;
        moved_ = std::max(moved_, sizes_.back());
        if (times_.size() == inside_ && end_ < 1) x_ = *nodes[inside_ - 1].x, v_ = *nodes[inside_ - 1].v;
        return true;
    }
    return false;
}

// Largest error relative to its share of the tolerance, over the nodes to come: a node beyond this substep grants it a part of its own
// tolerance in proportion to time.
KiopsPhi::Verdict KiopsPhi::judge(std::span<const PhiNode> nodes, double t0, bool measured) const {
    Verdict worst;
    const double error_scale = arnoldi_.complete() ? 0 : arnoldi_.beta() * arnoldi_.next();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::size_t at = std::min(i, times_.size() - 1);
        double size = measured ? sizes_[at] : known_ > 0 ? known_ : arnoldi_.beta() * flow_.norm(static_cast<int>(at), true);
        if (i >= inside_ || !measured) size = std::max(size, moved_);
        const double share = times_[at] / (i < inside_ ? t0 + times_[at] : nodes[i].t / T_);
        const double allowed = std::max(nodes[i].tolerance * size, 1e-15 * arnoldi_.beta()) * share;
        worst.omega = std::max(worst.omega, error_scale * flow_.last_size(static_cast<int>(at)) / allowed);
        worst.rounding = std::max(worst.rounding, arnoldi_.beta() * flow_.rounding(static_cast<int>(at)) / allowed);
    }
    return worst;
}

// Outputs of the nodes inside and of the end, and how far they are from u(0).
bool KiopsPhi::write(const Linearized& system, std::span<const PhiNode> nodes, PhiReport& report) {
    const std::size_t m = static_cast<std::size_t>(arnoldi_.dimension()), count = times_.size();
    weights_.resize(std::max(weights_.size(), count * m));
    outputs_.clear();
    for (std::size_t i = 0; i < count; ++i) {
        const auto u = flow_.value(static_cast<int>(i));
        double* w = weights_.data() + i * m;
        for (std::size_t j = 0; j < m; ++j) w[j] = arnoldi_.beta() * u[j];
        outputs_.push_back({{w, m}, i < inside_ ? nodes[i].x : &x_, i < inside_ ? nodes[i].v : &v_});
    }
    arnoldi_.combine(outputs_);
    sizes_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        sizes_[i] = energy_distance(system, *outputs_[i].x, *outputs_[i].v, &x0_, &v0_, work_);
        ++report.products;
        if (!std::isfinite(sizes_[i])) return false;
    }
    return true;
}

// Only the dimension changes until it has reached its limit, then only tau.
void KiopsPhi::choose(double omega, double t0, bool accepted) {
    const int dimension = arnoldi_.dimension(), most = arnoldi_.max_dimension();
    control_.learn(omega, dimension);
    const double remaining = accepted ? 1 - end_ : 1 - t0, tau = end_ - t0;
    const double optimal = dimension == most ? control_.optimal_tau(omega, accepted ? gamma : gamma_at_limit, 5) : tau;
    int m = dimension == most ? most : control_.optimal_dimension(omega, dimension, gamma, least_dimension, most);
    if (!accepted && dimension < most) m = std::max(m, dimension + 1);
    // A last substep shorter than it could be needs fewer vectors, in proportion where motion oscillates.
    const int least = std::min({least_dimension, most, m});
    if (accepted && remaining < optimal) m = std::clamp(static_cast<int>(1.1 * m * remaining / optimal), least, m);
    control_.next(omega, std::min(remaining, optimal), m, accepted);
}

}  // namespace wobble
