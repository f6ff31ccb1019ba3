// Forces against the outside world and between pairs that change: their derivatives, and that all forms of the tangent are one matrix.
#include "tests/support/outer_forces.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

namespace wobble {
namespace {

using support::TwoBoxes;

class OuterForces : public testing::TestWithParam<ElasticModel::Kind> {
protected:
    TwoBoxes boxes{0.01, {.stiffness = 600, .edge_stiffness = 200, .damping = 0.01, .gravity = 0}, 0.02, false, 2, GetParam()};
    MechanicalSystem& system = *boxes.system;
    VecX q = boxes.start().q + support::random_vector(3 * system.particles(), 0.004, 1);
    VecX u = support::random_vector(q.size(), 1, 2);

    void SetUp() override { system.begin_step({0, q, u}, 0.01); }
    Eigen::MatrixXd tangent() const {
        BlockMatrix K(system.pattern());
        system.stiffness(q, K);
        return support::dense_blocks(K);
    }
    VecX force_at(const VecX& x) const {
        VecX f(x.size());
        system.elastic_force(x, f);
        return f;
    }
};

TEST_P(OuterForces, ForceTangentProductAndRateAreDerivatives) {
    ASSERT_GT(system.pattern()->blocks(), system.fixed_pattern().blocks() + 4) << "pairs of the two boxes";
    const VecX f = force_at(q);
    const Eigen::MatrixXd K = tangent();
    EXPECT_LT((K - K.transpose()).norm(), 1e-14 * K.norm());
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        VecX plus = q, minus = q;
        plus[k] += 1e-6, minus[k] -= 1e-6;
        EXPECT_NEAR(f[k], -(system.elastic_energy(plus) - system.elastic_energy(minus)) / 2e-6, 1e-6 * f.norm());
        EXPECT_LT((K.col(k) + (force_at(plus) - force_at(minus)) / 2e-6).norm(), 1e-6 * K.norm());
    }
    VecX Dv(q.size()), rate(q.size()), same(q.size());
    system.damping_force(q, u, Dv);
    EXPECT_LT((Dv + 0.01 * K * u).norm(), 1e-13 * K.norm() * u.norm());
    system.elastic_force_and_damping_rate(q, u, same, rate);
    VecX after(q.size()), before(q.size());
    system.damping_force(q + 1e-6 * u, u, after);
    system.damping_force(q - 1e-6 * u, u, before);
    EXPECT_LT((rate - (after - before) / 2e-6).norm(), 1e-5 * rate.norm());
}

TEST_P(OuterForces, EdgesBlocksAndDenseMatrixGiveTheSameProducts) {
    const Eigen::MatrixXd K = tangent();
    EdgeTangent edges = system.new_tangent();
    system.stiffness(q, edges);
    ASSERT_FALSE(edges.matrix().extra().local_rows().empty());
    ASSERT_TRUE(edges.matrix().extra().pairs());
    VecX first;
    for (int threads : {1, 2, 3, 5}) {
        Workers workers(threads);
        std::vector<double> x(u.data(), u.data() + u.size()), sums(4 * static_cast<std::size_t>(system.particles()) + 2, 0.0);
        x.resize(x.size() + 2);
        VecX y(u.size());
        multiply(workers, edges.matrix(), x.data(), y.data(), sums.data());
        EXPECT_LT((y - K * u).norm(), 1e-13 * K.norm() * u.norm());
        if (threads == 1) first = y;
        EXPECT_EQ(y, first) << threads << " threads";
        EXPECT_NEAR(largest_diagonal(workers, edges.matrix(), system.inverse_mass().data(), sums.data()),
                    system.inverse_mass().cwiseProduct(K.diagonal()).maxCoeff(), 1e-12 * K.norm() * system.inverse_mass().maxCoeff());
    }
}

TEST_P(OuterForces, ThePatternFollowsThePairsAndReturns) {
    const auto with_pairs = system.pattern();
    system.begin_step({0, q, u}, 0.01);
    EXPECT_EQ(system.pattern(), with_pairs) << "the same pairs keep it";
    VecX apart = q;
    for (int i = boxes.border; i < system.particles(); ++i) apart[3 * i + 1] += 1;
    EdgeTangent edges = system.new_tangent();
    system.begin_step({0, apart, u}, 0.01);
    EXPECT_EQ(system.pattern().get(), &system.fixed_pattern());
    BlockMatrix K(with_pairs);
    system.stiffness(apart, K);
    EXPECT_EQ(K.shared_pattern(), system.pattern());
    system.stiffness(apart, edges);
    EXPECT_EQ(edges.pattern(), system.pattern());
    EXPECT_FALSE(edges.matrix().extra().pairs());
}

TEST_P(OuterForces, TheLinearStiffnessBoundsThem) {
    BlockMatrix bound(system.pattern());
    system.linear_stiffness(bound);
    const Eigen::MatrixXd surplus = support::dense_blocks(bound) - tangent();
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(surplus).eigenvalues()[0], -1e-12 * surplus.norm());
}

INSTANTIATE_TEST_SUITE_P(Kinds, OuterForces, testing::Values(ElasticModel().kind, ElasticModel::Kind::corotational),
                         [](const auto& row) { return row.index == 0 ? "Springs" : "Corotational"; });

TEST(LocalForce, ParticlesWithoutPairsFall) {
    const auto workers = std::make_shared<Workers>(2);
    SystemParts parts;
    parts.rest = {Vec3(0, 1, 0), Vec3(1, 0.005, 0), Vec3(2, -0.01, 1)};
    parts.share = VecX::Ones(3);
    parts.mass_given = true;
    parts.forces.push_back(std::make_unique<support::GroundPlane>(3e3, 0.01));
    const MechanicalSystem system(std::move(parts), Constraints(3, {}), {.gravity = 10}, workers);
    BlockMatrix K(system.pattern());
    system.stiffness(system.rest(), K);
    EXPECT_TRUE(K.at(0).isZero(0));
    EXPECT_NEAR(K.at(1)(1, 1), 2 * 3e3 * 0.005, 1e-12);
    EXPECT_NEAR(K.at(2)(1, 1), 2 * 3e3 * 0.02, 1e-12);
}

}  // namespace
}  // namespace wobble
