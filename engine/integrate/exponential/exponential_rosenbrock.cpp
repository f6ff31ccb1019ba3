#include "engine/integrate/exponential/exponential_rosenbrock.h"

#include "engine/core/reduce.h"
#include "engine/integrate/error_estimate.h"

#include <cmath>

namespace wobble {

namespace {

// epi3 goes by the last step's remainder while that changes the velocity by no more than this many times what the step before did. Measured
// on the bunny: with less, steps of 1 to 2 % error become less accurate; with more, longer ones diverge.
constexpr double resolved = 1.8;
// Where it looks back for e as well: with more small damped bodies diverge, with less it is less accurate.
constexpr double damped_resolved = 1.2;
// Beyond that the last step still is good enough for e, which matters less, up to this many times as much.
constexpr double good_for_e = 3;
// Steps of this many beta are long enough for that; once it looks back, a little shorter ones are, too.
constexpr double long_step = 4, still_long = 3;
// By the remainder's second derivative it goes while that turns by no more than this share of itself per step. Measured likewise: with 0.3
// steps of 1 to 2 % error are those of exprb2, with 1 longer ones diverge.
constexpr double steady = 0.6;

// |x - y|_M, |d3|_M and |d4|_M, which may be missing.
std::array<double, 3> mass_norms(const MechanicalSystem& system, const VecX& x, const VecX& y, const VecX& d3, const VecX* d4) {
    const VecX& M = system.mass();
    const auto squares = blocked_sums<3>(system.workers(), static_cast<int>(x.size()), [&](int begin, int end) {
        std::array<double, 3> sum{};
        for (int k = begin; k < end; ++k) {
            sum[0] += M[k] * (x[k] - y[k]) * (x[k] - y[k]);
            sum[1] += M[k] * d3[k] * d3[k];
        }
        for (int k = begin; d4 && k < end; ++k) sum[2] += M[k] * (*d4)[k] * (*d4)[k];
        return sum;
    });
    return {std::sqrt(squares[0]), std::sqrt(squares[1]), std::sqrt(squares[2])};
}

}  // namespace

void ExponentialRosenbrock::reserve(Eigen::Index n) {
    for (int i = 0; i < 3; ++i) x_[i].resize(n), v_[i].resize(n);
    for (VecX* x : {&r_, &d3_, &d4_}) x->resize(n);
    terms_.reserve(4);
}

bool ExponentialRosenbrock::has_past(const State& in, double h) const {
    if (history_.size() < 2 || kept_[history_.slot(1)] != Kept::acceleration) return false;
    const double h_before = in.t - history_[1].t;
    return h_before > 0 && h <= 2.001 * h_before;
}

bool ExponentialRosenbrock::does_without_rate(const MechanicalSystem& system, const State& in, double h) {
    if (!history_.begin(system, in)) {
        for (VecX& a : a_) a.resize(in.q.size());
        m3_.resize(in.q.size());
    }
    const double least = still_long * system.beta();
    return scheme_.without_rate && system.beta() != 0 && system.tau() == 0 && has_past(in, h) && h >= least &&
           in.t - history_[1].t >= least;
}

double ExponentialRosenbrock::expect(const MechanicalSystem& system, const State& in, double h, bool without_rate, StepReport& report) {
    if (without_rate) {
        // At h, t e + t^2/2 m is h^2/2 times 2 beta/h + 1 of m.
        const double change = remember(system, in, h, true, report), of_e = 2 * system.beta() / h;
        if (change <= damped_resolved) {
            terms_.push_back({3, nullptr, &m3_});
            terms_.push_back({2, nullptr, &r_, &m3_, system.beta()});
            return 1 + of_e;
        }
        if (change <= good_for_e * damped_resolved) {
            terms_.push_back({2, nullptr, &r_});
            return of_e;
        }
        frozen_.add_rate(report);
        terms_.assign(frozen_.terms().begin(), frozen_.terms().end());
        return 0;
    }
    const VecX* const rate = frozen_.rayleigh_rate();
    const double beta = system.beta();
    const int now = history_.slot(0), then = history_.slot(1);
    // Steps that change about h = beta keep to what the last one did: each change costs a step of exprb2.
    const bool looked_back = history_.size() > 1 && kept_[then] == Kept::acceleration;
    const bool short_step = h < (looked_back ? 2 : 1) * beta;
    if (!rate || short_step || (scheme_.without_rate && h >= (looked_back ? still_long : long_step) * beta)) {
        if (!(remember(system, in, h, false, report) <= resolved)) return 0;
        terms_.push_back({3, nullptr, &m3_});
        return 1;
    }
    VecX& kept = a_[now];
    kept_[now] = Kept::curvature;
    system.workers().coordinates(system.particles(), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) m3_[k] = kept[k] = (*rate)[k] / beta;
    });
    if (history_.size() < 2 || kept_[then] != Kept::curvature) return 0;
    const auto [turned, size, unused] = mass_norms(system, m3_, a_[then], m3_, nullptr);
    if (!(h * turned <= steady * size * (in.t - history_[1].t))) return 0;
    terms_.push_back({3, nullptr, &m3_, rate, 1 / beta});
    return 1;
}

// Without e also r_ = beta m3_.
double ExponentialRosenbrock::remember(const MechanicalSystem& system, const State& in, double h, bool without_rate, StepReport& report) {
    const int now = history_.slot(0), then = history_.slot(1);
    kept_[now] = frozen_.moving_pins() ? Kept::nothing : Kept::acceleration;
    if (kept_[now] == Kept::nothing) return HUGE_VAL;
    if (!has_past(in, h)) {
        frozen_.own_acceleration(a_[now], report);
        return HUGE_VAL;
    }
    const State& before = history_[1];
    const double h_before = in.t - before.t, beta = system.beta();
    frozen_.look_back(before, a_[then], a_[now], m3_, report);
    terms_.front() = frozen_.terms().front();
    const double scale = 1 / (h_before * (h_before / 2 - (without_rate ? beta : 0)));
    system.workers().coordinates(system.particles(), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) m3_[k] *= scale;
        if (without_rate)
            for (int k = begin; k < end; ++k) r_[k] = beta * m3_[k];
    });
    const auto [change, size, unused] = mass_norms(system, in.v, before.v, m3_, nullptr);
    return size > 0 ? h * h * h / 6 * size / change : 0;
}

StepReport ExponentialRosenbrock::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    const double tolerance = options_.solver.tolerance;
    reserve(in.q.size());
    const bool without_rate = scheme_.two_steps && does_without_rate(system, in, h);
    frozen_.freeze(system, in, report, !without_rate);
    terms_.assign(frozen_.terms().begin(), frozen_.terms().end());
    const double known = scheme_.two_steps ? expect(system, in, h, without_rate, report) : 0;

    // First sweep: the linear motion at c_i h and at h. A stage at h is the step itself.
    std::array<PhiNode, 3> nodes;
    int count = 0;
    for (int i = 0; i < scheme_.stages; ++i)
        if (scheme_.c[i] < 1) nodes[count++] = {scheme_.c[i] * h, std::max(1e-14, tolerance * scheme_.stage_tolerance), &x_[i], &v_[i]};
    VecX &x = x_[2], &v = v_[2];
    nodes[count++] = {h, tolerance, &x, &v};
    FrozenProblem::count(phi_->evaluate(frozen_.linearized(), terms_, {nodes.data(), static_cast<std::size_t>(count)}), tolerance, report);
    if (!report.ok()) return report;

    const bool no_stages = scheme_.stages == 0;
    if (no_stages) {
        frozen_.state_at(h, x, v, out);
        if (scheme_.two_steps) history_.result(out);
        if (!options_.error_estimate) return report;
    }
    correct(no_stages ? exponential_schemes::exprb32 : scheme_, known, system, h, report);
    if (!report.ok()) return report;
    const VecX &ex = x_[0], &ev = v_[0];
    if (!no_stages) {
        system.workers().coordinates(system.particles(), [&](int begin, int end) {
            for (int k = begin; k < end; ++k) x[k] += ex[k], v[k] += ev[k];
        });
        frozen_.state_at(h, x, v, out);
    }
    report.error = relative_error(system, h, in, out, [&](int k) { return std::array<double, 2>{ex[k], ev[k]}; });
    report.error = std::max(report.error, report.phi_error);
    return report;
}

// Second sweep: h phi_3 sum w3_i R_i + h phi_4 sum w4_i R_i as h^3 phi_3 d3 + h^4 phi_4 d4, left in x_[0], v_[0]. `known` times m3_: what
// the first sweep had of d3.
void ExponentialRosenbrock::correct(const ExponentialScheme& scheme, double known, const MechanicalSystem& system, double h,
                                    StepReport& report) {
    const double tolerance = options_.solver.tolerance;
    const bool fourth = scheme.w4[0] != 0 || scheme.w4[1] != 0;
    for (int i = 0; i < scheme.stages; ++i) {
        const int at = scheme.c[i] < 1 ? i : 2;
        frozen_.remainder(scheme.c[i] * h, x_[at], v_[at], r_, report);
        const double w3 = scheme.w3[i] / (h * h), w4 = scheme.w4[i] / (h * h * h);
        system.workers().coordinates(system.particles(), [&](int begin, int end) {
            for (int k = begin; k < end; ++k) d3_[k] = (i > 0 ? d3_[k] : 0) + w3 * r_[k];
            if (fourth)
                for (int k = begin; k < end; ++k) d4_[k] = (i > 0 ? d4_[k] : 0) + w4 * r_[k];
        });
    }
    if (known != 0)
        system.workers().coordinates(system.particles(), [&](int begin, int end) {
            for (int k = begin; k < end; ++k) d3_[k] -= known * m3_[k];
        });
    // The correction only has to be as accurate as the step: its own tolerance is that of the step times their ratio.
    const auto [step_size, size3, size4] = mass_norms(system, v_[2], frozen_.free_velocity(), d3_, fourth ? &d4_ : nullptr);
    const double correction = h * h * h / 6 * size3 + h * h * h * h / 24 * size4;
    const double relative = correction > 0 ? std::max(tolerance, std::min(0.01, tolerance * step_size / correction)) : 1;
    const PhiTerm terms[] = {{3, nullptr, &d3_}, {4, nullptr, &d4_}};
    const PhiNode end[] = {{h, relative, &x_[0], &v_[0]}};
    const double phi_error = report.phi_error;
    FrozenProblem::count(phi_->evaluate(frozen_.linearized(), {terms, fourth ? 2u : 1u}, end), relative, report);
    report.phi_error = std::max(phi_error, report.phi_error * (step_size > 0 ? std::min(1.0, correction / step_size) : 1));
}

}  // namespace wobble
