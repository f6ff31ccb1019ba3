// Ten simulated minutes of random play on each kind of body (label soak): see fuzz.h.
#include "engine/scene/scene_file.h"
#include "tests/sim/fuzz.h"
#include "tests/support/small_scene.h"

#include <chrono>
#include <cstdio>

namespace wobble {
namespace {

std::shared_ptr<const LoadedScene> built_in(const char* name, double resolution) {
    Scene scene = load_scene(name).value();
    scene.settings.parameters().resolution = resolution;
    return build_scene(scene).value();
}

void play(const char* name, std::shared_ptr<const LoadedScene> scene) {
    const auto start = std::chrono::steady_clock::now();
    const auto totals = support::fuzz(std::move(scene), 7, 600);
    const auto count = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    std::printf("%s: %.0f s simulated, %llu steps, %llu rejected, %llu of these redone, %.0f s\n", name, totals.simulated,
                count(totals.steps), count(totals.rejected), count(totals.redone), wall.count());
    std::fflush(stdout);
    EXPECT_GE(totals.simulated, 600);
}

TEST(Soak, Box) { play("box", support::small_scene({}, 3, 1)); }
TEST(Soak, BoxWithAnyEvaluatorAndAnyTolerance) {
    const auto totals = support::fuzz(support::small_scene({}, 3, 1), 8, 60, 0.5, 2, true);
    std::printf("box, any evaluator: %.0f s simulated, %llu steps, %llu rejected\n", totals.simulated,
                static_cast<unsigned long long>(totals.steps), static_cast<unsigned long long>(totals.rejected));
    EXPECT_GE(totals.simulated, 60);
}
TEST(Soak, Bunny) { play("bunny", built_in("bunny", 120)); }
TEST(Soak, Beam) { play("beam", built_in("beam", 60)); }
TEST(Soak, Cloth) { play("cloth", built_in("cloth", 64)); }
TEST(Soak, Jelly) { play("jelly", built_in("jelly", 60)); }
TEST(Soak, Torus) { play("torus", built_in("torus", 100)); }
TEST(Soak, Coil) { play("coil", built_in("coil", 100)); }

}  // namespace
}  // namespace wobble
