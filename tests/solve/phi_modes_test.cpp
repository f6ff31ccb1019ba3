// phi-functions from all eigenvectors: against the oracle, and where the automatic choice takes them.
#include "engine/solve/phi/phi_modes.h"
#include "engine/solve/phi/phi_automatic.h"
#include "tests/solve/boxes.h"
#include "tests/solve/eigenvector_oracle.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

using support::Boxes;

struct Motion {
    VecX x, v;
    PhiNode nodes[1];
    Motion(Eigen::Index n, double h, double tolerance) : x(n), v(n), nodes{{h, tolerance, &x, &v}} {}
    Motion(const Motion&) = delete;
};
double apart(const VecX& a, const VecX& b) { return (a - b).norm() / b.norm(); }

TEST(ModesPhi, AgreeWithTheOracleAtAnyStiffnessDampingAndCompression) {
    for (const double stiff : {1e3, 1e11})
        for (const double beta : {0.0, 1e-3})
            for (const double compress : {0.0, 0.02}) {
                Boxes body({{6, 1e3, stiff}});
                body.alpha = beta > 0 ? 0.5 : 0, body.beta = beta;
                if (compress > 0) body.compress(compress);
                const double h = compress > 0 ? 1e-5 : 0.02;  // compressed directions grow
                const VecX v0 = body.random(1, 1), a = body.random(50, 2), x1 = body.random(0.1, 3);
                const PhiTerm terms[] = {{0, &x1, &v0}, {1, nullptr, &a}, {2, &x1, nullptr}, {4, nullptr, &v0}};
                Motion found(v0.size(), h, 1e-9), oracle(v0.size(), h, 0), again(v0.size(), h, 1e-9);
                support::exact(body.linearized(), terms, oracle.nodes);
                ModesPhi phi;
                ASSERT_TRUE(phi.evaluate(body.linearized(), terms, found.nodes).converged);
                // Rounding of a frequency, 1e-16 omega_max, times the step is an error in the phase of the fast oscillation.
                EXPECT_LT(apart(found.x, oracle.x), 1e-7) << stiff << " " << beta << " " << compress;
                ASSERT_TRUE(phi.evaluate(body.linearized(), terms, again.nodes).converged);
                EXPECT_EQ(again.x, found.x) << "kept eigenvectors";
                EXPECT_EQ(again.v, found.v);
            }
}

TEST(ModesPhi, NoticeAnotherMatrix) {
    Boxes soft({{5, 1e3, 1e3}}), stiff({{5, 1e3, 1e5}});
    const VecX v0 = soft.random(1, 1);
    const PhiTerm terms[] = {{0, nullptr, &v0}};
    Motion found(v0.size(), 0.02, 1e-9), oracle(v0.size(), 0.02, 0);
    ModesPhi phi;
    ASSERT_TRUE(phi.evaluate(soft.linearized(), terms, found.nodes).converged);
    ASSERT_TRUE(phi.evaluate(stiff.linearized(), terms, found.nodes).converged);
    support::exact(stiff.linearized(), terms, oracle.nodes);
    EXPECT_LT(apart(found.x, oracle.x), 1e-9);
}

// Tens of thousands of oscillations in the step, to more digits than rational Krylov has: Lanczos would take as many products.
TEST(AutomaticPhi, TakesAllEigenvectorsOfASmallBodyBeforeTensOfThousandsOfProducts) {
    Boxes body({{6, 1e3, 1e11}});
    const VecX v0 = body.random(1, 1);
    const PhiTerm terms[] = {{0, nullptr, &v0}};
    for (const double tolerance : {1e-9, 3e-3}) {
        Motion found(v0.size(), 0.1, tolerance);
        AutomaticPhi phi;
        for (int repeat = 0; repeat < 6; ++repeat) {
            const PhiReport report = phi.evaluate(body.linearized(), terms, found.nodes);
            ASSERT_TRUE(report.converged);
            EXPECT_LT(report.products, 2000) << report.path;
            EXPECT_EQ(report.loosened, 1) << report.path << ": the tolerance was given up before the eigenvectors were tried";
        }
    }
}

}  // namespace
}  // namespace wobble
