// The decisions of robust stepping, without a body.
#include "engine/sim/rescue_ladder.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

constexpr auto failed = StepStatus::newton_diverged;

TEST(RescueLadder, AnImplicitStepThatFailedIsRedoneAndThenShortened) {
    const RescueLadder ladder;
    const RescueLadder::Rules rules{.family = Family::implicit_classical, .own_step = false};
    EXPECT_EQ(ladder.next(rules, {.status = failed, .h = 0.01}), Rescue::redo);
    EXPECT_EQ(ladder.next(rules, {.status = failed, .h = 0.01, .tried = Rescue::redo}), Rescue::shorten);
    EXPECT_EQ(ladder.next(rules, {.status = StepStatus::ok, .h = 0.01}), Rescue::shorten) << "only inaccurate";
    EXPECT_EQ(ladder.next(rules, {.status = failed, .h = 0.01, .stopped = true}), Rescue::give_up);
}

TEST(RescueLadder, AnExponentialStepIsHandedOverWhenHopelessThenSettles) {
    const RescueLadder ladder;
    const RescueLadder::Rules rules{.controlled = true, .step = 1e-3, .longest = 0.01, .whole = 0.01, .hopeless = 1e-4};
    EXPECT_EQ(ladder.next(rules, {.h = 1e-3}), Rescue::shorten);
    EXPECT_EQ(ladder.next(rules, {.h = 1e-4}), Rescue::hand_over);
    EXPECT_EQ(ladder.next(rules, {.status = StepStatus::krylov_stagnated, .h = 1e-3}), Rescue::hand_over);
    EXPECT_EQ(ladder.next(rules, {.h = 1e-4, .tried = Rescue::hand_over}), Rescue::settle);
    EXPECT_EQ(ladder.next(rules, {.h = 1e-4, .tried = Rescue::settle}), Rescue::shorten);
}

TEST(RescueLadder, AStepAskedForIsKeptUnlessHalvingIsAllowed) {
    const RescueLadder ladder;
    RescueLadder::Rules rules{.family = Family::explicit_classical, .own_step = false, .step = 0.01};
    EXPECT_EQ(ladder.next(rules, {.status = failed, .h = 0.01}), Rescue::give_up);
    rules.may_halve = true;
    EXPECT_EQ(ladder.next(rules, {.status = failed, .h = 0.01}), Rescue::shorten);
}

TEST(RescueLadder, HalvedStepsGrowBackAfterSixteenGoodOnes) {
    RescueLadder ladder;
    const RescueLadder::Rules rules{.family = Family::explicit_classical, .step = 0.01};
    ladder.shortened(rules, 0.01);
    EXPECT_EQ(ladder.step_fraction(), 0.5);
    for (int n = 0; n < 15; ++n) ladder.good_step();
    EXPECT_EQ(ladder.step_fraction(), 0.5);
    ladder.good_step();
    EXPECT_EQ(ladder.step_fraction(), 1);
    ladder.watch_drift(rules, 0.04);
    EXPECT_EQ(ladder.step_fraction(), 0.5) << "for good";
    for (int n = 0; n < 64; ++n) ladder.good_step();
    EXPECT_EQ(ladder.step_fraction(), 0.5);
}

TEST(RescueLadder, AHopelessMethodIsAskedAfterPowersOfTwo) {
    RescueLadder ladder;
    const RescueLadder::Rules rules{.controlled = true, .step = 1e-3, .longest = 0.01, .whole = 0.01, .hopeless = 1e-4};
    std::vector<int> asked;
    for (int n = 0; n < 64; ++n) {
        if (ladder.asks_method(rules)) asked.push_back(n);
        ladder.rescued(Rescue::hand_over);
    }
    EXPECT_EQ(asked, (std::vector<int>{0, 1, 2, 3, 4, 8, 16, 32}));
    EXPECT_EQ(ladder.handovers(), 0) << "begins anew";
    ladder.rescued(Rescue::settle);
    EXPECT_TRUE(ladder.settled());
    EXPECT_EQ(ladder.least_part(rules, 1e-4), 0.01);
    ladder.fell(Rescue::settle);
    EXPECT_FALSE(ladder.settled());
    EXPECT_EQ(ladder.least_part(rules, 1e-4), 0.01 / 64);
}

}  // namespace
}  // namespace wobble
