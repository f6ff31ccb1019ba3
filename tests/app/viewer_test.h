#pragma once
// A real window on an X server without a screen, driven by synthetic mouse and keys: what the tests of the viewer share.
#include "app/window/window.h"
#include "engine/scene/scene_file.h"
#include "tests/app/xvfb.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>

namespace wobble {

inline std::shared_ptr<const LoadedScene> soft_torus() {
    auto scene = load_scene("torus");
    if (!scene) return ADD_FAILURE() << scene.message(), nullptr;
    scene.value().settings.parameters().resolution = 300;  // small: the picture is drawn by the processor here
    auto loaded = build_scene(std::move(scene).value());
    if (!loaded) return ADD_FAILURE() << loaded.message(), nullptr;
    return loaded.value();
}

class ViewerTest : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(server_.ready()) << "Xvfb did not start";
        auto scene = soft_torus();
        ASSERT_TRUE(scene);
        ViewerOptions options;
        options.width = 900;
        options.height = 640;
        options.threads = 1;
        options.play = false;
        options.should_stop = [this] { return stop_; };
        change(options);
        auto app = ViewerApp::make(scene, options);
        ASSERT_TRUE(app) << app.message();
        app_ = std::move(app).value();
        app_->ui().view.samples = 1;  // the processor draws here
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(app_->frame());
    }
    virtual void change(ViewerOptions&) {}
    // Frames until the condition holds; false when it does not within a minute, which only ever ends a broken test.
    bool until(const std::function<bool()>& condition) {
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > give_up) return false;
            app_->frame();
        }
        return true;
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) app_->frame();
    }
    Image shown() {
        Image image;
        app_->frame(&image);
        return image;
    }
    Eigen::Vector2f on_screen(const Vec3f& point) const {
        const ViewRect v = app_->viewport();
        const auto place = app_->ui().camera.project(point, v.width, v.height);
        return {place->x() + float(v.x), place->y() + float(v.y)};
    }
    // A place of the window where the body is seen: under the highest point of the surface.
    Eigen::Vector2f on_body() const {
        const auto snapshot = app_->latest();
        Vec3f top = snapshot->positions.front();
        for (const Vec3f& x : snapshot->positions)
            if (x.y() > top.y()) top = x;
        return on_screen(top) + Eigen::Vector2f(0, 12);
    }
    UiState& ui() { return app_->ui(); }  // to set what a panel would set
    static std::string at(const Eigen::Vector2f& p) {
        return "mousemove " + std::to_string(int(p.x())) + " " + std::to_string(int(p.y())) + " ";
    }

    Xvfb server_;  // outlives the window
    bool stop_ = false;
    std::unique_ptr<ViewerApp> app_;
};

inline int different_pixels(const Image& a, const Image& b, const ViewRect& in) {
    int count = 0;
    for (int y = in.y; y < in.y + in.height; ++y)
        for (int x = in.x; x < in.x + in.width; ++x) {
            int d = 0;
            for (int k = 0; k < 3; ++k) d += std::abs(int(a.pixel(x, y)[k]) - int(b.pixel(x, y)[k]));
            count += d > 24;
        }
    return count;
}

}  // namespace wobble
