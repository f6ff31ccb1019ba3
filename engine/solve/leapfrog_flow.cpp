#include "engine/solve/leapfrog_flow.h"

#include "engine/core/reduce.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace wobble {

double LeapfrogFlow::Force::at(double t) const {
    double total = 0, power = 1;  // t^(k-1)/(k-1)!
    for (int k = 1; k <= max_phi; ++k) {
        total += weight[k] * power;
        power *= t / k;
    }
    return total;
}

double LeapfrogFlow::Force::until(double t) const {
    double total = 0, power = 1;
    for (int k = 1; k <= max_phi; ++k) total += std::abs(weight[k]) * (power *= t / k);
    return total;
}

void LeapfrogFlow::collect(std::span<const PhiTerm> terms) {
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
}

double LeapfrogFlow::pack(const Linearized& system, double omega, std::span<const PhiTerm> terms, double t, double tau) {
    const int n = system.K.rows();
    const double beta = system.beta;
    for (Vector* lanes : {&y_, &next_, &v_}) lanes->resize(n);
    if (leads_) lead_.resize(n);
    for (std::size_t f = 0; f < count_forces_; ++f) forces_[f].lanes.resize(n);
    sums_.resize(static_cast<std::size_t>(4) * n + EdgeRows<1, true, 4>::beyond);
    bool at_rest = beta == 0;  // y = 0
    const VecX* rate = nullptr;
    for (const PhiTerm& term : terms) {
        at_rest = at_rest && !(term.k == 0 && term.x);
        if (term.rate) rate = term.rate;
    }
    kicked_ = rate || at_rest;
    const Kick kick = first_kick(system, 0, tau);
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
            if (term.x) add(*term.x, y_, std::exchange(no_x, false));
            if (term.v) add(*term.v, v_, std::exchange(no_v, false));
        }
        if (no_x) std::fill(y_.begin() + begin, y_.begin() + end, Lane{});
        else sum[1] = square(y_);
        if (no_v) std::fill(v_.begin() + begin, v_.begin() + end, Lane{});
        for (int i = begin; i < end && beta != 0; ++i)
            for (int d = 0; d < 3; ++d) y_[i].x[d] += beta * v_[i].x[d];
        sum[0] = square(v_);
        for (std::size_t f = 0; f < count_forces_; ++f) {
            add(*forces_[f].vector, forces_[f].lanes, true);
            sum[std::min(f + 2, most - 1)] += square(forces_[f].lanes);
        }
        if (!kicked_) return sum;
        for (int i = begin; i < end; ++i)
            for (int d = 0; d < 3; ++d) {
                double change = 0;
                if (rate) {
                    change = kick.kick * (*rate)[3 * i + d];
                } else {
                    for (std::size_t f = 0; f < count_forces_; ++f) change += kick.kick * forces_[f].weight[1] * forces_[f].lanes[i].x[d];
                    change -= (1 - kick.keep) * v_[i].x[d];
                }
                v_[i].x[d] += change;
                y_[i].x[d] += beta * change + kick.drift * v_[i].x[d];
                if (leads_) y_[i].x[d] += lead_[i].x[d] = beta * kick.lead * change;
            }
        return sum;
    });
    double largest = std::sqrt(squares[0]) + omega * std::sqrt(squares[1]);
    for (std::size_t f = 0; f < count_forces_; ++f) largest += forces_[f].until(t) * std::sqrt(squares[std::min(f + 2, most - 1)]);
    return largest;
}

void LeapfrogFlow::apply(const Linearized& system, const Kick& kick, PhiReport& report) {
    const bool skewed = system.edges->has_skew();
    if (skewed && leads_) choose<true, true>(system, kick);
    else if (skewed) choose<true, false>(system, kick);
    else if (leads_) choose<false, true>(system, kick);
    else choose<false, false>(system, kick);
    ++report.products;
    y_.swap(next_);
}

template <bool skewed, bool leading>
void LeapfrogFlow::choose(const Linearized& system, const Kick& kick) {
    if (count_forces_ <= 2) apply_rows<skewed, leading, true>(system, kick);
    else apply_rows<skewed, leading, false>(system, kick);
}

// One pass: y, v and next by rows, in registers of four. Two forces are what there usually is; a loop over a number
// known only later would cost 7 % of the time.
template <bool skewed, bool leading, bool two_forces>
void LeapfrogFlow::apply_rows(const Linearized& system, const Kick& kick) {
    using Register = Columns<4>;
    std::array<const double*, max_phi + 1> vectors{};
    std::array<double, max_phi + 1> weights{};
    for (std::size_t f = 0; f < count_forces_; ++f) vectors[f] = forces_[f].lanes[0].x, weights[f] = forces_[f].at(kick.t);
    for (std::size_t f = count_forces_; f < 2; ++f) vectors[f] = y_[0].x;  // with weight 0
    system.edges->pattern().split(system.workers, [&](int begin, int end) {
        const double *const y = y_[0].x, *const inverse = system.inverse_mass.data();
        double *const v = v_[0].x, *const next = next_[0].x, *const ahead = leading ? lead_[0].x : nullptr;
        const auto of_forces = vectors;
        const auto by_force = weights;
        const double beta = system.beta, by_kick = kick.kick, keep = kick.keep, drift = kick.drift, lead = beta * kick.lead;
        const int count = static_cast<int>(count_forces_);
        const EdgeRows<1, skewed, 4> K(*system.edges, y, sums_.data(), begin, end);
        for (int i = begin; i < end; ++i) {
            const std::size_t at = static_cast<std::size_t>(4) * i;
            Register s = -inverse[3 * i] * K.row(i, y).in_register();
            if constexpr (two_forces)
                s += by_force[0] * load_columns<4>(of_forces[0] + at) + by_force[1] * load_columns<4>(of_forces[1] + at);
            else
                for (int f = 0; f < count; ++f) s += by_force[f] * load_columns<4>(of_forces[f] + at);
            const Register before = load_columns<4>(v + at), after = keep * before + by_kick * s;
            store_columns<4>(v + at, after);
            Register moved = load_columns<4>(y + at) + beta * (after - before) + drift * after;
            if constexpr (leading) {
                const Register led = lead * (after - before);
                moved += led - load_columns<4>(ahead + at);
                store_columns<4>(ahead + at, led);
            }
            store_columns<4>(next + at, moved);
        }
    });
}

LeapfrogFlow::Kick LeapfrogFlow::first_kick(const Linearized& system, double t, double tau) {
    return {t, tau / 2, 1 - tau / 2 * system.alpha, tau, 1};
}

// From t on, (y, v) at whole times before and after; but for the first kick, where that is done.
bool LeapfrogFlow::advance(const Linearized& system, double t, const Substeps& substeps, PhiReport& report) {
    const double tau = substeps.tau, half = tau / 2, drag = system.alpha;
    if (!kicked_) {
        if (leads_) lead_.assign(y_.size(), Lane{});
        apply(system, first_kick(system, t, tau), report);
    }
    kicked_ = false;
    const Kick whole{0, tau / (1 + half * drag), (1 - half * drag) / (1 + half * drag), tau, 0.5};
    for (int k = 1; k < substeps.count; ++k) {
        if (system.workers.stop_requested()) return false;
        apply(system, {t + k * tau, whole.kick, whole.keep, whole.drift, whole.lead}, report);
    }
    apply(system, {t + substeps.count * tau, half / (1 + half * drag), 1 / (1 + half * drag), 0, 0}, report);
    return true;
}

double LeapfrogFlow::deliver(const Linearized& system, const PhiNode& node) const {
    const double beta = system.beta;
    return std::sqrt(blocked_sum(system.workers, system.K.rows(), [&](int begin, int end) {
        double sum = 0;
        for (int i = begin; i < end; ++i)
            for (int d = 0; d < 3; ++d) {
                const double v = v_[i].x[d];
                (*node.v)[3 * i + d] = v;
                (*node.x)[3 * i + d] = y_[i].x[d] - beta * v;
                sum += system.mass[3 * i] * v * v;
            }
        return sum;
    }));
}

double LeapfrogFlow::longest(const Linearized& system, double omega) const {
    const double damped = system.beta * omega * omega / 2, limit = share_ * share_;
    const double tau = 2 * limit / (damped + std::sqrt(damped * damped + limit * omega * omega));
    return system.alpha > 0 ? std::min(tau, 0.5 / system.alpha) : tau;
}

LeapfrogFlow::Substeps LeapfrogFlow::substeps(const Linearized& system, double omega, double t) {
    const int m = std::max(least_substeps, static_cast<int>(std::ceil(t / longest(system, omega))));
    const double tau = t / m, turn = tau * omega / 2;
    leads_ = system.beta > 0 && tau * system.beta * omega * omega + turn * turn <= share_ * share_;
    return {tau, m};
}

bool LeapfrogFlow::run(const Linearized& system, double omega, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes,
                       PhiReport& report) {
    collect(terms);
    assert(count_forces_ <= max_phi + 1);
    const double largest = pack(system, omega, terms, nodes.back().t, substeps(system, omega, nodes.front().t).tau);
    double t = 0;
    report.substeps = 0;
    for (const PhiNode& node : nodes) {
        const Substeps steps = substeps(system, omega, node.t - t);
        if (!advance(system, t, steps, report)) return false;
        report.substeps += steps.count;
        t = node.t;
        if (!(deliver(system, node) <= 1.5 * largest)) return false;
    }
    return true;
}

}  // namespace wobble
