// The plot strip without a window: ImGui is given a mouse, and nothing is drawn.
#include "app/panels/panels.h"
#include "app/plots/plot_pages.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <functional>

namespace wobble {
namespace {

class Strip : public ::testing::Test {
protected:
    void SetUp() override {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {1280, 800};
        io.DeltaTime = 1.0f / 60;
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        march(0, 2000);
        frame();
        frame();
    }
    void TearDown() override { ImGui::DestroyContext(); }

    void march(int from, int to) {
        for (int i = from; i <= to; ++i) {
            EnergySample s{};
            s.t = 0.01 * i;
            s.h = 0.01;
            s.wall_seconds = 0.002;
            s.newton_iterations = 2;
            s.energies.kinetic = std::pow(std::sin(s.t), 2);
            s.energies.elastic = std::pow(std::cos(s.t), 2);
            s.energies.initial_total = s.energies.max_kinetic = 1;
            plots().history.add(s);
        }
        snapshot_.t = 0.01 * to;
        snapshot_.history_begin = 2;
        snapshot_.history_end = snapshot_.t;
    }
    void frame() {
        ImGui::NewFrame();
        plot_panel(snapshot_, ui_, [this](Command command) {
            if (const auto* go_to = std::get_if<GoTo>(&command)) gone_to_.push_back(go_to->t);
        });
        ImGui::EndFrame();
    }
    void move(float x, float y) {
        ImGui::GetIO().MousePos = {x, y};
        frame();
    }
    void press(int button, bool down) {
        ImGui::GetIO().MouseDown[button] = down;
        frame();
    }
    void click(float x, float y) {
        move(x, y);
        press(0, true);
        press(0, false);
        for (int i = 0; i < 30; ++i) frame();  // so that the next one is not a double click
    }
    void wheel(float notches) {
        ImGui::GetIO().MouseWheel = notches;
        frame();
        ImGui::GetIO().MouseWheel = 0;
    }
    // Clicks from place to place until it has had the effect.
    bool click_along(float x0, float y0, float x1, float y1, const std::function<bool()>& done) {
        for (int i = 0; i <= 80 && !done(); ++i) click(x0 + (x1 - x0) * float(i) / 80, y0 + (y1 - y0) * float(i) / 80);
        return done();
    }
    PlotsState& plots() { return ui_.plots; }
    PlotRect rect() { return plots().rect; }
    float middle() { return rect().y + 0.5f * rect().height; }

    Snapshot snapshot_;
    UiState ui_;
    std::vector<double> gone_to_;
};

TEST_F(Strip, FollowsTheLastTenSecondsUntilOneZooms) {
    EXPECT_EQ(plots().shown, (TimeRange{10, 20}));
    const float x = rect().x + 0.4f * rect().width;
    move(x, middle());
    wheel(1);
    frame();
    EXPECT_LT(plots().shown.length(), 9);
    const TimeRange closer = plots().shown;
    move(x, middle());
    press(0, true);
    move(x + 40, middle());
    move(x + 100, middle());
    press(0, false);
    frame();
    EXPECT_LT(plots().shown.length(), 0.5 * closer.length());
    EXPECT_GE(plots().shown.low, closer.low);
    const TimeRange dragged = plots().shown;
    press(1, true);
    move(x + 150, middle());
    move(x + 160, middle());
    press(1, false);
    frame();
    EXPECT_LT(plots().shown.low, dragged.low) << "pulling to the right shows what was before";
    EXPECT_NEAR(plots().shown.length(), dragged.length(), 1e-9);
    for (int i = 0; i < 40; ++i) frame();
    for (const bool down : {true, false, true, false}) press(0, down);
    frame();
    EXPECT_EQ(plots().shown, (TimeRange{10, 20}));
    EXPECT_TRUE(gone_to_.empty());
}

TEST_F(Strip, ValuesZoomByWheelAndBoxAndEveryPageKeepsItsOwn) {
    const auto values = [&]() -> const ValueView& { return page_view(plots()).values; };
    const float axis = rect().x + 24, x = rect().x + 0.4f * rect().width;
    move(axis, middle());
    wheel(2);
    frame();
    ASSERT_FALSE(values().follows);
    const PlotRange closer = values().fixed;
    EXPECT_EQ(plots().shown, (TimeRange{10, 20})) << "the time stays as it was";
    wheel(1);
    EXPECT_LT(values().fixed.high - values().fixed.low, closer.high - closer.low);
    EXPECT_GE(values().fixed.low, closer.low);
    EXPECT_LE(values().fixed.high, closer.high);

    plots().page = PlotPage::timing;
    frame();
    EXPECT_TRUE(values().follows) << "another page";
    plots().page = PlotPage::energy;
    frame();
    EXPECT_FALSE(values().follows);

    const PlotRange before = values().fixed;
    press(0, true);
    move(axis, middle() + 10);
    move(axis, middle() + 20);
    press(0, false);
    EXPECT_GT(values().fixed.low, before.low) << "pulling down shows what is higher";
    EXPECT_NEAR(values().fixed.high - values().fixed.low, before.high - before.low, 1e-9 * std::abs(before.high));
    move(axis, middle());
    for (int i = 0; i < 6 && !values().follows; ++i) wheel(-5);
    EXPECT_TRUE(values().follows) << "all of them are seen again";

    move(x, middle() - 15);
    press(0, true);
    move(x + 40, middle());
    move(x + 100, middle() + 25);
    press(0, false);
    frame();
    EXPECT_LT(plots().shown.length(), 5);
    ASSERT_FALSE(values().follows) << "a box";
    for (int i = 0; i < 40; ++i) frame();
    for (const bool down : {true, false, true, false}) press(0, down);
    frame();
    EXPECT_TRUE(values().follows);
    EXPECT_EQ(plots().shown, (TimeRange{10, 20}));
}

TEST_F(Strip, TheTimeAxisGoesToKeptStatesOnly) {
    const float y = rect().y + rect().height - 8, width = rect().width;
    click(rect().x + 0.4f * width, y);
    ASSERT_EQ(gone_to_.size(), 1u);
    EXPECT_GT(gone_to_.back(), 11);
    EXPECT_LT(gone_to_.back(), 19);
    plots().time.show_all();
    frame();
    click(rect().x + 70, y);
    EXPECT_EQ(gone_to_.back(), 2) << "the oldest kept state";
    snapshot_.history_begin = snapshot_.history_end = 0;
    const std::size_t before = gone_to_.size();
    click(rect().x + 0.4f * width, y);
    EXPECT_EQ(gone_to_.size(), before) << "nothing is kept";
}

TEST_F(Strip, AClickInTheLegendHidesAndShows) {
    const std::size_t all = page_lines(plots()).size();
    EXPECT_EQ(all, 4u);
    const float x = rect().x + rect().width - 60;
    float y = 0;
    const auto hidden = [&] { return plots().views[0].hidden != 0; };
    for (y = rect().y + 35; y < rect().y + rect().height && !hidden(); y += 6) click(x, y);
    ASSERT_TRUE(hidden());
    EXPECT_EQ(page_lines(plots()).size(), all - 1);
    click(x, y - 6);
    EXPECT_EQ(page_lines(plots()).size(), all);
}

TEST_F(Strip, EveryPageOpensAndPausedPlotsStandStill) {
    for (int page = static_cast<int>(PlotPage::count) - 1; page >= 0; --page) {
        const auto wanted = static_cast<PlotPage>(page);
        EXPECT_TRUE(click_along(rect().x + 12, rect().y + 15, rect().x + 420, rect().y + 15, [&] { return plots().page == wanted; }));
        frame();
    }
    const float right = rect().x + rect().width;
    ASSERT_TRUE(click_along(right - 300, rect().y + 15, right - 60, rect().y + 15, [&] { return plots().paused; }));
    const TimeRange shown = plots().shown;
    const std::size_t rows = plots().history.runs()[0].steps.size();
    march(2001, 3000);
    frame();
    EXPECT_EQ(plots().shown, shown);
    EXPECT_EQ(plots().history.runs()[0].steps.size(), rows);
    ASSERT_TRUE(click_along(right - 300, rect().y + 15, right - 60, rect().y + 15, [&] { return !plots().paused; }));
    EXPECT_EQ(plots().history.runs()[0].steps.size(), rows + 1000);
}

TEST_F(Strip, SurvivesAnyWindowAndStrangeValues) {
    plots().history.set_runs(4);
    for (int r = 0; r < 4; ++r)
        for (int i = 0; i < 200; ++i) {
            EnergySample s{};
            s.t = i;
            s.energies.kinetic = i % 7 == 0 ? NAN : i % 11 == 0 ? 1e300 : -1e-300 * i;
            s.energies.elastic = i % 5 == 0 ? INFINITY : 0;
            plots().history.add(r, s);
            plots().history.add_difference(r, i, i % 3 ? 1e-30 : NAN);
        }
    for (const ImVec2 size : {ImVec2(1, 1), ImVec2(200, 150), ImVec2(900, 640), ImVec2(4000, 3000)})
        for (const bool logarithmic : {false, true})
            for (int page = 0; page < static_cast<int>(PlotPage::count); ++page) {
                ImGui::GetIO().DisplaySize = size;
                plots().page = static_cast<PlotPage>(page);
                page_view(plots()).logarithmic = logarithmic;
                page_view(plots()).hidden_comparing = 0;
                move(0.6f * size.x, size.y - 80);
                wheel(-3);
                EXPECT_TRUE(std::isfinite(plots().shown.low) && plots().shown.length() > 0);
            }
}

}  // namespace
}  // namespace wobble
