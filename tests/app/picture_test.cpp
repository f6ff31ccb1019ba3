// Pictures without a window, judged by what is in them.
#include "app/viewer/headless.h"
#include "app/viewer/renderer.h"
#include "tests/app/wobbling_torus.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace wobble {
namespace {

constexpr int width = 480, height = 320;

class Picture : public ::testing::Test {
protected:
    void SetUp() override {
        auto context = HeadlessContext::make();
        ASSERT_TRUE(context) << context.message();
        context_ = std::move(context).value();
        auto renderer = Renderer::make();
        ASSERT_TRUE(renderer) << renderer.message();
        renderer_ = std::move(renderer).value();
    }

    Image draw(const Snapshot& snapshot, const Camera& camera, const ViewOptions& options = {}) {
        const auto drawn = renderer_->draw(snapshot, camera, options, width, height);
        EXPECT_TRUE(drawn) << drawn.message();
        return renderer_->picture();
    }
    static Camera camera_for(const Snapshot& snapshot) { return make_camera({}, snapshot.surface->rest_box); }
    static Snapshot without_body(Snapshot snapshot) {  // the same room, empty
        auto surface = std::make_shared<SurfaceTopology>(*snapshot.surface);
        surface->triangles.clear();
        snapshot.surface = surface;
        return snapshot;
    }

    std::unique_ptr<HeadlessContext> context_;  // outlives the renderer
    std::unique_ptr<Renderer> renderer_;
};

int difference(const Image& a, const Image& b, int x, int y) {
    int sum = 0;
    for (int k = 0; k < 3; ++k) sum += std::abs(int(a.pixel(x, y)[k]) - int(b.pixel(x, y)[k]));
    return sum;
}

int different_pixels(const Image& a, const Image& b, int threshold = 24) {
    int count = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) count += difference(a, b, x, y) > threshold;
    return count;
}

TEST_F(Picture, HasTheSizeAskedFor) {
    const Snapshot torus = wobbling_torus(0);
    for (const auto& [w, h] : {std::pair{640, 360}, {33, 257}, {640, 360}}) {
        ASSERT_TRUE(renderer_->draw(torus, camera_for(torus), {}, w, h));
        const Image image = renderer_->picture();
        EXPECT_EQ(image.width, w);
        EXPECT_EQ(image.height, h);
        EXPECT_EQ(image.rgb.size(), std::size_t(3 * w * h));
    }
    const auto refused = renderer_->draw(torus, camera_for(torus), {}, 100000, 10);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.message().find("100000x10"), std::string::npos);
}

// Every surface point that looks at the camera is drawn where the camera matrix puts it; far from the body nothing changes.
TEST_F(Picture, TheBodyIsWhereTheSnapshotSays) {
    for (const double t : {0.0, 0.25, 0.75}) {
        const Snapshot torus = wobbling_torus(t);
        const Camera camera = camera_for(torus);
        const Image with = draw(torus, camera), without = draw(without_body(torus), camera);
        int checked = 0, seen = 0;
        for (std::size_t i = 0; i < torus.positions.size(); i += 37) {
            const auto place = camera.project(torus.positions[i], width, height);
            ASSERT_TRUE(place);
            const int x = int(place->x()), y = int(place->y());
            ASSERT_TRUE(x > 0 && y > 0 && x < width - 1 && y < height - 1);
            ++checked;
            seen += difference(with, without, x, y) > 24;
        }
        EXPECT_GE(seen, 0.98 * checked) << "at t = " << t;  // silhouettes may fall half a pixel outside
        for (const auto& [x, y] : {std::pair{5, 5}, {width - 6, 5}, {5, height / 2}, {width - 6, height / 2}})
            EXPECT_LE(difference(with, without, x, y), 6) << x << ", " << y;
    }
}

TEST_F(Picture, ChangesWhileTheBodyMovesAndOnlyThen) {
    const Snapshot still = wobbling_torus(0), swayed = wobbling_torus(0.25);
    const Camera camera = camera_for(still);
    const Image first = draw(still, camera);
    EXPECT_EQ(draw(still, camera).rgb, first.rgb);
    EXPECT_GT(different_pixels(first, draw(swayed, camera)), width * height / 50);
}

TEST_F(Picture, OptionsAndGrabAreSeen) {
    Snapshot torus = wobbling_torus(0);
    const Camera camera = camera_for(torus);
    const Image plain = draw(torus, camera);
    ViewOptions wire, bare, unpinned, unlit;
    wire.wireframe = true;
    bare.ground = false;
    unpinned.highlight_pins = false;
    unlit.shadow = false;
    EXPECT_GT(different_pixels(plain, draw(torus, camera, wire)), 1000);
    EXPECT_GT(different_pixels(plain, draw(torus, camera, bare)), 500);
    EXPECT_GT(different_pixels(plain, draw(torus, camera, unlit)), 500);
    EXPECT_GT(different_pixels(plain, draw(torus, camera, unpinned), 6), 20);
    torus.grab = GrabView{torus.positions[0], torus.positions[0] + Vec3f(0.1f, 0.3f, 0)};
    const Image grabbed = draw(torus, camera);
    const auto middle = camera.project(torus.positions[0] + Vec3f(0.05f, 0.15f, 0), width, height);
    ASSERT_TRUE(middle);
    int changed = 0;
    for (int dx = -3; dx <= 3; ++dx) changed += difference(plain, grabbed, int(middle->x()) + dx, int(middle->y())) > 24;
    EXPECT_GT(changed, 0);
}

TEST_F(Picture, AnEmptySnapshotIsAnEmptyRoom) {
    const Image image = draw(Snapshot{}, Camera{});
    EXPECT_GT(int(image.pixel(width / 2, 4)[0]), 150);
}

TEST(Headless, ContextsComeAndGo) {
    for (int i = 0; i < 3; ++i) {
        const auto context = HeadlessContext::make();
        ASSERT_TRUE(context) << context.message();
        EXPECT_TRUE(Renderer::make());
    }
}

}  // namespace
}  // namespace wobble
