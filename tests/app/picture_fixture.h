#pragma once
// Pictures without a window, to be judged by what is in them.
#include "app/viewer/gl/headless.h"
#include "app/viewer/renderer.h"
#include "tests/app/wobbling_torus.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace wobble {

inline constexpr int width = 480, height = 320;

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

inline int difference(const Image& a, const Image& b, int x, int y) {
    int sum = 0;
    for (int k = 0; k < 3; ++k) sum += std::abs(int(a.pixel(x, y)[k]) - int(b.pixel(x, y)[k]));
    return sum;
}

inline int different_pixels(const Image& a, const Image& b, int threshold = 24) {
    int count = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) count += difference(a, b, x, y) > threshold;
    return count;
}

inline double brightness(const Image& image, int x, int y) {
    const auto* p = image.pixel(x, y);
    return 0.3 * p[0] + 0.6 * p[1] + 0.1 * p[2];
}

}  // namespace wobble
