// The slowest wobble of bodies, held and free, and what is made of it.
#include "engine/scene/softness.h"

#include "engine/scene/scene_file.h"
#include "engine/sim/system_factory.h"
#include "engine/solve/krylov/lowest_elastic.h"
#include "engine/solve/krylov/spectrum.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include <numbers>

namespace wobble {
namespace {

using Kind = ElasticModel::Kind;

std::shared_ptr<const LoadedScene> box(Kind kind, bool held, Parameters parameters = {}) {
    auto loaded = std::make_shared<LoadedScene>(*support::small_scene(parameters, 4, 2));
    loaded->scene.body().model.kind = kind;
    if (!held) loaded->scene.settings.pins().clear();
    return loaded;
}

// All frequencies of the tangent at rest, rad/s, by a dense eigenvalue solver; motions of held particles left out.
VecX frequencies(const LoadedScene& loaded) {
    const auto system = make_system(loaded, std::make_shared<Workers>(1));
    BlockMatrix K(system->pattern());
    system->stiffness(system->rest(), K);
    const int n = 3 * system->particles();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < K.rows(); ++i)
        for (int k = K.pattern().row_begin[i]; k < K.pattern().row_begin[i + 1]; ++k)
            A.block<3, 3>(3 * i, 3 * K.pattern().column[k]) = K.at(k);
    const VecX W = system->inverse_mass().cwiseSqrt();
    const VecX squares = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(W.asDiagonal() * A * W.asDiagonal()).eigenvalues();
    return squares.cwiseMax(0).cwiseSqrt();
}

TEST(Softness, TheSlowestWobbleIsTheFirstFrequencyThatDeforms) {
    for (const Kind kind : {Kind::springs, Kind::corotational, Kind::neo_hookean})
        for (const bool held : {true, false}) {
            const auto loaded = box(kind, held);
            const VecX all = frequencies(*loaded);
            const int held_ones = held ? 3 * 9 : 0, rigid = held ? 0 : 6;
            const double first = all[held_ones + rigid] / (2 * std::numbers::pi);
            ASSERT_LT(all[held_ones + rigid - 1], 1e-3 * all[held_ones + rigid]) << "what is left out deforms nothing";
            EXPECT_NEAR(slowest_wobble(*loaded, loaded->scene.settings, 0), first, 1e-4 * first);
        }
}

// Rotations about a held line are left; the first frequency behind them counts.
TEST(Softness, PinsThatLeaveRigidMotionsAreKnown) {
    auto loaded = std::make_shared<LoadedScene>(*box(Kind::neo_hookean, true));
    PinRule edge;  // the particles with x = y = 0: a line
    edge.high = {0.01, 0.01, 1};
    loaded->scene.settings.pins() = {edge};
    const VecX all = frequencies(*loaded);
    const double first = all[3 * 3 + 1] / (2 * std::numbers::pi);
    ASSERT_LT(all[3 * 3], 1e-3 * all[3 * 3 + 1]);
    EXPECT_NEAR(slowest_wobble(*loaded, loaded->scene.settings, 0), first, 1e-4 * first);
}

TEST(Softness, HeldBodiesAgreeWithInverseIteration) {
    auto scene = load_scene("jelly").value();
    scene.settings.parameters().resolution = 200;
    const auto loaded = build_scene(scene).value();
    const auto system = make_system(*loaded, std::make_shared<Workers>(1));
    BlockMatrix K(system->pattern());
    system->stiffness(system->rest(), K);
    const double expected = lowest_frequency({system->workers(), K, system->mass(), system->inverse_mass(), 0, 0});
    ASSERT_GT(expected, 0);
    EXPECT_NEAR(lowest_elastic_frequency(*system, system->rest()), expected, 1e-3 * expected);
}

// A wish for a frequency and a damping ratio is fulfilled, whatever the body is made of, and does not stay.
TEST(Softness, WishesBecomeStiffnessAndDamping) {
    for (const Kind kind : {Kind::springs, Kind::corotational, Kind::neo_hookean})
        for (const bool held : {true, false}) {
            const auto loaded = box(kind, held);
            RunSettings settings = loaded->scene.settings;
            settings.parameters().wobble = 2.5;
            settings.parameters().damping_ratio = 0.02;
            const auto done = fulfil_wishes(*loaded, settings, -1);
            ASSERT_TRUE(done) << done.message();
            EXPECT_EQ(settings.parameters().wobble, 0);
            EXPECT_EQ(settings.parameters().damping_ratio, 0);
            EXPECT_NEAR(slowest_wobble(*loaded, settings, 0), 2.5, 1e-3);
            EXPECT_NEAR(settings.parameters().damping, 0.02 / (std::numbers::pi * 2.5), 1e-12);  // beta = 2 zeta / omega
            EXPECT_NEAR(damping_ratio(settings.parameters().damping, 2.5), 0.02, 1e-12);
        }
}

TEST(Softness, AWishOutOfReachIsASentenceAndChangesNothing) {
    const auto loaded = box(Kind::neo_hookean, true);
    RunSettings settings = loaded->scene.settings;
    settings.parameters().wobble = 1e4, settings.parameters().density = 1e5;
    const RunSettings before = settings;
    const auto done = fulfil_wishes(*loaded, settings, -1);
    ASSERT_FALSE(done);
    EXPECT_NE(done.message().find("out of reach"), std::string::npos) << done.message();
    EXPECT_TRUE(settings == before);
}

TEST(Softness, OneMeasurementDoesForAllStiffnessesAndDensities) {
    for (const Kind kind : {Kind::springs, Kind::neo_hookean}) {
        const auto loaded = box(kind, true);
        const MeasuredWobble measured(loaded, loaded->scene.settings, 0);
        RunSettings other = loaded->scene.settings;
        ASSERT_TRUE(scale_stiffness(other.parameters(), kind, 7));
        other.parameters().density *= 0.3;
        ASSERT_TRUE(measured.of(loaded, other, 0));
        EXPECT_NEAR(*measured.of(loaded, other, 0), slowest_wobble(*loaded, other, 0), 1e-3 * *measured.of(loaded, other, 0));
        RunSettings another = other;
        if (kind == Kind::springs) another.parameters().edge_stiffness *= 2;
        else another.parameters().poisson = 0.1;
        EXPECT_FALSE(measured.of(loaded, another, 0)) << "is another body";
        another = other, another.pins().clear();
        EXPECT_FALSE(measured.of(loaded, another, 0)) << "is held otherwise";
    }
}

TEST(Softness, AnotherModelWobblesAsFast) {
    for (const Kind from : {Kind::springs, Kind::corotational, Kind::neo_hookean})
        for (const Kind to : {Kind::springs, Kind::corotational, Kind::neo_hookean}) {
            const auto loaded = box(from, true);
            RunSettings settings = loaded->scene.settings;
            const double before = slowest_wobble(*loaded, settings, 0);
            ASSERT_TRUE(change_model(*loaded, settings, 0, to));
            EXPECT_EQ(body_model(loaded->scene, settings, 0).kind, to);
            EXPECT_NEAR(slowest_wobble(*loaded, settings, 0), before, 1e-3 * before);
        }
}

// What is asked for in a scene is carried out when its body is there.
TEST(Softness, ScenesMayStateAFrequencyInsteadOfAStiffness) {
    const auto scene = parse_scene(
        "[source]\nshape = \"sphere\"\n[model]\nkind = \"neo-hookean\"\n[parameters]\nwobble = 2.5\ndamping_ratio = 0.02\nresolution = "
        "150.0\n",
        {}, "soft");
    ASSERT_TRUE(scene) << scene.message();
    const auto loaded = build_scene(scene.value());
    ASSERT_TRUE(loaded) << loaded.message();
    const RunSettings& settings = loaded.value()->scene.settings;
    EXPECT_EQ(settings.parameters().wobble, 0);
    EXPECT_NEAR(slowest_wobble(*loaded.value(), settings, 0), 2.5, 1e-2);
    EXPECT_GT(settings.parameters().damping, 0);
}

TEST(Softness, AnotherModelForASceneIsMatchedWhenItIsBuilt) {
    auto scene = load_scene("torus").value();
    scene.settings.parameters().resolution = 150;
    const auto before = build_scene(scene).value();
    scene.settings.bodies.front().model = Kind::neo_hookean;
    const auto after = build_scene(scene).value();
    EXPECT_EQ(after->scene.body().model.kind, Kind::neo_hookean);
    EXPECT_FALSE(after->scene.settings.bodies.front().model);
    const double f = slowest_wobble(*before, before->scene.settings, 0);
    ASSERT_GT(f, 0);
    EXPECT_NEAR(slowest_wobble(*after, after->scene.settings, 0), f, 1e-2 * f);
    auto sheet = load_scene("cloth").value();
    sheet.settings.bodies.front().model = Kind::neo_hookean;
    EXPECT_FALSE(build_scene(sheet)) << "a sheet has no tetrahedra";
}

}  // namespace
}  // namespace wobble
