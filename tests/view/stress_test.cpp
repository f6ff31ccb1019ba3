// The stress that colours a body: for small strains that of linear elasticity, whichever continuum it is made of.
#include "engine/view/field.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

TEST(Stress, OfAPulledBarIsYoungsModulusTimesStrain) {
    const double E = 2e4, nu = 0.3, strain = 1e-5;
    const auto scene = support::small_scene();
    const std::vector<Material> materials{Material{.young = E, .poisson = nu}};
    State state;
    state.q = support::positions(scene->body.tets);
    for (Eigen::Index i = 0; i < state.q.size() / 3; ++i)
        particle(state.q, static_cast<int>(i)).array() *= Eigen::Array3d(1 + strain, 1 - nu * strain, 1 - nu * strain);
    for (const auto kind : {ElasticModel::Kind::corotational, ElasticModel::Kind::neo_hookean, ElasticModel::Kind::springs}) {
        FieldProbe probe(scene->body, {{whole(scene->body), ElasticModel{.kind = kind}}});
        std::vector<float> values;
        probe.measure(Field::stress, state, materials, values);
        ASSERT_FALSE(values.empty());
        const double expected = kind == ElasticModel::Kind::springs ? 0 : E * strain;
        for (const float value : values) EXPECT_NEAR(value, expected, 1e-3 * E * strain);
    }
}

}  // namespace
}  // namespace wobble
