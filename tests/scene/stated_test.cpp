// Every built-in scene states its mass and frequencies; here they are measured again.
#include "engine/core/workers.h"
#include "engine/model/mechanical_system.h"
#include "engine/scene/loaded_scene.h"
#include "engine/scene/scene_file.h"
#include "engine/scene/softness.h"
#include "engine/sim/system_factory.h"
#include "engine/solve/krylov/spectrum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace wobble {
namespace {

class BuiltInScene : public testing::TestWithParam<std::string> {};

TEST_P(BuiltInScene, HasTheStatedMassAndFrequencies) {
    const auto scene = load_scene(GetParam());
    ASSERT_TRUE(scene.ok()) << scene.message();
    ASSERT_TRUE(scene.value().stated.has_value()) << "the scene file needs a [stated] table";
    const auto loaded = build_scene(scene.value());
    ASSERT_TRUE(loaded.ok()) << loaded.message();
    const TetMesh& mesh = loaded.value()->body.tets;
    const auto made = make_system(*loaded.value(), std::make_shared<Workers>());
    const MechanicalSystem& system = *made;
    VecX q(3 * system.particles());
    for (int i = 0; i < system.particles(); ++i) particle(q, i) = mesh.vertices[i];
    BlockMatrix K(system.pattern());
    system.stiffness(q, K);
    const Linearized linearized{system.workers(), K, system.mass(), system.inverse_mass(), 0, 0};
    const Stated& stated = *scene.value().stated;
    // Stated with three digits: measured 0.04 % (mass), 0.3 % (highest), 0.4 % (lowest) off. Another mesh of the same body shifts the
    // lowest by up to 1 % and the highest, which is the worst tetrahedron's, by 2 %; by 17 % that of jelly, whose count of particles jumps.
    EXPECT_NEAR(system.total_mass(), stated.mass, 0.01 * stated.mass);
    EXPECT_NEAR(highest_frequency(linearized), stated.omega_max, (GetParam() == "jelly" ? 0.2 : 0.05) * stated.omega_max);
    // Of a body that flies the slowest motion that deforms it.
    const bool free = system.degrees_of_freedom() == 3 * system.particles() && !mesh.tets.empty();
    const RunSettings& settings = loaded.value()->scene.settings;
    const double lowest = free ? MeasuredWobble(loaded.value(), settings, 0).of(loaded.value(), settings, 0).value_or(0)
                               : lowest_frequency(linearized) / (2 * std::numbers::pi);
    EXPECT_NEAR(lowest, stated.lowest_frequency, std::max(0.02 * stated.lowest_frequency, 1e-3));  // flat sheets: 0
}

INSTANTIATE_TEST_SUITE_P(All, BuiltInScene, testing::ValuesIn(builtin_scene_names()), [](const auto& test) { return test.param; });

}  // namespace
}  // namespace wobble
