// Going back in time, holding parts of the body, frame times: what the viewer does to a World besides stepping it.
#include "engine/sim/state_history.h"

#include "engine/scene/pin_rules.h"
#include "engine/sim/world.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wobble {
namespace {

using support::small_scene;

State at(double t, int size = 6) {
    State state;
    state.t = t;
    state.q = VecX::Constant(size, t);
    state.v = VecX::Constant(size, -t);
    return state;
}

TEST(StateHistory, KeepsTheLastStatesAllAndOlderOnesAtDistances) {
    StateHistory history;
    const double h = 0.001;
    for (int k = 0; k <= 1000; ++k) history.add(static_cast<std::uint64_t>(k), 0, false, at(k * h), {});
    for (int k = 1000; k > 1000 - StateHistory::dense; --k) {
        ASSERT_TRUE(history.at(k * h + 1e-12));
        EXPECT_EQ(history.at(k * h + 1e-12)->step, static_cast<std::uint64_t>(k));
    }
    EXPECT_EQ(history.begin(), 0);
    EXPECT_LT(history.size(), std::size_t(StateHistory::dense + 1.1 / StateHistory::spacing));
    EXPECT_GT(history.size(), std::size_t(StateHistory::dense + 0.5 / StateHistory::spacing));
    for (double t = 0.05; t < 0.9; t += 0.037) {
        const KeptState* kept = history.at(t);
        EXPECT_LE(kept->state.t, t);
        EXPECT_GT(kept->state.t, t - StateHistory::spacing - 2 * h) << "no gap is larger than the spacing and a step";
        EXPECT_EQ(kept->state.q[0], kept->state.t);
    }
}

TEST(StateHistory, IsBoundedInMemoryAndForgetsTheOldest) {
    StateHistory history(100 * (sizeof(KeptState) + 2 * 300 * sizeof(double)));
    for (int k = 0; k < 5000; ++k) history.add(static_cast<std::uint64_t>(k), 0, false, at(0.01 * k, 300), {});
    EXPECT_EQ(history.size(), 100u);
    EXPECT_NEAR(history.end() - history.begin(), 0.99, 1e-9);
    EXPECT_EQ(history.at(0)->state.t, history.begin()) << "too far back gives the oldest";
}

TEST(StateHistory, AnotherFutureReplacesTheOldOneButLookingBackDoesNot) {
    StateHistory history;
    for (int k = 0; k <= 10; ++k) history.add(static_cast<std::uint64_t>(k), 0, false, at(0.1 * k), {});
    EXPECT_NEAR(history.before(0.5)->state.t, 0.4, 1e-12);
    EXPECT_EQ(history.end(), 1.0);
    history.add(6, 0, false, at(0.55), {});
    EXPECT_EQ(history.end(), 0.55);
    EXPECT_NEAR(history.before(0.55)->state.t, 0.5, 1e-12);
    EXPECT_EQ(history.before(0), nullptr);
}

TEST(StateHistory, NothingIsLeftOfTheOldFutureWhenTheNewOneTakesLongerSteps) {
    StateHistory history;
    for (int k = 0; k <= 10; ++k) history.add(static_cast<std::uint64_t>(k), 0, false, at(0.1 * k), {});
    history.add(6, 0, false, at(0.75), {});  // from 0.5, where 0.6 and 0.7 had been
    EXPECT_EQ(history.end(), 0.75);
    EXPECT_NEAR(history.before(0.75)->state.t, 0.5, 1e-12);
}

TEST(StateHistory, StatesAtFrameTimesStay) {
    StateHistory history;
    for (int k = 0; k <= 1200; ++k) history.add(static_cast<std::uint64_t>(k), 0, k % 7 == 0, at(0.0005 * k), {});
    for (int k = 0; k <= 1200 - StateHistory::dense; k += 7) EXPECT_EQ(history.at(0.0005 * k + 1e-9)->step, static_cast<std::uint64_t>(k));
}

struct Played : ::testing::Test {
    std::shared_ptr<const LoadedScene> scene = small_scene({}, 8, 3);
    World world{scene, 1};
    void SetUp() override { world.keep_history(); }
    void steps(int count) {
        for (int i = 0; i < count; ++i) world.step();
    }
};

TEST_F(Played, GoingBackAndOnAgainGivesTheSameBits) {
    steps(20);
    const double t = world.time();
    const auto hash = world.state_hash();
    const Energies energies = world.energies();
    steps(15);
    const auto later = world.state_hash();
    world.apply(GoTo{t});
    EXPECT_EQ(world.state_hash(), hash);
    EXPECT_EQ(world.energies().total(), energies.total());
    EXPECT_EQ(world.energies().max_error, energies.max_error);
    EXPECT_EQ(world.snapshot().step, 20u);
    EXPECT_FALSE(world.running());
    EXPECT_GT(world.snapshot().history_end, t) << "the future can still be gone to";
    steps(15);
    EXPECT_EQ(world.state_hash(), later);
}

TEST_F(Played, StepBackUndoesOneStepAfterTheOther) {
    std::vector<std::uint64_t> hashes = {world.state_hash()};
    for (int i = 0; i < 12; ++i) steps(1), hashes.push_back(world.state_hash());
    for (int i = 11; i >= 0; --i) {
        world.apply(StepBack{});
        EXPECT_EQ(world.state_hash(), hashes[static_cast<std::size_t>(i)]);
    }
    world.apply(StepBack{});
    EXPECT_EQ(world.state_hash(), hashes.front());
    EXPECT_FALSE(world.snapshot().message.empty()) << "there is nothing before the start";
}

TEST_F(Played, GoingBackBeforeAnEditBooksItsEnergyAsSupplied) {
    steps(10);
    const double t = world.time();
    steps(10);
    world.apply(SetParameter{"stiffness", 3 * world.snapshot().settings.parameters().stiffness});
    steps(10);
    world.apply(GoTo{t});
    steps(20);
    EXPECT_TRUE(world.report().ok());
    EXPECT_LT(std::abs(world.energies().error()), 0.05 * world.energies().max_kinetic);
}

TEST_F(Played, APinHoldsAPatchWhereItIsAndLetsItGoAgain) {
    world.apply(SetParameter{"gravity", 9.81});
    steps(10);
    // A triangle of the free end.
    const auto before = world.snapshot();
    int top = 0;
    for (int k = 0; k < static_cast<int>(before.surface->triangles.size()); ++k)
        if (before.positions[before.surface->triangles[k][0]].x() > before.positions[before.surface->triangles[top][0]].x()) top = k;
    const int vertex = before.surface->triangles[top][0];
    ASSERT_FALSE(before.surface->pinned[vertex]);
    world.apply(TogglePin{top, Vec3(1, 0, 0)});
    EXPECT_EQ(world.snapshot().message, "");
    ASSERT_TRUE(world.snapshot().surface->pinned[vertex]);
    EXPECT_LT(world.snapshot().dofs, before.dofs);
    const Vec3f held = world.snapshot().positions[vertex];
    steps(20);
    EXPECT_EQ(world.snapshot().positions[vertex], held);
    EXPECT_TRUE(world.report().ok());
    world.apply(TogglePin{top, Vec3(1, 0, 0)});
    EXPECT_FALSE(world.snapshot().surface->pinned[vertex]);
    EXPECT_EQ(world.snapshot().dofs, before.dofs);
    steps(20);
    EXPECT_NE(world.snapshot().positions[vertex], held);
    // What is pinned can be set as a whole, and the whole body cannot be held.
    world.apply(SetPins{{PinRule{}}});
    EXPECT_NE(world.snapshot().message, "");
    EXPECT_EQ(world.snapshot().dofs, before.dofs);
    world.apply(TogglePin{-1, Vec3(1, 0, 0)});
    world.apply(TogglePin{1 << 30, Vec3(1, 0, 0)});
    EXPECT_EQ(world.snapshot().dofs, before.dofs);
}

TEST_F(Played, StepsEndAtFrameTimesWhateverTheMethodAndItsControl) {
    for (const auto& [method, control] :
         {std::pair{"verlet", StepControl::fixed}, {"exprb42", StepControl::error}, {"implicit-euler", StepControl::fixed}}) {
        world.apply(SetMethod{method});
        world.apply(SetStepControl{control, 0.01});
        steps(3);
        const double start = world.time(), interval = 1.0 / 24;
        world.apply(SetFrameTimes{interval});
        EXPECT_TRUE(world.on_frame());
        std::uint64_t frame = 0;
        for (int i = 0; i < 4000 && frame < 10; ++i) {
            world.step();
            if (!world.on_frame()) continue;
            ++frame;
            EXPECT_EQ(world.frame(), frame);
            EXPECT_NEAR(world.time(), start + static_cast<double>(frame) * interval, 1e-12);
        }
        EXPECT_EQ(frame, 10u) << method;
        world.apply(SetFrameTimes{0});
    }
}

TEST_F(Played, PlayToStopsThere) {
    world.apply(SetFrameTimes{0.01});
    world.apply(PlayTo{0.05});
    for (int i = 0; i < 10000 && world.running(); ++i) world.step();
    EXPECT_NEAR(world.time(), 0.05, 1e-12);
}

TEST_F(Played, FieldsAreZeroAtRestAndFollowTheMotion) {
    const auto field = [&](Field f) {
        world.apply(Show{f, true});
        return world.snapshot();
    };
    EXPECT_EQ(field(Field::none).values.size(), 0u);
    const auto strain = field(Field::strain);
    ASSERT_EQ(strain.values.size(), strain.positions.size());
    ASSERT_EQ(static_cast<int>(strain.particle_positions.size()), strain.particles);
    for (const float v : strain.values) EXPECT_LT(v, 1e-6) << "at rest";
    steps(30);
    const auto moved = field(Field::strain), speed = field(Field::speed);
    EXPECT_GT(*std::max_element(moved.values.begin(), moved.values.end()), 1e-5f);
    const float fastest = *std::max_element(speed.values.begin(), speed.values.end());
    const float largest = static_cast<float>(world.velocities().reshaped(3, world.velocities().size() / 3).colwise().norm().maxCoeff());
    EXPECT_GT(fastest, 0.3f * largest);
    EXPECT_LT(fastest, 1.2f * largest);
}

// Going back to any kept state and playing on is the first run again, bit by bit: one-step methods, fixed and controlled steps.
struct Continued {
    const char* method;
    StepControl control;
    double step, tolerance;
    bool moving_pins = false;
    double stiffness = 2e4;
    bool rescued = false;  // so soft that some steps are redone by another method
};
void PrintTo(const Continued& c, std::ostream* out) { *out << c.method << (c.control == StepControl::fixed ? ", fixed" : ", controlled"); }

class GoesOn : public ::testing::TestWithParam<Continued> {};

TEST_P(GoesOn, FromEveryKeptStateAsTheFirstTime) {
    Parameters parameters;
    parameters.gravity = 9.81;
    parameters.stiffness = GetParam().stiffness;
    auto scene = std::make_shared<LoadedScene>(*small_scene(parameters, 8, 3));
    if (GetParam().moving_pins) scene->scene.settings.pins() = {{.high = {0.01, 1, 1}, .amplitude = {0, 0.05, 0.02}, .frequency = 2}};
    World world(scene, 1);
    world.keep_history();
    world.apply(SetMethod{GetParam().method});
    world.apply(SetStepControl{GetParam().control, GetParam().tolerance});
    world.apply(SetStep{GetParam().step});
    std::vector<double> times;
    std::vector<std::uint64_t> hashes;
    const auto note = [&] { times.push_back(world.time()), hashes.push_back(world.state_hash()); };
    note();
    for (int i = 0; i < 300; ++i) world.step(), note();
    ASSERT_GT(times.back(), 4 * StateHistory::spacing);
    EXPECT_EQ(world.snapshot().redone_steps > 0, GetParam().rescued);
    // From the newest to the oldest: a dense state, some that were thinned out, the start.
    for (const double share : {0.98, 0.85, 0.6, 0.33, 0.1, 0.0}) {
        world.apply(GoTo{0});  // on the way: what is forgotten there must come back
        world.apply(GoTo{share * times.back()});
        const auto at = std::find(times.begin(), times.end(), world.time());
        ASSERT_NE(at, times.end());
        ASSERT_GT(world.time(), share * times.back() - std::max(6 * StateHistory::spacing, 2 * GetParam().step)) << "what was kept";
        std::size_t k = static_cast<std::size_t>(at - times.begin());
        ASSERT_EQ(world.state_hash(), hashes[k]);
        for (const std::size_t end = std::min(k + 40, times.size() - 1); k < end;) {
            world.step(), ++k;
            ASSERT_EQ(world.time(), times[k]) << "step " << k << " from " << share;
            ASSERT_EQ(world.state_hash(), hashes[k]) << "step " << k << " from " << share;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, GoesOn,
    ::testing::Values(Continued{"verlet", StepControl::fixed, 0, 0.01}, Continued{"rk45", StepControl::fixed, 0, 0.01},
                      Continued{"implicit-midpoint", StepControl::fixed, 0, 0.01},
                      Continued{"implicit-midpoint", StepControl::fixed, 2e-3, 0.01}, Continued{"tr-bdf2", StepControl::fixed, 0, 0.01},
                      Continued{"exprb42", StepControl::fixed, 0, 0.01}, Continued{"rk45", StepControl::error, 0, 1e-3},
                      Continued{"implicit-midpoint", StepControl::error, 0, 1e-3},
                      Continued{"implicit-midpoint", StepControl::newton, 0, 0.01}, Continued{"exprb2", StepControl::error, 0, 1e-2},
                      Continued{"exprb2", StepControl::error, 0, 1e-4}, Continued{"exprb42", StepControl::error, 0, 1e-4},
                      Continued{"verlet", StepControl::error, 0, 1e-2}, Continued{"verlet", StepControl::error, 0, 1e-2, true},
                      Continued{"implicit-midpoint", StepControl::error, 0, 1e-3, true},
                      Continued{"implicit-euler", StepControl::fixed, 0, 0.01, true},
                      Continued{"exprb2", StepControl::error, 0, 1e-3, true},
                      Continued{"implicit-midpoint", StepControl::fixed, 0.1, 1e-2, false, 300, true}),
    [](const auto& test) {
        const Continued& c = test.param;
        std::string name = c.method;
        std::erase(name, '-');
        name += c.control == StepControl::fixed ? "Fixed" : c.control == StepControl::newton ? "Newton" : "Error";
        if (c.step > 0) name += "Step" + std::to_string(std::lround(1e3 * c.step)) + "ms";
        name += "Tolerance1e" + std::to_string(std::lround(-std::log10(c.tolerance)));
        return name + (c.moving_pins ? "MovingPins" : "") + (c.rescued ? "Rescued" : "");
    });

}  // namespace
}  // namespace wobble
