// The stable neo-Hookean law at rest, at small strains, flat, inverted and crushed.
#include "engine/integrate/methods.h"
#include "engine/model/forces/neo_hookean_tets.h"
#include "engine/model/mechanical_system.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace wobble {
namespace {

MechanicalSystem body_of(const TetMesh& mesh, ElasticModel::Kind kind, const Material& material) {
    BodyMesh body;
    body.tets = mesh;
    const int n = static_cast<int>(mesh.vertices.size());
    return MechanicalSystem(body, {.kind = kind}, Constraints(n), material, std::make_shared<Workers>(2));
}

TetMesh one_tet() {
    TetMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    return mesh;
}

Eigen::MatrixXd dense(const BlockMatrix& K) {
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * K.rows(), 3 * K.rows());
    const BlockPattern& pattern = K.pattern();
    for (int i = 0; i < K.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) D.block<3, 3>(3 * i, 3 * pattern.column[k]) = K.at(k);
    return D;
}

Eigen::MatrixXd tangent(const MechanicalSystem& system, const VecX& q) {
    BlockMatrix K(system.pattern());
    system.stiffness(q, K);
    return dense(K);
}

int inverted(const TetMesh& mesh, const VecX& q) {
    TetMesh moved = mesh;
    for (int i = 0; i < static_cast<int>(mesh.vertices.size()); ++i) moved.vertices[i] = particle(q, i);
    return static_cast<int>(std::count_if(mesh.tets.begin(), mesh.tets.end(), [&](const Tet& t) { return !(volume(moved, t) > 0); }));
}

// Positions as near as a rotation and a translation bring them, RMS over particles (Horn 1987 gives the same rotation).
double distance_from_rest(const VecX& q, const VecX& rest) {
    const auto points = [](const VecX& x) { return Eigen::Map<const Eigen::Matrix3Xd>(x.data(), 3, x.size() / 3); };
    const Eigen::Matrix4d T = Eigen::umeyama(points(rest), points(q), false);
    const Eigen::Matrix3Xd put = (T.topLeftCorner<3, 3>() * points(rest)).colwise() + T.topRightCorner<3, 1>().col(0);
    return std::sqrt((points(q) - put).squaredNorm() / static_cast<double>(put.cols()));
}

TEST(NeoHookeanTets, RestIsStressFreeAndItsTangentIsThatOfLinearElasticity) {
    const TetMesh mesh = support::box_tets(2, 1, 1);
    for (const double nu : {0.0, 0.3, 0.45}) {
        const Material material{.gravity = 0, .young = 2e4, .poisson = nu};
        const MechanicalSystem neo = body_of(mesh, ElasticModel::Kind::neo_hookean, material);
        const MechanicalSystem linear = body_of(mesh, ElasticModel::Kind::corotational, material);  // at rest: linear elasticity
        const Eigen::MatrixXd K = tangent(neo, neo.rest()), expected = tangent(linear, neo.rest());
        ASSERT_GT(expected.norm(), 1);
        EXPECT_LT((K - expected).norm(), 1e-12 * expected.norm()) << nu;
        VecX f(neo.rest().size());
        neo.elastic_force(neo.rest(), f);
        EXPECT_LT(f.norm(), 1e-11 * expected.norm());
        EXPECT_NEAR(neo.elastic_energy(neo.rest()), 0, 1e-20);
    }
}

// A bar pulled along x with its sides free: stress = E strain, and it thins by nu.
TEST(NeoHookeanTets, YoungAndPoissonMeanWhatTheySay) {
    const double E = 2e4, nu = 0.3, strain = 1e-5;
    const TetMesh mesh = support::box_tets(3, 2, 2, 0.5);
    const MechanicalSystem system = body_of(mesh, ElasticModel::Kind::neo_hookean, {.gravity = 0, .young = E, .poisson = nu});
    VecX q = system.rest(), f(q.size());
    for (int i = 0; i < system.particles(); ++i) particle(q, i).array() *= Eigen::Array3d(1 + strain, 1 - nu * strain, 1 - nu * strain);
    system.elastic_force(q, f);
    double pull = 0;
    for (int i = 0; i < system.particles(); ++i) {
        if (mesh.vertices[i].x() > 1.49) pull -= f[3 * i];
        else if (mesh.vertices[i].x() > 0.01) {
            EXPECT_LT(particle(f, i).norm(), 1e-3 * E * strain);
        }
    }
    EXPECT_NEAR(pull, E * strain * 1.0, 1e-3 * E * strain);  // area 1 m^2
}

// Flat, turned inside out, a needle, a point: all derivatives are finite and those of the energy.
TEST(NeoHookeanTets, DerivativesHoldForFlatAndInvertedElements) {
    const MechanicalSystem system =
        body_of(one_tet(), ElasticModel::Kind::neo_hookean, {.damping = 1, .gravity = 0, .young = 1e4, .poisson = 0.4});
    VecX flat = system.rest(), inverted = system.rest(), mirrored = system.rest(), needle = VecX::Zero(12);
    flat[11] = 0, inverted[11] = -0.7, mirrored[11] = -1, needle[3] = 1;
    const VecX u = support::random_vector(12, 1, 3), point = VecX::Zero(12);
    const double size = tangent(system, system.rest()).norm();
    const auto force = [&](const VecX& q) {
        VecX f(12);
        system.elastic_force(q, f);
        return f;
    };
    const auto damping = [&](const VecX& q) {  // -K(q) u
        VecX f(12);
        system.damping_force(q, u, f);
        return f;
    };
    for (const VecX& q : {system.rest(), flat, inverted, mirrored, needle, point}) {
        const VecX f = force(q);
        const Eigen::MatrixXd K = tangent(system, q);
        for (int k = 0; k < 12; ++k) {
            VecX plus = q, minus = q;
            plus[k] += 1e-5, minus[k] -= 1e-5;
            EXPECT_NEAR(f[k], -(system.elastic_energy(plus) - system.elastic_energy(minus)) / 2e-5, 1e-7 * size);
            EXPECT_LT((K.col(k) + (force(plus) - force(minus)) / 2e-5).norm(), 1e-7 * size);
        }
        VecX rate(12), elastic(12);
        system.elastic_force_and_damping_rate(q, u, elastic, rate);
        EXPECT_LT((rate - (damping(q + 1e-5 * u) - damping(q - 1e-5 * u)) / 2e-5).norm(), 1e-7 * size);
        EXPECT_LT((damping(q) + K * u).norm(), 1e-12 * size * u.norm());
    }
    for (const VecX& q : {VecX(1e-30 * system.rest()), VecX(1e30 * system.rest())}) {
        EXPECT_TRUE(force(q).allFinite());
        EXPECT_TRUE(tangent(system, q).allFinite());
    }
    EXPECT_GT(force(inverted)[11], 100);  // the tip is pushed back out
    EXPECT_GT(force(flat)[11], 100);
}

// Where the exact tangent has no negative eigenvalue the semidefinite one is the same; elsewhere it leaves those out.
TEST(NeoHookeanTets, TheSemidefiniteTangentLosesTheNegativeEigenvaluesOnly) {
    const MechanicalSystem system = body_of(one_tet(), ElasticModel::Kind::neo_hookean, {.gravity = 0, .young = 1e4, .poisson = 0.4});
    ASSERT_TRUE(system.offers_semidefinite_stiffness());
    const auto semidefinite = [&](const VecX& q) {
        BlockMatrix A(system.pattern());
        system.semidefinite_step_matrix(q, 0, 1, 0, A);
        return dense(A);
    };
    const double size = tangent(system, system.rest()).norm();
    EXPECT_LT((semidefinite(system.rest()) - tangent(system, system.rest())).norm(), 1e-12 * size);
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const VecX q = support::random_vector(12, 1, seed);
        const Eigen::MatrixXd K = tangent(system, q), D = semidefinite(q);
        const auto least = [](const Eigen::MatrixXd& A) {
            return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues()[0];
        };
        EXPECT_GT(least(D), -1e-11 * size) << seed;
        EXPECT_GT(least(D - K), -1e-10 * K.norm()) << seed;  // nothing else was taken
        if (least(K) > -1e-10 * size) {
            EXPECT_LT((D - K).norm(), 1e-10 * size) << seed;
        }
    }
}

// Crushed flat, and every element turned inside out: with damping a body finds its shape again.
class Recovery : public testing::TestWithParam<const char*> {};

TEST_P(Recovery, ABodyCrushedFlatOrTurnedInsideOutFindsItsShapeAgain) {
    const TetMesh mesh = support::box_tets(4, 2, 2);
    const MechanicalSystem system =
        body_of(mesh, ElasticModel::Kind::neo_hookean, {.damping = 0.02, .gravity = 0, .young = 2e4, .poisson = 0.4});
    VecX flat = system.rest(), inside_out = system.rest();
    const VecX jitter = support::random_vector(flat.size(), 1e-3, 7);
    for (int i = 0; i < system.particles(); ++i) {
        particle(flat, i).y() *= 0;
        particle(inside_out, i).z() *= -1;
    }
    const auto integrator = find_method(GetParam())->make({});
    for (const VecX& start : {flat, inside_out}) {
        State state{0, start + jitter, VecX::Zero(start.size())}, next = state;
        ASSERT_GT(inverted(mesh, state.q), 10);
        integrator->reset();
        for (int k = 0; k < 1000; ++k) {
            ASSERT_TRUE(integrator->step(system, state, 0.004, next).ok()) << k;
            std::swap(state, next);
        }
        EXPECT_EQ(inverted(mesh, state.q), 0);
        EXPECT_LT(distance_from_rest(state.q, system.rest()), 1e-3);
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, Recovery, testing::Values("implicit-euler", "tr-bdf2", "exprb2"), [](const auto& test) {
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace wobble
