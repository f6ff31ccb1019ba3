#include "engine/solve/substeps/chebyshev_flow.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr double epsilon = 1;
constexpr double interval = 0.57;  // of s^2 - 1: 2/3 (1 - 2/15 epsilon), rounded down
constexpr double least_substeps = 2;
constexpr double margin = 1.1;  // of h beta omega^2, as leapfrog has

}  // namespace

ChebyshevFlow::Plan ChebyshevFlow::plan(const Linearized& system, double omega, double t) const {
    const double longest = system.alpha > 0 ? std::min(share_ * system.beta, 0.5 / system.alpha) : share_ * system.beta;
    const double n = std::max(least_substeps, std::ceil(t / longest)),
                 reach = margin * t / n * (system.alpha + system.beta * omega * omega);
    return {n, static_cast<int>(std::min(1e4, std::max(2.0, std::ceil(std::sqrt(1 + reach / interval)))))};
}

double ChebyshevFlow::products(const Linearized& system, double omega, double t) const {
    if (!(system.beta > 0 && system.beta * omega <= most_damped)) return HUGE_VAL;
    const auto [n, s] = plan(system, omega, t);
    return n * s;
}

void ChebyshevFlow::prepare(int s) {
    if (static_cast<int>(stages_.size()) == s) return;
    const double w0 = 1 + epsilon / (double(s) * s);
    auto& [T, d1, d2] = polynomials_;
    for (auto* values : {&T, &d1, &d2}) values->resize(s + 1);
    T[0] = 1, T[1] = w0, d1[0] = 0, d1[1] = 1, d2[0] = d2[1] = 0;
    for (int j = 2; j <= s; ++j) {
        T[j] = 2 * w0 * T[j - 1] - T[j - 2];
        d1[j] = 2 * T[j - 1] + 2 * w0 * d1[j - 1] - d1[j - 2];
        d2[j] = 4 * d1[j - 1] + 2 * w0 * d2[j - 1] - d2[j - 2];
    }
    const double w1 = d1[s] / d2[s];
    const auto b = [&, &d1 = d1, &d2 = d2](int j) {
        const int i = j == 0 ? 2 : j;
        return i == 1 ? 1 / w0 : d2[i] / (d1[i] * d1[i]);
    };
    const auto c = [&, &d1 = d1, &d2 = d2](int j) { return w1 * d2[j] / d1[j]; };
    stages_.resize(s);
    stages_[0] = {1, 0, 0, b(1) * w1, 0, b(1) * w1};
    for (int j = 2; j <= s; ++j) {
        const double m_F = 2 * b(j) * w1 / b(j - 1), a = 1 - b(j - 1) * T[j - 1];
        const double m = 2 * b(j) * w0 / b(j - 1), n = -b(j) / b(j - 2);
        stages_[j - 1] = {1 - m - n, m, n, m_F, -a * m_F, c(j)};
    }
}

void ChebyshevFlow::find_rate(const Linearized& system, double t, FlowState& state, PhiReport& report) {
    if (state.rate_known) return;
    // As a stage of length 1 that has nothing but F; its y is not used.
    const Vectors vectors{state.y[0].x, state.v[0].x, state.y[0].x, state.v[0].x,   state.y[0].x,
                          state.v[0].x, state.v[0].x, y_[0][0].x,   state.rate[0].x};
    const Stage only_F{.k = 0, .m = 0, .n = 0, .m_F = 1, .g_F = 0, .c = 0};
    stage(system, only_F, 1, vectors, state.push(t), state, report);
}

void ChebyshevFlow::stage(const Linearized& system, const Stage& s, double h, const Vectors& vectors, const FlowState::Push& push,
                          FlowState& state, PhiReport& report) {
    if (system.edges->has_skew()) stage_rows<true>(system, s, h, vectors, push, state);
    else stage_rows<false>(system, s, h, vectors, push, state);
    ++report.products;
}

template <bool skewed>
void ChebyshevFlow::stage_rows(const Linearized& system, const Stage& s, double h, const Vectors& vectors, const FlowState::Push& push,
                               FlowState& state) {
    using Register = Columns<4>;
    system.edges->pattern().split(system.workers, [&](int begin, int end) {
        const auto [y0, v0, y1, v1, y2, v2, F0, y, v] = vectors;
        const double* const inverse = system.inverse_mass.data();
        const auto [force, by_force, count] = push;
        const double alpha = system.alpha, beta = system.beta;
        const double by_0 = s.k, by_1 = s.m, by_2 = s.n, by_F = s.m_F * h, by_F0 = s.g_F * h;
        const Constraints* const projector = system.projector;
        const EdgeRows<1, skewed, 4> K(*system.edges, y1, state.sums.data(), begin, end);
        for (int i = begin; i < end; ++i) {
            const std::size_t at = static_cast<std::size_t>(4) * i;
            const auto load = [at](const double* from) { return load_columns<4>(from + at); };
            const Register v_last = load(v1), v_start = load(v0), F_start = load(F0);
            Register F = -inverse[3 * i] * projected(projector, i, K.row(i, y1).in_register()) - alpha * v_last;
            F += by_force[0] * load(force[0]) + by_force[1] * load(force[1]);
            for (int f = 2; f < count; ++f) F += by_force[f] * load(force[f]);
            const Register next_y =
                by_0 * load(y0) + by_1 * load(y1) + by_2 * load(y2) + by_F * (v_last + beta * F) + by_F0 * (v_start + beta * F_start);
            store_columns<4>(v + at, by_0 * v_start + by_1 * v_last + by_2 * load(v2) + by_F * F + by_F0 * F_start);
            store_columns<4>(y + at, next_y);
        }
    });
}

bool ChebyshevFlow::advance(const Linearized& system, double omega, double t0, double t, FlowState& state, PhiReport& report) {
    const auto [n, s] = plan(system, omega, t);
    const double h = t / n;
    prepare(s);
    for (auto* lanes : {&y_[0], &y_[1], &v_[0], &v_[1]}) lanes->resize(state.y.size());
    for (int k = 0; k < static_cast<int>(n); ++k) {
        const double start = t0 + k * h;
        find_rate(system, start, state, report);
        state.rate_known = false;
        system.workers.ranges(system.K.rows(), [&](int begin, int end) {
            const double by_F = stages_[0].m_F * h;
            for (int i = begin; i < end; ++i)
                for (int d = 0; d < 4; ++d) {  // the lane without a meaning, too: left alone it would grow
                    const double v = state.v[i].x[d], F = state.rate[i].x[d];
                    v_[0][i].x[d] = v + by_F * F;
                    y_[0][i].x[d] = state.y[i].x[d] + by_F * (v + system.beta * F);
                }
        });
        for (int j = 2; j <= s; ++j) {
            if (system.workers.stop_requested()) return false;
            const int last = j % 2, now = 1 - last;  // Y_{j-1} is in y_[last], Y_{j-2} in y_[now] from the third on
            const Vectors vectors{state.y[0].x,
                                  state.v[0].x,
                                  y_[last][0].x,
                                  v_[last][0].x,
                                  j == 2 ? state.y[0].x : y_[now][0].x,
                                  j == 2 ? state.v[0].x : v_[now][0].x,
                                  state.rate[0].x,
                                  y_[now][0].x,
                                  v_[now][0].x};
            stage(system, stages_[j - 1], h, vectors, state.push(start + stages_[j - 2].c * h), state, report);
        }
        state.y.swap(y_[1 - s % 2]);
        state.v.swap(v_[1 - s % 2]);
    }
    report.substeps += static_cast<int>(n);
    return true;
}

}  // namespace wobble
