// A plastic spring end to end: its rest length is part of the state, so whatever keeps, compares, refuses or repeats states has to carry
// it.
#include "engine/integrate/methods.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/run_log.h"
#include "engine/sim/surface_view.h"
#include "engine/sim/system_factory.h"
#include "engine/sim/world.h"
#include "engine/study/integrate_fixed.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

struct Spoiled {  // ends of steps that return a rest length out of all reason, which the energy guard refuses
    int left = 0, done = 0;
};

// U = k/2 (s - L)^2, s = x_b - x_a. Where |s - L| exceeds the limit when a step ends, L follows.
class PlasticLink final : public ForceModel {
public:
    static constexpr double k = 2e4, limit = 2e-3;
    PlasticLink(int a, int b, double length, std::shared_ptr<Spoiled> spoiled = nullptr)
        : a_(3 * a), b_(3 * b), start_(length), length_(length), spoiled_(std::move(spoiled)) {}

    static double yielded(double s, double L) { return std::clamp(L, s - limit, s + limit); }
    static double energy(double s, double L) { return k / 2 * (s - L) * (s - L); }
    double stretch(const VecX& q) const { return q[b_] - q[a_]; }

    void set_material(const Material&) override {}
    double energy(const VecX& q) const override { return energy(stretch(q), length_); }
    void add_force(const VecX& q, VecX& f) const override { add(k * (length_ - stretch(q)), f); }
    void add_stiffness(const VecX&, EdgeTangent& K) const override { K.at(edge_)[0] -= k; }
    void add_linear_stiffness(EdgeTangent& K) const override {
        for (int x : {0, 3, 5}) K.at(edge_)[x] -= k;
    }
    void add_product(const VecX&, const VecX& u, double s, VecX& f) const override { add(s * k * stretch(u), f); }
    void add_rate(const VecX&, const VecX&, double, VecX&) const override {}
    void pairs(std::vector<Edge>& all) const override { all.push_back({a_ / 3, b_ / 3}); }
    void bind(std::span<const int> edge, int) override { edge_ = edge[0]; }

    int internal_variables() const override { return 1; }
    void start_internal(std::span<double> x) const override { x[0] = start_; }
    void set_internal(std::span<const double> x) override { length_ = x[0]; }
    void end_step(const State& before, State& after, StepBooks& books) override {
        const double s = stretch(after.q), old = own(before.internal)[0];
        const bool spoil = spoiled_ && spoiled_->left > 0;
        if (spoil) --spoiled_->left, ++spoiled_->done;
        const double now = spoil ? old + 1e3 : yielded(s, old);
        if (now == old) return;
        own(after.internal)[0] = now;
        if (!spoil) books.dissipated += energy(s, old) - energy(s, now);
        books.changed = true;
    }

private:
    void add(double w, VecX& f) const { f[b_] += w, f[a_] -= w; }
    int a_, b_, edge_ = 0;
    double start_, length_;
    std::shared_ptr<Spoiled> spoiled_;
};

struct Ends {  // of the link: the particles with the least and the largest x
    int a = 0, b = 0;
};
Ends ends_of(const std::vector<Vec3>& rest) {
    const auto less = [](const Vec3& p, const Vec3& q) { return p.x() < q.x(); };
    return {static_cast<int>(std::min_element(rest.begin(), rest.end(), less) - rest.begin()),
            static_cast<int>(std::max_element(rest.begin(), rest.end(), less) - rest.begin())};
}

std::shared_ptr<LoadedScene> with_link(const LoadedScene& plain, std::shared_ptr<Spoiled> spoiled = nullptr) {
    auto loaded = std::make_shared<LoadedScene>(plain);
    loaded->add_forces = [spoiled](SystemParts& parts) {
        const auto [a, b] = ends_of(parts.rest);
        const double length = parts.rest[static_cast<std::size_t>(b)].x() - parts.rest[static_cast<std::size_t>(a)].x();
        parts.forces.push_back(std::make_unique<PlasticLink>(std::min(a, b), std::max(a, b), a < b ? length : -length, spoiled));
    };
    return loaded;
}

// A beam held at one end, pushed along its axis.
std::shared_ptr<LoadedScene> pushed_beam(std::shared_ptr<Spoiled> spoiled = nullptr) {
    Parameters parameters;
    parameters.stiffness = 3000, parameters.edge_stiffness = 1000, parameters.gravity = 0;
    parameters.damping = parameters.mass_damping = parameters.spring_damping = 0;
    auto loaded = with_link(*support::small_scene(parameters), std::move(spoiled));
    loaded->scene.body().initial_velocity = {1, 0.2, 0};
    return loaded;
}

double stretch(const LoadedScene& scene, const VecX& q) {
    const auto [a, b] = ends_of(scene.body.tets.vertices);
    return q[3 * std::max(a, b)] - q[3 * std::min(a, b)];
}

struct Seen {
    double t;
    std::uint64_t hash;
    VecX q, internal;
    explicit Seen(const World& world) : t(world.time()), hash(world.state_hash()), q(world.positions()), internal(world.internal()) {}
    bool operator==(const Seen& b) const { return t == b.t && hash == b.hash && q == b.q && internal == b.internal; }
};

const char* const one_step_methods[] = {"verlet", "rk45", "implicit-midpoint", "tr-bdf2", "exprb2", "exprb42"};

TEST(InternalVariables, GoingBackReturnsThemAndGoesOnAsTheFirstTime) {
    for (const char* method : one_step_methods) {
        World world(pushed_beam(), 1);
        world.keep_history();
        world.apply(SetMethod{method});
        world.apply(SetStep{5e-4});
        std::vector<Seen> seen{Seen(world)};
        for (int i = 0; i < 60; ++i) world.step(), seen.emplace_back(world);
        ASSERT_EQ(world.internal().size(), 1);
        ASSERT_NE(seen[30].internal, seen[0].internal) << method << " yields";
        ASSERT_NE(seen[60].internal, seen[5].internal) << method << " yields again";
        for (int i = 59; i >= 50; --i) {
            world.apply(StepBack{});
            ASSERT_EQ(Seen(world), seen[static_cast<std::size_t>(i)]) << method;
        }
        for (std::size_t back : {20u, 3u, 0u}) {
            world.apply(GoTo{seen[back].t});
            ASSERT_EQ(Seen(world), seen[back]) << method;
            for (std::size_t i = back + 1; i <= back + 15; ++i) {
                world.step();
                ASSERT_EQ(Seen(world), seen[i]) << method << ", step " << i << " from " << back;
            }
        }
        world.apply(Reset{});
        EXPECT_EQ(Seen(world), seen[0]) << method;
        EXPECT_EQ(world.energies().error(), 0) << method << ": the forces have forgotten the run, too";
    }
}

TEST(InternalVariables, ThePinsOfABodyChangeAndItsRestLengthsStay) {
    const auto scene = pushed_beam();
    World world(scene, 1);
    world.apply(SetStep{5e-4});
    for (int i = 0; i < 30; ++i) world.step();
    const Seen before(world);
    const double elastic = world.energies().elastic;
    world.apply(SetPins{{PinRule::below(0, 0.3)}});
    EXPECT_EQ(world.snapshot().message, "");
    EXPECT_EQ(world.internal(), before.internal);
    EXPECT_NEAR(world.energies().elastic, elastic, 1e-12 * elastic) << "the new system computes with them";
}

TEST(InternalVariables, TheHashOfAStateKnowsThem) {
    const auto scene = pushed_beam();
    const auto system = make_system(*scene, make_workers(*scene, 1));
    State state = initial_state(*scene, *system);
    const auto hash = hash_of(state);
    state.internal[0] = std::nextafter(state.internal[0], 1e9);
    EXPECT_NE(hash_of(state), hash);
    EXPECT_EQ(first_snapshot(scene).state_hash, hash) << "before there is a World";
    EXPECT_EQ(World(scene, 1).state_hash(), hash);
}

TEST(InternalVariables, AReplayOfTheRunHasTheSame) {
    auto named = load_scene("beam");
    ASSERT_TRUE(named) << named.message();
    named.value().settings.parameters().resolution = 60;
    named.value().body().initial_velocity = {1, 0, 0};
    const auto built = build_scene(std::move(named).value());
    ASSERT_TRUE(built) << built.message();
    const auto scene = with_link(*built.value());
    RunLog log;
    log.begin(*scene);
    World world(scene, 1);
    world.keep_history();
    const auto done = [&](const Command& command) { log.note(log.steps, world.time(), command), world.apply(command); };
    const auto steps = [&](int count) {
        for (int i = 0; i < count; ++i) world.step(), ++log.steps;
    };
    done(SetStep{5e-4});
    steps(40);
    const double there = world.time();
    steps(20);
    done(SetParameter{"density", 700});
    done(GoTo{there});  // what the own step is measured at must not depend on where the run is
    done(SetStep{0});
    steps(10);
    log.hash = world.state_hash();
    ASSERT_NE(world.internal(), World(scene, 1).internal()) << "it yields";
    auto again = replay(log, 2);
    ASSERT_TRUE(again) << again.message();
    EXPECT_TRUE(again.value().same);
    EXPECT_EQ(Seen(again.value().world), Seen(world));
}

TEST(InternalVariables, RunsThatAreComparedCarryTheirOwn) {
    const auto scene = pushed_beam();
    const char* const ids[] = {"implicit-euler", "verlet"};
    std::vector<Seen> alone;
    for (const char* id : ids) {
        World world(scene, 1);
        world.apply(SetMethod{id}), world.apply(SetStep{5e-4});
        for (int i = 0; i < 40; ++i) world.step();
        alone.emplace_back(world);
    }
    World first(scene, 1), second(scene, 1);
    first.apply(SetMethod{ids[0]}), second.apply(SetMethod{ids[1]});
    for (World* world : {&first, &second}) world->apply(SetStep{5e-4});
    for (int i = 0; i < 40; ++i) first.step(), second.step();
    EXPECT_EQ(Seen(first), alone[0]);
    EXPECT_EQ(Seen(second), alone[1]);
    EXPECT_NE(alone[0].internal, alone[1].internal);
}

TEST(InternalVariables, ARefusedStepLeavesThem) {
    const auto spoiled = std::make_shared<Spoiled>();
    World world(pushed_beam(spoiled), 1), twin(pushed_beam(), 1);
    for (World* w : {&world, &twin}) {
        w->apply(SetMethod{"verlet"}), w->apply(SetStep{5e-4}), w->apply(SetDivergencePolicy{DivergencePolicy::pause});
        for (int i = 0; i < 20; ++i) w->step();
    }
    const Seen before(world);
    const Energies energies = world.energies();
    spoiled->left = 1;
    world.step();
    ASSERT_EQ(spoiled->done, 1);
    EXPECT_NE(world.snapshot().message, "");
    EXPECT_EQ(Seen(world), before);
    EXPECT_EQ(world.energies().total(), energies.total());
    EXPECT_EQ(world.energies().dissipated, energies.dissipated);
    world.step(), twin.step();
    EXPECT_EQ(Seen(world), Seen(twin)) << "as if nothing had been tried";
    EXPECT_EQ(world.energies().error(), twin.energies().error());
}

TEST(InternalVariables, ARescuedStepBeginsWithThoseOfTheStateAndYieldsOnce) {
    const auto spoiled = std::make_shared<Spoiled>();
    const auto scene = pushed_beam(spoiled);
    World world(scene, 1), twin(pushed_beam(), 1);
    world.apply(SetMethod{"implicit-midpoint"}), twin.apply(SetMethod{"tr-bdf2"});
    for (World* w : {&world, &twin}) w->apply(SetStep{2e-3}), w->apply(SetSolver{{}});  // what rescuers solve with
    spoiled->left = 1;
    world.step(), twin.step();
    ASSERT_EQ(spoiled->done, 1);
    ASSERT_STREQ(world.report().redone_by, "tr-bdf2");
    EXPECT_EQ(Seen(world), Seen(twin)) << "the rescuer's step from the same state";
    for (int i = 0; i < 20; ++i) {
        spoiled->left = i % 3;  // none, the method's own try, and the first rescuer's
        const double L = world.internal()[0];
        world.step();
        EXPECT_EQ(spoiled->left, 0);
        EXPECT_EQ(world.internal()[0], PlasticLink::yielded(stretch(*scene, world.positions()), L));
    }
    EXPECT_GT(world.totals().redone, 10u);
    EXPECT_EQ(world.snapshot().message, "");
}

TEST(InternalVariables, TheEnergyBookClosesWithThePlasticWork) {
    const auto scene = pushed_beam();
    for (const char* method : {"verlet", "implicit-midpoint", "exprb42", "rk4"}) {
        double errors[2];
        for (int finer = 0; finer < 2; ++finer) {
            World world(scene, 1);
            world.apply(SetMethod{method}), world.apply(SetStep{2e-4 / (1 + finer)});
            double work = 0;
            for (int i = 0; i < 100 * (1 + finer); ++i) {
                const double L = world.internal()[0];
                world.step();
                const double s = stretch(*scene, world.positions());
                work += PlasticLink::energy(s, L) - PlasticLink::energy(s, world.internal()[0]);
            }
            ASSERT_TRUE(world.report().ok());
            const Energies& e = world.energies();
            EXPECT_NEAR(e.dissipated, work, 1e-12 * work) << method << ": nothing else takes energy";
            EXPECT_GT(e.dissipated, 10 * e.max_error) << method << ": without it the book would not close";
            EXPECT_EQ(e.supplied, 0);
            errors[finer] = e.max_error / e.initial_total;
        }
        EXPECT_LT(errors[0], 2e-3) << method;
        EXPECT_LT(errors[1], 0.5 * errors[0] + 1e-9) << method << ": what is left is the error of the method";
    }
}

TEST(InternalVariables, AStudyMeasuresTheMotionOfTheWorld) {
    const auto scene = pushed_beam();
    const double h = 5e-4;
    const auto system = make_system(*scene, make_workers(*scene, 1));
    const State start = initial_state(*scene, *system);
    for (const Method& method : methods()) {
        World world(scene, 1);
        world.apply(SetMethod{method.info.id}), world.apply(SetStep{h});
        for (int i = 0; i < 40; ++i) world.step();
        const FixedRun run = integrate_fixed(*system, *method.make(integrator_options(scene->scene)), start, h, 40);
        ASSERT_TRUE(run.ok()) << method.info.id << ": " << run.message;
        if (world.totals().rejected > 0) continue;  // a study has no rescue
        EXPECT_EQ(run.end.q, world.positions()) << method.info.id;
        EXPECT_EQ(run.end.v, world.velocities()) << method.info.id;
        EXPECT_EQ(run.end.internal, world.internal()) << method.info.id;
        EXPECT_NE(run.end.internal, start.internal) << method.info.id;
    }
    const Method& rk45 = *find_method("rk45");
    const IntegratorOptions options{.solver = {}, .error_estimate = true};
    const StepController control(StepControl::error, 1e-6, rk45.info.error_order);
    double L = start.internal[0];
    const auto yields_once = [&](long step, const State& now, const FixedRun&) -> const char* {
        EXPECT_EQ(now.internal[0], PlasticLink::yielded(stretch(*scene, now.q), std::exchange(L, now.internal[0]))) << "step " << step;
        return nullptr;
    };
    const FixedRun run = integrate_controlled(*system, *rk45.make(options), start, 0.02, 0.01, control, yields_once);
    ASSERT_TRUE(run.ok()) << run.message;
    EXPECT_GT(run.rejected, 0) << "refused steps leave the rest length";
    EXPECT_NE(run.end.internal, start.internal);
}

}  // namespace
}  // namespace wobble
