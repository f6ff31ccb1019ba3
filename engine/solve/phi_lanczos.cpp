#include "engine/solve/phi_lanczos.h"

#include <cassert>
#include <cmath>

namespace wobble {

LanczosPhi::LanczosPhi(int max_dimension)
    : lanczos_(max_dimension),
      eigen_(Lanczos::max_columns, TridiagonalEigen(max_dimension)),
      position_(Lanczos::max_columns * max_dimension),
      velocity_(position_.size()),
      position_weights_(position_.size()),
      velocity_weights_(position_.size()) {
    columns_.reserve(Lanczos::max_columns);
    starts_.reserve(Lanczos::max_columns);
}

PhiReport LanczosPhi::apply(const Linearized& system, double h, std::span<const PhiTerm> terms, double tolerance, VecX& x, VecX& v) {
    columns_.clear();
    starts_.clear();
    for (const PhiTerm& term : terms) {
        assert(term.k >= 1 && term.k <= max_phi);
        if (term.x) columns_.push_back({term.k, 0}), starts_.push_back(term.x);
        if (term.v) columns_.push_back({term.k, 1}), starts_.push_back(term.v);
    }
    x.setZero();
    v.setZero();
    reserve(terms, x.size());

    PhiReport report;
    report.substeps = 0;
    double t = 0, tau = h;
    while (t < h) {
        if (t > 0) right_hand_sides(system, terms, t, x, v);
        tau = (h - t) / std::ceil((h - t) / tau * (1 - 1e-12));
        report.converged = lanczos_.start(system, starts_) && grow(system, tau, tolerance);
        report.products += static_cast<long>(lanczos_.dimension()) * lanczos_.columns();
        report.dimension = std::max(report.dimension, lanczos_.dimension());
        ++report.substeps;
        if (h > max_substeps * tau) report.converged = false;
        if (!report.converged) return report;
        add_substep(x, v);
        t = t + tau > h * (1 - 1e-12) ? h : t + tau;
    }
    return report;
}

// What later substeps need, before the first one: whether they will be needed is not known in advance.
void LanczosPhi::reserve(std::span<const PhiTerm> terms, Eigen::Index n) {
    std::size_t top = 1;
    for (const PhiTerm& term : terms) top = std::max<std::size_t>(top, term.k);
    if (moved_.size() < 2 * top) moved_.resize(2 * top);
    for (VecX& g : moved_) g.resize(n);
    argument_.resize(n);
    product_.resize(n);
}

// Extends the bases until the error estimate for time tau is met; shortens tau when the largest dimension is reached.
bool LanczosPhi::grow(const Linearized& system, double& tau, double tolerance) {
    int next_check = 4;
    const auto good = [&](const Estimate& e) { return std::isfinite(e.error) && e.error <= tolerance * e.size; };
    while (true) {
        if (lanczos_.invariant()) return decompose() && (estimate(system, tau), true);
        if (system.workers.stop_requested() || !lanczos_.extend()) return false;
        const int m = lanczos_.dimension();
        // Undamped, nothing converges before h omega / 2 steps: looking earlier is wasted work.
        const double least = system.beta == 0 ? 0.5 * tau * std::sqrt(lanczos_.ritz_bound()) : 0;
        const bool last = m == lanczos_.max_dimension();
        if (!last && !lanczos_.invariant() && (m < next_check || m < least)) continue;
        if (!decompose()) return false;
        if (good(estimate(system, tau))) return true;
        next_check = m + std::max(2, m / 8);
        if (!last) continue;
        for (int tries = 0; tries < 200; ++tries) {
            tau *= 0.85;
            if (good(estimate(system, tau))) return true;
        }
        return false;
    }
}

bool LanczosPhi::decompose() {
    for (int c = 0; c < lanczos_.columns(); ++c)
        if (lanczos_.dimension(c) > 0 && !eigen_[c].compute(lanczos_.diagonal(c), lanczos_.off_diagonal(c))) return false;
    return true;
}

// Leaves the Ritz coefficients of s^k phi_k(s B(theta)) e_part at s = tau in position_ and velocity_.
LanczosPhi::Estimate LanczosPhi::estimate(const Linearized& system, double tau) {
    constexpr int samples = 3;
    const int C = lanczos_.columns();
    Phi2 phi;
    Estimate total{0, 0};
    for (int c = 0; c < C; ++c) {
        const auto [k, part] = columns_[c];
        const int m = lanczos_.dimension(c);
        double worst = 0, size = 0;
        for (int sample = 1; sample <= samples; ++sample) {
            const double s = tau * sample / samples, sk = std::pow(s, k);
            double last = 0;
            size = 0;
            for (int i = 0; i < m; ++i) {
                const double theta = eigen_[c].value(i), first = eigen_[c].vector(0, i);
                oscillator_phi(s, theta, system.alpha, system.beta, k, phi);
                const double px = sk * phi[k](0, part), pv = sk * phi[k](1, part);
                position_[i * C + c] = px;
                velocity_[i * C + c] = pv;
                last += eigen_[c].vector(m - 1, i) * first * (px + system.beta * pv);
                size += first * first * (std::abs(theta) * px * px + pv * pv);
            }
            worst = std::max(worst, std::abs(last));
        }
        total.error += lanczos_.norm(c) * lanczos_.next_beta(c) * tau * worst;
        total.size += lanczos_.norm(c) * std::sqrt(size);
    }
    return total;
}

// From Ritz coefficients to basis coefficients to vectors.
void LanczosPhi::add_substep(VecX& x, VecX& v) {
    const int C = lanczos_.columns(), dimension = lanczos_.dimension();
    for (int c = 0; c < C; ++c) {
        const int m = lanczos_.dimension(c);
        for (int j = 0; j < dimension; ++j) {
            double px = 0, pv = 0;
            if (j < m)
                for (int i = 0; i < m; ++i) {
                    const double z = eigen_[c].vector(j, i) * eigen_[c].vector(0, i);
                    px += z * position_[i * C + c];
                    pv += z * velocity_[i * C + c];
                }
            position_weights_[j * C + c] = lanczos_.norm(c) * px;
            velocity_weights_[j * C + c] = lanczos_.norm(c) * pv;
        }
    }
    lanczos_.combine(position_weights_, velocity_weights_, x, v);
}

// At time t the problem u' = J u + sum_k s^(k-1)/(k-1)! b_k goes on as u(t + tau) = u(t) + sum_k tau^k phi_k(tau J) g_k with
//     g_k = sum_{l >= 0} t^l / l! b_{k+l},     g_1 += J u(t).
void LanczosPhi::right_hand_sides(const Linearized& system, std::span<const PhiTerm> terms, double t, const VecX& x, const VecX& v) {
    int top = 1;
    for (const PhiTerm& term : terms) top = std::max(top, term.k);
    for (int k = 0; k < 2 * top; ++k) moved_[k].setZero();
    for (const PhiTerm& term : terms) {
        double factor = 1;
        for (int l = 0; term.k - l >= 1; ++l) {
            if (l > 0) factor *= t / l;
            if (term.x) moved_[2 * (term.k - l - 1)] += factor * *term.x;
            if (term.v) moved_[2 * (term.k - l - 1) + 1] += factor * *term.v;
        }
    }
    moved_[0] += v;
    argument_ = x + system.beta * v;
    system.K.multiply(system.workers, argument_, product_);
    moved_[1] -= system.inverse_mass.cwiseProduct(product_) + system.alpha * v;

    columns_.clear();
    starts_.clear();
    for (int k = 1; k <= top; ++k)
        for (int part = 0; part < 2; ++part) {
            const VecX& g = moved_[2 * (k - 1) + part];
            if (g.isZero(0)) continue;
            columns_.push_back({k, part});
            starts_.push_back(&g);
        }
}

}  // namespace wobble
