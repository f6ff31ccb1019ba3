// Stabilised substeps for damped bodies: against the oracle, by their stability, and when they are chosen.
#include "engine/solve/substeps/chebyshev_flow.h"
#include "engine/solve/substeps/ssprk_flow.h"

#include "engine/solve/phi/make_phi.h"
#include "tests/solve/flow_boxes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wobble {
namespace {

using support::EdgeBox, support::flow_error, support::FlowEnd, support::relative_distance, support::run_with;

template <class Flow>
class StabilizedFlow : public testing::Test {};
using Flows = testing::Types<ChebyshevFlow, SsprkFlow>;
TYPED_TEST_SUITE(StabilizedFlow, Flows);

TYPED_TEST(StabilizedFlow, ConvergesToTheOracleWithOrderTwo) {
    struct Case {
        double alpha, beta, deformation;
    };
    for (const auto& [alpha, beta, deformation] : {Case{0, 5e-3, 0.01}, Case{3, 5e-3, 0.01}, Case{0, 2e-2, 0.12}, Case{1, 2e-3, 0.01}}) {
        EdgeBox box(1e4, alpha, beta, deformation);
        const VecX m = box.e / 0.01;
        const PhiTerm terms[] = {
            {0, &box.a, &box.v0}, {1, nullptr, &box.a}, {2, nullptr, &box.e}, {3, nullptr, &m, &box.e, 1 / 0.01}, {4, nullptr, &m}};
        const double t = 2 * beta, coarse = flow_error(box, terms, t, TypeParam(0.05)), fine = flow_error(box, terms, t, TypeParam(0.025));
        EXPECT_LT(fine, 0.02);
        EXPECT_GT(coarse / fine, 3.4) << "alpha " << alpha << ", beta " << beta << ": " << coarse << " " << fine;
    }
}

// What acts is small beside what a body with a start does: here there is nothing else, and it changes with time.
TYPED_TEST(StabilizedFlow, ForcesThatChangeHaveOrderTwo) {
    for (const double share : {0.4, 0.05}) {  // by Chebyshev several stages, and two
        EdgeBox box(1e5, 1, 1e-2, 0.01);
        const VecX zero = VecX::Zero(box.v0.size());
        const PhiTerm terms[] = {{0, &zero, &zero}, {2, nullptr, &box.e}, {3, nullptr, &box.a}, {4, nullptr, &box.v0}};
        const double coarse = flow_error(box, terms, 0.04, TypeParam(share)), fine = flow_error(box, terms, 0.04, TypeParam(share / 2));
        EXPECT_LT(fine, 0.05);
        EXPECT_GT(coarse / fine, 3) << share << ": " << coarse << " " << fine;
    }
}

struct Modes {
    VecX omega;             // rad/s; 0: those of held particles
    Eigen::MatrixXd shape;  // columns, of mass 1
    explicit Modes(EdgeBox& box) {
        const int n = static_cast<int>(box.v0.size());
        const VecX root = box.system.inverse_mass().cwiseSqrt();
        Eigen::MatrixXd A(n, n);
        for (int k = 0; k < n; ++k) {
            VecX column(n);
            box.linearized().K.blocks().multiply(box.system.workers(), root[k] * VecX::Unit(n, k), column);
            A.col(k) = root.cwiseProduct(column);
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (A + A.transpose()));
        omega = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
        shape = root.asDiagonal() * eigen.eigenvectors();
    }
};

// Each mode by itself, again and again: none has more energy than it started with.
TYPED_TEST(StabilizedFlow, NoModeGrows) {
    EdgeBox undamped(1e4, 0, 0, 0.01);
    const Modes modes(undamped);
    const double top = undamped.omega();
    VecX start = VecX::Zero(undamped.v0.size());
    for (int k = 0; k < start.size(); ++k)
        if (modes.omega[k] > 1) start += modes.shape.col(k);
    for (const double damped : {0.5, 1.0, 1.5, 1.8, 1.9, 2.0, 2.1, 3.0, 5.0, 8.0, 20.0, 60.0})
        for (const double length : {0.1, 0.5, 1.0, 1.7, 3.0, 6.0, 18.0, 30.0})  // in beta
            for (const double alpha : {0.0, 5.0}) {
                EdgeBox box(1e4, alpha, damped / top, 0.01);
                if (TypeParam().products(box.linearized(), top, length * damped / top) > 300) continue;  // too many products to be chosen
                FlowEnd motion(box);
                VecX x = VecX::Zero(start.size()), v = start;
                for (int step = 0; step < 40; ++step) {
                    const PhiTerm terms[] = {{0, &x, &v}};
                    const PhiNode node = motion.at(length * damped / top);
                    PhiReport report;
                    ASSERT_TRUE(run_with(TypeParam(), box.linearized(), top, terms, {&node, 1}, report)) << damped << " " << length;
                    x = motion.x, v = motion.v;
                }
                for (int k = 0; k < start.size(); ++k) {
                    if (modes.omega[k] <= 1) continue;
                    const VecX weighed = box.system.mass().cwiseProduct(modes.shape.col(k));
                    const double energy = std::pow(weighed.dot(v), 2) + std::pow(modes.omega[k] * weighed.dot(x), 2);
                    EXPECT_LT(energy, 1) << "mode of " << modes.omega[k] << ", beta omega " << damped << ", h / beta " << length
                                         << ", alpha " << alpha;
                }
            }
}

// The lowest mode of a strongly damped body, by few products: what one sees is right.
TEST(ChebyshevFlow, SlowMotionIsRightWithLongSubsteps) {
    EdgeBox box(1e5, 0, 1e-2, 0.001);
    const Modes modes(box);
    int lowest = 0;
    while (modes.omega[lowest] < 1) ++lowest;
    const double omega = modes.omega[lowest], t = 0.02;
    const VecX mode = modes.shape.col(lowest), push = 5 * mode;
    const PhiTerm terms[] = {{0, nullptr, &mode}, {1, nullptr, &push}};
    ASSERT_LT(omega * box.system.beta(), 0.5);
    EXPECT_LT(flow_error(box, terms, t, ChebyshevFlow()), 0.2 * std::pow(omega * box.system.beta(), 2)) << omega;
    EXPECT_LT(ChebyshevFlow().products(box.linearized(), box.omega(), t), 0.75 * t / LeapfrogFlow().longest(box.linearized(), box.omega()));
}

// Where the fastest mode is damped almost critically the disc needs two thirds of the products of the others.
TEST(SsprkFlow, NeedsFewestProductsAboutCriticalDamping) {
    EdgeBox undamped(1e4, 0, 0, 0.01);
    const double top = undamped.omega();
    const auto path = [&](double damped) {
        EdgeBox box(1e4, 0, damped / top, 0.01);
        const double t = 60 * damped / top, disc = SsprkFlow().products(box.linearized(), top, t);
        if (damped == 1.8) {
            EXPECT_LT(disc, 0.7 * t / LeapfrogFlow().longest(box.linearized(), top));
            EXPECT_LT(disc, 0.7 * ChebyshevFlow().products(box.linearized(), top, t));
        }
        LeapfrogPhi phi(make_phi(PhiMethod::lanczos));
        FlowEnd end(box);
        const PhiTerm terms[] = {{0, nullptr, &box.v0}, {1, nullptr, &box.a}};
        const PhiNode node = end.at(t);
        return std::string(phi.evaluate(box.linearized(), terms, {&node, 1}).path);
    };
    EXPECT_EQ(path(0.5), "leapfrog");
    EXPECT_EQ(path(1.8), "disc");
    EXPECT_EQ(path(5), "chebyshev");
}

// The lowest mode with fewer products: wrong by what the header says.
TEST(SsprkFlow, SlowMotionIsAsWrongAsItSays) {
    EdgeBox box(1e4, 0, 0, 0.001);
    const Modes modes(box);
    int lowest = 0;
    while (modes.omega[lowest] < 1) ++lowest;
    const double omega = modes.omega[lowest], beta = 1.8 / box.omega(), t = 24 * beta;
    EdgeBox damped(1e4, 0, beta, 0.001);
    const VecX mode = modes.shape.col(lowest);
    const PhiTerm terms[] = {{0, nullptr, &mode}};
    const double h = t * SsprkFlow::s / SsprkFlow().products(damped.linearized(), damped.omega(), t);
    const double error = flow_error(damped, terms, t, SsprkFlow()), said = std::pow(omega * h, 2) / (6 * (SsprkFlow::s - 1)) * omega * t;
    EXPECT_LT(error, 3 * said) << omega * beta;  // of positions and of velocities
    EXPECT_GT(error, said / 10);
}

// What was known, nodes before the end and the number of threads change nothing, and strong damping chooses one of them.
TYPED_TEST(StabilizedFlow, NodesThreadsAndAKnownRate) {
    std::vector<FlowEnd> ends;
    for (const int threads : {1, 2, 3}) {
        EdgeBox box(1e5, 2, 1e-2, 0.01, threads);  // strongly damped
        const Linearized linearized = box.linearized();
        VecX Kv(box.v0.size());
        linearized.K.blocks().multiply(linearized.workers, box.v0, Kv);
        const VecX rate = box.a - box.system.inverse_mass().cwiseProduct(1e-2 * Kv) - 2 * box.v0;
        PhiTerm terms[] = {{0, nullptr, &box.v0}, {1, nullptr, &box.a}, {3, nullptr, &box.e}};
        FlowEnd end(box), middle(box), last(box), known(box), by_choice(box);
        const auto products = [&](double time) { return TypeParam().products(linearized, box.omega(), time); };
        double t = 0.04;
        while (products(t) != 2 * products(t / 2)) t *= 1.01;  // the same substeps with a node in the middle
        const PhiNode once = end.at(t), twice[] = {middle.at(t / 2), last.at(t)}, with_rate = known.at(t), chosen = by_choice.at(t);
        PhiReport report, two, fewer;
        ASSERT_TRUE(run_with(TypeParam(), linearized, box.omega(), terms, {&once, 1}, report));
        ASSERT_TRUE(run_with(TypeParam(), linearized, box.omega(), terms, twice, two));
        EXPECT_LT(relative_distance(last, end), 1e-12);
        LeapfrogPhi phi(make_phi(PhiMethod::lanczos));
        EXPECT_STREQ(phi.evaluate(linearized, terms, {&chosen, 1}).path, "chebyshev");
        terms[0].rate = &rate;
        ASSERT_TRUE(run_with(TypeParam(), linearized, box.omega(), terms, {&with_rate, 1}, fewer));
        EXPECT_EQ(fewer.products, report.products - 1);
        EXPECT_LT(relative_distance(known, end), 1e-12);
        ends.push_back(end), ends.push_back(by_choice);
    }
    for (std::size_t k = 2; k < ends.size(); ++k) EXPECT_TRUE(ends[k].x == ends[k - 2].x && ends[k].v == ends[k - 2].v) << k;
}

}  // namespace
}  // namespace wobble
