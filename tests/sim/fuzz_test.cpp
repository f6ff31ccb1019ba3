// A short cut of the soak (soak_test.cpp).
#include "tests/sim/fuzz.h"
#include "tests/support/small_scene.h"

namespace wobble {
namespace {

class Fuzz : public testing::TestWithParam<int> {};

TEST_P(Fuzz, NothingExplodesUnderErrorControl) {
    Parameters parameters;
    parameters.stiffness = 1e4;
    const auto totals = support::fuzz(support::small_scene(parameters, 2, 1), GetParam(), 0.5, 0.1);
    EXPECT_GE(totals.simulated, 0.5);
    RecordProperty("steps", std::to_string(totals.steps));
    RecordProperty("rejected", std::to_string(totals.rejected));
}

TEST_P(Fuzz, NorWithAnyEvaluatorAndAnyTolerance) {
    Parameters parameters;
    parameters.stiffness = 1e4;
    const auto totals = support::fuzz(support::small_scene(parameters, 2, 1), GetParam(), 0.2, 0.05, 2, true);
    EXPECT_GE(totals.simulated, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Fuzz, testing::Range(1, 4), [](const auto& test) { return "Seed" + std::to_string(test.param); });

}  // namespace
}  // namespace wobble
