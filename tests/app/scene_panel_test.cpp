// The scene section: recent files, folders, pictures, fitting resolution, saving what is shown, surfaces with faults and their repair.
#include "app/scene/fit_resolution.h"
#include "app/scene/scene_controller.h"
#include "engine/mesh/io/obj.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/run_log.h"
#include "engine/sim/scene_shown.h"
#include "engine/sim/simulation.h"
#include "engine/sim/world.h"
#include "tests/app/scene_support.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

namespace wobble {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash_after_ten_steps(const std::shared_ptr<const LoadedScene>& scene) {
    World world(scene, 1);
    for (int i = 0; i < 10; ++i) world.step();
    return world.state_hash();
}

TEST(RecentFiles, NewestFirstOnceAndAtMostTen) {
    std::vector<std::string> recent;
    for (int i = 0; i < 15; ++i) add_recent(recent, "/f" + std::to_string(i));
    ASSERT_EQ(recent.size(), most_recent_files);
    EXPECT_EQ(recent.front(), "/f14");
    add_recent(recent, "/f9");
    EXPECT_EQ(recent.front(), "/f9");
    EXPECT_EQ(recent.size(), most_recent_files);
    EXPECT_EQ(std::ranges::count(recent, "/f9"), 1);
    add_recent(recent, "");  // a built-in scene
    EXPECT_EQ(recent.front(), "/f9");
}

TEST(FittingResolution, KeepsWhatFitsAndChangesTheRest) {
    EXPECT_EQ(fitting_resolution(1500, 0), 0);
    EXPECT_EQ(fitting_resolution(0, 1), 0);
    EXPECT_NEAR(fitting_resolution(1500, 1.25), 1500, 50);
    EXPECT_LT(fitting_resolution(1500, 0.5), 1200);
    EXPECT_GT(fitting_resolution(1500, 2.5), 2000);
    EXPECT_GE(fitting_resolution(1500, 1e-9), 370);  // at most a factor of four
    EXPECT_LE(fitting_resolution(1500, 1e9), 6000);
    for (int particles : {1, 100, 1500, 100000})
        for (double speed : {1e-6, 0.1, 1.0, 30.0, 1e6}) {
            Parameters accepted;
            EXPECT_TRUE(set_parameter(accepted, "resolution", fitting_resolution(particles, speed)));
        }
}

TEST(FittingResolution, SaysNothingOfAnUnknownSpeed) {
    EXPECT_EQ(choice_sentence(1500, "exprb2", {}), "");
    EXPECT_NE(choice_sentence(1500, "exprb2", {1.3, 0.01}).find("1500 vertices, chosen to fit real time: one processor computes 1.3 s"),
              std::string::npos);
    EXPECT_NE(choice_sentence(1500, "exprb2", {0.4, 0.01}).find("as near to real time"), std::string::npos);
}

TEST(FittingResolution, IsGivenUpWhileItMeasures) {
    const auto scene = loaded("torus");
    ASSERT_TRUE(scene);
    int asked = 0;
    const auto refuses = [&](std::string_view stage, double) {
        EXPECT_EQ(stage, "measuring its speed");
        return ++asked < 3;
    };
    const auto refused = fit_to_real_time(scene, refuses);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.message(), "Building the body was cancelled.");
    EXPECT_LE(asked, 4) << "it went on measuring";

    std::stop_source stop;  // as cancel, another file and quit do, in the middle of a step
    int after = 0;
    const auto stops = [&](std::string_view, double fraction) {
        after += stop.stop_requested();
        if (fraction > 0) stop.request_stop();
        return true;
    };
    const auto stopped = fit_to_real_time(scene, stops, stop.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.message(), "Building the body was cancelled.");
    EXPECT_LE(after, 1) << "it went on measuring";
}

TEST(Folders, FoldersFirstThenMeshesAndScenes) {
    const Folder folder;
    folder.file("b.obj", "v 0 0 0\n"), folder.file("A.OBJ", "12345"), folder.file("c.toml", "");
    folder.file("notes.txt", ""), folder.file(".x.obj", "");
    fs::create_directory(folder.path() / "zoo");
    const FolderListing listing = read_folder(folder.path().string() + "/");
    ASSERT_EQ(listing.entries.size(), 4u);
    EXPECT_TRUE(listing.entries[0].folder);
    EXPECT_EQ(listing.entries[0].name, "zoo");
    EXPECT_EQ(listing.entries[1].name, "A.OBJ");
    EXPECT_EQ(listing.entries[1].bytes, 5u);
    EXPECT_EQ(listing.entries[2].name, "b.obj");
    EXPECT_EQ(listing.entries[3].name, "c.toml");
    const FolderListing none = read_folder("no/such/folder/");
    EXPECT_TRUE(none.entries.empty());
    EXPECT_NE(none.problem.find("no/such/folder/"), std::string::npos) << none.problem;
}

TEST(SceneShown, WhatIsSavedStartsLikeWhatIsShown) {
    const Folder folder;
    for (const char* name : {"torus", "cloth", "jelly"}) {
        const auto scene = loaded(name);
        ASSERT_TRUE(scene);
        const World world(scene, 1);
        const fs::path file = folder.path() / (std::string(name) + ".toml");
        const auto saved = save_shown(scene_shown(world.snapshot()), file);
        ASSERT_TRUE(saved) << saved.message();
        const auto again = load_scene(file.string());
        ASSERT_TRUE(again) << again.message();
        const auto built = build_scene(again.value());
        ASSERT_TRUE(built) << built.message();
        EXPECT_EQ(hash_after_ten_steps(scene), hash_after_ten_steps(built.value())) << name;
    }
}

TEST(SceneShown, HasWhatWasChangedInFlight) {
    const auto scene = loaded("torus");
    ASSERT_TRUE(scene);
    World world(scene, 1);
    world.apply(SetMethod{"tr-bdf2"});
    world.apply(SetStep{0.004});
    world.apply(SetParameter{"stiffness", 1234});
    world.apply(TogglePin{0, Vec3(0.3, 0.3, 0.4)});
    SolverOptions solver = world.snapshot().settings.solver;
    solver.tolerance = 1e-5;
    world.apply(SetSolver{solver});
    world.apply(SetStepControl{StepControl::error, 0.02});
    for (int i = 0; i < 3; ++i) world.step();
    const Scene shown = scene_shown(world.snapshot(), CameraView{12, 34, 5});
    EXPECT_EQ(shown.settings.method, "tr-bdf2");
    EXPECT_EQ(shown.settings.step, 0.004);
    EXPECT_EQ(shown.settings.parameters().stiffness, 1234);
    EXPECT_EQ(shown.settings.pins().size(), scene->scene.settings.pins().size() + 1);
    EXPECT_EQ(shown.settings.solver.tolerance, 1e-5);
    EXPECT_EQ(shown.settings.control, StepControl::error);
    EXPECT_EQ(shown.settings.error_tolerance, 0.02);
    EXPECT_EQ(shown.camera, (CameraView{12, 34, 5}));
    EXPECT_FALSE(shown.stated.has_value()) << "measured with other values";
    const Folder folder;
    const fs::path file = folder.path() / "changed.toml";
    ASSERT_TRUE(save_shown(shown, file));
    const auto again = load_scene(file.string());
    ASSERT_TRUE(again) << again.message();
    EXPECT_EQ(again.value().settings.pins(), shown.settings.pins());
    EXPECT_EQ(again.value().settings.parameters(), shown.settings.parameters());
    EXPECT_EQ(again.value().settings.step, shown.settings.step);
    EXPECT_EQ(again.value().camera, shown.camera);
    EXPECT_TRUE(build_scene(again.value()));
}

TEST(SceneShown, TheLookAndTheRecordingComeBackWhenTheSceneIsOpened) {
    Scene scene = load_scene("beam").value();
    UiState before, after;
    before.view.field = Field::speed, before.view.look = Look::jelly, before.view.dark = before.view.tets = true, before.view.cut = 0.25f;
    before.record.format = RecordFormat::ply, before.record.fps = 50, before.record.width = 640, before.record.height = 360;
    before.record.seconds = 0, before.record.with_ui = before.record.window_size = true, before.record.legends = false;
    apply_view(scene, after);
    EXPECT_EQ(after.view, ViewOptions{}) << "a scene that says nothing changes nothing";
    EXPECT_EQ(after.record.format, RecordFormat::mp4);
    scene.view = before.view;
    scene.recording = recording_options(before.record, 4);
    const auto again = parse_scene(to_toml(scene), {}, "x");
    ASSERT_TRUE(again) << again.message();
    EXPECT_EQ(again.value().recording.seconds, 4) << "the command line needs a length";
    after.view.samples = 1;
    apply_view(again.value(), after);
    before.view.samples = 1;  // how finely is the computer's affair
    EXPECT_EQ(after.view, before.view);
    EXPECT_TRUE(recording_options(after.record, 4) == recording_options(before.record, 4));
    EXPECT_EQ(after.record.seconds, 0);
    scene.recording.until_stopped = false, scene.recording.seconds = 2.5;
    after.record.recording = true;
    apply_view(scene, after);
    EXPECT_EQ(after.record.seconds, 0) << "a recording under way is left alone";
    after.record.recording = false;
    apply_view(scene, after);
    EXPECT_EQ(after.record.seconds, 2.5);
    ASSERT_EQ(record_formats().size(), record_format_names().size());
    for (std::size_t i = 0; i < record_formats().size(); ++i) {
        EXPECT_EQ(record_formats()[i].kind, record_format_names()[i].kind);
        EXPECT_STREQ(record_formats()[i].id, record_format_names()[i].id);
    }
}

TEST(SceneShown, ACameraFromAnywhereCanBeSaved) {
    const auto scene = loaded("torus");
    ASSERT_TRUE(scene);
    const World world(scene, 1);
    Camera camera = make_camera({}, bounding_box(scene->body.surface.vertices));
    camera.orbit(5000, 5000, 100);
    camera.zoom(500);
    const Folder folder;
    const auto saved = save_shown(scene_shown(world.snapshot(), camera_view(camera)), folder.path() / "x.toml");
    EXPECT_TRUE(saved) << saved.message();
    const CameraView usual = camera_view(make_camera({}, bounding_box(scene->body.surface.vertices)));
    EXPECT_NEAR(usual.yaw, CameraView{}.yaw, 0.1);
    EXPECT_NEAR(usual.pitch, CameraView{}.pitch, 0.1);
    EXPECT_NEAR(usual.distance, CameraView{}.distance, 0.01);
}

TEST(SceneShown, MeshesAreNamedRelativeToTheSceneFile) {
    const Folder folder;
    fs::create_directory(folder.path() / "meshes");
    const fs::path mesh = folder.path() / "meshes" / "ball.obj";
    TriMesh ball = find_shape("sphere")->make(find_shape("sphere")->parameters, 0.12);
    ASSERT_TRUE(save_obj(ball, mesh));
    const auto scene = loaded(mesh.string());
    ASSERT_TRUE(scene);
    const World world(scene, 1);
    const fs::path file = folder.path() / "ball.toml";
    ASSERT_TRUE(save_shown(scene_shown(world.snapshot()), file));
    std::ifstream in(file);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    EXPECT_NE(text.find("\"meshes/ball.obj\""), std::string::npos) << text;
    fs::rename(folder.path(), folder.path().string() + "-moved");  // both move together
    const auto again = loaded(folder.path().string() + "-moved/ball.toml");
    ASSERT_TRUE(again);
    EXPECT_EQ(hash_after_ten_steps(scene), hash_after_ten_steps(again));
    fs::remove_all(folder.path().string() + "-moved");
}

TEST(SceneShown, AFolderThatIsNotThereIsASentence) {
    const auto scene = loaded("torus");
    ASSERT_TRUE(scene);
    const auto saved = save_shown(scene_shown(World(scene, 1).snapshot()), "/no/such/folder/x.toml");
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.message().find("/no/such/folder"), std::string::npos) << saved.message();
}

template <class Condition>
bool wait_for(SceneLoader& loader, Condition&& condition) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition(loader.poll())) {
        if (std::chrono::steady_clock::now() > give_up) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

TEST(Loader, AMeshGetsAResolutionThatFitsRealTimeAndALogKeepsIt) {
    const Folder folder;
    const fs::path file = folder.path() / "ball.obj";
    const Shape& sphere = *find_shape("sphere");
    ASSERT_TRUE(save_obj(sphere.make(sphere.parameters, 0.12), file));
    SceneLoader loader;
    std::optional<SceneLoader::Loaded> result;
    const auto come = [&] { return wait_for(loader, [&](auto got) { return got ? (result = std::move(got), true) : false; }); };
    loader.start(file.string());
    ASSERT_TRUE(come());
    ASSERT_TRUE(*result) << result->message();
    const auto fitted = result->value();
    const std::string choice = loader.take_choice();
    std::printf("%s\n", choice.c_str());
    EXPECT_NE(choice.find(std::to_string(fitted->body.tets.vertices.size()) + " vertices"), std::string::npos) << choice;
    const double resolution = fitted->scene.settings.parameters().resolution;
    EXPECT_NEAR(std::log(resolution / double(fitted->body.tets.vertices.size())), 0, 0.7) << "built with what it states";

    // A log repeats it without measuring anything.
    Simulation run(fitted, 1, Simulation::Log::on);
    const fs::path log = folder.path() / "ball.log";
    ASSERT_TRUE(write_run_log(run.run_log(), log));
    const auto read = read_run_log(log);
    ASSERT_TRUE(read) << read.message();
    EXPECT_EQ(read.value().start->scene.settings.parameters().resolution, resolution);
    const auto again = replay(read.value(), 1);
    ASSERT_TRUE(again) << again.message();
    EXPECT_TRUE(again.value().same);

    // Who states a resolution keeps it.
    Scene stated = fitted->scene;
    stated.settings.parameters().resolution = 150;
    const fs::path toml = folder.path() / "ball.toml";
    ASSERT_TRUE(save_scene(stated, toml));
    loader.start(toml.string());
    ASSERT_TRUE(come());
    ASSERT_TRUE(*result) << result->message();
    EXPECT_EQ(result->value()->scene.settings.parameters().resolution, 150);
    EXPECT_EQ(loader.take_choice(), "");
    loader.start(stated);
    ASSERT_TRUE(come());
    EXPECT_EQ(result->value()->scene.settings.parameters().resolution, 150);
}

TEST(Loader, ARefusedMeshComesWithItsFaultsAndLoadsRepaired) {
    const Folder folder;
    const fs::path file = folder.path() / "open.obj";
    ASSERT_TRUE(save_obj(sphere_with_hole(), file));
    SceneLoader loader;
    auto solid = load_scene(file.string());
    ASSERT_TRUE(solid);
    std::get<FileSource>(solid.value().body().source).as = SurfaceUse::solid;
    loader.start(solid.value());
    std::optional<SceneLoader::Loaded> result;
    ASSERT_TRUE(wait_for(loader, [&](auto got) { return got ? (result = std::move(got), true) : false; }));
    ASSERT_FALSE(*result);
    EXPECT_NE(result->message().find("not closed"), std::string::npos) << result->message();
    auto refused = loader.take_refused();
    ASSERT_TRUE(refused);
    EXPECT_FALSE(loader.take_refused()) << "once";
    ASSERT_EQ(refused->mesh.report.findings.size(), 1u);
    EXPECT_EQ(refused->mesh.report.findings[0].fault, Fault::open);
    EXPECT_EQ(refused->mesh.surface.triangles.size(), sphere_with_hole().triangles.size());

    Scene scene = refused->scene;
    std::get<FileSource>(scene.body().source).repair = true;
    loader.start(scene);
    ASSERT_TRUE(wait_for(loader, [&](auto got) { return got ? (result = std::move(got), true) : false; }));
    ASSERT_TRUE(*result) << result->message();
    const BodyReport& report = result->value()->report();
    ASSERT_FALSE(report.repaired.empty());
    EXPECT_NE(report.repaired[0].find("Filled 1 hole"), std::string::npos) << report.repaired[0];
    EXPECT_TRUE(report.surface.good());
    EXPECT_GT(report.tets.worst, 0);
    EXPECT_EQ(report.tets.weak_vertices, 0);
    // It stays repaired in a scene file.
    const fs::path saved = folder.path() / "open.toml";
    ASSERT_TRUE(save_shown(scene_shown(World(result->value(), 1).snapshot()), saved));
    EXPECT_TRUE(loaded(saved.string()));
}

TEST(Loader, AFaultyMeshOpensWrappedAndSaysSo) {
    const Folder folder;
    const fs::path file = folder.path() / "open.obj";
    ASSERT_TRUE(save_obj(sphere_with_hole(), file));
    SceneLoader loader;
    loader.start(file.string());
    std::optional<SceneLoader::Loaded> result;
    ASSERT_TRUE(wait_for(loader, [&](auto got) { return got ? (result = std::move(got), true) : false; }));
    ASSERT_TRUE(*result) << result->message();
    const BodyReport& report = result->value()->report();
    EXPECT_EQ(report.used, SurfaceUse::wrap);
    ASSERT_EQ(report.surface.findings.size(), 1u) << "the report still shows the fault";
    EXPECT_NE(loader.take_choice().find(report.made), std::string::npos);
    EXPECT_GE(result->value()->body.surface.triangles.size(), sphere_with_hole().triangles.size());
}

TEST(Loader, CancelledAtAnyTimeItBecomesIdleAndGivesNothing) {
    SceneLoader loader;
    for (int wait = 0; wait < 12; ++wait) {
        loader.start(std::string("bunny"));
        std::this_thread::sleep_for(std::chrono::milliseconds(4 * wait));
        loader.cancel();
        bool any = false;
        ASSERT_TRUE(wait_for(loader, [&](auto got) { return any |= got.has_value(), !loader.busy(); }));
        EXPECT_FALSE(any);
    }
}

// Building a scene can be cancelled at every stage.
TEST(Loader, EveryStageAsksWhetherItIsWanted) {
    const Folder folder;
    const fs::path file = folder.path() / "fine.obj";
    ASSERT_TRUE(save_obj(find_shape("sphere")->make(find_shape("sphere")->parameters, 0.04), file));
    auto scene = load_scene(file.string());
    ASSERT_TRUE(scene);
    scene.value().settings.parameters().resolution = 300;
    std::vector<std::string> stages;
    ASSERT_TRUE(build_scene(scene.value(), [&](std::string_view stage, double fraction) {
        EXPECT_TRUE(fraction >= 0 && fraction <= 1) << stage << fraction;
        if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
        return true;
    }));
    for (const char* stage :
         {"reading the mesh", "checking the surface", "filling with tetrahedra", "evening out the surface", "embedding the surface"})
        EXPECT_GT(std::ranges::count(stages, stage), 0) << stage;
    for (const std::string& last : stages) {
        bool reached = false;
        int more = 0;
        const auto result = build_scene(scene.value(), [&](std::string_view stage, double) {
            more += reached;
            reached |= stage == last;
            return !reached;
        });
        EXPECT_FALSE(result) << last;
        EXPECT_LE(more, 3) << last << ": went on after it was cancelled";
    }
}

}  // namespace
}  // namespace wobble
