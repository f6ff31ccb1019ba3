// How fine the picture is while things move, as a function of how long pictures took.
#include "app/window/picture_detail.h"

#include <gtest/gtest.h>

#include <array>

namespace wobble {
namespace {

using Costs = std::array<double, 3>;  // s, of a fine, a plain and a coarse picture

// Draws so many pictures in motion; how many of them were of each detail.
std::array<int, 3> draw(DetailChooser& chooser, int pictures, const Costs& costs, double display_frame) {
    std::array<int, 3> of_detail{};
    for (int i = 0; i < pictures; ++i) {
        const PictureDetail detail = chooser.in_motion();
        const auto level = static_cast<std::size_t>(detail);
        ++of_detail[level];
        chooser.drawn(detail, costs[level], display_frame);
    }
    return of_detail;
}

DetailChooser coarsest(double display_frame) {
    DetailChooser chooser;
    draw(chooser, 4, {1, 1, 1}, display_frame);
    return chooser;
}

TEST(PictureDetail, GetsCoarserWhileDrawingIsSlowAndFineAgainWhenThereIsTime) {
    constexpr double display = 1.0 / 60;
    DetailChooser chooser;
    const auto took = [&](double seconds) { chooser.drawn(chooser.in_motion(), seconds, display); };
    took(0.2);
    EXPECT_EQ(chooser.in_motion(), PictureDetail::fine) << "one hitch says nothing";
    took(0.012), took(0.040), took(0.035);
    EXPECT_EQ(chooser.in_motion(), PictureDetail::plain);
    took(0.030);
    EXPECT_EQ(chooser.in_motion(), PictureDetail::plain) << "the times of another detail do not count";
    took(0.030);
    EXPECT_EQ(chooser.in_motion(), PictureDetail::coarse);
    for (int i = 0; i < 5; ++i) took(0.018);
    EXPECT_EQ(chooser.in_motion(), PictureDetail::coarse) << "a finer one would be too slow";
    for (int i = 0; i < 4; ++i) took(0.003);
    EXPECT_EQ(chooser.in_motion(), PictureDetail::fine);
}

TEST(PictureDetail, APictureAtRestSaysNothingAboutThoseInMotion) {
    constexpr double display = 1.0 / 60;
    DetailChooser chooser = coarsest(display);
    ASSERT_EQ(chooser.in_motion(), PictureDetail::coarse);
    for (int i = 0; i < 10; ++i) chooser.drawn(PictureDetail::fine, 0.001, display);
    EXPECT_EQ(chooser.in_motion(), PictureDetail::coarse);
    draw(chooser, 4, {0.004, 0.003, 0.002}, display);
    ASSERT_EQ(chooser.in_motion(), PictureDetail::fine);
    for (int i = 0; i < 10; ++i) chooser.drawn(PictureDetail::coarse, 1, display);
    EXPECT_EQ(chooser.in_motion(), PictureDetail::fine);
}

TEST(PictureDetail, IsFineAgainOnEveryDisplayThatCanShowIt) {
    for (const double hertz : {30.0, 50.0, 60.0, 144.0}) {
        DetailChooser quick = coarsest(1 / hertz);
        ASSERT_EQ(quick.in_motion(), PictureDetail::coarse);
        draw(quick, 4, {0.009, 0.005, 0.002}, 1 / hertz);
        EXPECT_EQ(quick.in_motion(), PictureDetail::fine) << hertz;

        DetailChooser tight = coarsest(1 / hertz);  // coarser saves little here, which only a trial can tell
        draw(tight, 300, {0.018, 0.017, 0.016}, 1 / hertz);
        EXPECT_EQ(tight.in_motion(), PictureDetail::fine) << hertz;
    }
}

TEST(PictureDetail, ASlowDisplayIsNoReasonForACoarsePicture) {
    DetailChooser chooser;
    draw(chooser, 100, {0.033, 0.030, 0.020}, 1.0 / 30);
    EXPECT_EQ(chooser.in_motion(), PictureDetail::fine);
}

TEST(PictureDetail, TrialsThatFailGetRarer) {
    for (const double hertz : {30.0, 60.0}) {
        DetailChooser tight = coarsest(1 / hertz), roomy = coarsest(1 / hertz);
        const Costs little_room{0.4, 0.1, 0.015}, much_room{0.4, 0.1, 0.002};
        const auto early = draw(tight, 1000, little_room, 1 / hertz), late = draw(tight, 10000, little_room, 1 / hertz);
        EXPECT_GE(early[1], 2) << "never tried";
        EXPECT_LE(early[0] + early[1], 10);
        EXPECT_LE(late[0] + late[1], 20) << "two pictures of a thousand";
        draw(roomy, 1000, much_room, 1 / hertz);
        const auto flicker = draw(roomy, 1000, much_room, 1 / hertz);
        EXPECT_LE(flicker[0] + flicker[1], 40) << "goes to and fro";
        draw(tight, 4096, {0.004, 0.003, 0.002}, 1 / hertz);
        EXPECT_EQ(tight.in_motion(), PictureDetail::fine) << "and it still notices that drawing became fast";
    }
}

}  // namespace
}  // namespace wobble
