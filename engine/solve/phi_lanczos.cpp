#include "engine/solve/phi_lanczos.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {

// The nodes of (begin, end].
std::span<const PhiNode> inside(std::span<const PhiNode> nodes, double begin, double end) {
    std::size_t first = 0, last = 0;
    for (const PhiNode& node : nodes) first += node.t <= begin, last += node.t <= end;
    return nodes.subspan(first, last - first);
}

}  // namespace

LanczosPhi::LanczosPhi(int max_dimension)
    : lanczos_(max_dimension),
      eigen_(Lanczos::max_columns, TridiagonalEigen(max_dimension)),
      position_(Lanczos::max_columns * max_dimension),
      velocity_(position_.size()),
      weights_(2 * Lanczos::max_outputs * position_.size()) {
    columns_.reserve(Lanczos::max_columns);
    starts_.reserve(Lanczos::max_columns);
    outputs_.reserve(Lanczos::max_outputs);
}

PhiReport LanczosPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    assert(system.rayleigh() && !nodes.empty());
    const double h = nodes.back().t;
    for (VecX* u : {&x_, &v_, &x_next_, &v_next_}) u->resize(system.mass.size());  // whether substeps will be needed is not known yet

    PhiReport report{.substeps = 0, .path = "lanczos"};
    Substep step;
    step.end = h;
    moved_ = 0;
    while (step.begin < h) {
        collect(terms, step.begin);
        if (columns_.size() > Lanczos::max_columns) return report.converged = false, report;
        // Equal shares of what is left, none longer than the last one.
        const double tau = step.end - step.begin, left = h - step.begin;
        const double aim = step.begin + left / std::ceil(left / tau * (1 - 1e-12));
        report.converged = lanczos_.start(system, starts_);
        step.nodes = inside(nodes, step.begin, h);
        double tolerance = nodes.back().tolerance;  // of the end of the substep, where later nodes begin
        for (const PhiNode& node : step.nodes) tolerance = aim < h * (1 - 1e-12) ? std::min(tolerance, node.tolerance) : tolerance;
        report.converged = report.converged && grow(system, step, aim > h * (1 - 1e-12) ? h : aim, tolerance);
        report.products += static_cast<long>(lanczos_.dimension()) * lanczos_.columns();
        report.dimension = std::max(report.dimension, lanczos_.dimension());
        ++report.substeps;
        if (h > max_substeps * (step.end - step.begin)) report.converged = false;
        if (!report.converged) return report;

        for (const PhiNode& node : inside(nodes, step.begin, step.end)) write(system, node.t - step.begin, *node.x, *node.v);
        if (step.end < h) {
            double unused = 0;
            write(system, step.end - step.begin, x_next_, v_next_);
            moved_ = std::max(moved_, estimate(system, step.end - step.begin, 0, unused).size);
        }
        flush();
        x_.swap(x_next_);
        v_.swap(v_next_);
        const double used = step.end - step.begin;
        step.begin = step.end;
        step.end = step.begin + used;
    }
    return report;
}

void LanczosPhi::collect(std::span<const PhiTerm> terms, double t) {
    if (t > 0) collect_columns(terms, t, x_, v_, columns_);
    else collect_columns(terms, columns_);
    starts_.clear();
    for (const PhiColumn& column : columns_) starts_.push_back(column.start);
}

// Extends the bases until the error is small enough at `end` and at all nodes before; ends earlier when the largest dimension is reached.
bool LanczosPhi::grow(const Linearized& system, Substep& step, double end, double tolerance) {
    const std::span<const PhiNode> nodes = step.nodes;
    const auto end_at = [&](double time) { step.end = time, step.nodes = inside(nodes, step.begin, time); };
    end_at(end);
    int next_check = 4;
    while (true) {
        if (lanczos_.invariant()) return decompose(system.workers);
        if (system.workers.stop_requested() || !lanczos_.extend()) return false;
        const int m = lanczos_.dimension();
        // Undamped, nothing converges before t omega / 2 steps: looking earlier is wasted work.
        const double least = system.beta == 0 ? 0.5 * (end - step.begin) * std::sqrt(lanczos_.ritz_bound()) : 0;
        const bool last = m == lanczos_.max_dimension();
        if (!last && !lanczos_.invariant() && (m < next_check || m < least)) continue;
        if (!decompose(system.workers)) return false;
        if (good(system, step, tolerance)) return true;
        next_check = m + std::max(2, m / 8);
        if (!last) continue;
        for (int tries = 0; tries < 200; ++tries) {
            end_at(step.begin + 0.85 * (step.end - step.begin));
            if (good(system, step, tolerance)) return true;
        }
        return false;
    }
}

bool LanczosPhi::good(const Linearized& system, const Substep& step, double tolerance) {
    const auto small = [&](double s, std::initializer_list<double> shares, double tolerance_there) {
        double worst = 0;
        Estimate e;
        for (const double share : shares) e = estimate(system, share * s, worst, worst);
        return std::isfinite(e.error) && e.error <= tolerance_there * std::max(e.size, 0.3 * moved_);
    };
    if (!small(step.end - step.begin, {1.0 / 3, 2.0 / 3, 1.0}, tolerance)) return false;
    for (const PhiNode& node : step.nodes)
        if (node.t < step.end && !small(node.t - step.begin, {0.5, 1.0}, node.tolerance)) return false;
    return true;
}

bool LanczosPhi::decompose(Workers& workers) {
    std::array<bool, Lanczos::max_columns> good{};
    workers.run([&](int part) {
        for (int c = part; c < lanczos_.columns(); c += workers.count())
            good[c] = lanczos_.dimension(c) == 0 || eigen_[c].compute(lanczos_.diagonal(c), lanczos_.off_diagonal(c));
    });
    return std::all_of(good.begin(), good.begin() + lanczos_.columns(), [](bool g) { return g; });
}

// worst: largest residual seen so far in this substep.
LanczosPhi::Estimate LanczosPhi::estimate(const Linearized& system, double s, double worst_before, double& worst) {
    const int C = lanczos_.columns();
    Estimate total;
    double residual = 0;
    for (int c = 0; c < C; ++c) {
        const PhiColumn& column = columns_[c];
        const int m = lanczos_.dimension(c);
        double last = 0, size = 0;
        for (int i = 0; i < m; ++i) {
            const double theta = eigen_[c].value(i), first = eigen_[c].vector(0, i);
            const Eigen::Vector2d p = ritz_motion(system, column, s, theta);
            position_[i * C + c] = p[0];
            velocity_[i * C + c] = p[1];
            last += eigen_[c].vector(m - 1, i) * first * (p[0] + system.beta * p[1]);
            const double dx = p[0] - column.initial(0), dv = p[1] - column.initial(1);
            size += first * first * (std::abs(theta) * dx * dx + dv * dv);
        }
        residual += lanczos_.norm(c) * lanczos_.next_beta(c) * std::abs(last);
        total.size += lanczos_.norm(c) * std::sqrt(size);
    }
    worst = std::max(worst_before, residual);
    total.error = s * worst;
    return total;
}

// From Ritz coefficients to basis coefficients; flush() makes vectors of them.
void LanczosPhi::write(const Linearized& system, double s, VecX& x, VecX& v) {
    if (outputs_.size() == Lanczos::max_outputs) flush();
    double unused = 0;
    estimate(system, s, 0, unused);
    const int C = lanczos_.columns(), dimension = lanczos_.dimension();
    double* a = weights_.data() + 2 * outputs_.size() * position_.size();
    double* b = a + position_.size();
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
            a[j * C + c] = lanczos_.norm(c) * px;
            b[j * C + c] = lanczos_.norm(c) * pv;
        }
    }
    outputs_.push_back({a, b, &x, &v});
}

void LanczosPhi::flush() {
    lanczos_.combine(outputs_);
    outputs_.clear();
}

}  // namespace wobble
