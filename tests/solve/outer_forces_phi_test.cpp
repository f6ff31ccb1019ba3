// Linear problems with local blocks, varying pairs and damping that is no matrix: every evaluator against the dense exponential.
#include "engine/linalg/cholesky.h"
#include "engine/solve/jacobian.h"
#include "engine/solve/krylov/spectrum.h"
#include "engine/solve/phi/make_phi.h"
#include "engine/solve/phi/phi_dense.h"
#include "engine/solve/phi/phi_lanczos.h"
#include "engine/solve/phi/phi_leapfrog.h"
#include "engine/solve/phi/phi_modes.h"
#include "engine/solve/phi/phi_rational.h"
#include "tests/support/outer_forces.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

namespace wobble {
namespace {

struct OuterProblem {
    support::TwoBoxes boxes;
    MechanicalSystem& system;
    TangentBlocks K;
    VecX v, a, e;

    OuterProblem(double alpha, double beta, ElasticModel::Kind kind = ElasticModel().kind, int threads = 2)
        : boxes(0.01, {.stiffness = 600, .edge_stiffness = 200, .damping = beta, .mass_damping = alpha, .gravity = 0}, 0.03, true, threads,
                kind, 2e4, 3e3),
          system(*boxes.system),
          K(system.new_tangent()),
          v(support::random_velocity(system, 1, 3)),
          a(support::random_velocity(system, 50, 4)),
          e(support::random_velocity(system, 500, 5)) {
        const State state = boxes.start();
        system.begin_step(state, 0.01);
        system.stiffness(state.q, K.to_set());
    }
    Linearized linearized(bool with_edges = true, Damping D = nullptr) {
        return {system.workers(),
                {K, system.workers()},
                system.mass(),
                system.inverse_mass(),
                system.alpha(),
                system.beta(),
                D,
                with_edges ? &K.edges() : nullptr};
    }
    std::array<PhiTerm, 3> terms() const { return {PhiTerm{0, nullptr, &v}, PhiTerm{1, nullptr, &a}, PhiTerm{2, nullptr, &e}}; }
};

// (x; v) at t = 0.02 s, by an evaluator.
struct OuterEnd {
    VecX x, v;
    PhiReport report;
    OuterEnd(PhiEvaluator& phi, const Linearized& system, const OuterProblem& p, double tolerance = 1e-9) : x(p.v.size()), v(p.v.size()) {
        const PhiNode nodes[] = {{0.02, tolerance, &x, &v}};
        report = phi.evaluate(system, p.terms(), nodes);
    }
    double distance(const OuterEnd& b) const { return (x - b.x).norm() / b.x.norm() + (v - b.v).norm() / b.v.norm(); }
};

TEST(OuterForcesPhi, EveryEvaluatorAgreesWithTheDenseExponential) {
    for (const auto& [alpha, beta] : {std::pair(0.0, 0.0), std::pair(0.5, 2e-4)})
        for (const auto kind : {ElasticModel().kind, ElasticModel::Kind::corotational}) {
            OuterProblem p(alpha, beta, kind);
            ASSERT_FALSE(p.K.edges().extra().local_rows().empty());
            ASSERT_TRUE(p.K.edges().extra().pairs());
            ASSERT_GT(lowest_frequency(p.linearized()), 0) << "reformulated takes positive definite stiffness only";
            DensePhi dense;
            const OuterEnd exact(dense, p.linearized(false), p);
            ASSERT_TRUE(exact.report.converged);
            for (const auto& method : phi_methods())
                for (bool with_edges : {true, false}) {
                    const auto phi = make_phi(method.kind);
                    const OuterEnd end(*phi, p.linearized(with_edges), p);
                    EXPECT_TRUE(end.report.converged) << method.id;
                    EXPECT_LT(end.distance(exact), 1e-7) << method.id << (with_edges ? " by edges" : " by blocks") << ", beta " << beta;
                }
        }
}

TEST(OuterForcesPhi, SubstepsFollowTheSameMotion) {
    for (double beta : {0.0, 2e-4, 5e-3}) {  // leapfrog, and stabilised methods where damping is strong
        OuterProblem p(0, beta);
        DensePhi dense;
        const OuterEnd exact(dense, p.linearized(false), p);
        LeapfrogPhi leapfrog(make_phi(PhiMethod::automatic));
        const OuterEnd end(leapfrog, p.linearized(), p);
        ASSERT_TRUE(end.report.converged);
        EXPECT_GT(end.report.substeps, 1) << end.report.path;
        EXPECT_LT((end.x - exact.x).norm(), 0.03 * exact.x.norm()) << end.report.path << ", beta " << beta;
    }
}

TEST(OuterForcesPhi, FrequenciesKnowTheLocalPart) {
    OuterProblem p(0, 0);
    const Eigen::MatrixXd K = support::dense_blocks(p.K.blocks(p.system.workers()));
    const VecX root = p.system.inverse_mass().cwiseSqrt();
    const Eigen::MatrixXd L = root.asDiagonal() * K * root.asDiagonal();
    const double exact = std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(L).eigenvalues().maxCoeff());
    EXPECT_NEAR(highest_frequency(p.linearized(true)), exact, 2e-3 * exact);
    EXPECT_NEAR(highest_frequency(p.linearized(false)), exact, 2e-3 * exact);
    std::vector<double> sums;
    EXPECT_NEAR(diagonal_scale(p.linearized(), sums), L.diagonal().maxCoeff(), 1e-12 * L.norm());
    EXPECT_NEAR(diagonal_scale(p.linearized(false)), L.diagonal().maxCoeff(), 1e-12 * L.norm());
}

TEST(OuterForcesPhi, AnyNumberOfThreadsGivesTheSameBits) {
    OuterProblem one(0.5, 2e-4, ElasticModel().kind, 1), three(0.5, 2e-4, ElasticModel().kind, 3);
    const auto phi = make_phi(PhiMethod::lanczos), again = make_phi(PhiMethod::lanczos);
    const OuterEnd a(*phi, one.linearized(), one), b(*again, three.linearized(), three);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.v, b.v);
}

// Every particle drags every other, and not symmetrically.
class DenseDamping final : public DampingOperator {
public:
    explicit DenseDamping(Eigen::MatrixXd D) : D_(std::move(D)) {}
    void row(int i, const double* v, double* y) const override {
        const Vec3 sum = D_.middleRows<3>(3 * i) * Eigen::Map<const VecX>(v, D_.cols());
        std::copy_n(sum.data(), 3, y);
    }
    bool symmetric() const override { return false; }
    double fastest_decay(const VecX& inverse_mass) const override {
        return (inverse_mass.asDiagonal() * D_).cwiseAbs().rowwise().sum().maxCoeff();
    }
    Eigen::MatrixXd dense() const override { return D_; }

private:
    Eigen::MatrixXd D_;
};

TEST(DampingOperator, ADenseOneIsTakenByTheGeneralEvaluatorsAndDeclinedInWordsByTheOthers) {
    OuterProblem p(0, 0);
    const Eigen::Index n = p.v.size();
    Eigen::MatrixXd D = support::random_vector(n * n, 0.02, 8).reshaped(n, n);
    D.diagonal().array() += 2;
    const DenseDamping damping(D);
    const Linearized system = p.linearized(true, &damping);
    EXPECT_FALSE(system.rayleigh());
    EXPECT_TRUE(system.damped());
    DensePhi dense;
    const OuterEnd exact(dense, system, p), undamped(dense, p.linearized(), p);
    ASSERT_GT(exact.distance(undamped), 1e-2);
    for (const auto& method : phi_methods()) {
        const auto phi = make_phi(method.kind);
        const OuterEnd end(*phi, system, p);
        EXPECT_TRUE(end.report.converged) << method.id;
        EXPECT_LT(end.distance(exact), 1e-6) << method.id;
    }
    LanczosPhi lanczos(100);
    RationalPhi rational(100);
    ModesPhi modes;
    for (PhiEvaluator* phi :
         {static_cast<PhiEvaluator*>(&lanczos), static_cast<PhiEvaluator*>(&rational), static_cast<PhiEvaluator*>(&modes)}) {
        const OuterEnd end(*phi, system, p);
        EXPECT_FALSE(end.report.converged);
        EXPECT_STRNE(end.report.declined, "");
    }
}

TEST(OuterForcesSolvers, FactorsNoticeThatThePairsChanged) {
    OuterProblem p(0, 0);
    MechanicalSystem& system = p.system;
    BlockMatrix A(system.pattern());
    State state = p.boxes.start();
    for (int turn = 0; turn < 3; ++turn) {  // apart, near, apart
        system.begin_step(state, 0.01);
        system.step_matrix(state.q, 1, 1e-4, 0, A);
        ASSERT_EQ(A.shared_pattern(), system.pattern());
        const Eigen::MatrixXd D = support::dense_blocks(A);
        SparseCholesky cholesky(A.pattern());
        ASSERT_TRUE(cholesky.factorize(A));
        VecX x(p.v.size());
        cholesky.solve(p.v, x);
        EXPECT_LT((D * x - p.v).norm(), 1e-10 * p.v.norm());
        for (int i = p.boxes.border; i < system.particles(); ++i) state.q[3 * i + 1] += turn == 0 ? 1 : -1;
    }
}

}  // namespace
}  // namespace wobble
