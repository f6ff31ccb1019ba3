#include "engine/solve/phi/comparison/phi_phipm.h"

#include "engine/solve/jacobian.h"
#include "engine/solve/phi/initial_value.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {
constexpr double gamma = 0.8;
}

PhipmPhi::PhipmPhi(const Variant& variant)
    : variant_(variant), arnoldi_(variant.max_dimension, variant.length), flow_(variant.max_dimension) {}

PhiReport PhipmPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    assert(!nodes.empty());
    PhiReport report{.substeps = 0, .path = variant_.path};
    initial_value(system, terms, x0_, v0_);
    p_ = 1;
    for (const PhiTerm& term : terms) p_ = std::max(p_, term.k);
    assert(p_ <= most_terms);
    if (variant_.simultaneous) report.converged = sweep(system, terms, nodes, report);
    else
        for (const PhiNode& node : nodes) report.converged = report.converged && sweep(system, terms, {&node, 1}, report);
    return report;
}

bool PhipmPhi::sweep(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes, PhiReport& report) {
    T_ = nodes.back().t;
    arnoldi_.set(system, T_, {});
    wx_[0] = x0_;
    wv_[0] = v0_;
    control_ = {};
    control_.m = std::min(control_.m, variant_.max_dimension);
    moved_ = known_ = designed_ = 0;
    double t0 = 0;
    while (!nodes.empty()) {
        if (!recurrence(system, terms, t0, report) || !substep(system, nodes, t0, report)) return false;
        if (tau_ * max_substeps < 1 && t0 + tau_ < nodes.front().t / T_ * (1 - 1e-12)) return false;
        ++report.substeps;
        // substep() has left u at its end in work vectors p_, which the next recurrence overwrites last.
        wx_[0].swap(wx_[p_]);
        wv_[0].swap(wv_[p_]);
        t0 += tau_;
        if (t0 >= nodes.front().t / T_ * (1 - 1e-12)) {
            t0 = nodes.front().t / T_;
            *nodes.front().x = wx_[0];
            *nodes.front().v = wv_[0];
            nodes = nodes.subspan(1);
        }
    }
    return true;
}

bool PhipmPhi::recurrence(const Linearized& system, std::span<const PhiTerm> terms, double t0, PhiReport& report) {
    const Jacobian J(system);
    w_norm_[0] = arnoldi_.norm(&wx_[0], &wv_[0]);
    for (int j = 1; j <= p_; ++j) {
        const bool product = !variant_.simultaneous || w_norm_[j - 1] != 0;
        const VecX &x = wx_[j - 1], &v = wv_[j - 1];
        VecX &wx = wx_[j], &wv = wv_[j];
        for (VecX* w : {&wx, &wv, &work_}) w->resize(x.size());
        if (product && J.beta() != 0)
            system.workers.ranges(static_cast<int>(x.size()), [&](int begin, int end) {
                for (int k = begin; k < end; ++k) work_[k] = x[k] + J.beta() * v[k];
            });
        const double* argument = J.beta() != 0 ? work_.data() : x.data();
        system.workers.ranges(system.K.rows(), [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                double a[3] = {0, 0, 0};
                if (product) J.row(i, argument, v.data(), a);
                for (int c = 0; c < 3; ++c) {
                    wx[3 * i + c] = T_ * v[3 * i + c];
                    wv[3 * i + c] = T_ * a[c];
                }
            }
            for (const PhiTerm& term : terms) {
                if (term.k < j) continue;
                double factor = std::pow(T_, term.k);
                for (int l = 1; l <= term.k - j; ++l) factor *= t0 / l;
                if (factor == 0) continue;
                if (term.x)
                    for (int k = 3 * begin; k < 3 * end; ++k) wx[k] += factor * (*term.x)[k];
                if (term.v)
                    for (int k = 3 * begin; k < 3 * end; ++k) wv[k] += factor * (*term.v)[k];
            }
        });
        if (product) report.products += J.products();
        w_norm_[j] = arnoldi_.norm(&wx, &wv);
        if (!std::isfinite(w_norm_[j])) return false;
    }
    return true;
}

// One substep from t0, not beyond the next node; its length is left in tau_, its end in wx_[p], wv_[p].
bool PhipmPhi::substep(const Linearized& system, std::span<const PhiNode> nodes, double t0, PhiReport& report) {
    if (!arnoldi_.start(wx_[p_], wv_[p_], {})) return false;
    const double to_node = nodes.front().t / T_ - t0, remaining = 1 - t0;
    const int products = Jacobian(system).products();
    control_.rejected = 0;
    if (const double planned = std::min(control_.tau, to_node); planned < designed_)
        control_.m = std::clamp(static_cast<int>(1.1 * control_.m * planned / designed_), 1, control_.m);
    for (int tries = 0; tries < 100; ++tries) {
        while (arnoldi_.dimension() < control_.m && !arnoldi_.complete()) {
            if (system.workers.stop_requested() || !arnoldi_.extend()) return false;
            report.products += products;
        }
        const int m = arnoldi_.dimension();
        report.dimension = std::max(report.dimension, m);
        if (arnoldi_.complete()) control_.tau = remaining;
        const double wanted = control_.tau;
        tau_ = control_.tau = std::min(wanted, to_node);
        polynomial_ = 0;
        double factor = 1;
        for (int j = 1; j < p_; ++j) polynomial_ += (factor *= tau_ / j) * w_norm_[j];
        double omega = 0;
        if (m > 0) {
            if (!flow_.compute(arnoldi_.H(), arnoldi_.leading(), m, arnoldi_.upper(), p_, {&tau_, 1})) return false;
            if (!arnoldi_.complete()) omega = judge(nodes, t0, known_ > 0 ? known_ : polynomial_ + arnoldi_.beta() * flow_.norm(0, false));
        }
        if (omega <= variant_.delta) {
            write(system, wx_[p_], wv_[p_]);
            const double size = energy_distance(system, wx_[p_], wv_[p_], &x0_, &v0_, work_);
            ++report.products;
            if (!std::isfinite(size)) return false;
            if (!arnoldi_.complete()) omega = judge(nodes, t0, size);
            if (known_ == 0) control_.rejected = 0;  // measured by another scale than the tries before: nothing to learn from
            known_ = size;
            if (omega <= variant_.delta) moved_ = std::max(moved_, size);
        }
        if (!std::isfinite(omega)) return false;
        const bool accepted = omega <= variant_.delta;
        if (m > 0) choose(system, omega, accepted ? remaining - tau_ : remaining, accepted);  // w_p = 0 teaches nothing
        if (!accepted) continue;
        if (tau_ < wanted) control_.tau = std::min(std::max(wanted, control_.tau), remaining - tau_);  // cut short by the node only
        return true;
    }
    return false;
}

double PhipmPhi::judge(std::span<const PhiNode> nodes, double t0, double size) const {
    const bool ends = t0 + tau_ >= nodes.front().t / T_ * (1 - 1e-12);
    const double rounding = 1e-15 * (w_norm_[0] + polynomial_ + arnoldi_.beta() * flow_.norm(0, false));
    const double error = arnoldi_.beta() * (arnoldi_.next() * flow_.last_size(0) + flow_.rounding(0));
    double worst = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double there = i == 0 && ends ? size : std::max(size, moved_);
        const double allowed = std::max(nodes[i].tolerance * there, rounding) * tau_ / (nodes[i].t / T_);
        worst = std::max(worst, error / allowed);
    }
    return worst;
}

// sum_{j<p} tau^j/j! w_j + beta U_m tau^p phi_p(tau H) e_1 + the correction.
void PhipmPhi::write(const Linearized& system, VecX& x, VecX& v) {
    const std::size_t m = static_cast<std::size_t>(arnoldi_.dimension());
    const auto u = m > 0 ? flow_.value(0) : std::span<const double>();
    weights_.resize(m + 1);
    for (std::size_t j = 0; j < m; ++j) weights_[j] = arnoldi_.beta() * u[j];
    weights_[m] = m > 0 && !arnoldi_.complete() ? arnoldi_.beta() * arnoldi_.next() * flow_.last(0) : 0;
    const Arnoldi::Output output[] = {{{weights_.data(), m + (m > 0 && !arnoldi_.complete())}, &x, &v}};
    arnoldi_.combine(output);
    system.workers.ranges(static_cast<int>(x.size()), [&](int begin, int end) {
        double factor = 1;
        for (int j = 0; j < p_; ++j) {
            if (j > 0) factor *= tau_ / j;
            for (int k = begin; k < end; ++k) x[k] += factor * wx_[j][k];
            for (int k = begin; k < end; ++k) v[k] += factor * wv_[j][k];
        }
    });
}

void PhipmPhi::choose(const Linearized& system, double omega, double remaining, bool accepted) {
    const int dimension = arnoldi_.dimension(), most = variant_.max_dimension;
    control_.learn(omega, dimension);
    const double tau = std::min(std::max(remaining, 1e-300), control_.optimal_tau(omega, gamma, 2));
    designed_ = accepted ? control_.optimal_tau(omega, gamma, 2) : 0;
    if (dimension == most) return control_.next(omega, accepted ? tau : std::min(tau, 0.95 * tau_), dimension, accepted);
    int m = control_.optimal_dimension(omega, dimension, gamma, 1, most);
    if (!accepted) m = std::max(m, dimension + 1);
    const double with_tau = std::ceil(remaining / tau) * cost(system, dimension, tau);
    const double with_m = std::ceil(remaining / std::min(remaining, tau_)) * cost(system, m, tau_);
    if (with_tau < with_m && (accepted || tau < tau_)) control_.next(omega, tau, dimension, accepted);
    else {
        if (accepted) designed_ = tau_;
        control_.next(omega, std::min(std::max(remaining, 1e-300), control_.tau), m, accepted);
    }
}

// Operations of one substep: products, orthogonalisation, sums over the basis, the small space.
double PhipmPhi::cost(const Linearized& system, int m, double tau) const {
    const double n = 2.0 * static_cast<double>(system.mass.size());
    const double product = 18.0 * system.K.pattern().blocks() * Jacobian(system).products();
    const double vectors = variant_.length < m ? 2.0 * variant_.length * m : static_cast<double>(m) * m;
    const double row = variant_.length < m ? variant_.length + 1.0 : 0.5 * m;
    const double flow = 8 * std::max(3.0, tau * std::abs(arnoldi_.next()) * 3) * 2 * m * row;
    return (m + p_) * product + n * (2 * vectors + 8.0 * m + 6.0 * p_) + flow;
}

}  // namespace wobble
