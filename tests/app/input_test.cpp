// Camera, picking, mouse and keys: everything of the window's input that needs no window.
#include "app/viewer/input.h"
#include "app/viewer/picking.h"
#include "engine/sim/world.h"
#include "tests/app/wobbling_torus.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

#include <set>

namespace wobble {
namespace {

TEST(Camera, ARayThroughAProjectedPointMeetsIt) {
    const Snapshot torus = wobbling_torus(0.1);
    for (const auto& [w, h] : {std::pair{1280, 720}, {400, 900}}) {
        Camera camera = make_camera({50, -10, 2}, torus.surface->rest_box);
        camera.pan(40, -25, w, h);
        for (std::size_t i = 0; i < torus.positions.size(); i += 101) {
            const auto place = camera.project(torus.positions[i], w, h);
            ASSERT_TRUE(place);
            const Ray ray = camera.ray(place->x(), place->y(), w, h);
            const Vec3f to = torus.positions[i] - ray.origin;
            EXPECT_LT((to - to.dot(ray.direction) * ray.direction).norm(), 1e-4f);
        }
    }
}

TEST(Camera, FramesTheBodyAndStaysUpright) {
    const Snapshot torus = wobbling_torus(0);
    Camera camera = make_camera({}, torus.surface->rest_box);
    for (const Vec3f& x : torus.positions) {
        const auto place = camera.project(x, 640, 480);
        ASSERT_TRUE(place);
        EXPECT_TRUE(place->x() > 0 && place->x() < 640 && place->y() > 0 && place->y() < 480);
    }
    for (int i = 0; i < 50; ++i) camera.orbit(0, 300, 480);
    EXPECT_GT(camera.up().y(), 0);
    for (int i = 0; i < 1000; ++i) camera.zoom(5);
    EXPECT_GT(camera.distance, 0);
}

TEST(Picking, ASurfaceWithoutPositionsIsNotHit) {
    Snapshot torus = wobbling_torus(0);
    const Camera camera = make_camera({}, torus.surface->rest_box);
    const auto top = camera.project(torus.positions.front(), 640, 480);
    ASSERT_TRUE(top && pick(torus, camera.ray(top->x(), top->y() + 1, 640, 480)));
    torus.positions.clear();
    EXPECT_FALSE(pick(torus, camera.ray(top->x(), top->y() + 1, 640, 480)));
}

TEST(Picking, TheNearestTriangleAndItsBarycentricPoint) {
    const Snapshot torus = wobbling_torus(0.2);
    const Camera camera = make_camera({}, torus.surface->rest_box);
    int hits = 0;
    for (float y = 0; y < 480; y += 20)
        for (float x = 0; x < 640; x += 20) {
            const Ray ray = camera.ray(x, y, 640, 480);
            const auto hit = pick(torus, ray);
            if (!hit) continue;
            ++hits;
            const Triangle& corners = torus.surface->triangles[hit->triangle];
            Vec3f point = Vec3f::Zero();
            for (int k = 0; k < 3; ++k) point += float(hit->barycentric[k]) * torus.positions[corners[k]];
            EXPECT_NEAR(hit->barycentric.sum(), 1, 1e-12);
            EXPECT_LT((point - hit->point).norm(), 1e-5f);
            EXPECT_LT((ray.origin + hit->distance * ray.direction - hit->point).norm(), 1e-5f);
            // Nothing lies between the eye and the hit.
            Snapshot front = torus;
            EXPECT_FALSE(pick(front, {hit->point - 1e-3f * ray.direction, -ray.direction}));
        }
    EXPECT_GT(hits, 30);
    EXPECT_FALSE(pick(Snapshot{}, camera.ray(320, 240, 640, 480)));
}

TEST(Picking, DraggingKeepsTheDepth) {
    const Camera camera;
    const Vec3f through = camera.target + Vec3f(0.1f, 0.2f, -0.1f);
    const Vec3f moved = drag_point(camera, camera.ray(500, 100, 640, 480), through);
    EXPECT_NEAR((moved - through).dot(camera.forward()), 0, 1e-5f);
    EXPECT_GT((moved - through).norm(), 0.1f);
}

class Mouse : public ::testing::Test {
protected:
    Snapshot torus = wobbling_torus(0);
    UiState ui;
    Input input;
    std::vector<Command> posted;
    ViewRect view{100, 0, 640, 480};
    Wanted wanted;
    float x = 0, y = 0;  // on the body, window coordinates

    void SetUp() override {
        ui.camera = make_camera({}, torus.surface->rest_box);
        const auto place = ui.camera.project(torus.positions[24 * 48 + 12], view.width, view.height);  // top of the ring, front side
        x = place->x() + 100;
        y = place->y() + 3;
    }
    void play(std::vector<InputEvent> events) {
        input.handle(events, wanted, view, torus, ui, [this](Command c) { posted.push_back(std::move(c)); });
    }
};

TEST_F(Mouse, CtrlDragGrabsMovesAndReleases) {
    play({MousePress{Button::left, true, false, x, y, 1}, MouseMove{x + 50, y}, MouseRelease{Button::left}});
    ASSERT_EQ(posted.size(), 3u);
    const auto* grab = std::get_if<Grab>(&posted[0]);
    const auto* move = std::get_if<MoveGrab>(&posted[1]);
    ASSERT_TRUE(grab && move && std::holds_alternative<Release>(posted[2]));
    const Vec3 moved = move->target - grab->target;
    EXPECT_GT(moved.dot(ui.camera.right().cast<double>()), 0.01);
    EXPECT_NEAR(moved.dot(ui.camera.up().cast<double>()), 0, 1e-4);
}

TEST_F(Mouse, CtrlDragBesideTheBodyDoesNothing) {
    const Camera before = ui.camera;
    play({MousePress{Button::left, true, false, 103, 3, 1}, MouseMove{200, 60}, MouseRelease{Button::left}});
    EXPECT_TRUE(posted.empty());
    EXPECT_EQ(ui.camera, before);
}

// In front of the body, so that it is hit first.
TEST_F(Mouse, CtrlDragMovesAnObstacle) {
    Obstacle ball = make_obstacle(Obstacle::Kind::sphere);
    ball.radius = 0.1f * ui.camera.size;
    const Ray ray = ui.camera.ray(x - static_cast<float>(view.x), y - static_cast<float>(view.y), view.width, view.height);
    const Vec3f centre = ray.origin + 0.5f * ui.camera.distance * ray.direction;
    ball.position = centre.cast<double>();
    torus.settings.obstacles = {ball};
    torus.obstacle_poses = {pose(ball, 0)};
    const auto hit = pick_obstacle(torus, ray);
    ASSERT_TRUE(hit);
    EXPECT_NEAR((hit->point - centre).norm(), ball.radius, 1e-3 * ball.radius);
    EXPECT_FALSE(pick_obstacle(torus, {ray.origin, -ray.direction}));

    play({MousePress{Button::left, true, false, x, y, 1}, MouseMove{x + 50, y}, MouseRelease{Button::left}});
    ASSERT_EQ(posted.size(), 3u);
    const auto *taken = std::get_if<DragObstacle>(&posted[0]), *moved = std::get_if<DragObstacle>(&posted[1]);
    ASSERT_TRUE(taken && moved && std::holds_alternative<ReleaseObstacle>(posted[2]));
    EXPECT_LT((taken->position - ball.position).norm(), 1e-6);  // taken where it is
    const Vec3 by = moved->position - taken->position;
    EXPECT_GT(by.dot(ui.camera.right().cast<double>()), 0.01);
    EXPECT_NEAR(by.dot(ui.camera.up().cast<double>()), 0, 1e-4);
    EXPECT_EQ(ui.contact.selected, 0);

    posted.clear();
    torus.settings.obstacles[0].visible = false;
    play({MousePress{Button::left, true, false, x, y, 1}, MouseRelease{Button::left}});
    ASSERT_FALSE(posted.empty());
    EXPECT_TRUE(std::holds_alternative<Grab>(posted[0]));
}

TEST_F(Mouse, OrbitPanZoomPivot) {
    const Camera before = ui.camera;
    play({MousePress{Button::left, false, false, x, y, 1}, MouseMove{x + 40, y + 10}, MouseRelease{Button::left}, MouseMove{x, y}});
    EXPECT_NE(ui.camera.yaw, before.yaw);
    EXPECT_EQ(ui.camera.target, before.target);
    ui.camera = before;
    play({MousePress{Button::right, false, false, x, y, 3}, MouseMove{x + 40, y}, MouseRelease{Button::right}});
    EXPECT_NE(ui.camera.target, before.target);
    EXPECT_EQ(ui.camera.yaw, before.yaw);
    ui.camera = before;
    play({MouseWheel{1}});
    EXPECT_LT(ui.camera.distance, before.distance);
    ui.camera = before;
    play({MousePress{Button::left, false, false, x, y, 5}, MouseRelease{Button::left}, MousePress{Button::left, false, false, x, y, 5.2},
          MouseRelease{Button::left}});
    EXPECT_NE(ui.camera.target, before.target);
    EXPECT_TRUE(posted.empty());
}

TEST_F(Mouse, WhatThePanelsWantIsTheirs) {
    wanted = {true, true};
    const Camera before = ui.camera;
    play({MousePress{Button::left, true, false, x, y, 1}, MouseMove{x + 40, y}, MouseRelease{Button::left}, MouseWheel{2},
          KeyPress{Key::space, false, false}});
    EXPECT_TRUE(posted.empty());
    EXPECT_EQ(ui.camera, before);
}

TEST_F(Mouse, KeysDoWhatHelpSays) {
    torus.running = true;
    torus.speed = 2;
    play({KeyPress{Key::space, false, false}, KeyPress{Key::right_arrow, false, true}, KeyPress{Key::r, false, false},
          KeyPress{Key::plus, false, false}, KeyPress{Key::minus, false, false}, KeyPress{Key::space, false, true}});
    ASSERT_EQ(posted.size(), 5u);  // a held space is one space
    EXPECT_TRUE(std::holds_alternative<Pause>(posted[0]));
    EXPECT_TRUE(std::holds_alternative<StepOnce>(posted[1]));
    EXPECT_TRUE(std::holds_alternative<Reset>(posted[2]));
    EXPECT_EQ(std::get<SetSpeed>(posted[3]).factor, 4);
    EXPECT_EQ(std::get<SetSpeed>(posted[4]).factor, 1);
    play({KeyPress{Key::q, false, false}, KeyPress{Key::o, false, false}});
    EXPECT_FALSE(ui.quit || ui.show_open);
    play({KeyPress{Key::q, true, false}, KeyPress{Key::o, true, false}, KeyPress{Key::w, false, false}, KeyPress{Key::tab, false, false},
          KeyPress{Key::f1, false, false}, FileDrop{"x.obj"}});
    EXPECT_TRUE(ui.quit && ui.show_open && ui.view.wireframe && !ui.show_ui && ui.show_help);
    EXPECT_EQ(ui.open, "x.obj");
}

// Everything a key can do to the interface, as text: two states that differ for a user differ here.
std::string seen(const UiState& ui) {
    std::string s;
    for (const bool b :
         {ui.view.wireframe, ui.view.tets, ui.show_ui, ui.show_help, ui.show_open, ui.studies.show, ui.interface.show_timings,
          ui.interface.full_screen, ui.frame_body, ui.quit, ui.scene.show_save, ui.scene.show_report, ui.record.screenshot,
          ui.record.start_now, ui.record.stop, ui.compare.start, ui.compare.stop})
        s += b ? '1' : '0';
    return s;
}

TEST_F(Mouse, EveryKeyOfTheTableDoesSomethingAndHasItsOwnPlace) {
    std::set<std::pair<Key, bool>> taken;
    for (const KeyBinding& binding : key_bindings()) {
        EXPECT_TRUE(taken.insert({binding.key, binding.ctrl}).second) << binding.written << " is listed twice";
        EXPECT_GT(std::string(binding.meaning).size(), 3u) << binding.written;
        posted.clear();
        ui = UiState();
        ui.show_help = ui.show_open = binding.key == Key::escape;
        const std::string before = seen(ui);
        play({KeyPress{binding.key, !binding.ctrl, false}});
        EXPECT_TRUE(posted.empty() && seen(ui) == before) << binding.written << " with the other modifier";
        play({KeyPress{binding.key, binding.ctrl, false}});
        EXPECT_TRUE(posted.size() == 1 || seen(ui) != before) << binding.written << " does nothing";
        const std::size_t once = posted.size();
        const std::string after = seen(ui);
        play({KeyPress{binding.key, binding.ctrl, true}});
        EXPECT_EQ(posted.size() > once, binding.repeats) << binding.written << " held down";
        EXPECT_EQ(seen(ui), after) << binding.written << " held down";
    }
}

TEST_F(Mouse, TheKeysPeopleAreToldOfAreInTheTable) {
    std::string all;
    for (const KeyBinding& binding : key_bindings()) all += std::string("|") + binding.written;
    for (const char* key :
         {"Space", "Right", "Left", "R", "Ctrl + O", "Ctrl + S", "Ctrl + P", "V", "F", "W", "F1", "F3", "F11", "+", "-", "Ctrl + Q", "Tab"})
        EXPECT_NE((all + "|").find(std::string("|") + key + "|"), std::string::npos) << key;
}

TEST_F(Mouse, RecordAndCompareKeysStopWhatIsGoingOn) {
    ui.record.recording = ui.compare.on = true;
    play({KeyPress{Key::v, false, false}, KeyPress{Key::c, false, false}});
    EXPECT_TRUE(ui.record.stop && !ui.record.start_now && ui.compare.stop && !ui.compare.start);
}

TEST_F(Mouse, CtrlRightClickPinsThePlaceUnderThePointer) {
    const Camera before = ui.camera;
    play({MousePress{Button::right, true, false, x, y, 1}, MouseMove{x + 30, y}, MouseRelease{Button::right}});
    ASSERT_EQ(posted.size(), 1u);
    const auto* pin = std::get_if<TogglePin>(&posted[0]);
    ASSERT_TRUE(pin);
    EXPECT_NEAR(pin->barycentric.sum(), 1, 1e-9);
    EXPECT_EQ(ui.camera, before) << "and moves no camera";
    play({MousePress{Button::right, true, false, 103, 3, 2}, MouseRelease{Button::right}});
    EXPECT_EQ(posted.size(), 1u) << "beside the body";
}

TEST_F(Mouse, GrabbingHitsThePointUnderThePointerAtAnyZoom) {
    for (const float distance : {0.8f, 2.0f, 8.0f, 40.0f}) {
        posted.clear();
        ui.camera.distance = distance * ui.camera.size;
        // The middle of the picture, on the near side of the ring.
        const Vec3f near = torus.positions[24 * 48 + 12];
        ui.camera.target = near;
        play({MousePress{Button::left, true, false, 100 + 320.0f, 240.0f, 1}, MouseMove{100 + 330.0f, 240.0f}, MouseRelease{Button::left}});
        ASSERT_EQ(posted.size(), 3u) << distance;
        const Vec3f hit = std::get<Grab>(posted[0]).target.cast<float>();
        const auto place = ui.camera.project(hit, view.width, view.height);
        ASSERT_TRUE(place);
        EXPECT_LT((*place - Eigen::Vector2f(320, 240)).norm(), 0.5f) << distance;
        const auto moved = ui.camera.project(std::get<MoveGrab>(posted[1]).target.cast<float>(), view.width, view.height);
        EXPECT_LT((*moved - Eigen::Vector2f(330, 240)).norm(), 0.5f) << distance;
    }
}

// Paused: the hand is there at once, and pulls as soon as steps are taken.
TEST(Grabbing, WorksWhilePaused) {
    World world(support::small_scene(), 1);
    ASSERT_FALSE(world.running());
    const Snapshot before = world.snapshot();
    int triangle = 0;  // at the free end
    for (int i = 0; i < static_cast<int>(before.surface->triangles.size()); ++i)
        if (before.positions[before.surface->triangles[i][0]].x() > before.positions[before.surface->triangles[triangle][0]].x())
            triangle = i;
    const Vec3 third = Vec3::Constant(1.0 / 3);
    world.apply(Grab{triangle, third, before.positions[before.surface->triangles[triangle][0]].cast<double>()});
    ASSERT_TRUE(world.snapshot().grab);
    const Vec3f from = world.snapshot().grab->point;
    world.apply(MoveGrab{from.cast<double>() + Vec3(0, 0.5, 0)});
    EXPECT_EQ(world.snapshot().t, 0);
    EXPECT_NEAR((world.snapshot().grab->target - from).y(), 0.5f, 1e-5f) << "the hand moves";
    EXPECT_EQ(world.snapshot().grab->point, from) << "the body waits";
    for (int i = 0; i < 20; ++i) {
        world.apply(StepOnce{});
        world.step();
    }
    EXPECT_GT((world.snapshot().grab->point - from).y(), 1e-3f) << "and follows when steps are taken";
}

}  // namespace
}  // namespace wobble
