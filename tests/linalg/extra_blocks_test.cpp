// Local blocks and varying pairs in products of any number of columns and threads.
#include "engine/linalg/edge_matrix.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

constexpr int rows = 23;

EdgeMatrix matrix_with_extra(bool with_skew) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i + 1 < rows; ++i) pairs.emplace_back(i, i + 1);
    EdgeMatrix A(std::make_shared<const EdgePattern>(BlockPattern(rows, pairs)), with_skew);
    const VecX values = support::random_vector(10000, 1, 3);
    int next = 0;
    for (int e = 0; e < A.pattern().edges(); ++e) {
        for (int k = 0; k < 6; ++k) A.lines()[e].symmetric[k] = values[next++];
        for (int k = 0; k < 3 && with_skew; ++k) A.skew()[3 * e + k] = values[next++];
    }
    A.extra().allow_local(rows);
    for (int i : {0, 4, 5, 11, rows - 1})
        for (int k = 0; k < 6; ++k) A.extra().local(i)[k] = values[next++];
    A.extra().gather();
    A.extra().set_pairs(std::make_shared<const VaryingPairs>(std::vector<std::array<int, 2>>{{0, 22}, {1, 2}, {3, 17}, {3, 21}, {16, 17}}));
    for (int p = 0; p < 5; ++p) {
        for (int k = 0; k < 6; ++k) A.extra().varying(p)[k] = values[next++];
        for (int k = 0; k < 3; ++k) A.extra().varying_skew(p)[k] = values[next++];
    }
    return A;
}

Mat3 symmetric(const double* s) {
    Mat3 S;
    S << s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5];
    return S;
}
Mat3 skew(const double* s) {
    Mat3 S;
    S << 0, -s[2], s[1], s[2], 0, -s[0], -s[1], s[0], 0;
    return S;
}

Eigen::MatrixXd dense(const EdgeMatrix& A) {
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
    const auto add = [&](int i, int j, const Mat3& S, const Mat3& s) {
        D.block<3, 3>(3 * i, 3 * j) += S + s, D.block<3, 3>(3 * j, 3 * i) += S - s;
        D.block<3, 3>(3 * i, 3 * i) -= S, D.block<3, 3>(3 * j, 3 * j) -= S;
    };
    for (int i = 0; i < rows; ++i)
        for (int e = A.pattern().begin[i]; e < A.pattern().begin[i + 1]; ++e)
            add(i, A.pattern().other[e], symmetric(A.lines()[e].symmetric), A.has_skew() ? skew(A.skew() + 3 * e) : Mat3::Zero());
    for (int i : A.extra().local_rows()) D.block<3, 3>(3 * i, 3 * i) += symmetric(A.extra().local(i));
    for (int p = 0; p < 5; ++p) {
        const auto [i, j] = A.extra().pairs()->pairs[static_cast<std::size_t>(p)];
        add(i, j, symmetric(A.extra().varying(p)), skew(A.extra().varying_skew(p)));
    }
    return D;
}

template <int P, bool skewed, int stride = 3 * P>
Eigen::MatrixXd products(const EdgeMatrix& A, const Eigen::MatrixXd& X, int threads) {
    using Rows = EdgeRows<P, skewed, stride>;
    std::vector<double> x(static_cast<std::size_t>(rows) * stride + 8, 0.0), sums(rows * Rows::sums_per_row + Rows::beyond, 0.0);
    for (int i = 0; i < rows; ++i)
        for (int d = 0; d < 3; ++d)
            for (int c = 0; c < P; ++c) x[static_cast<std::size_t>(stride * i + P * d + c)] = X(3 * i + d, c);
    Eigen::MatrixXd Y(3 * rows, P);
    Workers workers(threads);
    A.pattern().split(workers, [&](int begin, int end) {
        const Rows K(A, x.data(), sums.data(), begin, end);
        for (int i = begin; i < end; ++i) {
            double y[3 * P + 4];
            K.multiply(i, x.data()).write(y);
            for (int d = 0; d < 3; ++d)
                for (int c = 0; c < P; ++c) Y(3 * i + d, c) = y[P * d + c];
        }
    });
    for (double s : sums) EXPECT_EQ(s, 0);
    return Y;
}

template <int P, bool skewed, int stride = 3 * P>
void check() {
    const EdgeMatrix A = matrix_with_extra(skewed);
    const Eigen::MatrixXd D = dense(A), X = support::random_vector(3 * rows * P, 1, 7).reshaped(3 * rows, P);
    const Eigen::MatrixXd one = products<P, skewed, stride>(A, X, 1);
    EXPECT_LT((one - D * X).norm(), 1e-13 * D.norm() * X.norm()) << P << " columns";
    for (int threads : {2, 3, 4, 7}) EXPECT_EQ((products<P, skewed, stride>(A, X, threads)), one) << P << " columns, " << threads;
}

TEST(ExtraBlocks, EnterProductsOfAnyNumberOfColumnsWithTheSameBitsForAnyNumberOfThreads) {
    check<1, false>(), check<2, false>(), check<3, false>(), check<4, false>(), check<8, false>();
    check<1, true>(), check<2, true>(), check<3, true>(), check<4, true>(), check<8, true>();
    check<1, false, 4>(), check<1, true, 4>();
}

TEST(ExtraBlocks, AreEmptyAgainAfterSetZero) {
    EdgeMatrix A = matrix_with_extra(false);
    A.extra().set_pairs(nullptr);
    EXPECT_FALSE(A.extra().empty());
    A.extra().set_zero();
    A.extra().gather();
    EXPECT_TRUE(A.extra().empty());
    EXPECT_EQ(A.extra().local(4)[0], 0);
}

}  // namespace
}  // namespace wobble
