// The scene section in a real window: tiles, faulty meshes, saving and opening by keys.
#include "engine/mesh/io/obj.h"
#include "tests/app/scene_support.h"
#include "tests/app/viewer_test.h"
#include "tests/mesh/support/meshes.h"

#include <fstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;

class SceneWindow : public ViewerTest {
protected:
    void change(ViewerOptions& options) override { options.scale = 1, options.list_controls = true; }
    void click(int x, int y) {
        ASSERT_TRUE(Xvfb::xdotool("mousemove " + std::to_string(x) + " " + std::to_string(y)));
        frames(2);
        ASSERT_TRUE(Xvfb::xdotool("mousedown 1"));
        frames(2);
        ASSERT_TRUE(Xvfb::xdotool("mouseup 1"));
        frames(3);
    }
    // Held over some frames: panels look at keys once per frame.
    void press(const std::string& key) {
        ASSERT_TRUE(Xvfb::xdotool("keydown " + key));
        frames(3);
        ASSERT_TRUE(Xvfb::xdotool("keyup " + key));
        frames(3);
    }
    const SceneState& scene() const { return app_->ui().scene; }
};

TEST_F(SceneWindow, ATileLoadsItsScene) {
    click(50, 60);  // the first one
    ASSERT_TRUE(until([&] { return app_->latest()->scene->scene.name == "bunny"; }));
    EXPECT_EQ(app_->ui().loading.error, "");
    EXPECT_TRUE(scene().recent.empty()) << "built-in scenes are no files";
}

TEST_F(SceneWindow, AFaultyMeshIsShownRepairedAndLoaded) {
    const Folder folder;
    const fs::path file = folder.path() / "open.obj";
    ASSERT_TRUE(save_obj(sphere_with_hole(), file));
    // Asked for as a solid; it would be wrapped otherwise.
    const fs::path scene_file = folder.path() / "open.toml";
    std::ofstream(scene_file) << "[source]\nfile = \"open.obj\"\nas = \"solid\"\n";
    const auto running = app_->latest()->scene;
    const Camera before = app_->ui().camera;
    app_->open(scene_file.string());
    ASSERT_TRUE(until([&] { return scene().faulty != nullptr; }));
    frames(3);
    EXPECT_EQ(app_->latest()->scene, running) << "the running scene stays";
    EXPECT_TRUE(scene().show_report);
    EXPECT_EQ(app_->ui().loading.error, "");
    ASSERT_TRUE(Xvfb::xdotool("mousemove 450 200 key Escape"));
    ASSERT_TRUE(until([&] { return scene().faulty == nullptr; }));
    EXPECT_EQ(app_->ui().camera, before);
    EXPECT_EQ(app_->latest()->scene, running);

    app_->open(scene_file.string());
    ASSERT_TRUE(until([&] { return scene().faulty != nullptr; }));
    frames(3);
    const int x = 900 - 12 - 200;  // the page is at the right edge, the button in its left half
    for (int y = 440; y > 40 && !app_->ui().loading.active && app_->latest()->scene == running; y -= 12) click(x, y);
    ASSERT_TRUE(until([&] { return app_->latest()->scene != running; }));
    frames(2);
    EXPECT_EQ(scene().faulty, nullptr);
    EXPECT_FALSE(app_->latest()->scene->report().repaired.empty());
    ASSERT_FALSE(scene().recent.empty());
    EXPECT_EQ(scene().recent.front(), scene_file.string());
    fs::remove(scene_file);
    EXPECT_TRUE(until([&] { return scene().missing.contains(scene_file.string()); })) << "a file that is gone is greyed";
}

// A mesh is opened at once and says how it was taken; another choice loads it again, and it is opened so the next time.
TEST_F(SceneWindow, TheImportCardOpensAMeshAnewAndIsRemembered) {
    const Folder folder;
    const fs::path file = folder.path() / "ball.obj";
    ASSERT_TRUE(save_obj(find_shape("sphere")->make({{"radius", 0.25}}, 0.12), file));
    ui().scene.imports = {import_line(file.string(), {.size = 0, .hold = Hold::top, .resolution = 100})};
    app_->open(file.string());
    const auto name = [&] { return app_->latest()->scene->scene.name; };
    ASSERT_TRUE(until([&] { return name() == "ball"; }));
    frames(3);
    const auto seen = app_->latest()->scene;
    EXPECT_EQ(std::get<FileSource>(seen->scene.body().source).size, 0) << "as it was opened the last time";
    EXPECT_EQ(hold_of(app_->latest()->settings.pins()), Hold::top);
    EXPECT_TRUE(scene().show_import);
    const auto press_control = [&](const std::string& says) {
        const auto all = app_->controls();
        const auto control = std::find_if(all.begin(), all.end(),
                                          [&](const SeenControl& c) { return c.tooltip.starts_with(says) && !c.label && c.enabled; });
        ASSERT_NE(control, all.end()) << says;
        click(int(0.5f * (control->x0 + control->x1)), int(0.5f * (control->y0 + control->y1)));
    };
    press_control("The z of the file");
    ASSERT_TRUE(until([&] { return app_->latest()->scene != seen && !app_->ui().loading.active; }));
    frames(3);
    EXPECT_EQ(std::get<FileSource>(app_->latest()->scene->scene.body().source).up, UpAxis::z);
    EXPECT_TRUE(scene().show_import);
    const auto kept = remembered(scene().imports, file.string());
    ASSERT_TRUE(kept);
    EXPECT_EQ(*kept, (ImportChoices{0, LengthUnit::metre, UpAxis::z, Hold::top, 100.0}));

    press_control("Where it is held");
    press_control("It is free");
    ASSERT_TRUE(until([&] { return app_->latest()->settings.pins().empty(); })) << "without loading it again";
    EXPECT_EQ(remembered(scene().imports, file.string())->hold, Hold::nothing);

    press_control("Closes this card");
    EXPECT_FALSE(scene().show_import);
    press_control("How the file was taken");
    EXPECT_TRUE(scene().show_import);
    click(50, 60);  // another scene has none
    ASSERT_TRUE(until([&] { return name() == "bunny"; }));
    frames(2);
    EXPECT_FALSE(scene().show_import);
}

TEST_F(SceneWindow, CtrlSSavesAndAsksBeforeItOverwrites) {
    const Folder folder;
    const fs::path file = folder.path() / "mine.toml";
    ASSERT_TRUE(Xvfb::xdotool("mousemove 600 200 key ctrl+s"));
    ASSERT_TRUE(until([&] { return scene().show_save; }));
    frames(4);
    const std::string suggested = scene().save_as;
    EXPECT_TRUE(suggested.ends_with("/torus.toml")) << suggested;
    ASSERT_TRUE(Xvfb::xdotool("type --delay 30 /" + (folder.path() / "mine").string()));
    ASSERT_TRUE(until([&] { return scene().save_as == suggested + "/" + (folder.path() / "mine").string(); }));
    press("Return");
    ASSERT_TRUE(until([&] { return !scene().show_save; }));
    ASSERT_TRUE(fs::exists(file));
    EXPECT_NE(scene().message.find("mine.toml"), std::string::npos) << scene().message;
    EXPECT_EQ(scene().recent.front(), file.string());
    EXPECT_TRUE(load_scene(file.string()));

    const auto written = fs::last_write_time(file);
    frames(3);
    ASSERT_TRUE(Xvfb::xdotool("key ctrl+s"));
    ASSERT_TRUE(until([&] { return scene().show_save; }));
    frames(4);
    press("Return");
    ASSERT_TRUE(until([&] { return scene().overwrite; }));
    press("Return");
    press("Escape");
    ASSERT_TRUE(until([&] { return !scene().show_save; }));
    EXPECT_EQ(fs::last_write_time(file), written) << "Enter alone overwrites nothing";
}

TEST_F(SceneWindow, ASceneBringsItsLookAndItsRecording) {
    const Folder folder;
    std::ofstream(folder.path() / "look.toml") << "[source]\nshape = \"cloth\"\n[parameters]\nresolution = 100\n[view]\nlook = \"metal\"\n"
                                                  "dark_room = true\n[recording]\nformat = \"ply\"\nfps = 24\nseconds = 3\n";
    app_->ui().view.wireframe = true;
    app_->ui().record.fps = 60;
    frames(2);
    EXPECT_EQ(app_->ui().record.fps, 60) << "a built-in scene leaves it alone";
    app_->open((folder.path() / "look.toml").string());
    ASSERT_TRUE(until([&] { return app_->latest()->scene->scene.name == "look" && app_->ui().view.look == Look::metal; }));
    EXPECT_TRUE(app_->ui().view.dark);
    EXPECT_FALSE(app_->ui().view.wireframe) << "all of the table counts";
    EXPECT_EQ(app_->ui().record.format, RecordFormat::ply);
    EXPECT_EQ(app_->ui().record.fps, 24);
    EXPECT_EQ(app_->ui().record.seconds, 3);
}

TEST_F(SceneWindow, CtrlOOpensATypedFile) {
    const Folder folder;
    ASSERT_TRUE(save_obj(find_shape("sphere")->make(find_shape("sphere")->parameters, 0.12), folder.path() / "ball.obj"));
    ASSERT_TRUE(Xvfb::xdotool("mousemove 600 200 key ctrl+o"));
    ASSERT_TRUE(until([&] { return app_->ui().show_open; }));
    frames(4);
    ASSERT_TRUE(Xvfb::xdotool("type --delay 30 /" + folder.path().string() + "/"));
    ASSERT_TRUE(until([&] { return scene().listing.folder == folder.path().string() + "/"; }));
    press("Down");
    ASSERT_TRUE(until([&] { return scene().picked == 0; }));
    press("Return");
    ASSERT_TRUE(until([&] { return app_->latest()->scene->scene.name == "ball"; }));
    EXPECT_FALSE(app_->ui().show_open);
}

}  // namespace
}  // namespace wobble
