// One exprb42 step on the bunny at h omega_max = 80, the phi-functions by each evaluator, from the same state. Every evaluator gets the
// loosest tolerance with which its step is as accurate as the others', 1e-5 of the step's increment in the energy norm, measured against
// half-size Lanczos with 1e-12.
//   phi/<evaluator>: `slower` = its time / half-size Lanczos' of the same run (best of the repetitions), `error` what it delivered.
//   phi/shares: of a step with half-size Lanczos, the parts of its time in products with K, forces and tangent (each measured alone), and
//       what is left, `outside`; `two_threads` = how many times faster than with one thread; best times of turns in one run.
#include "engine/integrate/exponential/exponential_rosenbrock.h"
#include "engine/solve/krylov/lanczos.h"
#include "engine/solve/krylov/spectrum.h"
#include "engine/solve/phi/make_phi.h"
#include "tests/bench/bunny.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

namespace wobble {
namespace {

constexpr double target = 1e-5;

struct Problem {
    const Bunny& bunny;
    BlockMatrix K;
    double h;
    State in, exact;

    explicit Problem(const Bunny& b) : bunny(b), K(b.system->pattern()), in(b.state), exact(b.state) {
        b.system->stiffness(in.q, K);
        h = 80 / highest_frequency({b.system->workers(), K, b.system->mass(), b.system->inverse_mass(), 0, 0});
        // A few steps after the kick: stretched, bent and under way.
        State next = in;
        const auto integrator = method(PhiMethod::lanczos, 1e-6);
        for (int n = 0; n < 4; ++n) take(*integrator, *b.system, in, next), std::swap(in, next);
        b.system->stiffness(in.q, K);
        take(*method(PhiMethod::lanczos, 1e-12), *b.system, in, exact);
    }

    static std::unique_ptr<Integrator> method(PhiMethod phi, double tolerance) {
        IntegratorOptions options;
        options.solver.tolerance = tolerance;
        return std::make_unique<ExponentialRosenbrock>(exponential_schemes::exprb42, options, make_phi(phi));
    }
    StepReport take(Integrator& integrator, const MechanicalSystem& system, const State& from, State& to) const {
        const StepReport report = integrator.step(system, from, h, to);
        if (!report.ok()) std::fprintf(stderr, "exprb42: %s\n", report.message.c_str()), std::exit(1);
        return report;
    }
    double norm(const VecX& x, const VecX& v) const {
        VecX Kx(x.size());
        K.multiply(bunny.system->workers(), x, Kx);
        return std::sqrt(std::abs(x.dot(Kx)) + 2 * bunny.system->kinetic_energy(v));
    }
    double error(const State& out) const { return norm(out.q - exact.q, out.v - exact.v) / norm(exact.q - in.q, exact.v - in.v); }

    struct Run {
        std::unique_ptr<Integrator> integrator;
        double tolerance = 0, error = 0;
    };
    Run as_accurate_as_wanted(PhiMethod phi) const {
        State out = in;
        for (double tolerance = 1e-2; tolerance > 1e-13; tolerance /= 10) {
            auto integrator = method(phi, tolerance);
            if (integrator->step(*bunny.system, in, h, out).ok() && error(out) <= target)
                return {std::move(integrator), tolerance, error(out)};
        }
        return {};
    }
    double best_time(Integrator& integrator, const MechanicalSystem& system, int repetitions) const {
        State out = in;
        double best = 1e300;
        for (int i = 0; i < repetitions; ++i) best = std::min(best, seconds([&] { take(integrator, system, in, out); }));
        return best;
    }
};

void compare(benchmark::State& run, const Problem& p, PhiMethod phi) {
    const auto lanczos = p.as_accurate_as_wanted(PhiMethod::lanczos), other = p.as_accurate_as_wanted(phi);
    if (!lanczos.integrator || !other.integrator) return run.SkipWithError("no tolerance makes its step accurate enough");
    double best = 1e300, best_lanczos = 1e300;
    State out = p.in;
    StepReport report;
    for (auto _ : run) {
        const double t = seconds([&] { report = p.take(*other.integrator, *p.bunny.system, p.in, out); });
        run.SetIterationTime(t);
        best = std::min(best, t);
        best_lanczos = std::min(best_lanczos, p.best_time(*lanczos.integrator, *p.bunny.system, 1));
    }
    run.counters["slower"] = best / best_lanczos;
    run.counters["error"] = other.error;
    run.counters["tolerance"] = other.tolerance;
    run.counters["products"] = static_cast<double>(report.operator_products);
    run.counters["solves"] = static_cast<double>(report.solves);
    run.counters["substeps"] = report.substeps;
}

// m products with C columns as Lanczos makes them, each from one vector of a basis to the next: the basis is twice as large as the matrix
// and takes its place in the cache, so a product of the same two vectors again and again would be another, faster one.
template <int C>
class Products {
public:
    Products(const Problem& p, int m)
        : p_(p),
          m_(m),
          n_(static_cast<std::size_t>(C) * static_cast<std::size_t>(p.in.q.size())),
          edges_(p.bunny.system->new_tangent()),
          basis_(n_ * static_cast<std::size_t>(m + 1) + Rows::beyond, 1.0),
          sums_(static_cast<std::size_t>(Rows::sums_per_row) * p.bunny.system->particles() + Rows::beyond, 0.0) {
        p.bunny.system->stiffness(p.in.q, edges_);
    }
    void run() {
        const EdgeMatrix& K = edges_.matrix();
        for (int j = 0; j < m_; ++j)
            K.pattern().split(*p_.bunny.workers, [&](int begin, int end) {
                const double* const x = &basis_[j * n_];
                double* const y = &basis_[(j + 1) * n_];
                const Rows rows(K, x, sums_.data(), begin, end);
                for (int k = begin; k < end; ++k) rows.multiply(k, x).write(y + static_cast<std::size_t>(3 * C) * k);
            });
    }

private:
    using Rows = EdgeRows<C, false>;
    const Problem& p_;
    int m_;
    std::size_t n_;
    EdgeTangent edges_;
    LargeVector<double> basis_;
    std::vector<double> sums_;
};

void shares(benchmark::State& run, const Problem& p) {
    const auto lanczos = p.as_accurate_as_wanted(PhiMethod::lanczos);
    State out = p.in;
    const StepReport report = p.take(*lanczos.integrator, *p.bunny.system, p.in, out);
    // The first sweep has two columns, the second one; energy norms at two times and the remainder need three products more:
    // 2 m1 + m2 + 3 in the report, m1 the larger.
    const int m1 = report.krylov_dimension, m2 = static_cast<int>(report.operator_products) - 2 * m1 - 3;
    Products<2> of_two(p, m1 + 1);
    Products<1> of_one(p, m2 + 1);
    EdgeTangent K = p.bunny.system->new_tangent();
    VecX f(p.in.q.size());
    // The same body with one thread.
    const auto alone = p.bunny.system_with(std::make_shared<Workers>(1));
    const auto fresh = Problem::method(PhiMethod::lanczos, lanczos.tolerance);

    // In turns: what disturbs the machine for a while disturbs them all.
    double best = 1e300, best_alone = 1e300, products = 1e300, force = 1e300, tangent = 1e300;
    const auto keep_best = [](double& least, double t) { least = std::min(least, t); };
    for (auto _ : run) {
        const double t = p.best_time(*lanczos.integrator, *p.bunny.system, 1);
        run.SetIterationTime(t);
        keep_best(best, t);
        keep_best(best_alone, p.best_time(*fresh, *alone, 1));
        keep_best(products, seconds([&] { of_two.run(), of_one.run(); }));
        keep_best(force, seconds([&] { p.bunny.system->force(p.in.q, p.in.v, f); }));
        keep_best(tangent, seconds([&] { p.bunny.system->stiffness(p.in.q, K); }));
    }
    const double forces = static_cast<double>(report.force_evaluations) * force;
    run.counters["products"] = products / best;
    run.counters["forces"] = forces / best;
    run.counters["tangent"] = tangent / best;
    run.counters["outside"] = 1 - (products + forces + tangent) / best;
    run.counters["two_threads"] = best_alone / best;
}

}  // namespace

void add_phi_benchmarks(const Bunny& bunny) {
    const auto problem = std::make_shared<Problem>(bunny);
    const auto add = [](const std::string& name, auto body) {
        benchmark::RegisterBenchmark(("phi/" + name).c_str(), body)->UseManualTime()->Unit(benchmark::kMillisecond);
    };
    for (const PhiMethod phi : {PhiMethod::lanczos, PhiMethod::kiops, PhiMethod::phipm_simul_iom2, PhiMethod::phipm, PhiMethod::energy,
                                PhiMethod::rational, PhiMethod::automatic})
        for (const auto& info : phi_methods())
            if (info.kind == phi) add(info.id, [problem, phi](benchmark::State& run) { compare(run, *problem, phi); });
    add("shares", [problem](benchmark::State& run) { shares(run, *problem); });
}

}  // namespace wobble
