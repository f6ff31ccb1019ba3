// Every force's derivatives against finite differences, after asserting that they are not zero. One row per force.
#include "engine/model/forces/corotational_tets.h"
#include "engine/model/forces/link_springs.h"
#include "engine/model/forces/median_springs.h"
#include "engine/model/forces/neo_hookean_tets.h"
#include "engine/model/forces/stiff_regions.h"
#include "engine/model/mechanical_system.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <functional>

namespace wobble {
namespace {

using Make = std::function<std::unique_ptr<ForceModel>(const TetMesh&, std::shared_ptr<Workers>)>;
struct Row {
    const char* name;
    Make make;
};

template <class Force>
std::unique_ptr<ForceModel> with(std::unique_ptr<Force> force, const Material& material) {
    force->set_material(material);
    std::unique_ptr<ForceModel> alone[] = {std::move(force)};
    bind_pairs(alone);
    return std::move(alone[0]);
}

const Material linear{.stiffness = 300, .edge_stiffness = 70, .spring_damping = 0.02};
const Material stiffening{.stiffness = 300, .edge_stiffness = 70, .stiffening = 8, .spring_damping = 0.02};

// Two regions that overlap, together not the whole body.
const std::vector<StiffRegion> regions{{.high = {0.5, 1, 1}, .factor = 7}, {.high = {1, 0.6, 0.5}, .factor = 0.2}};

std::unique_ptr<ForceModel> edge_springs(const TetMesh& m, const Material& material, const std::shared_ptr<Workers>& w) {
    std::vector<NetSpring> springs;  // of different stiffness
    for (const auto& [i, j] : unique_edges(m)) springs.push_back({j, i, 1 + 0.1 * (i % 7), (m.vertices[j] - m.vertices[i]).norm()});
    const int n = static_cast<int>(m.vertices.size());
    return with(std::make_unique<LinkSprings>(n, springs, &Material::edge_stiffness, w), material);
}
std::unique_ptr<ForceModel> median_springs(const TetMesh& m, const Material& material, const std::shared_ptr<Workers>& w,
                                           const std::vector<StiffRegion>& stiffer = {}) {
    return with(std::make_unique<MedianSprings>(m, w, tet_factors(stiffer, m, bounding_box(m.vertices))), material);
}
std::unique_ptr<ForceModel> corotational(const TetMesh& m, double poisson, const std::shared_ptr<Workers>& w,
                                         const std::vector<StiffRegion>& stiffer = {}) {
    return with(std::make_unique<CorotationalTets>(m, w, tet_factors(stiffer, m, bounding_box(m.vertices))),
                {.young = 3000, .poisson = poisson});
}

std::unique_ptr<ForceModel> neo_hookean(const TetMesh& m, double poisson, const std::shared_ptr<Workers>& w,
                                        const std::vector<StiffRegion>& stiffer = {}) {
    return with(std::make_unique<NeoHookeanTets>(m, w, tet_factors(stiffer, m, bounding_box(m.vertices))),
                {.young = 3000, .poisson = poisson});
}

const Row forces[] = {
    {"LinkSprings", [](const TetMesh& m, std::shared_ptr<Workers> w) { return edge_springs(m, linear, w); }},
    {"StiffeningLinks", [](const TetMesh& m, std::shared_ptr<Workers> w) { return edge_springs(m, stiffening, w); }},
    {"MedianSprings", [](const TetMesh& m, std::shared_ptr<Workers> w) { return median_springs(m, linear, w); }},
    {"StiffeningMedians", [](const TetMesh& m, std::shared_ptr<Workers> w) { return median_springs(m, stiffening, w); }},
    {"MediansInRegions", [](const TetMesh& m, std::shared_ptr<Workers> w) { return median_springs(m, linear, w, regions); }},
    {"StiffeningMediansInRegions", [](const TetMesh& m, std::shared_ptr<Workers> w) { return median_springs(m, stiffening, w, regions); }},
    {"CorotationalTetsInRegions", [](const TetMesh& m, std::shared_ptr<Workers> w) { return corotational(m, 0.3, w, regions); }},
    {"CorotationalTets", [](const TetMesh& m, std::shared_ptr<Workers> w) { return corotational(m, 0.3, w); }},
    {"NeoHookeanTets", [](const TetMesh& m, std::shared_ptr<Workers> w) { return neo_hookean(m, 0.3, w); }},
    {"NeoHookeanCork", [](const TetMesh& m, std::shared_ptr<Workers> w) { return neo_hookean(m, 0, w); }},
    {"NeoHookeanRubberInRegions", [](const TetMesh& m, std::shared_ptr<Workers> w) { return neo_hookean(m, 0.45, w, regions); }},
    {"CorotationalCork", [](const TetMesh& m, std::shared_ptr<Workers> w) { return corotational(m, 0, w); }},
};

class Derivatives : public testing::TestWithParam<Row> {
protected:
    TetMesh mesh = support::box_tets(2, 1, 1);
    std::shared_ptr<Workers> workers = std::make_shared<Workers>(2);
    std::shared_ptr<const BlockPattern> pattern = [this] {
        std::vector<std::pair<int, int>> pairs;
        for (const auto& [i, j] : unique_edges(mesh)) pairs.emplace_back(i, j);
        return std::make_shared<const BlockPattern>(static_cast<int>(mesh.vertices.size()), pairs);
    }();
    std::unique_ptr<ForceModel> force = GetParam().make(mesh, workers);
    VecX q = support::positions(mesh) + support::random_vector(3 * mesh.vertices.size(), 0.08, 1);  // stretched and compressed springs
    VecX u = support::random_vector(q.size(), 1.0, 2);

    VecX force_at(const VecX& x) const {
        VecX f = VecX::Zero(x.size());
        force->add_force(x, f);
        return f;
    }
    VecX product_at(const VecX& x, const VecX& w) const {
        VecX f = VecX::Zero(x.size());
        force->add_product(x, w, 1.0, f);
        return f;
    }
};

TEST_P(Derivatives, ForceIsMinusTheGradientOfTheEnergy) {
    const VecX f = force_at(q);
    ASSERT_GT(f.norm(), 1e-3);
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        VecX plus = q, minus = q;
        plus[k] += 1e-6, minus[k] -= 1e-6;
        EXPECT_NEAR(f[k], -(force->energy(plus) - force->energy(minus)) / 2e-6, 1e-6 * f.norm());
    }
}

TEST_P(Derivatives, ForceAndEnergyOfOnePassAreThoseOfTwo) {
    const VecX before = support::random_vector(q.size(), 1.0, 5);
    VecX f = before;
    const double energy = force->add_force_and_energy(q, f);
    ASSERT_GT(energy, 1e-3);
    EXPECT_NEAR(energy, force->energy(q), 1e-13 * energy);
    VecX expected = before;
    force->add_force(q, expected);
    EXPECT_LT((f - expected).norm(), 1e-14 * f.norm());
}

TEST_P(Derivatives, ForceAndRateOfOnePassAreThoseOfTwo) {
    const VecX before = support::random_vector(q.size(), 1.0, 5);
    VecX f = before, rate = -before, expected = before, expected_rate = -before;
    force->add_force_and_rate(q, u, 0.7, f, rate);
    force->add_force(q, expected);
    force->add_rate(q, u, 0.7, expected_rate);
    ASSERT_GT((rate + before).norm(), 1e-2);
    EXPECT_LT((f - expected).norm(), 1e-14 * f.norm());
    EXPECT_LT((rate - expected_rate).norm(), 1e-13 * rate.norm());
}

TEST_P(Derivatives, StiffnessIsMinusTheGradientOfTheForceAndSymmetric) {
    BlockMatrix K(pattern);
    EdgeTangent tangent(unique_edges(mesh), pattern, !force->symmetric_blocks());
    force->add_stiffness(q, tangent);
    tangent.expand(*workers, K);
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(q.size(), q.size());
    for (int i = 0; i < K.rows(); ++i)
        for (int k = pattern->row_begin[i]; k < pattern->row_begin[i + 1]; ++k) D.block<3, 3>(3 * i, 3 * pattern->column[k]) = K.at(k);
    ASSERT_GT(D.norm(), 1.0);
    EXPECT_LT((D - D.transpose()).norm(), 1e-14 * D.norm());
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        VecX plus = q, minus = q;
        plus[k] += 1e-6, minus[k] -= 1e-6;
        EXPECT_LT((D.col(k) + (force_at(plus) - force_at(minus)) / 2e-6).norm(), 1e-6 * D.norm());
    }
    EXPECT_LT((D * u - product_at(q, u)).norm(), 1e-13 * D.norm() * u.norm());

    // And so do the edges themselves.
    const auto by_edges = [&]<bool skewed>(std::bool_constant<skewed>) {
        using Rows = EdgeRows<1, skewed>;
        std::vector<double> x(u.data(), u.data() + u.size()), sums(K.rows() * Rows::sums_per_row + Rows::beyond, 0.0);
        x.resize(x.size() + Rows::beyond);
        VecX y(u.size());
        const Rows rows(tangent.matrix(), x.data(), sums.data(), 0, K.rows());
        for (int i = 0; i < K.rows(); ++i) rows.multiply(i, x.data()).write(&y[3 * i]);
        return y;
    };
    const VecX y = tangent.has_skew() ? by_edges(std::true_type()) : by_edges(std::false_type());
    EXPECT_LT((D * u - y).norm(), 1e-13 * D.norm() * u.norm());
}

TEST_P(Derivatives, RateIsTheChangeOfTheProductAlongTheMotion) {
    VecX rate = VecX::Zero(q.size());
    force->add_rate(q, u, 1.0, rate);
    ASSERT_GT(rate.norm(), 1e-2);
    const VecX difference = (product_at(q + 1e-6 * u, u) - product_at(q - 1e-6 * u, u)) / 2e-6;
    EXPECT_LT((rate - difference).norm(), 1e-6 * rate.norm());
}

// Dashpots: D_s is symmetric, never gains energy, does not resist rigid motion, and product, matrix and rate agree.
TEST_P(Derivatives, DashpotsAreSymmetricAndOnlyTakeEnergy) {
    const auto product = [&](const VecX& x, const VecX& w) {
        VecX f = VecX::Zero(x.size());
        force->add_dashpot_product(x, w, 1.0, f);
        return f;
    };
    if (!force->has_dashpots()) {
        EXPECT_TRUE(product(q, u).isZero(0));
        return;
    }
    EdgeTangent tangent(unique_edges(mesh), pattern);
    force->add_dashpot_matrix(q, 2.0, tangent);
    BlockMatrix D(pattern);
    tangent.expand(*workers, D);
    VecX Du(q.size());
    D.multiply(*workers, u, Du);
    ASSERT_GT(Du.norm(), 1e-2);
    EXPECT_LT((Du - 2 * product(q, u)).norm(), 1e-13 * Du.norm());
    EXPECT_GT(u.dot(Du), 0);
    const VecX w = support::random_vector(q.size(), 1.0, 9);
    EXPECT_NEAR(w.dot(product(q, u)), u.dot(product(q, w)), 1e-12 * Du.norm());
    VecX turning(q.size());
    for (int i = 0; i < static_cast<int>(mesh.vertices.size()); ++i)
        particle(turning, i) = Vec3(1, 2, 3) + Vec3(0.3, -0.2, 0.5).cross(Vec3(particle(q, i)));
    EXPECT_LT(product(q, turning).norm(), 1e-12 * Du.norm());

    VecX rate = VecX::Zero(q.size());
    force->add_dashpot_rate(q, u, 1.0, rate);
    ASSERT_GT(rate.norm(), 1e-2);
    EXPECT_LT((rate - (product(q + 1e-6 * u, u) - product(q - 1e-6 * u, u)) / 2e-6).norm(), 1e-6 * rate.norm());
}

// The constant matrix bounds the tangent: c I - K has no negative eigenvalue. Strains here stay below one half.
TEST_P(Derivatives, TheLinearStiffnessIsAnUpperBound) {
    const auto dense = [&](auto&& add) {
        EdgeTangent tangent(unique_edges(mesh), pattern, true);
        add(tangent);
        BlockMatrix A(pattern);
        tangent.expand(*workers, A);
        Eigen::MatrixXd full = Eigen::MatrixXd::Zero(q.size(), q.size());
        for (int i = 0; i < A.rows(); ++i)
            for (int k = pattern->row_begin[i]; k < pattern->row_begin[i + 1]; ++k)
                full.block<3, 3>(3 * i, 3 * pattern->column[k]) = A.at(k);
        return full;
    };
    const Eigen::MatrixXd bound = dense([&](EdgeTangent& K) { force->add_linear_stiffness(K); });
    ASSERT_GT(bound.norm(), 1);
    for (const VecX& x : {support::positions(mesh), q}) {
        const Eigen::MatrixXd K = dense([&](EdgeTangent& k) { force->add_stiffness(x, k); });
        const double least = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(bound - K, Eigen::EigenvaluesOnly).eigenvalues()[0];
        EXPECT_GT(least, -1e-12 * bound.norm());
    }
}

TEST_P(Derivatives, RigidMotionCostsNoEnergyAndInternalForcesBalance) {
    const VecX rest = support::positions(mesh);
    const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    VecX moved(rest.size());
    for (int i = 0; i < static_cast<int>(mesh.vertices.size()); ++i) particle(moved, i) = R * particle(rest, i) + Vec3(1, -2, 5);
    EXPECT_NEAR(force->energy(moved), 0, 1e-20);
    EXPECT_GT(force->energy(q), 1e-3);
    const VecX f = force_at(q);
    Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
    for (int i = 0; i < static_cast<int>(mesh.vertices.size()); ++i)
        sum += particle(f, i), torque += Vec3(particle(q, i)).cross(Vec3(particle(f, i)));
    EXPECT_LT(sum.norm(), 1e-12 * f.norm());
    EXPECT_LT(torque.norm(), 1e-12 * f.norm());
}

TEST_P(Derivatives, AnyNumberOfThreadsGivesTheSameBits) {
    // Also bodies with so few elements that the last four of a part are not four.
    TetMesh one = support::box_tets(1, 1, 1);
    one.tets.resize(1);
    for (const TetMesh& larger : {one, support::box_tets(1, 1, 1), support::box_tets(3, 1, 1), support::box_tets(7, 3, 2)}) {
        std::vector<std::pair<int, int>> pairs;
        for (const auto& [i, j] : unique_edges(larger)) pairs.emplace_back(i, j);
        const auto larger_pattern = std::make_shared<const BlockPattern>(static_cast<int>(larger.vertices.size()), pairs);
        const VecX x = support::positions(larger) + support::random_vector(3 * larger.vertices.size(), 0.05, 3);
        constexpr int most = 5;
        VecX f[most], same[most];
        double energy[most];
        std::vector<BlockMatrix> K(most, BlockMatrix(larger_pattern));
        for (int t = 0; t < most; ++t) {
            const auto model = GetParam().make(larger, std::make_shared<Workers>(t + 1));
            f[t] = VecX::Zero(x.size());
            model->add_force(x, f[t]);
            same[t] = VecX::Zero(x.size());
            energy[t] = model->add_force_and_energy(x, same[t]);
            EdgeTangent tangent(unique_edges(larger), larger_pattern, !model->symmetric_blocks());
            model->add_stiffness(x, tangent);
            Workers own(t + 1);
            tangent.expand(own, K[t]);
        }
        for (int t = 1; t < most; ++t) {
            EXPECT_EQ(f[0], f[t]);
            EXPECT_EQ(same[0], same[t]);
            EXPECT_EQ(energy[0], energy[t]);
            for (int k = 0; k < 9 * larger_pattern->blocks(); ++k) ASSERT_EQ(K[0].block(0)[k], K[t].block(0)[k]);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(AllForces, Derivatives, testing::ValuesIn(forces), [](const auto& test) { return std::string(test.param.name); });

// Stiffnesses as listed are what the regions say, the later one winning, and make up the force of the whole body.
TEST(StiffRegions, ElementsWithTheirCentroidInTheBoxAreStiffer) {
    BodyMesh body;
    body.tets = support::box_tets(2, 1, 1);
    const int n = static_cast<int>(body.tets.vertices.size());
    const MechanicalSystem system(body, {.regions = regions}, Constraints(n), {.stiffness = 300, .edge_stiffness = 70, .gravity = 0},
                                  std::make_shared<Workers>(2));
    std::vector<SpringRow> rows;
    system.list_springs(rows);
    ASSERT_EQ(rows.size(), unique_edges(body.tets).size() + 4 * body.tets.tets.size());
    const Box box = bounding_box(body.tets.vertices);
    const VecX q = system.rest() + support::random_vector(3 * n, 0.08, 1);
    VecX expected = VecX::Zero(q.size()), f(q.size());
    int seen[3] = {};
    for (const SpringRow& row : rows) {
        Vec3 centroid = Vec3::Zero(), d = Vec3::Zero();
        const int corners = row.particles[2] < 0 ? 2 : 4;
        for (int a = 0; a < corners; ++a) {
            centroid += body.tets.vertices[row.particles[a]] / corners;
            d += row.weights[a] * particle(q, row.particles[a]);
        }
        const Vec3 share = (centroid - box.low).cwiseQuotient(box.size());
        const int region = share.y() <= 0.6 && share.z() <= 0.5 ? 2 : share.x() <= 0.5 ? 1 : 0;
        const double factors[] = {1, 7, 0.2};
        ++seen[region];
        EXPECT_DOUBLE_EQ(row.stiffness, (corners == 2 ? 70 : 300) * factors[region]);
        for (int a = 0; a < corners; ++a)
            particle(expected, row.particles[a]) -= row.weights[a] * row.stiffness * (d.norm() - row.rest_length) / d.norm() * d;
    }
    for (const int count : seen) EXPECT_GT(count, 0);
    system.elastic_force(q, f);
    EXPECT_LT((f - expected).norm(), 1e-12 * f.norm());
}

TEST(MechanicalSystem, MassesAddUpAndHeldParticlesHaveNoInverse) {
    const TetMesh mesh = support::box_tets(4, 2, 2);
    const MechanicalSystem system = support::cantilever(mesh, {.density = 500});
    EXPECT_NEAR(system.total_mass(), 500 * volume(mesh), 1e-9);
    EXPECT_NEAR(system.mass().sum(), 3 * system.total_mass(), 1e-9);
    for (int i = 0; i < system.particles(); ++i) {
        const double w = system.inverse_mass()[3 * i];
        if (system.pinned()[i]) EXPECT_EQ(w, 0);
        else EXPECT_NEAR(w * system.mass()[3 * i], 1, 1e-14);
    }
}

TEST(MechanicalSystem, TotalForceIsMinusTheEnergyGradientPlusDampingAndExternal) {
    const TetMesh mesh = support::box_tets(2, 1, 1);
    MechanicalSystem system = support::cantilever(mesh, {.damping = 0.01, .mass_damping = 0.3});
    const VecX q = support::positions(mesh) + support::random_vector(3 * mesh.vertices.size(), 0.05, 4);
    const VecX v = support::random_velocity(system, 1, 5);
    system.external_force() = support::random_vector(q.size(), 10, 6);
    VecX f(q.size());
    system.force(q, v, f);

    BlockMatrix K(system.pattern());
    system.stiffness(q, K);
    VecX Kv(q.size());
    K.multiply(system.workers(), v, Kv);
    VecX expected = system.external_force() - 0.3 * system.mass().cwiseProduct(v) - 0.01 * Kv;
    const auto energy = [&](const VecX& x) { return system.elastic_energy(x) + system.gravity_energy(x); };
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        VecX plus = q, minus = q;
        plus[k] += 1e-6, minus[k] -= 1e-6;
        expected[k] -= (energy(plus) - energy(minus)) / 2e-6;
    }
    EXPECT_LT((f - expected).norm(), 1e-6 * f.norm());
    VecX scratch(q.size());
    EXPECT_NEAR(system.dissipation_power(q, v, scratch), v.dot(0.3 * system.mass().cwiseProduct(v) + 0.01 * Kv), 1e-9);
}

}  // namespace
}  // namespace wobble
