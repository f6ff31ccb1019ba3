// Numbers of the plots: ticks, units, ranges, and the arithmetic of zooming.
#include "app/plots/plot_numbers.h"
#include "app/plots/plots.h"
#include "app/plots/time_view.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wobble {
namespace {

TEST(PlotNumbers, TicksAreRoundAndNumbersShort) {
    EXPECT_DOUBLE_EQ(tick_distance(10, 5), 2);
    EXPECT_DOUBLE_EQ(tick_distance(0.007, 4), 0.002);
    EXPECT_DOUBLE_EQ(tick_distance(0, 4), 1);
    EXPECT_DOUBLE_EQ(tick_distance(INFINITY, 4), 1);
    EXPECT_EQ(short_number(12345), "12.3 k");
    EXPECT_EQ(short_number(-0.00456), "-4.56 m");
    EXPECT_EQ(short_number(0), "0 ");
    EXPECT_EQ(short_number(999.9, 3), "1 k");
    EXPECT_EQ(short_number(NAN), "? ");
}

TEST(PlotNumbers, UnitsOfMeasurementTakePrefixesCountsDoNot) {
    EXPECT_EQ(with_unit(0.0123, "J"), "12.3 mJ");
    EXPECT_EQ(with_unit(-2500, "J"), "-2.5 kJ");
    EXPECT_EQ(with_unit(12, ""), "12");
    EXPECT_EQ(with_unit(0.25, "%"), "0.25 %");
    EXPECT_EQ(axis_unit(0.2, "J").name, "mJ");
    EXPECT_DOUBLE_EQ(axis_unit(0.2, "J").size, 1e-3);
    EXPECT_EQ(axis_unit(40, "J").name, "J");
    EXPECT_EQ(axis_unit(0, "J").name, "J");
    EXPECT_EQ(axis_unit(3, "%").name, "%");
    EXPECT_EQ(axis_unit(3e-8, "%").name, "1e-9 %");
    EXPECT_DOUBLE_EQ(axis_unit(3e-8, "%").size, 1e-9);
    EXPECT_EQ(axis_unit(4e-12, "m").name, "1e-12 m");
}

TEST(PlotNumbers, ARangeIsRoundShowsZeroAndHoldsItsValues) {
    for (const auto& [low, high] : {std::pair{0.3, 7.7}, {-2.0, 11.0}, {-5.0, -4.0}, {1e-12, 3e-12}}) {
        const PlotRange range = round_range(low, high, false, 5);
        EXPECT_LE(range.low, std::min(low, 0.0));
        EXPECT_GE(range.high, std::max(high, 0.0));
        EXPECT_LT(range.high - range.low, 1.7 * (std::max(high, 0.0) - std::min(low, 0.0)));
        const auto ticks = linear_ticks(range, 5, 1);
        EXPECT_GE(ticks.size(), 3u);
        EXPECT_LE(ticks.size(), 12u);
        EXPECT_TRUE(std::ranges::any_of(ticks, [](const AxisTick& t) { return t.value == 0 && t.label == "0"; }));
    }
    // A little more of the same does not move the axis.
    EXPECT_EQ(round_range(0, 7.7, false, 5).high, round_range(0, 7.701, false, 5).high);
    EXPECT_GT(round_range(0, 0, false, 5).high, 0);
    EXPECT_GT(round_range(INFINITY, -INFINITY, false, 5).high, 0) << "without any value";
}

TEST(PlotNumbers, ALogarithmicRangeIsMadeOfWholeDecades) {
    const PlotRange range = round_range(3e-7, 0.02, true, 4);
    EXPECT_DOUBLE_EQ(range.low, 1e-7);
    EXPECT_DOUBLE_EQ(range.high, 0.1);
    int labelled = 0;
    for (const AxisTick& tick : logarithmic_ticks(range, 4)) labelled += !tick.label.empty();
    EXPECT_GE(labelled, 2);
    EXPECT_LE(labelled, 4);
    EXPECT_GE(round_range(1e-280, 1, true, 4).low, 1e-13) << "noise does not squeeze what matters";
    const PlotRange flat = round_range(5, 5, true, 4);
    EXPECT_LT(flat.low, flat.high);
}

TEST(PlotNumbers, TimesHaveTheDecimalsTheirTicksNeed) {
    EXPECT_EQ(time_label(65.1234, 0.0001), "65.1234");
    EXPECT_EQ(time_label(65, 5), "65");
    EXPECT_EQ(time_label(0.4, 0.2), "0.4");
    EXPECT_EQ(time_label(-1e-12, 0.2), "0.0");
}

TEST(PlotArea, PlacesAndTimesAreInverse) {
    const PlotArea area{100, 10, 500, 110, {2, 4}, {1, 100}, true};
    EXPECT_FLOAT_EQ(area.x(3), 300);
    EXPECT_NEAR(area.t(area.x(2.25)), 2.25, 1e-6);
    EXPECT_FLOAT_EQ(area.y(10), 60);
    EXPECT_FLOAT_EQ(area.y(-10), 60) << "sizes on a logarithmic axis";
    EXPECT_GT(area.y(0), area.bottom) << "zero is below";
}

TEST(TimeView, FollowsTheLastTenSeconds) {
    TimeView view;
    EXPECT_EQ(view.update(0, 0, 0), (TimeRange{0, 0.25}));
    EXPECT_EQ(view.update(0, 4, 4), (TimeRange{0, 4}));
    EXPECT_EQ(view.update(0, 25, 25), (TimeRange{15, 25}));
    view.show_all();
    EXPECT_EQ(view.update(0, 26, 26), (TimeRange{0, 26}));
}

TEST(TimeView, GoingBackWithinSightMovesNothing) {
    TimeView view;
    view.update(0, 25, 25);
    EXPECT_EQ(view.update(0, 25, 18), (TimeRange{15, 25}));
    EXPECT_EQ(view.update(0, 25, 20), (TimeRange{15, 25})) << "the old future stays in sight while it goes on";
    const TimeRange far = view.update(0, 25, 5);
    EXPECT_LE(far.low, 5);
    EXPECT_GE(far.high, 5);
    EXPECT_DOUBLE_EQ(far.length(), 10);
    // After a reset with an earlier run of 25 s there is room for ten seconds from the start.
    EXPECT_EQ(view.update(0, 25, 0), (TimeRange{0, 10}));
    EXPECT_EQ(view.update(0, 0, 0), (TimeRange{0, 0.25})) << "and without earlier runs the axis begins anew";
}

TEST(TimeView, TheWheelKeepsWhatIsUnderThePointer) {
    TimeView view;
    TimeRange shown = view.update(0, 100, 100);
    view.zoom(shown, 92.5, 0.5, 0, 100);
    shown = view.update(0, 100, 100);
    EXPECT_FALSE(view.follows);
    EXPECT_EQ(shown, (TimeRange{91.25, 96.25}));
    EXPECT_EQ(view.update(0, 130, 130), shown) << "it stands while the run goes on";
    for (int i = 0; i < 60; ++i) view.zoom(view.update(0, 130, 130), 93, 1.25, 0, 130);
    EXPECT_EQ(view.update(0, 130, 130), (TimeRange{0, 130})) << "all of it, not more";
    EXPECT_EQ(view.update(0, 131, 131).high, 131) << "what reaches the present follows it";
    for (int i = 0; i < 200; ++i) view.zoom(view.update(0, 131, 131), 50, 0.8, 0, 131);
    EXPECT_NEAR(view.update(0, 131, 131).length(), TimeView::shortest, 1e-9);
    view.zoom(view.update(0, 131, 131), 50, NAN, 0, 131);
    EXPECT_NEAR(view.update(0, 131, 131).length(), TimeView::shortest, 1e-9);
    view.reset();
    EXPECT_EQ(view.update(0, 131, 131), (TimeRange{121, 131}));
}

TEST(TimeView, DragsSelectAndMove) {
    TimeView view;
    view.update(0, 50, 50);
    view.select(47, 44, 50);
    EXPECT_EQ(view.update(0, 50, 50), (TimeRange{44, 47}));
    view.pan({44, 47}, -2, 0, 50);
    EXPECT_EQ(view.update(0, 50, 50), (TimeRange{42, 45}));
    view.pan({42, 45}, -1000, 0, 50);
    EXPECT_EQ(view.update(0, 50, 50), (TimeRange{0, 3})) << "not beyond the start";
    view.pan({0, 3}, 1000, 0, 50);
    EXPECT_EQ(view.update(0, 50, 50), (TimeRange{47, 50}));
    EXPECT_EQ(view.update(0, 60, 60), (TimeRange{57, 60})) << "the end is the present";
}

TEST(VisibleRange, OfLogarithmicAxesIsThatOfSizesAboveZero) {
    const std::vector<std::vector<TrackColumn>> columns{{{0, -3, 2, 0, false}, {1, 0, 0, 0, true}, {2, 0.5f, 1, 0.7f, false}}};
    std::vector<PlotLine> lines(1);
    lines[0].factor = 10;
    const PlotRange linear = visible_range(columns, lines, false), sizes = visible_range(columns, lines, true);
    EXPECT_DOUBLE_EQ(linear.low, -30);
    EXPECT_DOUBLE_EQ(linear.high, 20);
    EXPECT_DOUBLE_EQ(sizes.low, 5);
    EXPECT_DOUBLE_EQ(sizes.high, 30);
}

}  // namespace
}  // namespace wobble
