#include "engine/linalg/block_matrix.h"

#include <gtest/gtest.h>

#include <random>

namespace wobble {
namespace {

BlockMatrix random_matrix(int rows) {
    std::mt19937 random(7);
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < 4 * rows; ++i) pairs.emplace_back(random() % rows, random() % rows);
    BlockMatrix A(std::make_shared<const BlockPattern>(rows, pairs));
    for (int k = 0; k < 9 * A.pattern().blocks(); ++k) A.block(0)[k] = std::uniform_real_distribution<double>(-1, 1)(random);
    return A;
}

Eigen::MatrixXd dense(const BlockMatrix& A) {
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * A.rows(), 3 * A.rows());
    for (int i = 0; i < A.rows(); ++i)
        for (int k = A.pattern().row_begin[i]; k < A.pattern().row_begin[i + 1]; ++k)
            D.block<3, 3>(3 * i, 3 * A.pattern().column[k]) = A.at(k);
    return D;
}

TEST(BlockPattern, IsSymmetricAscendingAndFindsItsBlocks) {
    const BlockMatrix A = random_matrix(40);
    const BlockPattern& p = A.pattern();
    for (int i = 0; i < p.rows(); ++i) {
        EXPECT_EQ(p.column[p.diagonal[i]], i);
        for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k) {
            if (k > p.row_begin[i]) {
                EXPECT_LT(p.column[k - 1], p.column[k]);
            }
            EXPECT_EQ(p.find(i, p.column[k]), k);
            EXPECT_EQ(p.column[p.find(p.column[k], i)], i);
        }
    }
}

TEST(BlockMatrix, ProductsEqualTheDenseOnesForAnyNumberOfColumns) {
    const BlockMatrix A = random_matrix(40);
    const Eigen::MatrixXd D = dense(A);
    Workers workers(2);
    const Eigen::MatrixXd X = Eigen::MatrixXd::Random(120, 6);
    VecX y(120);
    A.multiply(workers, X.col(0), y);
    EXPECT_LT((y - D * X.col(0)).norm(), 1e-13 * y.norm());

    const auto check = [&]<int C>() {
        VecX x(120 * C), product = VecX::Zero(120 * C);
        const auto at = [](VecX& z, int i, int c) { return z.segment<3>(3 * (C * i + c)); };
        for (int i = 0; i < 40; ++i)
            for (int c = 0; c < C; ++c) at(x, i, c) = X.col(c).segment<3>(3 * i);
        A.multiply_columns<C>(workers, x.data(), product.data());
        for (int i = 0; i < 40; ++i) {
            double row[3 * C];
            BlockRows(A).multiply<C>(i, x.data(), row);
            for (int c = 0; c < C; ++c) {
                const Vec3 expected = D.middleRows<3>(3 * i) * X.col(c);
                EXPECT_LT((at(product, i, c) - expected).norm(), 1e-14 * D.norm()) << C << " columns, row " << i;
                EXPECT_EQ(Vec3(at(product, i, c)), Vec3(row + 3 * c));
            }
        }
        Workers three(3);
        VecX same(120 * C);
        A.multiply_columns<C>(three, x.data(), same.data());
        EXPECT_EQ(product, same) << "other bits with three threads";
    };
    check.operator()<1>();
    check.operator()<2>();
    check.operator()<3>();
    check.operator()<4>();
    check.operator()<5>();
    check.operator()<6>();
}

// Products read four numbers at a time; the last particle has only three. Arrays of exactly the right size let the address sanitizer see
// it.
TEST(BlockMatrix, ProductsReadNothingBehindTheLastParticle) {
    constexpr int n = 50;
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i + 3 < n; ++i) pairs.emplace_back(i, i + 1), pairs.emplace_back(i, i + 3);
    BlockMatrix A(std::make_shared<const BlockPattern>(n, pairs));
    EXPECT_EQ(A.pattern().touches_last, n - 4) << "the first row with a block in the last column";
    for (int k = 0; k < A.pattern().blocks(); ++k) A.at(k).setOnes();
    const auto check = [&]<int C>() {
        const std::vector<double> x(3 * C * n, 1.0);
        const BlockRows rows(A);
        for (int i = 0; i < n; ++i) {
            double y[3 * C];
            rows.multiply<C>(i, x.data(), y);
            for (const double number : y) EXPECT_EQ(number, 3.0 * (A.pattern().row_begin[i + 1] - A.pattern().row_begin[i]));
        }
    };
    check.operator()<1>();
    check.operator()<2>();
    check.operator()<3>();
    check.operator()<6>();
}

TEST(BlockedSum, HasTheSameBitsForAnyNumberOfThreads) {
    const VecX x = VecX::Random(10007);
    double sums[3];
    for (int t = 0; t < 3; ++t) {
        Workers workers(t + 1);
        sums[t] = blocked_sum(workers, 10007, [&](int begin, int end) {
            double s = 0;
            for (int i = begin; i < end; ++i) s += x[i];
            return s;
        });
    }
    EXPECT_EQ(sums[0], sums[1]);
    EXPECT_EQ(sums[0], sums[2]);
    EXPECT_NEAR(sums[0], x.sum(), 1e-11);
}

TEST(BlockedSum, HasTheSameBitsHoweverTheBlocksAreShared) {
    const int n = 10007;
    const VecX x = VecX::Random(n);
    const auto shared_at = [&](int row) {  // the second of two threads begins with the block nearest to it
        Workers workers(2);
        const auto first_block = [&](int part) { return nearest_block(n, part == 0 ? 0 : part == 1 ? row : n); };
        return blocked_sums<1>(
            workers, n, first_block, [](int begin, int) { return begin; },
            [&](int begin, int end, int from) {
                EXPECT_EQ(from, begin < block_begin(n, nearest_block(n, row)) ? 0 : block_begin(n, nearest_block(n, row)));
                return std::array<double, 1>{x.segment(begin, end - begin).sum()};
            })[0];
    };
    const double half = shared_at(n / 2);
    EXPECT_NEAR(half, x.sum(), 1e-11);
    for (const int row : {0, 1, 78, 79, 3000, n - 1, n}) EXPECT_EQ(shared_at(row), half) << row;
    EXPECT_EQ(nearest_block(n, 78), 0);
    EXPECT_EQ(nearest_block(n, 79), 1);
    EXPECT_EQ(nearest_block(n, n), reduction_blocks);
}

}  // namespace
}  // namespace wobble
