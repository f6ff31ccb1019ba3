// Pictures of scenes, and folders as they are typed.
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

TEST(Folders, TypedPathsAreSplit) {
    EXPECT_EQ(split_path("/a/b.obj").folder, "/a/");
    EXPECT_EQ(split_path("/a/b.obj").name, "b.obj");
    EXPECT_EQ(split_path("/a/b/").name, "");
    EXPECT_EQ(split_path("/a/b//c/d").folder, "/c/") << "typed behind what was there";
    EXPECT_EQ(split_path("x.obj").folder, fs::current_path().string() + "/");
    EXPECT_TRUE(split_path("~/x").folder.find('~') == std::string::npos || !std::getenv("HOME"));
    EXPECT_EQ(folder_above("/a/b/"), "/a/");
    EXPECT_EQ(folder_above("/a"), "/");
    EXPECT_EQ(folder_above("/"), "/");
}

TEST(Thumbnails, BelongToBuiltInScenesAndShowSomething) {
    const auto names = builtin_scene_names();
    const auto all = scene_thumbnails();
    EXPECT_GE(all.size(), 6u);
    for (const Thumbnail& picture : all) {
        EXPECT_EQ(std::ranges::count(names, picture.scene), 1) << picture.scene << ".png belongs to no scene";
        EXPECT_EQ(picture.image.width, 160);
        EXPECT_EQ(picture.image.height, 100);
        double sum = 0, squares = 0;
        for (const std::uint8_t v : picture.image.rgb) sum += v, squares += double(v) * v;
        const double n = double(picture.image.rgb.size()), mean = sum / n;
        EXPECT_GT(std::sqrt(squares / n - mean * mean), 10) << picture.scene << " is nearly one colour";
    }
}

}  // namespace
}  // namespace wobble
