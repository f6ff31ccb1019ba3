// What is remembered between starts: nothing in the file is trusted, nothing that was chosen is lost.
#include "app/window/settings.h"
#include "app/window/window_place.h"
#include "engine/core/file.h"

#include <gtest/gtest.h>

#include <fstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;

class Settings : public ::testing::Test {
protected:
    void SetUp() override {
        folder = fs::temp_directory_path() /
                 ("wobble-settings-" + std::to_string(::getpid()) + "-" + ::testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string content(const fs::path& file) {
        std::ifstream stream(file);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
    fs::path folder;
};

UiState changed() {
    UiState ui;
    ui.interface.theme = Theme::light;
    ui.interface.scale = 1.25f;
    ui.interface.side_width = 400;
    ui.interface.strip_height = 250;
    ui.interface.closed = {"Material", "View"};
    ui.interface.show_timings = true;
    ui.interface.window = {1500, 900, true, 40, -60};
    ui.view.wireframe = ui.view.dark = ui.view.contacts = true;
    ui.view.ground = ui.view.shadow = ui.view.highlight_pins = ui.view.file_colours = false;
    ui.view.samples = 1;
    ui.view.colour = Vec3f(0.1f, 0.2f, 0.3f);
    ui.view.look = Look::metal;
    ui.view.field = Field::strain;
    ui.compare.methods = {"euler", "rk45", "bdf2"};
    ui.compare.same_step = true;
    ui.compare.step = 0.004;
    ui.view.field_high = 0.25f;
    ui.view.tets = ui.view.cut_low_side = true;
    ui.view.cut = 0.75f;
    ui.view.cut_axis = 2;
    ui.record.format = RecordFormat::ply;
    ui.record.width = 640;
    ui.record.height = 480;
    ui.record.fps = 60;
    ui.record.with_ui = ui.record.window_size = ui.record.screenshot_with_ui = true;
    ui.record.legends = false;
    ui.record.seconds = 2.5;
    ui.record.out = "films/a \"quoted\" name";
    ui.plots.page = PlotPage::work;
    ui.plots.earlier_runs = false;
    ui.compare.layout = Layout::overlaid;
    ui.scene.recent = {"/tmp/a.obj", "b c.toml", "d\\e.obj"};
    ui.scene.imports = {import_line("/tmp/a \\ \"b\".obj", {.size = 0, .up = UpAxis::z})};
    return ui;
}

TEST(WindowPlace, AWindowOnAMonitorThatIsGoneComesBackVisible) {
    const ScreenArea left{0, 30, 1920, 1050}, right{1920, 0, 2560, 1440};
    const ScreenArea both[] = {left, right}, one[] = {left};
    const WindowShape there{1280, 800, false, 2500, 200};
    EXPECT_EQ(visible_shape(there, both), there);
    const WindowShape back = visible_shape(there, one);
    EXPECT_EQ(back, (WindowShape{1280, 800, false, 320, 155}));
    EXPECT_EQ(visible_shape({1280, 800, false, -1100, 100}, one), (WindowShape{1280, 800, false, -1100, 100})) << "enough of it is seen";
    EXPECT_NE(visible_shape({1280, 800, false, -1250, 100}, one).x, -1250);
    EXPECT_NE(visible_shape({1280, 800, false, 100, -50}, one).y, -50) << "its title bar would be out of reach";
    EXPECT_NE(visible_shape({1280, 800, false, 100, 1070}, one).y, 1070);
    const WindowShape large = visible_shape({4000, 3000, true, 9000, 9000}, one);
    EXPECT_EQ(large, (WindowShape{1920, 1050, true, 0, 30}));
    EXPECT_EQ(visible_shape(WindowShape{}, one), WindowShape{}) << "the system's choice";
    EXPECT_EQ(visible_shape(there, {}), there);
}

TEST_F(Settings, WhatIsWrittenIsReadBack) {
    const UiState before = changed();
    UiState after;
    ASSERT_NE(settings_text(before), settings_text(after));
    EXPECT_EQ(apply_settings(settings_text(before), after), "");
    EXPECT_EQ(settings_text(after), settings_text(before));
    EXPECT_EQ(after.interface.theme, Theme::light);
    EXPECT_EQ(after.interface.closed, before.interface.closed);
    EXPECT_EQ(after.interface.window, before.interface.window);
    EXPECT_EQ(after.view, before.view);
    EXPECT_EQ(after.record.format, RecordFormat::ply);
    EXPECT_EQ(after.record.out, before.record.out);
    EXPECT_EQ(after.scene.recent, before.scene.recent);
    EXPECT_EQ(after.scene.imports, before.scene.imports);
    EXPECT_EQ(after.plots.page, PlotPage::work);
}

TEST_F(Settings, EverySettingThatIsWrittenIsAlsoRead) {
    // Each line alone, taken from a file in which everything is changed, must change something.
    const std::string all = settings_text(changed()), defaults = settings_text(UiState());
    std::string section;
    int lines = 0;
    std::istringstream stream(all);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("[")) section = line;
        if (line.find(" = ") == std::string::npos || line.starts_with("#")) continue;
        UiState ui;
        EXPECT_EQ(apply_settings(section + "\n" + line + "\n", ui), "") << line;
        EXPECT_NE(settings_text(ui), defaults) << line;
        ++lines;
    }
    EXPECT_GT(lines, 25);
}

TEST_F(Settings, BadValuesLeaveTheDefaultAndTheOthersCount) {
    struct Bad {
        const char* text;
        const char* named;
    };
    for (const Bad& bad : {Bad{"[interface]\nscale = \"big\"\n", "interface.scale"},
                           Bad{"[compare]\nintegrators = [\"verlet\"]\n", "compare.integrators"},
                           Bad{"[compare]\nintegrators = [\"verlet\", \"magic\"]\n", "compare.integrators"},
                           Bad{"[compare]\nintegrators = [\"rk4\", \"rk4\", \"rk4\", \"rk4\", \"rk4\"]\n", "compare.integrators"},
                           {"[interface]\nscale = 1e9\n", "interface.scale"},
                           {"[interface]\nscale = nan\n", "interface.scale"},
                           {"[interface]\nscale = -1\n", "interface.scale"},
                           {"[interface]\ntheme = \"pink\"\n", "interface.theme"},
                           {"[interface]\ntheme = 3\n", "interface.theme"},
                           {"[interface]\nclosed_sections = [1, 2]\n", "interface.closed_sections"},
                           {"[window]\nwidth = 10.5\n", "window.width"},
                           {"[window]\nwidth = 99999999999\n", "window.width"},
                           {"[view]\nwireframe = 1\n", "view.wireframe"},
                           {"[view]\nsamples = 1000000\n", "view.samples"},
                           {"[view]\ncolour = [0.5, 0.5]\n", "view.colour"},
                           {"[view]\ncolour = [0.5, \"x\", 0.5]\n", "view.colour"},
                           {"[view]\ncolour = [2, 0, inf]\n", "view.colour"},
                           {"[view]\nfield_high = 1e16\n", "view.field_high"},  // no scene file could say it
                           {"[record]\nseconds = 1e-7\n", "record.seconds"},
                           {"[record]\nseconds = false\n", "record.seconds"},
                           {"[record]\nfps = 0\n", "record.fps"},
                           {"[record]\nout = \"a\\u0007b\"\n", "record.out"},
                           {"[files]\nrecent = \"x\"\n", "files.recent"},
                           {"[files]\nrecent = [[\"x\"]]\n", "files.recent"},
                           {"interface = 3\n", "interface"}}) {
        UiState ui;
        const std::string complaint = apply_settings(std::string(bad.text) + "\n[plots]\nearlier_runs = false\n", ui);
        EXPECT_NE(complaint.find(bad.named), std::string::npos) << bad.text << ": " << complaint;
        EXPECT_FALSE(ui.plots.earlier_runs) << bad.text << ": what is good counts";
        ui.plots.earlier_runs = true;
        EXPECT_EQ(settings_text(ui), settings_text(UiState())) << bad.text << ": what is bad leaves the default";
    }
}

TEST_F(Settings, NoSecondsMeanUntilStopped) {
    for (const char* none : {"0", "0.0"}) {
        UiState ui = changed();
        EXPECT_EQ(apply_settings(std::string("[record]\nseconds = ") + none + "\n", ui), "");
        EXPECT_EQ(ui.record.seconds, 0);
    }
    UiState ui;
    EXPECT_EQ(apply_settings("[record]\nseconds = 1e-6\n[view]\nfield_high = 1e15\n", ui), "");
    EXPECT_EQ(ui.record.seconds, 1e-6);
    EXPECT_EQ(ui.view.field_high, 1e15f);
}

TEST_F(Settings, WhatIsNoTomlIsToldByLine) {
    UiState ui;
    for (const std::string& text : {std::string("[interface\n"), std::string("\x01\x02\x03"), std::string("a = = b"),
                                    std::string(100000, '['), std::string("x = ") + std::string(5000, '[')}) {
        EXPECT_NE(apply_settings(text, ui).find("line"), std::string::npos) << text.substr(0, 20);
        EXPECT_EQ(settings_text(ui), settings_text(UiState()));
    }
    EXPECT_EQ(apply_settings("", ui), "");
    EXPECT_EQ(apply_settings("[unknown]\nkey = 1\n[interface]\nfrom_the_future = true\n", ui), "") << "newer files are no fault";
}

TEST_F(Settings, TheKeeperWritesWhenSomethingChangedAndNotOtherwise) {
    const fs::path file = folder / "new" / "folders" / "settings.toml";
    UiState ui;
    {
        SettingsKeeper keeper(file);
        keeper.load(ui);
        EXPECT_EQ(ui.interface.message, "") << "no file yet is no fault";
        ui.interface.theme = Theme::light;
        keeper.finish(ui);
    }
    ASSERT_TRUE(fs::exists(file));
    EXPECT_EQ(content(file), settings_text(ui));
    for (const auto& entry : fs::directory_iterator(file.parent_path())) EXPECT_EQ(entry.path(), file) << "nothing half-written is left";
    UiState again;
    {
        SettingsKeeper keeper(file);
        keeper.load(again);
        EXPECT_EQ(again.interface.theme, Theme::light);
        fs::remove(file);
        keeper.keep(again, 100);
        keeper.finish(again);
    }
    EXPECT_FALSE(fs::exists(file)) << "nothing changed, nothing is written";
    {
        SettingsKeeper keeper(file);
        keeper.keep(again, 0);
        again.interface.scale = 2;
        keeper.keep(again, 100);
    }
    EXPECT_EQ(content(file), settings_text(again));
}

TEST_F(Settings, ABadFileOrPlaceIsOneSentence) {
    UiState ui;
    write(folder / "bad.toml", "[interface]\nscale = \"x\"\ntheme = 1\n");
    SettingsKeeper(folder / "bad.toml").load(ui);
    EXPECT_NE(ui.interface.message.find("bad.toml"), std::string::npos) << ui.interface.message;
    EXPECT_NE(ui.interface.message.find("and 1 more"), std::string::npos) << ui.interface.message;
    ui = UiState();
    SettingsKeeper(folder).load(ui);  // a folder
    EXPECT_NE(ui.interface.message, "");
    ui = UiState();
    write(folder / "file", "x");
    SettingsKeeper keeper(folder / "file" / "settings.toml");
    keeper.finish(ui);
    for (int i = 0; i < 2000 && ui.interface.message.empty(); ++i) {
        keeper.keep(ui, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_NE(ui.interface.message.find("not remembered"), std::string::npos) << ui.interface.message;
}

TEST_F(Settings, WithoutAFileNothingHappens) {
    UiState ui;
    SettingsKeeper keeper({});
    keeper.load(ui);
    keeper.keep(ui, 100);
    keeper.finish(ui);
    EXPECT_EQ(ui.interface.message, "");
}

TEST_F(Settings, TheDefaultPlaceFollowsTheEnvironment) {
    const auto with = [](const char* config, const char* home) {
        config ? setenv("XDG_CONFIG_HOME", config, 1) : unsetenv("XDG_CONFIG_HOME");
        home ? setenv("HOME", home, 1) : unsetenv("HOME");
        return default_settings_file();
    };
    EXPECT_EQ(with("/x", "/home/me"), "/x/wobble/settings.toml");
    EXPECT_EQ(with(nullptr, "/home/me"), "/home/me/.config/wobble/settings.toml");
    EXPECT_EQ(with("relative", "/home/me"), "/home/me/.config/wobble/settings.toml");
    EXPECT_EQ(with("", ""), "");
}

}  // namespace
}  // namespace wobble
