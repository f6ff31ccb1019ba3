// What the plots remember: bounded, spikes survive, going back loses nothing, several runs.
#include "app/plots/plot_pages.h"
#include "app/plots/run_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace wobble {
namespace {

constexpr double h = 0.01;

EnergySample sample(double t, double kinetic = 1) {
    EnergySample s{};
    s.t = t;
    s.h = h;
    s.wall_seconds = 0.001;
    s.energies.kinetic = kinetic;
    s.energies.max_kinetic = std::max(1.0, kinetic);
    return s;
}

// Steps from `from` to `to` with energies that tell who took them.
void march(RunHistory& history, int from, int to, double kinetic, int run = 0) {
    for (int i = from; i <= to; ++i) history.add(run, sample(h * i, kinetic + 1e-3 * i));
}

int channel(Channel c) { return static_cast<int>(c); }

TEST(SampleTrack, IsBoundedAndASpikeSurvives) {
    SampleTrack track(2, 1024);
    for (int i = 0; i < 300'000; ++i) {
        const double values[] = {i == 1234 ? 100.0 : std::sin(0.01 * i), i == 200'000 ? -7.0 : 1.0};
        track.add(0.001 * i, values);
    }
    EXPECT_LE(track.size(), 1024u);
    EXPECT_LT(track.bytes(), 1024u * 2 * 64);
    EXPECT_EQ(track.begin(), 0) << "the start is still there";
    EXPECT_DOUBLE_EQ(track.end(), 0.001 * 299'999);
    std::vector<TrackColumn> columns;
    track.columns(0, 0, 300, 1, columns);
    const auto spike = std::ranges::max_element(columns, {}, &TrackColumn::high);
    EXPECT_EQ(spike->high, 100);
    EXPECT_NEAR(spike->t, 1.234, 2);
    track.columns(1, 0, 300, 1, columns);
    EXPECT_EQ(std::ranges::min_element(columns, {}, &TrackColumn::low)->low, -7);
    std::uint64_t samples = 0;
    for (std::size_t i = 0; i < track.size(); ++i) samples += track.samples(i);
    EXPECT_EQ(samples, 300'000u);
    for (std::size_t i = 1; i < track.size(); ++i) ASSERT_GT(track.time(i), track.time(i - 1));
    EXPECT_EQ(track.samples(track.size() - 1), 1u) << "the newest are kept as they are";
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < track.size(); ++i) most = std::max(most, track.samples(i));
    EXPECT_LE(most, 16 * 300'000 / 1024) << "the older part is merged evenly";
    EXPECT_LE(track.samples(track.size() - 400), most / 4) << "the newer part less";
}

TEST(SampleTrack, ColumnsHoldLowestHighestAndMeanAtAnyLevel) {
    SampleTrack track(1, 1 << 16);
    const auto value = [](int i) { return double((i * 7919) % 1000); };
    for (int i = 0; i < 50'000; ++i) track.add(0.001 * i, std::vector{value(i)});
    for (const double width : {0.0005, 0.004, 0.05, 1.0, 20.0}) {
        std::vector<TrackColumn> columns;
        track.columns(0, 10, 40, width, columns);
        ASSERT_FALSE(columns.empty());
        EXPECT_LE(columns.size(), std::size_t(30 / width) + 20) << width;
        float low = 1e9f, high = -1e9f;
        for (const TrackColumn& c : columns) {
            EXPECT_LE(c.low, c.mean + 1e-3);
            EXPECT_LE(c.mean, c.high + 1e-3);
            low = std::min(low, c.low), high = std::max(high, c.high);
        }
        EXPECT_EQ(low, 0) << width;
        EXPECT_EQ(high, 999) << width;
        if (width >= 1) {
            EXPECT_NEAR(columns[columns.size() / 2].mean, 499.5, 20) << width;
        }
    }
    std::vector<TrackColumn> close;
    track.columns(0, 10, 10.01, 1e-5, close);
    for (const TrackColumn& c : close) {
        EXPECT_TRUE(c.single);
        EXPECT_EQ(c.high, value(int(std::lround(1000 * c.t))));
    }
    EXPECT_LE(close.front().t, 10);
    EXPECT_GE(close.back().t, 10.01) << "lines reach the edges";
}

TEST(SampleTrack, ColumnsStandStillWhenTheViewMoves) {
    SampleTrack track(1);
    for (int i = 0; i < 20'000; ++i) track.add(0.001 * i, std::vector{std::sin(0.3 * i)});
    std::vector<TrackColumn> first, second;
    track.columns(0, 5, 15, 0.01, first);
    track.columns(0, 5.0037, 15.0037, 0.01, second);
    int compared = 0;
    for (const TrackColumn& a : first)
        for (const TrackColumn& b : second)
            if (a.t == b.t && a.t > 5.1 && a.t < 14.9) {
                EXPECT_EQ(a.low, b.low);
                EXPECT_EQ(a.high, b.high);
                ++compared;
            }
    EXPECT_GT(compared, 900);
}

TEST(SampleTrack, GapsAreLeftOutAndTruncationForgets) {
    SampleTrack track(1);
    for (int i = 0; i < 1000; ++i) track.add(i, std::vector{i % 2 ? NAN : double(i)});
    std::vector<TrackColumn> columns;
    track.columns(0, 0, 999, 0.5, columns);
    EXPECT_EQ(columns.size(), 500u);
    track.truncate(500);
    track.columns(0, 0, 1000, 100, columns);
    EXPECT_EQ(std::ranges::max_element(columns, {}, &TrackColumn::high)->high, 498);
    track.add(2000, std::vector{-1.0});
    track.columns(0, 0, 3000, 1000, columns);
    EXPECT_EQ(columns.back().low, -1);
    EXPECT_FALSE(track.all_zero(0));
    SampleTrack zero(1);
    for (int i = 0; i < 100; ++i) zero.add(i, std::vector{0.0});
    EXPECT_TRUE(zero.all_zero(0));
}

TEST(RunHistory, IsBoundedInMemory) {
    RunHistory history(2048);
    march(history, 0, 100'000, 1);
    const std::size_t bytes = history.bytes();
    march(history, 100'001, 200'000, 1);
    EXPECT_LE(history.bytes(), bytes + bytes / 4);
    EXPECT_EQ(history.runs()[0].steps.begin(), 0) << "the whole run can be reached";
}

TEST(RunHistory, ResetMakesTheOldRunAnEarlierOneWhenItGoesOn) {
    RunHistory history;
    history.describe(0, "verlet", 0.0005);
    march(history, 0, 100, 1);
    history.add(sample(0));
    EXPECT_EQ(history.runs()[0].steps.size(), 101u) << "nothing is lost by the reset itself";
    EXPECT_TRUE(history.earlier().empty());
    EXPECT_EQ(history.runs()[0].present, 0);
    history.describe(0, "exprb42", 0.005);
    march(history, 1, 30, 5);
    ASSERT_EQ(history.earlier().size(), 1u);
    EXPECT_EQ(history.earlier()[0].label(), "verlet 0.5 ms");
    EXPECT_EQ(history.earlier()[0].steps.size(), 101u);
    EXPECT_EQ(history.runs()[0].steps.size(), 31u);
    EXPECT_EQ(history.runs()[0].label(), "exprb42 5 ms");
    for (int i = 0; i < 10; ++i) {
        history.add(sample(0));
        march(history, 1, 20 + i, 10 + i);
    }
    EXPECT_EQ(history.earlier().size(), std::size_t(RunHistory::most_earlier));
    history.clear_earlier();
    EXPECT_TRUE(history.earlier().empty());
    EXPECT_EQ(history.runs()[0].steps.size(), 30u);
}

TEST(RunHistory, AnIdenticalRunAfterAResetIsANewLineToo) {
    RunHistory history;
    march(history, 0, 50, 1);
    history.add(sample(0, 1));
    march(history, 1, 10, 1);
    EXPECT_EQ(history.runs()[0].steps.size(), 11u);
    EXPECT_EQ(history.earlier().size(), 1u);
}

TEST(RunHistory, GoingOnFromAnEarlierStateKeepsTheOldFuture) {
    RunHistory history;
    march(history, 0, 100, 1);
    history.add(sample(h * 60, 1 + 0.06));  // going back and forth
    history.add(sample(h * 20, 1 + 0.02));
    history.add(sample(h * 80, 1 + 0.08));
    history.add(sample(h * 40, 1 + 0.04));
    EXPECT_EQ(history.runs()[0].steps.size(), 101u);
    EXPECT_TRUE(history.earlier().empty());
    march(history, 41, 70, 3);  // another future
    ASSERT_EQ(history.earlier().size(), 1u);
    const SampleTrack &now = history.runs()[0].steps, &old = history.earlier()[0].steps;
    EXPECT_EQ(now.size(), 71u);
    EXPECT_DOUBLE_EQ(now.end(), h * 70);
    EXPECT_DOUBLE_EQ(now.value(channel(Channel::kinetic), 30), 1.03) << "the past is common";
    EXPECT_DOUBLE_EQ(now.value(channel(Channel::kinetic), 60), 3.06);
    EXPECT_DOUBLE_EQ(old.begin(), h * 40) << "it begins where they part";
    EXPECT_DOUBLE_EQ(old.end(), h * 100);
    EXPECT_DOUBLE_EQ(old.value(channel(Channel::kinetic), old.size() - 1), 1.1);
}

TEST(RunHistory, RetracingTheSameFutureChangesNothing) {
    RunHistory history;
    march(history, 0, 100, 1);
    history.add(sample(h * 40, 1 + 0.04));
    march(history, 41, 120, 1);
    EXPECT_TRUE(history.earlier().empty());
    EXPECT_EQ(history.runs()[0].steps.size(), 121u);
}

TEST(RunHistory, AnEditBetweenStepsReplacesTheEnergiesOnly) {
    RunHistory history;
    march(history, 0, 10, 1);
    EnergySample edited = sample(h * 10, 8);
    edited.wall_seconds = 0.5;
    history.add(edited);
    const SampleTrack& track = history.runs()[0].steps;
    EXPECT_EQ(track.size(), 11u);
    EXPECT_EQ(track.value(channel(Channel::kinetic), 10), 8);
    EXPECT_EQ(track.value(channel(Channel::wall), 10), 0.001);
}

TEST(RunHistory, RefusedStepsAreCountedPerStep) {
    RunHistory history;
    const std::uint64_t refused[] = {0, 0, 3, 3, 4};
    for (int i = 0; i < 5; ++i) {
        EnergySample s = sample(h * i);
        s.rejected_steps = refused[i];
        history.add(s);
    }
    const SampleTrack& track = history.runs()[0].steps;
    const double expected[] = {NAN, 0, 3, 0, 1};
    for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(track.value(channel(Channel::refused), i), expected[i]);
    EXPECT_TRUE(std::isnan(track.value(channel(Channel::wall), 0))) << "no step led to the first state";
}

TEST(RunHistory, SeveralRunsAndTheirDifferences) {
    RunHistory history;
    march(history, 0, 10, 1);
    history.set_runs(3);
    EXPECT_TRUE(history.runs()[0].steps.empty()) << "a comparison starts anew";
    for (int r = 0; r < 3; ++r) {
        history.describe(r, r == 0 ? "verlet" : "exprb42", 1e-3 * (r + 1));
        march(history, 0, 20 + r, r + 1, r);
    }
    for (int i = 1; i <= 20; ++i) history.add_difference(2, i * h, 0.1 * i);
    for (int r = 0; r < 3; ++r) EXPECT_EQ(history.runs()[std::size_t(r)].steps.size(), std::size_t(21 + r));
    EXPECT_EQ(history.runs()[2].label(), "exprb42 3 ms");
    EXPECT_EQ(history.runs()[2].differences.size(), 20u);
    history.add_difference(2, 5 * h, 0.1);
    EXPECT_EQ(history.runs()[2].differences.size(), 20u) << "going back loses nothing";
    history.add_difference(2, 6 * h, 0.1);
    history.add_difference(2, 21 * h, 0.2);
    EXPECT_EQ(history.runs()[2].differences.size(), 7u);
    history.add(7, sample(1));
    history.add(-1, sample(1));
    history.set_runs(3);
    EXPECT_EQ(history.runs()[0].steps.size(), 21u) << "the same number changes nothing";
    history.set_runs(1);
    EXPECT_EQ(history.runs().size(), 1u);
}

TEST(RunHistory, HeldItStandsStillAndLosesNothing) {
    RunHistory history;
    march(history, 0, 10, 1);
    history.hold(true);
    march(history, 11, 50, 1);
    EXPECT_EQ(history.runs()[0].steps.size(), 11u);
    history.hold(false);
    EXPECT_EQ(history.runs()[0].steps.size(), 51u);
    history.hold(true);
    march(history, 51, 51 + int(RunHistory::most_held), 1);
    EXPECT_GT(history.runs()[0].steps.size(), 51u) << "a very long pause is bounded too";
    history.set_runs(2);
    EXPECT_FALSE(history.held()) << "of what is no longer there";
}

TEST(RunHistory, AnotherBodyStartsAnew) {
    RunHistory history;
    march(history, 0, 50, 1);
    history.add(sample(0, 9));
    history.new_body();
    EXPECT_TRUE(history.earlier().empty());
    EXPECT_EQ(history.runs()[0].steps.size(), 1u);
    EXPECT_EQ(history.runs()[0].steps.value(channel(Channel::kinetic), 0), 9);
}

TEST(RunHistory, AMethodChangedOnTheWayIsTold) {
    RunHistory history;
    history.describe(0, "verlet", 0.001);
    march(history, 0, 10, 1);
    history.describe(0, "bdf2", 0.01);
    march(history, 11, 20, 1);
    EXPECT_EQ(history.runs()[0].label(), "verlet, then bdf2 10 ms");
    history.describe(0, "exprb42", 0);
    march(history, 21, 30, 1);
    EXPECT_EQ(history.runs()[0].label(), "verlet, then exprb42 10 ms") << "the step is read from the run";
}

// The definition: (total + dissipated - supplied - initial) / largest kinetic energy of the run.
TEST(Drift, IsSignedAndAShareOfTheLargestKineticEnergy) {
    PlotsState plots;
    plots.page = PlotPage::drift;
    for (int i = 0; i < 10; ++i) {
        EnergySample s = sample(h * i);
        s.energies = {.kinetic = 2, .elastic = 3, .potential = -1, .dissipated = 0.5, .supplied = 0.25, .initial_total = 4.5};
        s.energies.max_kinetic = i < 5 ? 2 : 5;
        s.energies.max_error = 0.25;
        plots.history.add(s);
    }
    const RunHistory::Run& run = plots.history.runs()[0];
    const auto lines = page_lines(plots);
    ASSERT_EQ(lines.size(), 2u);
    const auto value = [](const PlotLine& line, std::size_t row) { return line.factor * line.track->value(line.channel, row); };
    EXPECT_DOUBLE_EQ(value(lines[0], 9), 100 * (4 + 0.5 - 0.25 - 4.5) / 5);
    EXPECT_DOUBLE_EQ(value(lines[1], 9), 100 * 0.25 / 5);
    EXPECT_DOUBLE_EQ(run.percent(), 20);
}

}  // namespace
}  // namespace wobble
