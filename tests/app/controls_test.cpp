// Every panel is opened and every control is moved once by synthetic input. A control is whatever has a tooltip.
#include "app/window/settings.h"
#include "tests/app/own_folder.h"
#include "tests/app/viewer_test.h"

#include <algorithm>
#include <set>

namespace wobble {
namespace {

class Controls : public ViewerTest {
protected:
    void change(ViewerOptions& options) override {
        options.list_controls = true;
        options.height = 760;
    }
    void TearDown() override { app_.reset(); }  // before its folder goes
    OwnFolder folder_{"controls"};
    // Everything a control can change: interface, options, wishes under way, and what the simulation was told.
    std::string state() {
        const UiState& u = app_->ui();
        std::string text = settings_text(u);
        for (const bool b : {u.show_help, u.show_open, u.studies.show, u.scene.show_report, u.scene.show_save, u.compare.on,
                             u.record.recording, u.plots.paused, u.plots.earlier_runs, u.loading.active})
            text += b ? '1' : '0';
        for (const auto& view : u.plots.views) text += std::to_string(view.hidden) + (view.logarithmic ? "l" : "");
        text += u.record.message + u.plots.message + u.scene.message + u.studies.message + std::to_string(static_cast<int>(u.plots.page));
        text += std::to_string(app_->latest()->commands) + std::to_string(u.studies.selected) + std::to_string(u.studies.quick) +
                u.interface.method_filter;
        for (const std::string& m : u.compare.methods) text += m;
        return text;
    }
    static std::string place(const SeenControl& c, float share = 0.5f) {
        return "mousemove " + std::to_string(int(c.x0 + share * (c.x1 - c.x0))) + " " + std::to_string(int(0.5f * (c.y0 + c.y1))) + " ";
    }
    void tidy() {
        ASSERT_TRUE(Xvfb::xdotool("key Escape"));
        frames(2);
        UiState& u = app_->ui();
        u.scene.show_save = u.scene.show_report = u.show_open = u.show_help = u.studies.show = false;
        u.record.stop = true;
        if (u.compare.on) u.compare.stop = true;
        u.cancel_loading = true;
        u.quit = u.leaving = false;
        u.interface.full_screen = false;
        app_->post(Pause{});  // what moves would look like an effect
        app_->post(Reset{});
        frames(2);
    }
};

const char* const sections[] = {"Scene", "Playback", "Material", "Integrator", "Compare", "View", "Record", "Interface"};

class ControlsOf : public Controls, public testing::WithParamInterface<const char*> {};

TEST_P(ControlsOf, TheSectionOpensAndEveryControlDoesSomething) {
    const std::string section = GetParam();
    const auto open_it = [&] {
        ui().interface.closed = {std::begin(sections), std::end(sections)};
        ui().interface.closed.erase(section);
        frames(3);
    };
    open_it();
    // By what they say: places move when a control opens something.
    std::vector<std::string> names, silent;
    for (const SeenControl& c : app_->controls())
        if (c.enabled && std::find(names.begin(), names.end(), c.tooltip) == names.end()) names.push_back(c.tooltip);
    EXPECT_GT(names.size(), 1u);
    std::size_t pressed = 0;
    for (const std::string& name : names) {
        open_it();
        const auto all = app_->controls();
        const auto control = std::find_if(all.begin(), all.end(), [&](const SeenControl& c) { return c.tooltip == name; });
        if (control == all.end() || control->x1 - control->x0 < 3) continue;
        ++pressed;
        const std::string before = state();
        const Image picture = shown();
        ASSERT_TRUE(Xvfb::xdotool(place(*control, 0.6f)));
        frames(1);
        ASSERT_TRUE(Xvfb::xdotool("mousedown 1"));
        frames(1);
        const int drag = std::clamp(static_cast<int>(0.3f * (control->x1 - control->x0)), 1, 9);  // inside small ones, too
        ASSERT_TRUE(Xvfb::xdotool("mousemove_relative " + std::to_string(drag) + " 0"));
        frames(1);
        ASSERT_TRUE(Xvfb::xdotool("mouseup 1"));
        frames(2);
        const bool popup = different_pixels(picture, shown(), {0, 0, 900, 760}) > 1500;
        if (state() == before && !popup) silent.push_back(name);
        tidy();
    }
    EXPECT_GT(pressed, names.size() / 2);
    // Labels explain but do nothing when pressed; controls do.
    EXPECT_LE(silent.size(), pressed / 4);
    for (const std::string& s : silent) std::printf("pressed without effect: %.90s\n", s.c_str());
}

INSTANTIATE_TEST_SUITE_P(All, ControlsOf, testing::ValuesIn(sections), [](const auto& section) { return std::string(section.param); });

TEST_F(Controls, EveryKeyOfTheHelpIsPressed) {
    for (const char* key :
         {"space", "space", "Right", "Left", "r",  "plus",   "minus",  "w",      "w",      "t", "t", "f", "Tab", "Tab", "F1",
          "F1",    "F3",    "F3",    "F4",   "F4", "ctrl+o", "Escape", "ctrl+s", "Escape", "c", "c", "v", "v",   "F11", "F11"}) {
        ASSERT_TRUE(Xvfb::xdotool(at(on_body()) + "key " + key));
        frames(4);
        EXPECT_FALSE(app_->ui().leaving);
    }
    tidy();
    EXPECT_EQ(app_->latest()->message, "");
}

}  // namespace
}  // namespace wobble
