// Contact between surfaces: nearest points, broad phase, crossings, and the potential with its derivatives.
#include "engine/model/contact/repulsion.h"
#include "engine/model/contact/crossing.h"
#include "engine/model/contact/proximity.h"
#include "tests/support/contact_bodies.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include <random>

namespace wobble {
namespace {

struct Random {
    std::mt19937_64 engine{7};
    double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
    Vec3 point(double size = 1) { return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}; }
};

double brute_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    double best = 1e300;
    constexpr int n = 60;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j) best = std::min(best, (p - a - (b - a) * i / n - (c - a) * j / n).norm());
    return best;
}

TEST(Proximity, PointAndTriangleAgreeWithManyPointsOfIt) {
    Random random;
    int parts[7] = {};
    for (int n = 0; n < 400; ++n) {
        const Vec3 p = random.point(), a = random.point(), b = random.point();
        const Vec3 c = n % 5 == 0 ? Vec3(0.3 * a + 0.7 * b) : n % 7 == 0 ? a : random.point();  // without area; without an edge, too
        const OnTriangle on = closest_on_triangle(p, a, b, c);
        const double brute = brute_triangle(p, a, b, c);
        EXPECT_LE(on.distance, brute + 1e-12);
        EXPECT_GT(on.distance, brute - 0.08);
        EXPECT_NEAR((p - on.weights[0] * a - on.weights[1] * b - on.weights[2] * c).norm(), on.distance, 1e-9);
        EXPECT_NEAR(on.weights.sum(), 1, 1e-12);
        EXPECT_GE(on.weights.minCoeff(), 0);
        ++parts[on.part];
    }
    for (int part : parts) EXPECT_GT(part, 10);
}

TEST(Proximity, EdgesAgreeWithManyPointsOfThem) {
    Random random;
    int inside = 0;
    for (int n = 0; n < 400; ++n) {
        const Vec3 a = random.point(), b = random.point(), c = random.point();
        const Vec3 d = n % 5 == 0 ? Vec3(c + 0.7 * (b - a)) : n % 7 == 0 ? c : random.point();  // parallel; a point
        const OnEdges on = closest_on_edges(a, b, c, d);
        double brute = 1e300;
        for (int i = 0; i <= 100; ++i)
            for (int j = 0; j <= 100; ++j) brute = std::min(brute, (a + (b - a) * i / 100 - c - (d - c) * j / 100).norm());
        EXPECT_LE(on.distance, brute + 1e-12);
        EXPECT_GT(on.distance, brute - 0.04);
        EXPECT_NEAR((a + on.s * (b - a) - c - on.t * (d - c)).norm(), on.distance, 1e-9);
        inside += on.inside;
    }
    EXPECT_GT(inside, 50);
}

// Against the signs of the volumes before and after, of motions that are sampled finely.
TEST(Crossing, IsSeenWheneverThereIsOneAndHardlyEverElse) {
    Random random;
    int crossings = 0, false_ones = 0;
    for (int n = 0; n < 3000; ++n) {
        Corners x, u;
        for (int a = 0; a < 4; ++a) x[a] = random.point(), u[a] = random.point(0.8);
        const bool edges = n % 2;
        double nearest = 1e300;
        bool crossed = false;
        Corners before = x;
        for (int k = 1; k <= 400; ++k) {
            Corners now;
            for (int a = 0; a < 4; ++a) now[a] = x[a] + k / 400.0 * u[a];
            nearest = std::min(nearest, edges ? closest_on_edges(now[0], now[1], now[2], now[3]).distance
                                              : closest_on_triangle(now[0], now[1], now[2], now[3]).distance);
            const auto volume = [](const Corners& c) { return (c[1] - c[0]).cross(c[2] - c[0]).dot(c[3] - c[0]); };
            if (volume(before) * volume(now) < 0)
                crossed = crossed || (edges ? closest_on_edges(now[0], now[1], now[2], now[3]).distance < 2e-3 &&
                                                  closest_on_edges(now[0], now[1], now[2], now[3]).inside
                                            : closest_on_triangle(now[0], now[1], now[2], now[3]).part == 6 &&
                                                  closest_on_triangle(now[0], now[1], now[2], now[3]).distance < 2e-3);
            before = now;
        }
        const bool seen = edges ? edge_meets_edge(x, u) : vertex_meets_triangle(x, u);
        EXPECT_TRUE(seen || !crossed) << n;
        crossings += crossed;
        false_ones += seen && nearest > 0.05;
    }
    EXPECT_GT(crossings, 50);
    EXPECT_EQ(false_ones, 0);
}

using support::ContactBodies;

TEST(FeatureGrid, FindsEveryPairOfRandomMeshesForAnyNumberOfThreads) {
    for (int trial = 0; trial < 4; ++trial) {
        ContactBodies bodies({{3, 2, 2}, {2, 3, 1}, {1, 1, 4}}, 0.1);
        VecX q = bodies.positions() + support::random_vector(bodies.positions().size(), 0.03, static_cast<unsigned>(trial));
        for (int i = 0; i < q.size() / 3; ++i)
            particle(q, i) += 0.12 * trial * Vec3(std::sin(2.0 * bodies.body_of(i)), 0, 1.7 * bodies.body_of(i));
        const auto surface = std::make_shared<ContactSurface>(bodies.surface());
        const ContactSurface& s = *surface;
        PerBodies<std::uint8_t> may_touch(3, 1);
        may_touch.set(1, 1, 0), may_touch.set(0, 2, trial % 2);
        const std::vector<double> apart(3, 0.02);
        const double reach = 0.06;
        std::vector<FeatureGrid::Pair> vertex_triangle, edge_edge;
        const auto at = [&](int i) -> Vec3 { return particle(q, i); };
        for (int v = 0; v < static_cast<int>(s.vertices.size()); ++v)
            for (int t = 0; t < static_cast<int>(s.triangles.size()); ++t) {
                const int a = s.vertex_body[v], b = s.triangle_body[t];
                const auto& [i, j, k] = s.triangles[t];
                if (!may_touch(a, b) || (a == b && s.neighbours_vertex_triangle(v, t, apart[a]))) continue;
                if (closest_on_triangle(at(s.vertices[v]), at(i), at(j), at(k)).distance < reach) vertex_triangle.push_back({v, t});
            }
        for (int e = 0; e < static_cast<int>(s.edges.size()); ++e)
            for (int f = e + 1; f < static_cast<int>(s.edges.size()); ++f) {
                const int a = s.edge_body[e], b = s.edge_body[f];
                const auto& [i, j] = s.edges[e];
                const auto& [k, l] = s.edges[f];
                if (!may_touch(a, b) || (a == b && s.neighbours_edges(e, f, apart[a]))) continue;
                if (closest_on_edges(at(i), at(j), at(k), at(l)).distance < reach) edge_edge.push_back({e, f});
            }
        ASSERT_GT(vertex_triangle.size(), 20u);
        for (int threads : {1, 2, 3}) {
            FeatureGrid grid(surface, std::make_shared<Workers>(threads));
            grid.find(q, reach, may_touch, apart);
            EXPECT_EQ(grid.vertex_triangle(), vertex_triangle);
            EXPECT_EQ(grid.edge_edge(), edge_edge);
        }
    }
}

// Two boxes, the second turned and just above the first.
struct Pressed : ContactBodies {
    VecX q;
    std::unique_ptr<Repulsion> force;
    explicit Pressed(double gap = 0.004, int threads = 2) : ContactBodies({{2, 2, 2}, {2, 2, 2}}, 0.1) {
        q = positions();
        const Eigen::Matrix3d turn = (Eigen::AngleAxisd(0.6, Vec3::UnitZ()) * Eigen::AngleAxisd(0.02, Vec3::UnitX())).matrix();
        for (int i = 0; i < q.size() / 3; ++i)
            if (body_of(i) == 1) particle(q, i) = turn * particle(q, i) + Vec3(0.1, -0.03, 0.2 + gap);
        force = make(threads, {true, false}, 0.02);
    }
};

TEST(Repulsion, DerivativesAreThoseOfItsEnergy) {
    Pressed p;
    VecX q = p.q;
    p.force->begin_step({0, q, VecX::Zero(q.size())}, 0);
    ASSERT_GT(p.force->contacts().size(), 5u);
    EXPECT_TRUE(std::any_of(p.force->contacts().begin(), p.force->contacts().end(), [](const Contact& c) { return c.edges; }));
    q += support::random_vector(q.size(), 0.001, 3);
    const VecX u = support::random_vector(q.size(), 1, 4);
    const auto force_at = [&](const VecX& x) {
        VecX f = VecX::Zero(x.size());
        p.force->add_force(x, f);
        return f;
    };
    const auto product_at = [&](const VecX& x) {
        VecX f = VecX::Zero(x.size());
        p.force->add_product(x, u, 1, f);
        return f;
    };
    const VecX f = force_at(q);
    ASSERT_GT(f.norm(), 1e-3);
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        VecX plus = q, minus = q;
        plus[k] += 1e-7, minus[k] -= 1e-7;
        EXPECT_NEAR(f[k], -(p.force->energy(plus) - p.force->energy(minus)) / 2e-7, 1e-5 * f.norm());
    }
    const VecX Ku = product_at(q);
    ASSERT_GT(Ku.norm(), 1);
    EXPECT_LT((Ku + (force_at(q + 1e-7 * u) - force_at(q - 1e-7 * u)) / 2e-7).norm(), 1e-5 * Ku.norm());
    VecX rate = VecX::Zero(q.size());
    p.force->add_rate(q, u, 1, rate);
    ASSERT_GT(rate.norm(), 1);
    EXPECT_LT((rate - (product_at(q + 1e-7 * u) - product_at(q - 1e-7 * u)) / 2e-7).norm(), 1e-4 * rate.norm());
}

TEST(Repulsion, TangentIsItsProductAndNeverPullsAndTheConstantOneBoundsIt) {
    Pressed p;
    const auto alone = p.system(2, {true, false}, 0.02, false);
    alone->prepare({0, p.q, VecX::Zero(p.q.size())});
    BlockMatrix K(alone->pattern());
    alone->stiffness(p.q, K);
    const Eigen::MatrixXd D = support::dense(K);
    ASSERT_GT(D.norm(), 1);
    EXPECT_LT((D - D.transpose()).norm(), 1e-14 * D.norm());
    p.force->begin_step({0, p.q, VecX::Zero(p.q.size())}, 0);
    for (unsigned seed = 0; seed < 5; ++seed) {
        const VecX u = support::random_vector(p.q.size(), 1, seed);
        VecX f = VecX::Zero(u.size());
        p.force->add_product(p.q, u, 1, f);
        EXPECT_LT((D * u - f).norm(), 1e-12 * D.norm() * u.norm());
    }
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(D).eigenvalues().minCoeff(), -1e-10 * D.norm());
    BlockMatrix L(alone->pattern());
    alone->linear_stiffness(L);
    const Eigen::MatrixXd B = support::dense(L);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(B - D).eigenvalues().minCoeff(), -1e-10 * B.norm());
}

// Sliding a vertex over a surface at the same height does no work: its energy is that of one contact everywhere.
TEST(Repulsion, EnergyGoesOnOverEdgesAndCornersOfAFlatSurface) {
    ContactBodies bodies({{4, 4, 1}, {1, 1, 1}}, 0.1);
    const auto force = bodies.make(1, {true, false}, 0.02);
    VecX q = bodies.positions();
    double first = 0;
    for (int step = 0; step <= 200; ++step) {
        VecX x = q;
        const Eigen::Matrix3d upright = Eigen::Quaterniond::FromTwoVectors(Vec3(-1, -1, -1), Vec3(0, 0, -1)).toRotationMatrix();
        for (int i = 0; i < x.size() / 3; ++i)  // a cube on one of its corners
            if (bodies.body_of(i) == 1)
                particle(x, i) = upright * particle(x, i) + Vec3(0.11 + 0.001 * step, 0.13 + 0.00057 * step, 0.1 + 0.012);
        force->begin_step({0, x, VecX::Zero(x.size())}, 0);
        const double energy = force->energy(x);
        if (step == 0) first = energy;
        ASSERT_GT(first, 0);
        EXPECT_NEAR(energy, first, 2e-3 * first) << step;
    }
}

TEST(Repulsion, ContactsAndStepLimitAreTheSameForAnyNumberOfThreadsAndAnyPast) {
    Pressed one(0.004, 1), two(0.004, 3);
    const VecX v = support::random_vector(one.q.size(), 1, 9);
    for (int n = 0; n < 12; ++n)  // another past
        two.force->begin_step({0, two.q + support::random_vector(two.q.size(), 0.01 * n, 5), v}, 0.01);
    const State state{0, one.q, v};
    EXPECT_EQ(one.force->longest_step(state), two.force->longest_step(state));
    EXPECT_LT(one.force->longest_step(state), 0.05);
    one.force->begin_step(state, 0.001), two.force->begin_step(state, 0.003);
    ASSERT_EQ(one.force->contacts().size(), two.force->contacts().size());
    EXPECT_EQ(one.force->energy(one.q), two.force->energy(one.q));
}

TEST(Repulsion, FrictionKeepsMomentumAndAngularMomentumAndTakesEnergy) {
    Pressed p;
    const VecX mass = p.force->values().mass;
    const auto moments = [&](const VecX& q, const VecX& v) {
        Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
        for (int i = 0; i < mass.size(); ++i) {
            sum.head<3>() += mass[i] * particle(v, i);
            sum.tail<3>() += mass[i] * Vec3(particle(q, i)).cross(Vec3(particle(v, i)));
        }
        return sum;
    };
    for (unsigned seed = 0; seed < 200; ++seed) {
        const State before{0, p.q, support::random_vector(p.q.size(), 1, seed)};
        State after{0.004, p.q + support::random_vector(p.q.size(), 0.001, seed + 1000), before.v};
        p.force->begin_step(before, 0.004);
        StepBooks books;
        const auto m = moments(after.q, after.v);
        const auto kinetic = [&](const VecX& v) {
            double sum = 0;
            for (int i = 0; i < mass.size(); ++i) sum += 0.5 * mass[i] * particle(v, i).squaredNorm();
            return sum;
        };
        const double begun = kinetic(after.v);
        p.force->end_step(before, after, books);
        EXPECT_GT(books.friction, 0);
        EXPECT_NEAR(books.dissipated, begun - kinetic(after.v), 1e-12 * begun);
        EXPECT_LT((moments(after.q, after.v) - m).norm(), 1e-12 * m.norm());
    }
}

}  // namespace
}  // namespace wobble
