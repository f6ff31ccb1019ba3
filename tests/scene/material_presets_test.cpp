// Presets set what they state; the rule from Young's modulus to springs is measured on real bodies.
#include "engine/scene/material_presets.h"
#include "engine/model/mechanical_system.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/system_factory.h"
#include "engine/sim/world.h"

#include <gtest/gtest.h>

#include <set>

namespace wobble {
namespace {

std::shared_ptr<const LoadedScene> body_of(const char* name, double resolution) {
    auto scene = load_scene(name);
    if (!scene) return ADD_FAILURE() << scene.message(), nullptr;
    scene.value().settings.parameters().resolution = resolution;
    auto loaded = build_scene(std::move(scene).value());
    if (!loaded) return ADD_FAILURE() << loaded.message(), nullptr;
    return loaded.value();
}

TEST(MaterialPresets, HaveNamesAndValuesInsideTheRanges) {
    std::set<std::string> ids;
    for (const MaterialPreset& preset : material_presets()) {
        EXPECT_TRUE(ids.insert(preset.id).second) << preset.id;
        EXPECT_EQ(find_material_preset(preset.id), &preset);
        Parameters values;
        EXPECT_TRUE(set_parameter(values, "young", preset.young)) << preset.id;
        EXPECT_TRUE(set_parameter(values, "poisson", preset.poisson)) << preset.id;
        EXPECT_TRUE(set_parameter(values, "density", preset.density)) << preset.id;
        EXPECT_TRUE(set_parameter(values, "damping", preset.damping)) << preset.id;
    }
    EXPECT_EQ(find_material_preset("unobtainium"), nullptr);
    EXPECT_GE(ids.size(), 6u);
}

TEST(MaterialPresets, ARunningWorldHasWhatTheyState) {
    for (const char* name : {"jelly", "torus", "cloth"}) {
        const auto loaded = body_of(name, 200);
        ASSERT_TRUE(loaded);
        const BodyKind kind = body_kind(loaded->scene);
        const double per_stiffness = modulus_per_stiffness(loaded->body, whole(loaded->body));
        World world(loaded, 1);
        int presets = 0;
        for (const MaterialPreset& preset : material_presets()) {
            if (!(preset.acts_on & kind)) continue;
            ++presets;
            const auto values = preset_values(preset, kind, loaded->scene.body().model.thickness, per_stiffness);
            ASSERT_GE(values.size(), 3u);
            for (const auto& [parameter, value] : values) world.apply(SetParameter{parameter, value});
            const Snapshot shot = world.snapshot();
            EXPECT_EQ(shot.message, "") << preset.id;
            EXPECT_EQ(shot.settings.parameters().density, preset.density);
            if (kind & continuum_solid) {
                EXPECT_EQ(shot.settings.parameters().young, preset.young);
                EXPECT_EQ(shot.settings.parameters().poisson, preset.poisson);
            }
            if (kind == spring_solid) {
                EXPECT_NEAR(shot.settings.parameters().stiffness * per_stiffness, preset.young, 1e-9 * preset.young) << preset.id;
            }
            if (kind == spring_sheet) {
                EXPECT_DOUBLE_EQ(shot.settings.parameters().stiffness, preset.young * loaded->scene.body().model.thickness) << preset.id;
            }
        }
        EXPECT_GE(presets, 4) << name;
    }
}

// The energy of the springs under a uniform stretch is that of a material with the modulus asked for and Poisson's ratio 1/4:
//     w = E/2 (1 - nu) / ((1 + nu)(1 - 2 nu)) e^2 = 0.6 E e^2     for a stretch e along one axis without any across.
TEST(MaterialPresets, SpringsHaveTheModulusAskedForAtAnyResolution) {
    for (const char* name : {"spring_bunny", "torus"})
        for (const double resolution : {300.0, 1500.0}) {
            const auto loaded = body_of(name, resolution);
            ASSERT_TRUE(loaded);
            const double young = 1e5, e = 1e-4;
            Parameters p = loaded->scene.settings.parameters();
            p.stiffness = young / modulus_per_stiffness(loaded->body, whole(loaded->body));
            p.edge_stiffness = 0.1 * p.stiffness;
            p.gravity = p.stiffening = 0;
            const auto system = make_system(*loaded, std::make_shared<Workers>(1));
            system->set_material(p);
            double mean = 0;
            for (int axis = 0; axis < 3; ++axis) {
                VecX q(3 * static_cast<Eigen::Index>(loaded->body.tets.vertices.size()));
                for (std::size_t i = 0; i < loaded->body.tets.vertices.size(); ++i) {
                    Vec3 x = loaded->body.tets.vertices[i];
                    x[axis] *= 1 + e;
                    q.segment<3>(3 * static_cast<Eigen::Index>(i)) = x;
                }
                mean += system->elastic_energy(q) / volume(loaded->body.tets) / 3;
            }
            EXPECT_NEAR(mean / (0.6 * young * e * e), 1, 0.05) << name << " at " << resolution;
        }
}

}  // namespace
}  // namespace wobble
