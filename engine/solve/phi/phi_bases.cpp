#include "engine/solve/phi/phi_bases.h"

#include "engine/solve/jacobian.h"
#include "engine/solve/phi/initial_value.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

double BasesPhi::Column::error(int i) const {
    if (process->dimension() == 0 || process->complete()) return 0;
    return process->beta() * process->next() * (process->skew() ? skew->last_size(i) : small->last_size(i));
}

double BasesPhi::Column::size(int i, bool less_start) const {
    if (process->dimension() == 0) return 0;
    double sum = 0;
    const auto u = value(i);
    for (std::size_t j = 0; j < u.size(); ++j) {
        const double a = u[j] - (less_start && p == 0 && j == 0 ? 1 : 0);
        sum += a * a;
    }
    return process->beta() * std::sqrt(sum);
}

PhiReport BasesPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    assert(!nodes.empty());
    PhiReport report{.substeps = 0, .path = path_};
    if (!prepare(system)) {
        report.converged = false;
        return report;
    }
    initial_value(system, terms, x0_, v0_);
    x_ = x0_;
    v_ = v0_;
    zero_.setZero(x_.size());
    const double T = nodes.back().t;
    double t0 = 0, tau = T;
    moved_ = 0;
    merged_ = !system.damped();
    while (t0 < T) {
        const double left = T - t0, count = std::ceil(left / tau * (1 - 1e-12));
        std::size_t first = 0;
        for (const PhiNode& node : nodes) first += node.t <= t0;
        collect(system, terms, report);
        const Result result = substep(system, nodes.subspan(first), t0, count <= 1 ? T : t0 + left / count, report);
        if (result == Result::again) continue;  // with another inner product
        ++report.substeps;
        report.converged = result == Result::good && (end_ == T || (end_ - t0) * max_substeps > T);
        if (!report.converged) break;
        tau = end_ - t0;
        t0 = end_;
    }
    return report;
}

void BasesPhi::add_column(int p, const VecX* x, const VecX* v) {
    if (used_ == columns_.size()) {
        Column& made = columns_.emplace_back();
        made.process = make_process();
        made.small = std::make_unique<SmallFlow>(max_dimension_);
        made.skew = std::make_unique<SkewFlow>(max_dimension_);
    }
    Column& column = columns_[used_++];
    column.p = p;
    column.x = x;
    column.v = v;
    column.checked = 0;
}

void BasesPhi::collect(const Linearized& system, std::span<const PhiTerm> terms, PhiReport& report) {
    used_ = 0;
    bool first = !x_.isZero(0) || !v_.isZero(0);
    for (const PhiTerm& term : terms) first = first || term.k <= 1;
    if (merged_ && first) {  // J u(t0) + b_1
        const Jacobian J(system);
        first_x_ = v_;
        first_v_.resize(v_.size());
        system.workers.ranges(system.K.rows(), [&](int begin, int end) {
            for (int i = begin; i < end; ++i) J.row(i, x_.data(), v_.data(), first_v_.data() + 3 * i);
        });
        ++report.products;
        for (const PhiTerm& term : terms) {
            if (term.k != 1) continue;
            if (term.x) first_x_ += *term.x;
            if (term.v) first_v_ += *term.v;
        }
        add_column(1, &first_x_, &first_v_);
    } else if (first) {
        add_column(0, &x_, &v_);
    }
    for (const PhiTerm& term : terms)
        if (term.k > (merged_ ? 1 : 0) && (term.x || term.v)) add_column(term.k, term.x, term.v);
    if (used_ == 0) add_column(0, nullptr, nullptr);  // nothing at all
}

void BasesPhi::set_end(std::span<const PhiNode> nodes, double t0, double end) {
    end_ = end;
    times_.clear();
    for (const PhiNode& node : nodes)
        if (node.t <= end) times_.push_back(node.t - t0);
    inside_ = times_.size();
    if (inside_ == 0 || nodes[inside_ - 1].t < end) times_.push_back(end - t0);
    for (std::size_t c = 0; c < used_; ++c) columns_[c].checked = 0;
}

bool BasesPhi::flow(Column& column, double t0) {
    const KrylovProcess& process = *column.process;
    const int m = process.dimension();
    if (m == 0 || column.checked == m) return true;
    column.checked = m;
    if (!process.skew()) return column.small->compute(process.H(), process.leading(), m, process.max_dimension(), column.p, times_, t0);
    weights_.resize(static_cast<std::size_t>(m));
    for (int j = 0; j + 1 < m; ++j) weights_[j] = process.H(j + 1, j);
    return column.skew->compute(weights_, m, column.p, times_, t0);
}

BasesPhi::Result BasesPhi::grow(Column& column, const Linearized& system, int to) {
    KrylovProcess& process = *column.process;
    while (!process.complete() && process.dimension() < std::min(to, max_dimension_)) {
        if (system.workers.stop_requested()) return Result::failed;
        switch (process.extend()) {
            case KrylovProcess::Outcome::not_finite:
                return Result::failed;
            case KrylovProcess::Outcome::indefinite:
                return mend(process) ? Result::again : Result::failed;
            default:
                break;
        }
    }
    return Result::good;
}

BasesPhi::Result BasesPhi::substep(const Linearized& system, std::span<const PhiNode> nodes, double t0, double end, PhiReport& report) {
    long before = 0;
    for (const Column& column : columns_) before += column.process->products();
    const auto finish = [&](Result result) {
        for (const Column& column : columns_) report.products += column.process->products();
        report.products -= before;
        for (std::size_t c = 0; c < used_; ++c) report.dimension = std::max(report.dimension, columns_[c].process->dimension());
        return result;
    };
    for (std::size_t c = 0; c < used_; ++c) {
        Column& column = columns_[c];
        const auto outcome = column.process->start(system, column.x ? *column.x : zero_, column.v ? *column.v : zero_);
        if (outcome == KrylovProcess::Outcome::indefinite && mend(*column.process)) return finish(Result::again);
        if (outcome != KrylovProcess::Outcome::good) return finish(Result::failed);
    }
    set_end(nodes, t0, end);
    bool measured = false;
    for (int tries = 0; tries < 400; ++tries) {
        bool limit = false, changed = false;
        for (std::size_t c = 0; c < used_; ++c) {
            Column& column = columns_[c];
            const KrylovProcess& process = *column.process;
            const int m = process.dimension();
            if (process.complete() && column.checked == m) continue;
            if (m > 0) {
                if (judge(nodes, t0, measured, &column) <= 1) continue;
                if (m == max_dimension_) {
                    limit = true;
                    continue;
                }
            }
            // Undamped, nothing converges before s rho steps: looking earlier is wasted work. rho = largest h_{j,j-1} + h_{j+1,j} so far.
            int to = m == 0 ? 6 : m + std::max(2, process.skew() ? m / 8 : m / 5);
            Result result = grow(column, system, to);
            for (int rounds = 0; result == Result::good && process.skew() && !process.complete() && rounds < max_dimension_; ++rounds) {
                double rho = 0;
                for (int j = 1; j < process.dimension(); ++j) rho = std::max(rho, process.H(j, j - 1) + process.H(j + 1, j));
                to = std::min(max_dimension_, static_cast<int>(std::min(1e6, rho * (end_ - t0))));
                if (process.dimension() >= to) break;
                result = grow(column, system, std::min(to, process.dimension() + 8));
            }
            if (result != Result::good) return finish(result);
            changed = true;
        }
        for (std::size_t c = 0; c < used_; ++c)
            if (!flow(columns_[c], t0)) return finish(Result::failed);
        if (limit) {
            set_end(nodes, t0, t0 + 0.85 * (end_ - t0));
            measured = false;
            for (std::size_t c = 0; c < used_; ++c)
                if (!flow(columns_[c], t0)) return finish(Result::failed);
            continue;
        }
        if (changed) {
            measured = false;
            continue;
        }
        if (!measured && (used_ > 1 || t0 > 0 || !energy_norm())) {  // the sizes were only guessed
            write(system, nodes, t0);
            sizes_.resize(times_.size());
            for (std::size_t i = 0; i < times_.size(); ++i) {
                const VecX &x = i < inside_ ? *nodes[i].x : next_x_, &v = i < inside_ ? *nodes[i].v : next_v_;
                sizes_[i] = energy_distance(system, x, v, &x0_, &v0_, work_);
                ++report.products;
                if (!std::isfinite(sizes_[i])) return finish(Result::failed);
            }
            measured = true;
            if (judge(nodes, t0, true, nullptr) > 1) continue;
        } else if (!measured) {
            write(system, nodes, t0);
            sizes_.resize(times_.size());
            for (std::size_t i = 0; i < times_.size(); ++i) sizes_[i] = columns_[0].size(static_cast<int>(i), true);
        }
        moved_ = std::max(moved_, sizes_.back());
        if (inside_ == times_.size()) x_ = *nodes[inside_ - 1].x, v_ = *nodes[inside_ - 1].v;
        else x_.swap(next_x_), v_.swap(next_v_);
        return finish(Result::good);
    }
    return finish(Result::failed);
}

double BasesPhi::judge(std::span<const PhiNode> nodes, double t0, bool measured, const Column* one) const {
    double worst = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const int at = static_cast<int>(std::min(i, times_.size() - 1));
        double size = measured ? sizes_[at] : 0, error = 0, guess = 0;
        for (std::size_t c = 0; c < used_; ++c) {
            if (columns_[c].checked == 0 && columns_[c].process->dimension() > 0) continue;
            guess += columns_[c].size(at, t0 == 0);
            error += columns_[c].error(at);
        }
        if (one) error = static_cast<double>(used_) * one->error(at);
        if (!measured) size = guess;
        if (i >= inside_ || !measured) size = std::max(size, moved_);
        const double share = times_[at] / (i < inside_ ? t0 + times_[at] : nodes[i].t);
        const double allowed = std::max(nodes[i].tolerance * size, 1e-15 * (guess + moved_)) * share;
        if (error > 0) worst = std::max(worst, error / allowed);
        if (!std::isfinite(error)) return error;
    }
    return worst;
}

void BasesPhi::write(const Linearized&, std::span<const PhiNode> nodes, double t0) {
    for (std::size_t i = 0; i < times_.size(); ++i) {
        VecX &x = i < inside_ ? *nodes[i].x : next_x_, &v = i < inside_ ? *nodes[i].v : next_v_;
        if (merged_) x = x_, v = v_;
        else x.setZero(x_.size()), v.setZero(x_.size());
        for (std::size_t c = 0; c < used_; ++c) {
            const Column& column = columns_[c];
            const KrylovProcess& process = *column.process;
            const int at = static_cast<int>(i);
            if (process.dimension() == 0) {  // J b = 0: only the polynomial, ((t0 + s)^p - t0^p) / p!
                double now = 1, then = column.p > 0 ? 1 : 0;
                for (int k = 1; k <= column.p; ++k) now *= (t0 + times_[i]) / k, then *= t0 / k;
                process.add({}, now - then, x, v);
                continue;
            }
            const auto u = column.value(at);
            weights_.resize(u.size());
            for (std::size_t j = 0; j < u.size(); ++j) weights_[j] = process.beta() * u[j];
            process.add(weights_, process.beta() * column.last(at), x, v);
        }
    }
}

}  // namespace wobble
