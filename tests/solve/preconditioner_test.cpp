// Every preconditioner is symmetric and positive definite and is the matrix its head comment says.
#include "engine/solve/linear/conjugate_gradient.h"
#include "engine/solve/linear/preconditioner_diagonal.h"
#include "engine/solve/linear/preconditioner_factor.h"
#include "engine/solve/linear/preconditioner_incomplete.h"
#include "engine/solve/linear/preconditioner_ssor.h"
#include "engine/solve/linear/vertex_rotations.h"
#include "tests/solve/step_problem.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

using support::MatX;

struct Bent {
    MechanicalSystem system = support::constrained_box(support::Held::end, {.stiffness = 1e6, .edge_stiffness = 1e5});
    VecX q = support::bent(system, 0.05);
    BlockMatrix A{system.pattern()};
    Bent() {
        system.step_matrix(q, 1, 1e-4, 0, A);
        system.constraints().eliminate(system.workers(), A);
    }
};

MatX inverse_of(Preconditioner& B, Eigen::Index n) {
    MatX inverse(n, n);
    VecX z(n);
    for (Eigen::Index k = 0; k < n; ++k) B.apply(VecX::Unit(n, k), z), inverse.col(k) = z;
    return inverse;
}

void expect_symmetric_positive(Preconditioner& B, Eigen::Index n, const char* name) {
    const MatX inverse = inverse_of(B, n);
    EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-12 * inverse.norm()) << name;
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatX>(inverse).eigenvalues().minCoeff(), 0) << name;
    const VecX r = support::random_vector(n, 1, 3);
    VecX z(n);
    const double returned = B.apply(r, z);
    EXPECT_NEAR(returned, r.dot(z), 1e-12 * std::abs(returned)) << name;
}

TEST(Preconditioner, IsSymmetricAndPositiveDefinite) {
    Bent bent;
    Workers& workers = bent.system.workers();
    const Eigen::Index n = bent.q.size();
    NoPreconditioner none(workers);
    expect_symmetric_positive(none, n, "none");
    DiagonalPreconditioner diagonal(workers);
    ASSERT_TRUE(diagonal.update(bent.A));
    expect_symmetric_positive(diagonal, n, "diagonal");
    BlockDiagonalPreconditioner block(workers);
    ASSERT_TRUE(block.update(bent.A));
    expect_symmetric_positive(block, n, "block");
    BlockSsor ssor;
    ASSERT_TRUE(ssor.update(bent.A));
    expect_symmetric_positive(ssor, n, "ssor");
    BlockIncompleteCholesky incomplete;
    ASSERT_TRUE(incomplete.update(bent.A));
    expect_symmetric_positive(incomplete, n, "incomplete");
    RotatedFactor rest(workers, *bent.system.pattern());
    ASSERT_TRUE(rest.factorize(bent.A, bent.system.rest()));
    rest.turn(bent.q, bent.system.pinned());
    expect_symmetric_positive(rest, n, "rest");
}

TEST(Preconditioner, DiagonalsAreThoseOfTheMatrix) {
    Bent bent;
    const MatX A = support::dense(bent.A);
    DiagonalPreconditioner diagonal(bent.system.workers());
    ASSERT_TRUE(diagonal.update(bent.A));
    const MatX D = inverse_of(diagonal, A.rows()).inverse();
    EXPECT_LT((D - MatX(A.diagonal().asDiagonal())).norm(), 1e-12 * A.norm());
    BlockDiagonalPreconditioner block(bent.system.workers());
    ASSERT_TRUE(block.update(bent.A));
    const MatX B = inverse_of(block, A.rows()).inverse();
    for (int i = 0; i < bent.A.rows(); ++i) EXPECT_LT((B.block<3, 3>(3 * i, 3 * i) - A.block<3, 3>(3 * i, 3 * i)).norm(), 1e-12 * A.norm());
    double squares = 0;
    for (int i = 0; i < bent.A.rows(); ++i) squares += A.block<3, 3>(3 * i, 3 * i).squaredNorm();
    EXPECT_NEAR(B.norm(), std::sqrt(squares), 1e-10 * A.norm());  // nothing beside the blocks
}

TEST(Preconditioner, SsorIsTheProductOfItsThreeFactors) {
    Bent bent;
    const MatX A = support::dense(bent.A);
    MatX D = MatX::Zero(A.rows(), A.cols()), L = D;
    for (int i = 0; i < bent.A.rows(); ++i) {
        D.block<3, 3>(3 * i, 3 * i) = A.block<3, 3>(3 * i, 3 * i);
        L.block(3 * i, 0, 3, 3 * i) = -A.block(3 * i, 0, 3, 3 * i);
    }
    ASSERT_LT((A - (D - L - L.transpose())).norm(), 1e-12 * A.norm());
    BlockSsor ssor;
    ASSERT_TRUE(ssor.update(bent.A));
    const MatX B = (D - L) * D.inverse() * (D - L.transpose());
    EXPECT_LT((inverse_of(ssor, A.rows()) * B - MatX::Identity(A.rows(), A.cols())).norm(), 1e-9);
}

// What defines the factorisation without fill: B = L E L^T equals A wherever A has a block.
TEST(Preconditioner, IncompleteCholeskyReproducesTheMatrixOnItsPattern) {
    Bent bent;
    const MatX A = support::dense(bent.A);
    BlockIncompleteCholesky incomplete;
    ASSERT_TRUE(incomplete.update(bent.A));
    ASSERT_EQ(incomplete.shift(), 0);
    const MatX B = inverse_of(incomplete, A.rows()).inverse();
    double outside = 0;
    for (int i = 0; i < bent.A.rows(); ++i)
        for (int j = 0; j < bent.A.rows(); ++j) {
            const auto& columns = bent.A.pattern();
            const bool present =
                std::binary_search(columns.column.begin() + columns.row_begin[i], columns.column.begin() + columns.row_begin[i + 1], j);
            const double difference = (B.block<3, 3>(3 * i, 3 * j) - A.block<3, 3>(3 * i, 3 * j)).norm();
            if (present) EXPECT_LT(difference, 1e-9 * A.norm()) << i << " " << j;
            else outside += difference;
        }
    EXPECT_GT(outside, 1e-6 * A.norm());  // it is not the complete one
}

TEST(Preconditioner, IncompleteCholeskyIsExactWithoutFill) {
    const int n = 12;
    std::vector<std::pair<int, int>> chain;
    for (int i = 0; i + 1 < n; ++i) chain.emplace_back(i, i + 1);
    BlockMatrix A(std::make_shared<const BlockPattern>(n, chain));
    for (int i = 0; i < n; ++i) {
        const VecX numbers = support::random_vector(9, 1, 40 + i);
        const Mat3 random = Eigen::Map<const Mat3>(numbers.data());
        Eigen::Map<Mat3>(A.block(A.pattern().diagonal[i])) = random * random.transpose() + 5 * Mat3::Identity();
        if (i == 0) continue;
        Eigen::Map<Mat3>(A.block(A.pattern().find(i, i - 1))) = random;
        Eigen::Map<Mat3>(A.block(A.pattern().find(i - 1, i))) = random.transpose();
    }
    BlockIncompleteCholesky incomplete;
    ASSERT_TRUE(incomplete.update(A));
    EXPECT_EQ(incomplete.shift(), 0);
    EXPECT_LT((inverse_of(incomplete, 3 * n) * support::dense(A) - MatX::Identity(3 * n, 3 * n)).norm(), 1e-12);
}

// Kershaw's matrix is positive definite, but without fill its last pivot is negative.
TEST(Preconditioner, IncompleteCholeskyShiftsWhenItBreaksDown) {
    ScalarMatrix A(std::make_shared<const BlockPattern>(4, std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 3}, {0, 3}}));
    for (int i = 0; i < 4; ++i) A.value(A.pattern().diagonal[i]) = 3;
    for (const auto& [i, j, a] : {std::tuple{0, 1, -2.0}, {1, 2, -2.0}, {2, 3, -2.0}, {0, 3, 2.0}})
        A.value(A.pattern().find(i, j)) = A.value(A.pattern().find(j, i)) = a;
    ScalarIncompleteCholesky incomplete;
    ASSERT_TRUE(incomplete.update(A));
    EXPECT_GT(incomplete.shift(), 0);
    expect_symmetric_positive(incomplete, 12, "shifted");
}

TEST(Preconditioner, RefusesAnIndefiniteDiagonal) {
    Bent bent;
    bent.A.block(bent.A.pattern().diagonal[20])[4] = -1;
    EXPECT_FALSE(DiagonalPreconditioner(bent.system.workers()).update(bent.A));
    EXPECT_FALSE(BlockDiagonalPreconditioner(bent.system.workers()).update(bent.A));
    EXPECT_FALSE(BlockSsor().update(bent.A));
}

TEST(VertexRotations, AreThoseOfARigidMotion) {
    const MechanicalSystem system = support::constrained_box(support::Held::nothing, {});
    const Mat3 R = Eigen::AngleAxisd(2.0, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    VecX x = system.rest();
    for (int i = 0; i < system.particles(); ++i) particle(x, i) = (R * particle(x, i) + Vec3(1, 2, 3)).eval();
    std::vector<Mat3> found;
    vertex_rotations(system.workers(), *system.pattern(), system.rest(), x, found);
    for (const Mat3& Ri : found) EXPECT_LT((Ri - R).norm(), 1e-12);
}

TEST(VertexRotations, ArePolarFactorsEvenInsideOut) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        const VecX numbers = support::random_vector(9, 1, seed);
        const Mat3 F = Eigen::Map<const Mat3>(numbers.data()), R = nearest_rotation(F);
        EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-10);
        EXPECT_GT(R.determinant(), 0);
        const Mat3 S = R.transpose() * F;
        EXPECT_LT((S - S.transpose()).norm(), 1e-9 * F.norm());
    }
    EXPECT_EQ(nearest_rotation(Mat3::Zero()), Mat3::Identity());
}

// A body that has turned as a whole: R A0 R^T is its matrix, so one iteration is enough.
TEST(RotatedFactor, IsExactAfterARigidRotation) {
    const MechanicalSystem system = support::constrained_box(support::Held::nothing, {.stiffness = 1e7, .edge_stiffness = 1e6});
    const Mat3 R = Eigen::AngleAxisd(1.1, Vec3(0.2, 1, -0.4).normalized()).toRotationMatrix();
    VecX x = system.rest();
    for (int i = 0; i < system.particles(); ++i) particle(x, i) = (R * particle(x, i)).eval();
    BlockMatrix A(system.pattern());
    system.step_matrix(system.rest(), 1, 1e-4, 0, A);
    RotatedFactor rest(system.workers(), *system.pattern());
    ASSERT_TRUE(rest.factorize(A, system.rest()));
    rest.turn(x, {});
    system.step_matrix(x, 1, 1e-4, 0, A);
    const VecX b = support::random_vector(x.size(), 1, 5);
    VecX p(x.size());
    ConjugateGradient cg;
    const CgReport report = cg.solve(system.workers(), A, system.constraints(), system.inverse_mass(), rest, b, 1e-8, 50, p);
    EXPECT_EQ(report.outcome, CgReport::Outcome::solved);
    EXPECT_LE(report.iterations, 2);
    EXPECT_LT((support::dense(A) * p - b).norm(), 1e-7 * b.norm());
}

}  // namespace
}  // namespace wobble
