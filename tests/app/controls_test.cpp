// Every panel is opened and every control is moved once by synthetic input. A control is whatever has a tooltip.
#include "app/window/settings.h"
#include "tests/app/own_folder.h"
#include "tests/app/viewer_test.h"

#include <algorithm>
#include <map>
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
        for (const bool b :
             {u.show_help, u.show_open, u.studies.show, u.scene.show_report, u.scene.show_save, u.compare.on, u.record.recording,
              u.plots.paused, u.plots.earlier_runs, u.loading.active, u.show_ui, u.interface.full_screen})
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
        const auto told = app_->latest()->commands;
        app_->post(Pause{});  // what moves would look like an effect
        app_->post(Reset{});
        for (int i = 0; i < 200 && app_->latest()->commands < told + 2; ++i) frames(1);
        settle();
    }
    // Until nothing changes any more: a file that is written late, or a command that is obeyed late, would look like an effect of what is
    // pressed next.
    void settle() {
        std::string last = state();
        for (int still = 0, i = 0; still < 8 && i < 400; ++i) {
            frames(1);
            const std::string now = state();
            still = now == last && !ui().record.recording && !ui().loading.active ? still + 1 : 0;
            last = now;
        }
    }
};

const char* const sections[] = {"Scene", "Playback", "Material", "Contact", "Integrator", "Compare", "View", "Record", "Interface"};

// What these set is set so at first: made otherwise before they are pressed.
const std::map<std::string, void (*)(UiState&)> made_otherwise = {
    {"Where the energy is, over simulated time.", [](UiState& u) { u.plots.page = PlotPage::work; }},
    {"Back to the scene's own view (F)", [](UiState& u) { u.camera.yaw += 1; }},
    {"Red", [](UiState& u) { u.view.colour = body_colours()[1].colour; }},
    {"Panel and plot strip as they were at first. Their edges can be dragged.", [](UiState& u) { u.interface.side_width += 40; }},
};
const std::string text_field = "Of the file or folder, without its ending;";  // takes keys, which show in it

class ControlsOf : public Controls, public testing::WithParamInterface<const char*> {};

TEST_P(ControlsOf, TheSectionOpensAndEveryControlDoesSomething) {
    const std::string section = GetParam();
    const auto open_it = [&] {
        ui().interface.closed = {std::begin(sections), std::end(sections)};
        ui().interface.closed.erase(section);
        ui().plots.page = PlotPage::energy;
        frames(3);
    };
    open_it();
    // By what they say: places move when a control opens something.
    std::vector<std::string> names, silent;
    for (const SeenControl& c : app_->controls())
        if (c.enabled && !c.label && std::find(names.begin(), names.end(), c.tooltip) == names.end()) names.push_back(c.tooltip);
    EXPECT_GT(names.size(), 1u);
    std::vector<std::string> lost;
    const ViewRect room = app_->viewport();
    const std::string aside = at({float(room.x + room.width / 2), float(room.y + room.height - 20)});  // tooltips end here
    for (const std::string& name : names) {
        open_it();
        if (const auto otherwise = made_otherwise.find(name); otherwise != made_otherwise.end()) otherwise->second(ui());
        ASSERT_TRUE(Xvfb::xdotool(aside + "click 3"));  // a popup that is still open would take the next click
        frames(3);
        settle();
        const auto all = app_->controls();
        const auto control = std::find_if(all.begin(), all.end(), [&](const SeenControl& c) { return c.tooltip == name && !c.label; });
        if (control == all.end() || control->x1 - control->x0 < 3) {
            lost.push_back(name);
            continue;
        }
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
        if (name.starts_with(text_field)) {
            ASSERT_TRUE(Xvfb::xdotool("key x"));
            frames(2);
        }
        ASSERT_TRUE(Xvfb::xdotool(aside));
        frames(2);
        for (int i = 0; i < 40 && state() == before && different_pixels(picture, shown(), {0, 0, 900, 760}) <= 1500; ++i) frames(1);
        const int changed = different_pixels(picture, shown(), {0, 0, 900, 760});
        const bool popup = changed > 1500;
        if (state() == before && !popup) silent.push_back(name);
        tidy();
    }
    EXPECT_EQ(silent, std::vector<std::string>{}) << "pressed without effect";
    EXPECT_EQ(lost, std::vector<std::string>{}) << "no longer there when its turn came";
}

INSTANTIATE_TEST_SUITE_P(All, ControlsOf, testing::ValuesIn(sections), [](const auto& section) { return std::string(section.param); });

TEST_F(Controls, EveryKeyOfTheHelpDoesSomething) {
    for (const char* key :
         {"space", "space", "Right", "Left", "r",  "plus",   "minus",  "w",      "w",      "t", "t", "f", "Tab", "Tab", "F1",
          "F1",    "F3",    "F3",    "F4",   "F4", "ctrl+o", "Escape", "ctrl+s", "Escape", "c", "c", "v", "v",   "F11", "F11"}) {
        settle();
        ui().camera.yaw += 1;  // F goes back from here
        const double yaw = ui().camera.yaw;
        frames(1);
        const std::string before = state();
        ASSERT_TRUE(Xvfb::xdotool(at(on_body()) + "keydown " + key));
        frames(2);  // dialogs ask once per frame whether a key is down
        ASSERT_TRUE(Xvfb::xdotool("keyup " + std::string(key)));
        frames(2);
        for (int i = 0; i < 60 && state() == before && ui().camera.yaw == yaw; ++i) frames(1);
        EXPECT_TRUE(state() != before || ui().camera.yaw != yaw) << key << " does nothing";
        EXPECT_FALSE(app_->ui().leaving);
    }
    tidy();
    EXPECT_EQ(app_->latest()->message, "");
}

}  // namespace
}  // namespace wobble
