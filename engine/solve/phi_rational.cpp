#include "engine/solve/phi_rational.h"

#include "engine/core/reduce.h"
#include "engine/solve/initial_value.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {

constexpr int largest = ShiftInvertLanczos::largest;

}  // namespace

RationalPhi::RationalPhi(int max_dimension) : max_dimension_(std::min(max_dimension, largest)) {
    columns_.reserve(ShiftInvertLanczos::max_columns);
    starts_.reserve(ShiftInvertLanczos::max_columns);
    basis_of_.reserve(2 * ShiftInvertLanczos::max_columns);
}

PhiReport RationalPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    assert(!nodes.empty());
    PhiReport report{.path = "rational"};
    if (!system.rayleigh()) return report.converged = false, report;
    collect_columns(terms, columns_);
    starts_.clear();
    basis_of_.clear();
    for (const PhiColumn& column : columns_) {
        const auto found = std::find(starts_.begin(), starts_.end(), column.start);
        basis_of_.push_back(static_cast<int>(found - starts_.begin()));
        if (found == starts_.end()) starts_.push_back(column.start);
    }
    if (starts_.size() > ShiftInvertLanczos::max_columns) return report.converged = false, report;
    while (eigen_.size() < starts_.size()) eigen_.emplace_back(largest);
    nodes_ = static_cast<int>(nodes.size());
    const std::size_t room = static_cast<std::size_t>(nodes_) * columns_.size() * 2 * largest;
    if (now_.size() < room) now_.resize(room), before_.resize(room);

    report.converged = factorize(system, nodes, report) && lanczos_.start(system, factor_, starts_) && grow(system, terms, nodes);
    report.dimension = lanczos_.dimension();
    report.solves = lanczos_.solves();
    return report;
}

bool RationalPhi::factorize(const Linearized& system, std::span<const PhiNode> nodes, PhiReport& report) {
    double tolerance = 1;
    for (const PhiNode& node : nodes) tolerance = std::min(tolerance, node.tolerance);
    const double gamma = tolerance < 2e-3 ? 0.05 : 0.1;
    const double c = std::exp2(std::round(std::log2(gamma * nodes.back().t)));
    if (halvings_ > 0 && ++since_halved_ >= try_again) --halvings_, since_halved_ = 0;
    for (; halvings_ <= max_halvings; ++halvings_) {
        const ShiftedFactor::Outcome outcome = factor_.prepare(system, std::ldexp(c, -halvings_));
        c_ = factor_.c();
        if (outcome == ShiftedFactor::Outcome::kept) return true;
        ++report.factorizations;
        if (outcome == ShiftedFactor::Outcome::factored) return true;
    }
    halvings_ = max_halvings;
    return false;
}

bool RationalPhi::grow(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    last_difference_.assign(nodes.size(), 0);
    shrunk_.assign(nodes.size(), 1);
    checked_ = checked_before_ = 0;
    int next_check = 4;
    while (true) {
        const bool complete = lanczos_.complete();
        if (!complete && (system.workers.stop_requested() || !lanczos_.extend())) return false;
        const int m = lanczos_.dimension();
        const bool last = m >= max_dimension_ && !lanczos_.complete();
        if (m < next_check && !last && !lanczos_.complete()) continue;
        if (!decompose()) return false;
        now_.swap(before_);
        for (int i = 0; i < nodes_; ++i) coefficients(system, i, nodes[i].t);
        checked_before_ = checked_;
        checked_ = m;
        // The first time there is nothing to compare with.
        if (lanczos_.complete() || (checked_before_ > 0 && small(nodes))) {
            for (int i = 0; i < nodes_; ++i) write(system, i, *nodes[i].x, *nodes[i].v);
            if (lanczos_.complete() || !cancelled(system, terms, nodes)) return true;
        }
        if (last) return false;
        next_check = m + 2;
    }
}

bool RationalPhi::small(std::span<const PhiNode> nodes) {
    bool all = true;
    for (int i = 0; i < nodes_; ++i) {
        const Measure is = measure(i);
        double& was = last_difference_[i];
        const double r = was > 0 ? std::clamp(is.difference / was, 0.5, 0.9) : 0.9;
        was = is.difference;
        all = all && is.difference * r / (1 - r) <= std::max(nodes[i].tolerance * shrunk_[i], 1e-13) * is.size;
    }
    return all;
}

bool RationalPhi::cancelled(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    if (columns_.size() < 2) return false;
    initial_value(system, terms, x0_, v0_);
    bool less = false;
    for (int i = 0; i < nodes_; ++i) {
        const VecX& x = *nodes[i].x;
        const double square = blocked_sum(system.workers, static_cast<int>(x.size()), [&](int begin, int end) {
            double sum = 0;
            for (int k = begin; k < end; ++k) sum += system.mass[k] * (x[k] - x0_[k]) * (x[k] - x0_[k]);
            return sum;
        });
        const double position = measure(i).position, share = position > 0 ? std::max(std::sqrt(square) / position, 1e-14) : 1;
        if (share > 0.1 * shrunk_[i]) continue;
        shrunk_[i] = share;
        less = true;
    }
    return less;
}

bool RationalPhi::decompose() {
    for (std::size_t b = 0; b < starts_.size(); ++b) {
        const int c = static_cast<int>(b);
        if (lanczos_.dimension(c) > 0 && !eigen_[b].compute(lanczos_.diagonal(c), lanczos_.off_diagonal(c))) return false;
    }
    return true;
}

// Coefficients of every column at time s, from its Ritz values.
void RationalPhi::coefficients(const Linearized& system, int node, double s) {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        const int c = basis_of_[column], m = lanczos_.dimension(c);
        const TridiagonalEigen& eigen = eigen_[c];
        double* x = now_.data() + (node * columns_.size() + column) * 2 * largest;
        double* v = x + largest;
        std::fill_n(x, 2 * largest, 0.0);
        for (int i = 0; i < m; ++i) {
            const double value = std::max(eigen.value(i), 1e-16);  // S > 0: what is not, is rounding
            const double theta = (1 / value - 1) / (c_ * c_), first = lanczos_.norm(c) * eigen.vector(0, i);
            const Eigen::Vector2d p = first * ritz_motion(system, columns_[column], s, theta);
            for (int j = 0; j < m; ++j) {
                x[j] += p[0] * eigen.vector(j, i);
                v[j] += p[1] * eigen.vector(j, i);
            }
        }
    }
}

RationalPhi::Measure RationalPhi::measure(int node) const {
    Measure sum;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        const int c = basis_of_[column], m = lanczos_.dimension(c);
        if (m == 0) continue;
        const auto T = lanczos_.diagonal(c), t = lanczos_.off_diagonal(c);
        const std::size_t at = (node * columns_.size() + column) * 2 * largest;
        const double *x = now_.data() + at, *v = x + largest, *old_x = before_.data() + at, *old_v = old_x + largest;
        const double x0 = lanczos_.norm(c) * columns_[column].initial(0), v0 = lanczos_.norm(c) * columns_[column].initial(1);
        double dx = 0, dv = 0, size_x = 0, size_v = 0;
        // |S V y| = |T y|, and the little that leaves the basis.
        const auto through_S = [&](int j, const auto& y) {
            return T[j] * y(j) + (j > 0 ? t[j - 1] * y(j - 1) : 0) + (j + 1 < m ? t[j] * y(j + 1) : 0);
        };
        const auto moved = [&](int j) { return v[j] - (j == 0 ? v0 : 0); };
        const auto changed = [&](int j) { return v[j] - old_v[j]; };
        for (int j = 0; j < m; ++j) {
            const double increment = x[j] - (j == 0 ? x0 : 0), Sv = through_S(j, moved), Sdv = through_S(j, changed);
            dx += (x[j] - old_x[j]) * (x[j] - old_x[j]);
            size_x += increment * increment;
            dv += Sdv * Sdv;
            size_v += Sv * Sv;
        }
        sum.difference += std::sqrt(dx) / c_ + std::sqrt(dv);
        sum.size += std::sqrt(size_x) / c_ + std::sqrt(size_v);
        sum.position += std::sqrt(size_x);
    }
    return sum;
}

void RationalPhi::write(const Linearized& system, int node, VecX& x, VecX& v) const {
    system.workers.ranges(static_cast<int>(x.size()), [&](int begin, int end) {
        std::fill(x.data() + begin, x.data() + end, 0.0);
        std::fill(v.data() + begin, v.data() + end, 0.0);
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            const int c = basis_of_[column], m = lanczos_.dimension(c);
            const double* a = now_.data() + (node * columns_.size() + column) * 2 * largest;
            for (int j = 0; j < m; ++j) {
                const double *basis = lanczos_.vector(c, j).data(), aj = a[j], bj = a[largest + j];
                for (int k = begin; k < end; ++k) {
                    x[k] += aj * basis[k];
                    v[k] += bj * basis[k];
                }
            }
        }
    });
}

void RationalPhi::learnt(Learnt& numbers) {
    numbers(halvings_), numbers(since_halved_);
    if (numbers.reads()) factor_.forget();
}

}  // namespace wobble
