// The limited-memory secant update against the dense formula it stands for.
#include "engine/solve/newton/lbfgs_solver.h"
#include "tests/solve/step_problem.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

// p = -J^-1 G, J dense.
struct DenseSolver : DirectionSolver {
    support::MatX J;
    LinearReport direction(const VecX&, const VecX& G, double, VecX& p) override { return p = -J.ldlt().solve(G), LinearReport{}; }
};

TEST(Lbfgs, TwoLoopsAreTheDenseFormula) {
    constexpr int n = 7, memory = 3;
    using support::MatX;
    MatX B(n, n);
    for (int c = 0; c < n; ++c) B.col(c) = support::random_vector(n, 1, 10 + c);
    const MatX A = B * B.transpose() + MatX::Identity(n, n), I = MatX::Identity(n, n);
    DenseSolver dense;
    dense.J = A.diagonal().asDiagonal();
    LbfgsSolver solver(dense, memory);
    VecX p(n);
    for (int minimisation = 0; minimisation < 2; ++minimisation) {  // the second remembers nothing of the first
        solver.begin();
        std::vector<std::pair<VecX, VecX>> pairs;
        VecX q_old, G_old;
        for (int k = 0; k < 9; ++k) {
            const VecX q = support::random_vector(n, 1, 100 * minimisation + 30 + k);
            VecX G = A * q + VecX(q.array().cube());
            if (k == 5) G = G_old - (q - q_old);  // s.y < 0: nothing to learn
            if (k > 0 && (q - q_old).dot(G - G_old) > 0) pairs.emplace_back(q - q_old, G - G_old);
            q_old = q, G_old = G;
            ASSERT_EQ(solver.direction(q, G, 0, p).outcome, LinearReport::Outcome::solved);

            if (pairs.size() > memory) pairs.erase(pairs.begin());
            MatX H = dense.J.inverse();
            for (const auto& [s, y] : pairs) {
                const double rho = 1 / s.dot(y);
                H = (I - rho * s * y.transpose()) * H * (I - rho * y * s.transpose()) + rho * s * s.transpose();
            }
            EXPECT_LT((p + H * G).norm(), 1e-10 * p.norm()) << "iterate " << k;
            if (!pairs.empty()) {
                EXPECT_LT((H * pairs.back().second - pairs.back().first).norm(), 1e-10 * pairs.back().first.norm());
            }
            EXPECT_EQ(solver.pairs(), static_cast<int>(pairs.size()));
            EXPECT_LT(G.dot(p), 0);
        }
    }
}

}  // namespace
}  // namespace wobble
