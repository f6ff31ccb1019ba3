// The rotation of a matrix against a singular value decomposition, also where it is flat or inverted.
#include "engine/model/forces/polar.h"

#include "engine/model/mechanical_system.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/SVD>

namespace wobble {
namespace {

Mat3 random_matrix(unsigned seed) { return Eigen::Map<const Mat3>(support::random_vector(9, 1, seed).data()); }
Mat3 random_rotation(unsigned seed) {
    return Eigen::Quaterniond(Eigen::Vector4d(support::random_vector(4, 1, seed)).normalized()).toRotationMatrix();
}

TEST(Polar, IsTheRotationOfTheSingularValueDecomposition) {
    int inverted = 0;
    for (unsigned seed = 1; seed <= 500; ++seed) {
        const Mat3 F = random_matrix(seed);
        const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
        Vec3 sign(1, 1, F.determinant() < 0 ? -1 : 1);
        inverted += sign.z() < 0;
        const double gap = svd.singularValues()[1] + sign.z() * svd.singularValues()[2];
        const Mat3 expected = svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose(), R = rotation_of(F);
        EXPECT_LT((R - expected).norm(), 1e-13 / gap) << seed;
        EXPECT_NEAR(R.determinant(), 1, 1e-13);
        EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), 1e-13);
    }
    EXPECT_GT(inverted, 100);
}

TEST(Polar, DegenerateMatricesGiveARotationThatMaximisesTheTrace) {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const Mat3 U = random_rotation(seed), V = random_rotation(seed + 100);
        for (const Vec3& s :
             {Vec3(1, 1, 1), Vec3(1, 1, -1), Vec3(1, 0, 0), Vec3(1, 0.5, -0.5), Vec3(1, 1e-9, 0), Vec3(1, 1, 0), Vec3(1e-6, 1e-6, 1e-6),
              Vec3(1e6, 1, 1), Vec3(1e6, 1, -1), Vec3(1, 1e-9, -1e-9), Vec3(0, 0, 0), Vec3(1e-200, 0, 0)}) {
            const Mat3 F = U * s.asDiagonal() * V.transpose(), R = rotation_of(F);
            ASSERT_TRUE(R.allFinite()) << s.transpose();
            EXPECT_NEAR(R.determinant(), 1, 1e-12);
            EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), 1e-12);
            EXPECT_NEAR((R.transpose() * F).trace(), s.sum(), 1e-12 * s.norm() + 1e-190) << s.transpose();
        }
    }
    EXPECT_EQ(rotation_of(Mat3::Zero()), Mat3::Identity());
}

// Elements turned inside out, flattened, and collapsed to a point: everything stays finite.
TEST(CorotationalTets, FlatAndInvertedElementsStayFinite) {
    TetMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    BodyMesh body{.tets = mesh};
    const MechanicalSystem system(body, {.kind = ElasticModel::Kind::corotational}, Constraints(4),
                                  {.damping = 0.01, .gravity = 0, .young = 1e4, .poisson = 0.4}, std::make_shared<Workers>(1));
    VecX inverted = system.rest(), flat = system.rest(), needle = VecX::Zero(12), exact = system.rest();
    inverted[11] = -0.7, flat[11] = 0, needle[3] = 1, exact[11] = -1;
    const VecX u = support::random_vector(12, 1, 3);
    for (const VecX& q : {inverted, flat, needle, exact, VecX(VecX::Zero(12)), VecX(1e-30 * system.rest()), VecX(1e30 * system.rest())}) {
        VecX f(12);
        system.force(q, u, f);
        EXPECT_TRUE(f.allFinite());
        VecX elastic(q.size());
        system.elastic_force_and_damping_rate(q, u, elastic, f);
        EXPECT_TRUE(f.allFinite());
        EXPECT_TRUE(std::isfinite(system.elastic_energy(q)));
        BlockMatrix K(system.pattern());
        system.stiffness(q, K);
        for (int k = 0; k < K.pattern().blocks(); ++k) EXPECT_TRUE(K.at(k).allFinite());
    }
    // Inverted by 0.7: the force still is the gradient, and it pushes the tip back out.
    VecX f(12);
    system.elastic_force(inverted, f);
    EXPECT_GT(f[11], 100);
    for (int k = 0; k < 12; ++k) {
        VecX plus = inverted, minus = inverted;
        plus[k] += 1e-6, minus[k] -= 1e-6;
        EXPECT_NEAR(f[k], -(system.elastic_energy(plus) - system.elastic_energy(minus)) / 2e-6, 1e-5 * f.norm());
    }
}

// A bar pulled along x with its sides free: stress = E strain, and it thins by nu.
TEST(CorotationalTets, YoungAndPoissonMeanWhatTheySay) {
    const double E = 2e4, nu = 0.3, strain = 1e-4;
    const BodyMesh body{.tets = support::box_tets(3, 2, 2, 0.5)};
    const int n = static_cast<int>(body.tets.vertices.size());
    const MechanicalSystem system(body, {.kind = ElasticModel::Kind::corotational}, Constraints(n),
                                  {.gravity = 0, .young = E, .poisson = nu}, std::make_shared<Workers>(2));
    VecX q = system.rest(), f(3 * n);
    for (int i = 0; i < n; ++i) particle(q, i).array() *= Eigen::Array3d(1 + strain, 1 - nu * strain, 1 - nu * strain);
    system.elastic_force(q, f);
    double pull = 0;
    for (int i = 0; i < n; ++i) {
        const double x = body.tets.vertices[i].x();
        if (x > 1.49) pull -= f[3 * i];
        else if (x > 0.01) {
            EXPECT_LT(particle(f, i).norm(), 1e-3 * E * strain);
        }
    }
    EXPECT_NEAR(pull, E * strain * 1.0, 1e-3 * E * strain);  // area 1 m^2
}

}  // namespace
}  // namespace wobble
