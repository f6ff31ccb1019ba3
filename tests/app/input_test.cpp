// Camera, picking, mouse and keys, and the plot's numbers: everything of the window that needs no window.
#include "app/viewer/input.h"
#include "app/run_history.h"
#include "app/plots.h"
#include "app/viewer/picking.h"
#include "tests/app/wobbling_torus.h"

#include <gtest/gtest.h>

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
    Viewport view{100, 0, 640, 480};
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

TEST(Plot, TicksAreRoundAndNumbersShort) {
    EXPECT_DOUBLE_EQ(tick_distance(10, 5), 2);
    EXPECT_DOUBLE_EQ(tick_distance(0.007, 4), 0.002);
    EXPECT_DOUBLE_EQ(tick_distance(0, 4), 1);
    EXPECT_EQ(short_number(12345), "12.3 k");
    EXPECT_EQ(short_number(-0.00456), "-4.56 m");
    EXPECT_EQ(short_number(0), "0 ");
    EXPECT_EQ(short_number(999.9, 3), "1 k");
}

TEST(RunHistory, IsBoundedAndStartsAnewOnReset) {
    RunHistory history;
    EnergySample sample{};
    for (int i = 0; i < 20000; ++i) {
        sample.t = 0.001 * i;
        history.add(sample);
    }
    EXPECT_LE(history.samples().size(), std::size_t(RunHistory::window / RunHistory::spacing) + 2);
    EXPECT_GE(history.samples().front().t, sample.t - RunHistory::window - 0.01);
    sample.t = 0;
    history.add(sample);
    EXPECT_EQ(history.samples().size(), 1u);
}

}  // namespace
}  // namespace wobble
