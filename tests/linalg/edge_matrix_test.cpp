#include "engine/linalg/edge_matrix.h"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <random>

namespace wobble {
namespace {

constexpr int rows = 41;

EdgeMatrix random_matrix(bool with_skew) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    std::uniform_int_distribution<int> reach(1, 9);
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i + 1 < rows - 1; ++i)  // the last particle has no edge at all
        for (int k = 0; k < 3; ++k)
            if (const int j = i + reach(random); j < rows - 1) pairs.emplace_back(i, j);
    EdgeMatrix A(std::make_shared<const EdgePattern>(BlockPattern(rows, pairs)), with_skew);
    for (int e = 0; e < A.pattern().edges(); ++e) {
        for (int k = 0; k < 6; ++k) A.lines()[e].symmetric[k] = number(random);
        for (int k = 0; with_skew && k < 3; ++k) A.skew()[3 * e + k] = number(random);
    }
    return A;
}

// As the header defines it.
Eigen::MatrixXd dense(const EdgeMatrix& A) {
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
    for (int i = 0; i < rows; ++i)
        for (int e = A.pattern().begin[i]; e < A.pattern().begin[i + 1]; ++e) {
            const int j = A.pattern().other[e];
            const double* s = A.lines()[e].symmetric;
            Eigen::Matrix3d S, turn = Eigen::Matrix3d::Zero();
            S << s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5];
            if (A.has_skew()) {
                const double* t = A.skew() + 3 * e;
                turn << 0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0;
            }
            K.block<3, 3>(3 * i, 3 * j) += S + turn;
            K.block<3, 3>(3 * j, 3 * i) += S - turn;
            K.block<3, 3>(3 * i, 3 * i) -= S;
            K.block<3, 3>(3 * j, 3 * j) -= S;
        }
    return K;
}

template <int P, bool skewed>
Eigen::MatrixXd products(const EdgeMatrix& A, const Eigen::MatrixXd& X, int threads) {
    using Rows = EdgeRows<P, skewed>;
    std::vector<double> x(3 * rows * P + Rows::beyond), y(3 * rows * P), sums(rows * Rows::sums_per_row + Rows::beyond, 0.0);
    for (int k = 0; k < 3 * rows; ++k)
        for (int c = 0; c < P; ++c) x[P * k + c] = X(k, c);
    Workers workers(threads);
    for (int again = 0; again < 2; ++again)  // the sums are left as they were
        workers.ranges(rows, [&](int begin, int end) {
            const Rows K(A, x.data(), sums.data(), begin, end);
            for (int i = begin; i < end; ++i) K.multiply(i, x.data()).write(y.data() + 3 * P * i);
        });
    for (double s : sums) EXPECT_EQ(s, 0);
    Eigen::MatrixXd Y(3 * rows, P);
    for (int k = 0; k < 3 * rows; ++k)
        for (int c = 0; c < P; ++c) Y(k, c) = y[P * k + c];
    return Y;
}

template <int P, bool skewed>
void check() {
    const EdgeMatrix A = random_matrix(skewed);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    const Eigen::MatrixXd X = Eigen::MatrixXd::NullaryExpr(3 * rows, P, [&] { return number(random); });
    const Eigen::MatrixXd expected = dense(A) * X, one = products<P, skewed>(A, X, 1);
    EXPECT_LT((one - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff()) << P << " columns";
    for (int threads : {2, 3, 5, 20}) EXPECT_EQ(one, (products<P, skewed>(A, X, threads))) << P << " columns, " << threads << " threads";
}

TEST(EdgeMatrix, ProductsAreThoseOfTheWholeMatrixWithTheSameBitsForAnyNumberOfThreads) {
    check<1, false>(), check<2, false>(), check<3, false>(), check<4, false>(), check<8, false>();
    check<1, true>(), check<2, true>(), check<3, true>(), check<4, true>(), check<8, true>();
}

TEST(EdgeMatrix, OneProductAndTheLargestDiagonalEntryByTheWorkers) {
    for (const bool skewed : {false, true}) {
        const EdgeMatrix A = random_matrix(skewed);
        const Eigen::MatrixXd K = dense(A);
        const Eigen::VectorXd x = Eigen::VectorXd::NullaryExpr(3 * rows, [](Eigen::Index k) { return std::sin(3.0 * k); });
        VecX weights(3 * rows);
        double largest = 0;
        for (int k = 0; k < 3 * rows; ++k) {
            weights[k] = 1 + (k / 3) % 5;
            largest = std::max(largest, weights[k] * std::abs(K(k, k)));
        }
        std::vector<double> in(x.data(), x.data() + x.size()), sums(4 * rows + 2, 0.0);
        in.resize(in.size() + 2);
        for (const int threads : {1, 2, 5}) {
            Workers workers(threads);
            VecX y(3 * rows);
            multiply(workers, A, in.data(), y.data(), sums.data());
            EXPECT_LT((y - K * x).cwiseAbs().maxCoeff(), 1e-13 * y.cwiseAbs().maxCoeff());
            EXPECT_NEAR(largest_diagonal(workers, A, weights.data(), sums.data()), largest, 1e-14 * largest);
            for (const double sum : sums) EXPECT_EQ(sum, 0) << "left as it was found";
        }
    }
}

// Bodies that move as a whole feel nothing, exactly.
TEST(EdgeMatrix, ShiftingAllParticlesGivesZeroExactly) {
    Eigen::MatrixXd X(3 * rows, 2);
    for (int k = 0; k < 3 * rows; ++k) X(k, 0) = 0.1 + k % 3, X(k, 1) = 1e7 / 3 * (1 + k % 3);
    EXPECT_TRUE((products<2, false>(random_matrix(false), X, 2).isZero(0)));
}

template <int P>
void check_blocks() {
    const EdgeMatrix A = random_matrix(true);
    const Eigen::MatrixXd K = dense(A);
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < rows; ++i)
        for (int e = A.pattern().begin[i]; e < A.pattern().begin[i + 1]; ++e) pairs.emplace_back(i, A.pattern().other[e]);
    BlockMatrix blocks(std::make_shared<const BlockPattern>(rows, pairs));
    for (int i = 0; i < rows; ++i)
        for (int k = blocks.pattern().row_begin[i]; k < blocks.pattern().row_begin[i + 1]; ++k)
            blocks.at(k) = K.block<3, 3>(3 * i, 3 * blocks.pattern().column[k]);
    const Eigen::MatrixXd X =
        Eigen::MatrixXd::NullaryExpr(3 * rows, P, [](Eigen::Index k, Eigen::Index c) { return std::sin(3.0 * k + c); });
    std::vector<double> x(3 * rows * P + 8);
    for (int k = 0; k < 3 * rows; ++k)
        for (int c = 0; c < P; ++c) x[P * k + c] = X(k, c);
    const Eigen::MatrixXd expected = K * X;
    for (int i = 0; i < rows; ++i) {
        double y[3 * P];
        BlockRows(blocks).multiply<P>(i, x.data()).write(y);
        for (int d = 0; d < 3; ++d)
            for (int c = 0; c < P; ++c) EXPECT_NEAR(y[P * d + c], expected(3 * i + d, c), 1e-13 * expected.norm());
    }
}

TEST(EdgeMatrix, BlocksMultiplyColumnsSideBySideAlike) {
    check_blocks<1>(), check_blocks<2>(), check_blocks<3>(), check_blocks<4>(), check_blocks<8>();
}

}  // namespace
}  // namespace wobble
