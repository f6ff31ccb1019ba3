#include "engine/solve/substeps/flow_state.h"

#include "engine/core/reduce.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace wobble {

double FlowState::Force::at(double t) const {
    double total = 0, power = 1;  // t^(k-1)/(k-1)!
    for (int k = 1; k <= max_phi; ++k) {
        total += weight[k] * power;
        power *= t / k;
    }
    return total;
}

double FlowState::Force::until(double t) const {
    double total = 0, power = 1;
    for (int k = 1; k <= max_phi; ++k) total += std::abs(weight[k]) * (power *= t / k);
    return total;
}

void FlowState::collect(std::span<const PhiTerm> terms) {
    count_forces_ = 0;
    forces_.resize(std::max(forces_.size(), terms.size()));
    for (const PhiTerm& term : terms) {
        if (term.k == 0 || !term.v) continue;
        const VecX* const vector = term.along ? term.along : term.v;
        const auto end = forces_.begin() + static_cast<std::ptrdiff_t>(count_forces_);
        auto force = std::find_if(forces_.begin(), end, [&](const Force& f) { return f.vector == vector; });
        if (force == end) {
            force->vector = vector;
            force->weight = {};
            ++count_forces_;
        }
        force->weight[term.k] += term.along ? term.factor : 1;
    }
    assert(count_forces_ <= max_phi + 1);
}

double FlowState::take(const Linearized& system, double omega, std::span<const PhiTerm> terms, double t) {
    collect(terms);
    const int n = system.K.rows();
    const double alpha = system.alpha, beta = system.beta;
    for (Vector* lanes : {&y, &v, &rate}) lanes->resize(n);
    for (std::size_t f = 0; f < count_forces_; ++f) forces_[f].lanes.resize(n);
    sums.resize(static_cast<std::size_t>(4) * n + EdgeRows<1, true, 4>::beyond);
    bool at_rest = beta == 0;  // y = 0
    const VecX* known = nullptr;
    for (const PhiTerm& term : terms) {
        at_rest = at_rest && !(term.k == 0 && term.x);
        assert(!term.rate || term.k == 0);
        if (term.rate) known = term.rate;
    }
    rate_known = known || at_rest;
    // |v_0|^2, |x_0|^2 and |force|^2, of the last ones together if there are many.
    constexpr std::size_t most = 5;
    const auto squares = blocked_sums<most>(system.workers, n, [&](int begin, int end) {
        std::array<double, most> sum{};
        const double* const M = system.mass.data();
        const auto square = [&](const Vector& a) {
            double total = 0;
            for (int i = begin; i < end; ++i) total += M[3 * i] * (a[i].x[0] * a[i].x[0] + a[i].x[1] * a[i].x[1] + a[i].x[2] * a[i].x[2]);
            return total;
        };
        const auto add = [&](const VecX& from, Vector& to, bool first) {
            const double* const a = from.data();
            for (int i = begin; i < end; ++i)
                for (int d = 0; d < 3; ++d) to[i].x[d] = a[3 * i + d] + (first ? 0 : to[i].x[d]);
        };
        bool no_x = true, no_v = true;
        for (const PhiTerm& term : terms) {
            if (term.k != 0) continue;
            if (term.x) add(*term.x, y, std::exchange(no_x, false));
            if (term.v) add(*term.v, v, std::exchange(no_v, false));
        }
        if (no_x) std::fill(y.begin() + begin, y.begin() + end, Lane{});
        else sum[1] = square(y);
        if (no_v) std::fill(v.begin() + begin, v.begin() + end, Lane{});
        for (int i = begin; i < end && beta != 0; ++i)
            for (int d = 0; d < 3; ++d) y[i].x[d] += beta * v[i].x[d];
        sum[0] = square(v);
        for (std::size_t f = 0; f < count_forces_; ++f) {
            add(*forces_[f].vector, forces_[f].lanes, true);
            sum[std::min(f + 2, most - 1)] += square(forces_[f].lanes);
        }
        if (known) add(*known, rate, true);
        else if (at_rest)
            for (int i = begin; i < end; ++i)
                for (int d = 0; d < 3; ++d) {
                    rate[i].x[d] = -alpha * v[i].x[d];
                    for (std::size_t f = 0; f < count_forces_; ++f) rate[i].x[d] += forces_[f].weight[1] * forces_[f].lanes[i].x[d];
                }
        return sum;
    });
    double largest = std::sqrt(squares[0]) + omega * std::sqrt(squares[1]);
    for (std::size_t f = 0; f < count_forces_; ++f) largest += forces_[f].until(t) * std::sqrt(squares[std::min(f + 2, most - 1)]);
    return largest;
}

FlowState::Push FlowState::push(double t) const {
    Push push{{}, {}, std::max(2, static_cast<int>(count_forces_))};
    push.vectors.fill(y[0].x);
    for (std::size_t f = 0; f < count_forces_; ++f) push.vectors[f] = forces_[f].lanes[0].x, push.weights[f] = forces_[f].at(t);
    return push;
}

double FlowState::deliver(const Linearized& system, const PhiNode& node) const {
    const double beta = system.beta;
    return std::sqrt(blocked_sum(system.workers, system.K.rows(), [&](int begin, int end) {
        double sum = 0;
        for (int i = begin; i < end; ++i)
            for (int d = 0; d < 3; ++d) {
                const double u = v[i].x[d];
                (*node.v)[3 * i + d] = u;
                (*node.x)[3 * i + d] = y[i].x[d] - beta * u;
                sum += system.mass[3 * i] * u * u;
            }
        return sum;
    }));
}

}  // namespace wobble
