#include "engine/solve/substeps/ssprk_flow.h"

#include <algorithm>
#include <cmath>

namespace wobble {

double SsprkFlow::substeps(const Linearized& system, double omega, double t) const {
    const double top = margin * omega, d = system.alpha + system.beta * top * top;
    double rho = 1 / (system.beta + system.alpha / (top * top));
    if (d > 2 * top) rho = std::max(rho, (d + std::sqrt(d * d - 4 * top * top)) / 4);
    double longest = share_ * (s - 1) / rho;
    if (system.alpha > 0) longest = std::min(longest, 0.5 / system.alpha);
    return std::max(least_substeps, std::ceil(t / longest - 1e-9));  // the same for a multiple of it, whatever the last bit
}

double SsprkFlow::products(const Linearized& system, double omega, double t) const {
    return system.beta > 0 && omega > 0 ? s * substeps(system, omega, t) : HUGE_VAL;
}

template <bool skewed, bool last>
void SsprkFlow::apply(const Linearized& system, const Stage& stage, FlowState& state) const {
    using Register = Columns<4>;
    const FlowState::Push push = state.push(stage.t);
    system.edges->pattern().split(system.workers, [&](int begin, int end) {
        const auto [y, v, to_y, to_v, t, by_F] = stage;
        const double* const inverse = system.inverse_mass.data();
        const auto [force, by_force, count] = push;
        const double alpha = system.alpha, beta = system.beta;
        const Constraints* const projector = system.projector;
        const EdgeRows<1, skewed, 4> K(*system.edges, y, state.sums.data(), begin, end);
        for (int i = begin; i < end; ++i) {
            const std::size_t at = static_cast<std::size_t>(4) * i;
            const auto load = [at](const double* from) { return load_columns<4>(from + at); };
            const Register v_last = load(v);
            Register F = -inverse[3 * i] * projected(projector, i, K.row(i, y).in_register()) - alpha * v_last;
            F += by_force[0] * load(force[0]) + by_force[1] * load(force[1]);
            for (int f = 2; f < count; ++f) F += by_force[f] * load(force[f]);
            Register next_y = load(y) + by_F * (v_last + beta * F), next_v = v_last + by_F * F;
            if constexpr (last) {
                next_y = (1.0 / s) * (load(to_y) + (s - 1.0) * next_y);
                next_v = (1.0 / s) * (load(to_v) + (s - 1.0) * next_v);
            }
            store_columns<4>(to_y + at, next_y);
            store_columns<4>(to_v + at, next_v);
        }
    });
}

void SsprkFlow::begin(const Linearized& system, double by_F, FlowState& state) {
    system.workers.ranges(system.K.rows(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i)
            for (int d = 0; d < 4; ++d) {  // the lane without a meaning, too
                const double v = state.v[i].x[d], F = state.rate[i].x[d];
                v_[i].x[d] = v + by_F * F;
                y_[1][i].x[d] = state.y[i].x[d] + by_F * (v + system.beta * F);
            }
    });
    state.rate_known = false;
}

bool SsprkFlow::advance(const Linearized& system, double omega, double t0, double t, FlowState& state, PhiReport& report) {
    const double n = substeps(system, omega, t), h = t / n, by_F = h / (s - 1);
    for (auto* lanes : {&y_[0], &y_[1], &v_}) lanes->resize(state.y.size());
    const auto apply_stage = [&]<bool last>(std::bool_constant<last>, const Stage& stage) {
        if (system.edges->has_skew()) apply<true, last>(system, stage, state);
        else apply<false, last>(system, stage, state);
        ++report.products;
    };
    for (int k = 0; k < static_cast<int>(n); ++k) {
        if (system.workers.stop_requested()) return false;
        double *const u_y = state.y[0].x, *const u_v = state.v[0].x, *const v = v_[0].x;
        for (int j = 1; j <= s; ++j) {  // Y_j is in y_[j % 2] and v_, but Y_0 and u+ in the state
            double *const from = j == 1 ? u_y : y_[(j - 1) % 2][0].x, *const to = y_[j % 2][0].x;
            const double time = t0 + k * h + (j - 1) * by_F;
            if (j == 1 && state.rate_known) begin(system, by_F, state);
            else if (j < s) apply_stage(std::false_type(), {from, j == 1 ? u_v : v, to, v, time, by_F});
            else apply_stage(std::true_type(), {from, v, u_y, u_v, time, by_F});
        }
    }
    report.substeps += static_cast<int>(n);
    return true;
}

}  // namespace wobble
