// What the models of a solid cost, beside springs on the same mesh: springs and the model take turns in one run, so that both see the same
// machine; `in_springs` is the ratio of the best times.
//   models/<what>/<model>: force, force with energy, product, tangent (as edges), and one step of a method at 1/120 s, stiffness matched so
//   that the slowest wobble is the same.
#include "engine/integrate/methods.h"
#include "engine/scene/softness.h"
#include "engine/sim/system_factory.h"
#include "tests/bench/bunny.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>

namespace wobble {
namespace {

using Kind = ElasticModel::Kind;

struct Body {
    std::unique_ptr<MechanicalSystem> system;
    EdgeTangent edges;
    State state;
    VecX f, u;

    Body(const LoadedScene& scene, const RunSettings& settings, const std::shared_ptr<Workers>& workers, const State& start)
        : system(make_system(scene, settings, constraints(scene), workers)),
          edges(system->new_tangent()),
          state(start),
          f(start.q.size()),
          u(VecX::Random(start.q.size())) {}
};

using Work = std::function<void(Body&)>;

void add_ratio(const std::string& name, Body& springs, Body& other, const Work& on_springs, const Work& on_other) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=, &springs, &other](benchmark::State& run) {
                                     double a = 1e300, b = 1e300;
                                     for (auto _ : run)
                                         for (int round = 0; round < 10; ++round) {
                                             a = std::min(a, seconds([&] { on_springs(springs); }));
                                             b = std::min(b, seconds([&] { on_other(other); }));
                                         }
                                     run.counters["ms"] = 1e3 * b;
                                     run.counters["in_springs"] = b / a;
                                 })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

// Steps from the same state each time, with what the method has learnt.
Work step_of(const Method& method, double h) {
    std::shared_ptr<Integrator> integrator = method.make({});
    return [integrator, h, &method](Body& body) {
        State next = body.state;
        if (!integrator->step(*body.system, body.state, h, next).ok()) std::fprintf(stderr, "%s failed\n", method.info.id), std::exit(1);
    };
}

}  // namespace

void add_model_benchmarks(const Bunny& b) {
    static std::vector<std::unique_ptr<Body>> bodies;  // the benchmarks outlive this function
    bodies.push_back(std::make_unique<Body>(*b.scene, b.scene->scene.settings, b.workers, b.state));
    for (const Kind kind : {Kind::neo_hookean, Kind::corotational}) {
        RunSettings settings = b.scene->scene.settings;
        if (auto changed = change_model(*b.scene, settings, 0, kind); !changed)
            std::fprintf(stderr, "%s\n", changed.message().c_str()), std::exit(2);
        bodies.push_back(std::make_unique<Body>(*b.scene, settings, b.workers, b.state));
        Body &springs = *bodies.front(), &own = *bodies.back();
        const std::string model = kind == Kind::neo_hookean ? "neo-hookean" : "corotational";
        const auto add = [&](const std::string& what, const Work& work) {
            add_ratio("models/" + what + "/" + model, springs, own, work, work);
        };
        add("force", [](Body& x) { x.system->elastic_force(x.state.q, x.f); });
        add("force_and_energy", [](Body& x) { benchmark::DoNotOptimize(x.system->force_and_energy(x.state.q, x.state.v, x.f)); });
        add("tangent", [](Body& x) { x.system->stiffness(x.state.q, x.edges); });
        for (const char* id : {"exprb2", "epi3-leapfrog", "verlet", "implicit-midpoint"}) {
            const Method& method = *find_method(id);
            const double h = method.info.family == Family::explicit_classical ? 1e-5 : 1.0 / 120;
            add_ratio("models/step_" + std::string(id) + "/" + model, springs, own, step_of(method, h), step_of(method, h));
        }
    }
}

}  // namespace wobble
