#include "engine/solve/phi/phi_lanczos.h"

#include "engine/core/reduce.h"
#include "engine/solve/phi/initial_value.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {

constexpr double uncancelled = 0.25;  // the increment over the sum of the columns'
constexpr double safety = 2;          // the integral is sampled, and the increment is less than the sum of the columns'

// The integral of a residual from 0 on, from samples of it. Until a basis knows all of the motion its residual grows like a high power of
// time, so a power is what is taken between a sample and a larger one; between a sample and a smaller one, and before the first, the
// larger.
class ResidualIntegral {
public:
    void add(double s, double residual) {
        if (!std::isfinite(residual)) value_ = HUGE_VAL;
        if (s > s_) {
            // A sample that lies below both its neighbours was taken where an oscillation passes zero.
            const double from = std::max(last_, std::min(earlier_, residual));
            if (residual <= last_) value_ += (s - s_) * last_;
            else if (from == 0) value_ += (s - s_) * residual;
            else value_ += (s * residual - s_ * from) / (1 + std::log(residual / from) / std::log(s / s_));
        }
        s_ = s;
        earlier_ = last_;
        last_ = residual;
    }
    double time() const { return s_; }
    double value() const { return value_; }

private:
    double s_ = 0, earlier_ = 0, last_ = 0, value_ = 0;
};

// The nodes of (begin, end].
std::span<const PhiNode> inside(std::span<const PhiNode> nodes, double begin, double end) {
    std::size_t first = 0, last = 0;
    for (const PhiNode& node : nodes) first += node.t <= begin, last += node.t <= end;
    return nodes.subspan(first, last - first);
}

}  // namespace

LanczosPhi::LanczosPhi(int max_dimension)
    : lanczos_(max_dimension),
      ends_(Lanczos::max_columns, TridiagonalEnds(max_dimension)),
      eigen_(Lanczos::max_columns, TridiagonalEigen(max_dimension)),
      weights_(2 * Lanczos::max_outputs * Lanczos::max_columns * max_dimension) {
    columns_.reserve(Lanczos::max_columns);
    starts_.reserve(Lanczos::max_columns);
    outputs_.reserve(Lanczos::max_outputs);
}

PhiReport LanczosPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    assert(!nodes.empty());
    PhiReport report{.substeps = 0, .path = "lanczos"};
    if (!system.rayleigh()) {
        report.declined = "this evaluator takes Rayleigh damping only; kiops takes any";
        return report.converged = false, report;
    }
    const double h = nodes.back().t;
    // Whether substeps will be needed is not known yet.
    for (VecX* u : {&x_, &v_, &x_next_, &v_next_, &x0_, &v0_}) u->resize(system.mass.size());
    if (work_.size() < 4 * system.mass.size()) work_.resize(4 * system.mass.size());

    Substep step;
    step.end = h;
    moved_ = 0;
    shrunk_ = 1;
    while (step.begin < h) {
        collect(terms, step.begin);
        if (columns_.size() > Lanczos::max_columns) return report.converged = false, report;
        // Equal shares of what is left, none longer than the last one.
        const double tau = step.end - step.begin, left = h - step.begin;
        double aim = step.begin + left / std::ceil(left / tau * (1 - 1e-12));
        if (aim > h * (1 - 1e-12)) aim = h;
        report.converged = lanczos_.start(system, starts_);
        while (report.converged) {
            step.nodes = inside(nodes, step.begin, h);
            report.converged = grow(system, step, aim);
            if (h > max_substeps * (step.end - step.begin)) report.converged = false;
            if (!report.converged) break;
            report.converged = form(system, step, h);
            if (!report.converged) break;
            if (step.begin == 0 && step.end == h && (lanczos_.columns() < 2 || surely_uncancelled(system, terms))) break;
            measure(system, terms, report);
            if (step.begin > 0 || !cancelled()) break;
            aim = step.end;
        }
        report.products += static_cast<long>(lanczos_.dimension()) * lanczos_.columns();
        report.dimension = std::max(report.dimension, lanczos_.dimension());
        ++report.substeps;
        if (!report.converged) return report;

        if (step.end < h) moved_ = std::max(moved_, sizes_.back());
        x_.swap(x_next_);
        v_.swap(v_next_);
        const double used = step.end - step.begin;
        step.begin = step.end;
        step.end = step.begin + used;
    }
    return report;
}

// Results at the nodes inside and at the end.
bool LanczosPhi::form(const Linearized& system, const Substep& step, double h) {
    formed_.clear();
    if (!decompose(system.workers)) return false;
    for (const PhiNode& node : step.nodes) write(system, node.t - step.begin, *node.x, *node.v);
    if (step.end < h) write(system, step.end - step.begin, x_next_, v_next_);
    flush();
    return true;
}

void LanczosPhi::measure(const Linearized& system, std::span<const PhiTerm> terms, PhiReport& report) {
    initial_value(system, terms, x0_, v0_);
    sizes_.resize(formed_.size());
    for (std::size_t first = 0; first < formed_.size(); first += 4) {
        const std::size_t count = std::min<std::size_t>(4, formed_.size() - first);
        energy_distances(system, {formed_.data() + first, count}, x0_, v0_, work_, sizes_.data() + first);
        report.products += static_cast<long>(count);
    }
}

// The kinetic part of the increments, which is never more than all of them. Where the initial velocity is one term's or none's.
bool LanczosPhi::surely_uncancelled(const Linearized& system, std::span<const PhiTerm> terms) const {
    if (guessed_.size() != formed_.size()) return true;  // complete bases: exact whatever the size
    const VecX* v0 = nullptr;
    for (const PhiTerm& term : terms) {
        if (term.k != 0 || !term.v) continue;
        if (v0) return false;
        v0 = term.v;
    }
    for (std::size_t i = 0; i < formed_.size(); ++i) {
        const double square = blocked_sum(system.workers, static_cast<int>(system.mass.size()), [&](int begin, int end) {
            const double *const v = formed_[i].v->data(), *const m = system.mass.data(), *const from = v0 ? v0->data() : nullptr;
            double sum = 0;
            for (int k = begin; k < end; ++k) {
                const double dv = from ? v[k] - from[k] : v[k];
                sum += m[k] * dv * dv;
            }
            return sum;
        });
        if (!(std::sqrt(square) > uncancelled * guessed_[i])) return false;
    }
    return true;
}

bool LanczosPhi::cancelled() {
    if (guessed_.size() != sizes_.size()) return false;  // complete bases: exact whatever the size
    double least = 1;
    for (std::size_t i = 0; i < sizes_.size(); ++i)
        if (guessed_[i] > 0) least = std::min(least, sizes_[i] / guessed_[i]);
    if (least > uncancelled || lanczos_.invariant()) return false;
    shrunk_ *= std::max(least, 1e-16);
    return shrunk_ > 1e-40;
}

void LanczosPhi::collect(std::span<const PhiTerm> terms, double t) {
    if (t > 0) collect_columns(terms, t, x_, v_, columns_);
    else collect_columns(terms, columns_);
    starts_.clear();
    for (const PhiColumn& column : columns_) starts_.push_back(column.start);
}

// Extends the bases until the error is small enough at `end` and at all nodes before; ends earlier when the largest dimension is reached.
bool LanczosPhi::grow(const Linearized& system, Substep& step, double end) {
    const std::span<const PhiNode> nodes = step.nodes;
    const auto end_at = [&](double time) {
        step.end = time;
        step.nodes = inside(nodes, step.begin, time);
        step.later = nodes.subspan(step.nodes.size());
    };
    end_at(end);
    guessed_.clear();
    int next_check = std::max(4, lanczos_.dimension() + 1), last_check = 0;
    double last_distance = 0;
    while (true) {
        if (lanczos_.invariant()) return true;
        if (system.workers.stop_requested()) return false;
        if (lanczos_.dimension() < lanczos_.max_dimension()) {
            if (!lanczos_.extend()) return false;
            const int m = lanczos_.dimension();
            // Hardly anything converges before t omega / 2 steps, or before sqrt(t beta) omega with strong damping: looking earlier is
            // wasted work.
            const double t = end - step.begin, damped = system.beta > 0 ? std::sqrt(t * system.beta) : t;
            const double least = std::min(0.5 * t, damped) * std::sqrt(lanczos_.ritz_bound());
            if (m < lanczos_.max_dimension() && !lanczos_.invariant() && (m < next_check || m < least)) continue;
            if (!decompose_ends(system.workers)) return false;
        }
        if (good(system, step)) return true;
        const int m = lanczos_.dimension();
        // Once it falls, the error falls faster with every vector: as fast as between the last two looks, at first taken to be eight times.
        double fall = std::log(8.0);
        if (last_check > 0 && last_check < m) fall = std::max(0.05, std::log(last_distance / distance_) / (m - last_check));
        const double missing = std::isfinite(distance_) ? std::log(distance_) / fall : HUGE_VAL;
        next_check = m + static_cast<int>(std::clamp(std::ceil(missing), 1.0, std::max(2.0, m / 8.0)));
        last_check = m;
        last_distance = distance_;
        if (m < lanczos_.max_dimension()) continue;
        for (int tries = 0; tries < 200; ++tries) {
            end_at(step.begin + 0.85 * (step.end - step.begin));
            if (good(system, step)) return true;
        }
        return false;
    }
}

bool LanczosPhi::good(const Linearized& system, const Substep& step) {
    guessed_.clear();
    ResidualIntegral residuals;
    distance_ = 0;
    // With damping what is fast is over early in the step, and so may be most of the residual: it is looked for from there on.
    const double damping = system.beta * lanczos_.ritz_bound();
    double next = damping > 0 ? 1 / damping : HUGE_VAL;
    const auto small = [&](double t, double allowed) {
        const double s = t - step.begin, before = residuals.time();
        const Estimate e = estimate(system, s);
        const double size = std::max(moved_, shrunk_ * e.size), limit = std::max(allowed * size, e.rounding);
        guessed_.push_back(size);
        const auto within = [&](double integral) {
            distance_ = std::isfinite(integral) && limit > 0 ? safety * integral / limit : HUGE_VAL;
            return std::isfinite(integral) && safety * integral <= limit;
        };
        // No residual grows faster than s^2m: where even that is too much, the other samples are not needed.
        if (!within(s * e.residual / (2 * lanczos_.dimension() + 1))) return false;
        const auto sample = [&](double at) { residuals.add(at, estimate(system, at).residual); };
        for (; next < 0.2 * s; next *= 3)
            if (next > before) sample(next);
        for (const double share : {0.2, 0.45, 0.7, 0.88})
            if (share * s > before) sample(share * s);
        residuals.add(s, e.residual);
        return within(residuals.value());
    };
    for (const PhiNode& node : step.nodes)
        if (node.t < step.end && !small(node.t, node.tolerance * (node.t - step.begin) / node.t)) return false;
    double allowed = HUGE_VAL;
    for (const PhiNode& node : step.nodes)
        if (node.t == step.end) allowed = node.tolerance * (step.end - step.begin) / node.t;
    for (const PhiNode& node : step.later) allowed = std::min(allowed, node.tolerance * (step.end - step.begin) / node.t);
    return small(step.end, allowed);
}

template <class Each>
bool LanczosPhi::every_column(Workers& workers, Each&& each) const {
    std::array<bool, Lanczos::max_columns> good{};
    workers.run([&](int part) {
        for (int c = part; c < lanczos_.columns(); c += workers.count()) good[c] = lanczos_.dimension(c) == 0 || each(c);
    });
    return std::all_of(good.begin(), good.begin() + lanczos_.columns(), [](bool g) { return g; });
}

bool LanczosPhi::decompose(Workers& workers) {
    return every_column(workers, [&](int c) { return eigen_[c].compute(lanczos_.diagonal(c), lanczos_.off_diagonal(c)); });
}

bool LanczosPhi::decompose_ends(Workers& workers) {
    return every_column(workers, [&](int c) {
        if (ends_[c].compute(lanczos_.diagonal(c), lanczos_.off_diagonal(c))) return true;
        if (!eigen_[c].compute(lanczos_.diagonal(c), lanczos_.off_diagonal(c))) return false;
        ends_[c].set(eigen_[c]);
        return true;
    });
}

LanczosPhi::Estimate LanczosPhi::estimate(const Linearized& system, double s) const {
    Estimate total;
    for (int c = 0; c < lanczos_.columns(); ++c) {
        const PhiColumn& column = columns_[c];
        const TridiagonalEnds& ends = ends_[c];
        double last = 0, size = 0, now = 0;
        for (int i = 0; i < lanczos_.dimension(c); ++i) {
            const double theta = ends.value(i), first = ends.first(i);
            const Eigen::Vector2d p = ritz_motion(system, column, s, theta);
            last += ends.last(i) * first * (p[0] + system.beta * p[1]);
            const double dx = p[0] - column.initial(0), dv = p[1] - column.initial(1);
            size += first * first * (std::abs(theta) * dx * dx + dv * dv);
            now += first * first * (std::abs(theta) * p[0] * p[0] + p[1] * p[1]);
        }
        total.residual += lanczos_.norm(c) * lanczos_.next_beta(c) * std::abs(last);
        total.size += lanczos_.norm(c) * std::sqrt(size);
        total.rounding += lanczos_.norm(c) * std::sqrt(std::max(size, now));
    }
    total.rounding *= 1e-15 * (1 + s * std::sqrt(lanczos_.ritz_bound()));
    return total;
}

// From Ritz coefficients to basis coefficients; flush() makes vectors of them.
void LanczosPhi::write(const Linearized& system, double s, VecX& x, VecX& v) {
    if (outputs_.size() == Lanczos::max_outputs) flush();
    const int C = lanczos_.columns(), dimension = lanczos_.dimension();
    const std::size_t numbers = static_cast<std::size_t>(C) * dimension;
    double* a = weights_.data() + 2 * outputs_.size() * numbers;
    double* b = a + numbers;
    std::fill(a, b + numbers, 0.0);
    for (int c = 0; c < C; ++c) {
        const int m = lanczos_.dimension(c);
        for (int i = 0; i < m; ++i) {
            const Eigen::Vector2d p = lanczos_.norm(c) * eigen_[c].vector(0, i) * ritz_motion(system, columns_[c], s, eigen_[c].value(i));
            for (int j = 0; j < m; ++j) {
                a[j * C + c] += eigen_[c].vector(j, i) * p[0];
                b[j * C + c] += eigen_[c].vector(j, i) * p[1];
            }
        }
    }
    outputs_.push_back({a, b, &x, &v});
    formed_.push_back({&x, &v});
}

void LanczosPhi::flush() {
    lanczos_.combine(outputs_);
    outputs_.clear();
}

}  // namespace wobble
