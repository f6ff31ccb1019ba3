#include "engine/solve/phi/phi_rational.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {

constexpr int room = RationalBasis::room;
constexpr double least_rate = 0.3;     // by which errors are trusted to go on falling
constexpr double share_of_step = 0.2;  // c / h
constexpr double seen_above = 0.1;     // of a step: shorter times are not seen in the measure of errors

}  // namespace

RationalPhi::RationalPhi(int max_steps) : max_steps_(max_steps) {
    columns_.reserve(RationalBasis::max_starts);
    starts_.reserve(RationalBasis::max_starts);
    start_of_.reserve(2 * RationalBasis::max_starts);
    initial_.resize(room, 2);
    turned_.resize(room, RationalBasis::max_starts);
    modes_.resize(room, 2);
    difference_.resize(room, 2);
}

PhiReport RationalPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    assert(!nodes.empty());
    PhiReport report{.path = "rational"};
    if (!system.rayleigh()) {
        report.declined = "this evaluator takes Rayleigh damping only; kiops takes any";
        return report.converged = false, report;
    }
    collect_columns(terms, columns_);
    starts_.clear();
    start_of_.clear();
    for (const PhiColumn& column : columns_) {
        const auto found = std::find(starts_.begin(), starts_.end(), column.start);
        start_of_.push_back(static_cast<int>(found - starts_.begin()));
        if (found == starts_.end()) starts_.push_back(column.start);
    }
    if (starts_.size() > RationalBasis::max_starts) return report.converged = false, report;
    const Eigen::Index wanted = 2 * static_cast<Eigen::Index>(nodes.size());
    for (Look* look : {&now_, &last_, &before_})
        if (look->motion.cols() < wanted) look->motion.resize(room, wanted);

    if (!factorize(system, nodes, report)) return report.converged = false, report;
    report.converged = basis_.start(system, factor_, starts_) && grow(system, nodes);
    report.dimension = basis_.steps();
    report.solves = basis_.solves();
    report.products = basis_.products();
    return report;
}

bool RationalPhi::factorize(const Linearized& system, std::span<const PhiNode> nodes, PhiReport& report) {
    const double c = std::exp2(std::round(std::log2(share_of_step * nodes.back().t)));
    if (halvings_ > 0 && ++since_halved_ >= try_again) --halvings_, since_halved_ = 0;
    for (; halvings_ <= max_halvings; ++halvings_) {
        const ShiftedFactor::Outcome outcome = factor_.prepare(system, std::ldexp(c, -halvings_));
        if (outcome == ShiftedFactor::Outcome::kept) return true;
        ++report.factorizations;
        if (outcome == ShiftedFactor::Outcome::factored) return true;
    }
    halvings_ = max_halvings;
    return false;
}

bool RationalPhi::grow(const Linearized& system, std::span<const PhiNode> nodes) {
    now_.dimension = last_.dimension = 0;
    int next_look = 2;
    while (true) {
        if (!basis_.complete() && (system.workers.stop_requested() || !basis_.extend())) return false;
        const int m = basis_.steps();
        const bool last = m >= max_steps_ || basis_.full();
        if (m < next_look && !last && !basis_.complete()) continue;
        if (!approximate(system, nodes)) return false;
        if (basis_.complete() || (before_.dimension > 0 && small(nodes))) {
            for (std::size_t i = 0; i < nodes.size(); ++i) write(system, static_cast<int>(i), *nodes[i].x, *nodes[i].v);
            return true;
        }
        if (last) return false;
        next_look = m + std::max(1, m / 5);
    }
}

// The motion at all nodes in the basis as it is.
bool RationalPhi::approximate(const Linearized& system, std::span<const PhiNode> nodes) {
    std::swap(before_, last_);
    std::swap(last_, now_);
    const int d = now_.dimension = basis_.dimension();
    eigen_.matrix(d).triangularView<Eigen::Lower>() = basis_.A();
    if (d > 0 && !eigen_.compute()) return false;
    const auto Q = eigen_.Q();
    for (std::size_t s = 0; s < starts_.size(); ++s)
        turned_.col(static_cast<Eigen::Index>(s)).head(d).noalias() = Q.transpose() * basis_.start_vector(static_cast<int>(s));
    initial_.topRows(d).setZero();
    for (std::size_t column = 0; column < columns_.size(); ++column)
        for (int part : {0, 1}) initial_.col(part).head(d) += columns_[column].initial(part) * basis_.start_vector(start_of_[column]);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto modes = modes_.topRows(d);
        modes.setZero();
        for (std::size_t column = 0; column < columns_.size(); ++column)
            for (int k = 0; k < d; ++k)
                modes.row(k) +=
                    turned_(k, start_of_[column]) * ritz_motion(system, columns_[column], nodes[i].t, eigen_.value()[k]).transpose();
        for (int part : {0, 1}) now_.motion.col(2 * static_cast<Eigen::Index>(i) + part).head(d).noalias() = Q * modes.col(part);
    }
    return true;
}

bool RationalPhi::small(std::span<const PhiNode> nodes) {
    const int d = now_.dimension;
    const double unseen = seen_above * nodes.back().t;
    const auto seen = [&] {  // the measure of difference_
        double square = 0;
        for (int part : {0, 1}) modes_.col(part).head(d).noalias() = eigen_.Q().transpose() * difference_.col(part).head(d);
        for (int k = 0; k < d; ++k) {
            const double theta = std::abs(eigen_.value()[k]), share = 1 / (1 + unseen * unseen * theta);
            square += share * share * (theta * modes_(k, 0) * modes_(k, 0) + modes_(k, 1) * modes_(k, 1));
        }
        return std::sqrt(square);
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto apart = [&](const Look& a, const Look& b) {
            const Eigen::Index at = 2 * static_cast<Eigen::Index>(i);
            difference_.topRows(d).setZero();
            difference_.topRows(a.dimension) = a.motion.block(0, at, a.dimension, 2);
            difference_.topRows(b.dimension) -= b.motion.block(0, at, b.dimension, 2);
            return seen();
        };
        const double d1 = apart(now_, last_), d2 = apart(last_, before_);
        const double r = d2 > 0 ? std::max(least_rate, d1 / d2) : 1;
        const double error = r < 0.5 ? d1 * r / (1 - r) : apart(now_, before_);
        difference_.topRows(d) = now_.motion.block(0, 2 * static_cast<Eigen::Index>(i), d, 2) - initial_.topRows(d);
        if (!(error <= std::max(nodes[i].tolerance, 1e-13) * seen())) return false;
    }
    return true;
}

void RationalPhi::write(const Linearized& system, int node, VecX& x, VecX& v) const {
    const double *const a = now_.motion.col(2 * node).data(), *const b = now_.motion.col(2 * node + 1).data();
    system.workers.ranges(static_cast<int>(x.size()), [&](int begin, int end) {
        std::fill(x.data() + begin, x.data() + end, 0.0);
        std::fill(v.data() + begin, v.data() + end, 0.0);
        for (int j = 0; j < now_.dimension; ++j) {
            const double *basis = basis_.vector(j).data(), aj = a[j], bj = b[j];
            for (int k = begin; k < end; ++k) {
                x[k] += aj * basis[k];
                v[k] += bj * basis[k];
            }
        }
    });
}

void RationalPhi::begin_anew() {
    halvings_ = since_halved_ = 0;
    factor_.forget();
}

void RationalPhi::solver_state(SavedSolverState& numbers) {
    numbers(halvings_), numbers(since_halved_);
    if (numbers.reads()) factor_.forget();
}

}  // namespace wobble
