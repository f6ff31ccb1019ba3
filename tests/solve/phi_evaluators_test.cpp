// Every evaluator of phi-functions against the dense oracle, on the same tangents.
#include "engine/solve/krylov/spectrum.h"
#include "engine/solve/phi/comparison/phi_energy.h"
#include "engine/solve/phi/comparison/phi_phipm_simul_iom2.h"
#include "engine/solve/phi/comparison/phi_reformulated.h"
#include "engine/solve/phi/make_phi.h"
#include "engine/solve/phi/phi_dense.h"
#include "engine/solve/phi/phi_kiops.h"
#include "engine/solve/phi/phi_lanczos.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>
#include <Eigen/Dense>
#include <map>
#include <stop_token>
#include <tuple>

namespace wobble {
namespace {

struct Tangent {
    const char* name;
    double stiffness = 1e4, alpha = 0, beta = 0, dashpots = 0, deformation = 0;
    double h_rho = 1;  // step times highest frequency
    bool floating = false, random = false;
    bool definite() const { return !floating && !random && deformation < 0.1; }
};
constexpr Tangent tangents[] = {
    {.name = "soft", .stiffness = 1e3, .deformation = 0.01, .h_rho = 5},
    {.name = "stiff", .stiffness = 1e7, .deformation = 0.001, .h_rho = 60},
    {.name = "indefinite", .stiffness = 1e4, .deformation = 0.12, .h_rho = 20},
    {.name = "floating", .stiffness = 1e5, .h_rho = 20, .floating = true},
    {.name = "random", .h_rho = 25, .random = true},
    {.name = "rayleigh", .stiffness = 1e4, .alpha = 0.5, .beta = 5e-4, .deformation = 0.01, .h_rho = 20},
    {.name = "overdamped", .stiffness = 1e6, .beta = 5e-3, .deformation = 0.001, .h_rho = 20},
    {.name = "dashpots", .stiffness = 1e4, .alpha = 0.3, .dashpots = 2e-3, .deformation = 0.01, .h_rho = 20},
};

// A body, its tangent, start vectors of all k, and a few term lists with the oracle's answers.
class Problem {
public:
    explicit Problem(const Tangent& tangent)
        : tangent_(tangent), system_(make(mesh_, tangent)), K_(system_.pattern()), D_(system_.pattern()) {
        const VecX q = support::positions(mesh_) + support::random_velocity(system_, tangent.deformation, 8);
        system_.stiffness(q, K_);
        if (tangent.random) randomise();
        if (tangent.dashpots > 0) system_.step_matrix(q, 0, 0, 1, D_);
        h_ = tangent.h_rho / highest_frequency({system_.workers(), K_, system_.mass(), system_.inverse_mass(), 0, 0});
        for (int k = 0; k <= max_phi; ++k) {  // t^k b_k all of about the same energy
            const double size = std::pow(h_, -k);
            x_[k] = support::random_velocity(system_, 0.3 * size * h_ / tangent.h_rho, 20 + k);
            v_[k] = support::random_velocity(system_, size, 30 + k);
        }
    }
    Linearized linearized() const {
        const BlockMatrix* D = tangent_.dashpots > 0 ? &D_ : nullptr;
        return {system_.workers(), K_, system_.mass(), system_.inverse_mass(), system_.alpha(), system_.beta(), D};
    }
    const Tangent& tangent() const { return tangent_; }
    const MechanicalSystem& system() const { return system_; }
    double h() const { return h_; }
    const VecX& x(int k) const { return x_[k]; }
    const VecX& v(int k) const { return v_[k]; }
    Eigen::Index size() const { return x_[0].size(); }
    std::vector<PhiTerm> frozen_terms() const { return {{0, nullptr, &v_[0]}, {1, nullptr, &v_[1]}}; }
    std::vector<PhiTerm> correction_terms() const { return {{3, nullptr, &v_[3]}, {4, nullptr, &v_[4]}}; }
    std::vector<PhiTerm> flow_terms() const { return {{1, &x_[1], &v_[1]}, {2, nullptr, &v_[2]}}; }
    std::vector<PhiTerm> all_terms() const {
        std::vector<PhiTerm> terms;
        // Six columns: the most any method needs.
        for (int k = 0; k <= max_phi; ++k) terms.push_back({k, k == 0 ? &x_[k] : nullptr, &v_[k]});
        return terms;
    }
    double energy(const VecX& x, const VecX& v) const {
        VecX Kx(x.size());
        K_.multiply(system_.workers(), x, Kx);
        return std::sqrt(std::abs(x.dot(Kx)) + v.dot(system_.mass().cwiseProduct(v)));
    }

private:
    static MechanicalSystem make(const TetMesh& mesh, const Tangent& t) {
        const Material material{.stiffness = t.stiffness, .damping = t.beta, .mass_damping = t.alpha, .spring_damping = t.dashpots};
        if (!t.floating) return support::cantilever(mesh, material);
        return MechanicalSystem(mesh, Constraints(static_cast<int>(mesh.vertices.size())), material, std::make_shared<Workers>(2));
    }
    // Symmetric random blocks: no elasticity, and indefinite.
    void randomise() {
        const BlockPattern& pattern = K_.pattern();
        for (int i = 0; i < pattern.rows(); ++i)
            for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
                const int j = pattern.column[k];
                if (j < i) continue;
                Mat3 block = Eigen::Map<const Mat3>(support::random_vector(9, 1e5, 1000 + k).data());
                if (i == j) block = (block + block.transpose()).eval() + 4e5 * Mat3::Identity();
                Eigen::Map<Mat3>(K_.block(k)) = block;
                Eigen::Map<Mat3>(K_.block(pattern.find(j, i))) = block.transpose();
            }
    }

    Tangent tangent_;
    TetMesh mesh_ = support::box_tets(4, 1, 1);
    MechanicalSystem system_;
    BlockMatrix K_, D_;
    double h_ = 0;
    std::array<VecX, max_phi + 1> x_, v_;
};

const Problem& problem(const Tangent& tangent) {  // built once: the oracle is slow
    static std::map<std::string, Problem> problems;
    return problems.try_emplace(tangent.name, tangent).first->second;
}

struct Answer {
    std::vector<VecX> x, v;
    std::vector<double> size;  // energy of u(t) - u(0)
};
Answer answer(const Problem& problem, PhiEvaluator& phi, std::span<const PhiTerm> terms, std::span<const double> shares, double tolerance,
              PhiReport& report) {
    Answer a;
    a.x.assign(shares.size(), VecX::Constant(problem.size(), 7));  // not zero: what is not written is found
    a.v = a.x;
    std::vector<PhiNode> nodes;
    for (std::size_t i = 0; i < shares.size(); ++i) nodes.push_back({shares[i] * problem.h(), tolerance, &a.x[i], &a.v[i]});
    report = phi.evaluate(problem.linearized(), terms, nodes);
    VecX x0 = VecX::Zero(problem.size()), v0 = x0;
    for (const PhiTerm& term : terms)
        if (term.k == 0) x0 += term.x ? *term.x : VecX::Zero(problem.size()), v0 += term.v ? *term.v : VecX::Zero(problem.size());
    for (std::size_t i = 0; i < shares.size(); ++i) a.size.push_back(problem.energy(a.x[i] - x0, a.v[i] - v0));
    return a;
}

enum class Terms { frozen, flow, correction, all };
std::vector<PhiTerm> terms_of(const Problem& p, Terms terms) {
    switch (terms) {
        case Terms::frozen:
            return p.frozen_terms();
        case Terms::flow:
            return p.flow_terms();
        case Terms::correction:
            return p.correction_terms();
        default:
            return p.all_terms();
    }
}
constexpr double three_nodes[] = {0.125, 0.75, 1.0}, two_nodes[] = {1.0 / 3, 1.0};

const Answer& oracle(const Problem& p, Terms terms, std::span<const double> shares) {
    static std::map<std::tuple<const Problem*, Terms, std::size_t>, Answer> known;
    const auto key = std::tuple(&p, terms, shares.size());
    if (const auto found = known.find(key); found != known.end()) return found->second;
    DensePhi dense;
    PhiReport report;
    return known[key] = answer(p, dense, terms_of(p, terms), shares, 0, report);
}

double relative_error(const Problem& p, const Answer& a, const Answer& exact, std::size_t i) {
    return p.energy(a.x[i] - exact.x[i], a.v[i] - exact.v[i]) / exact.size[i];
}

struct Evaluator {
    PhiMethod method;
    std::unique_ptr<PhiEvaluator> (*short_one)();  // with a small dimension, which makes substeps
    int short_dimension;
    bool takes(const Tangent& t) const {
        if (method == PhiMethod::lanczos || method == PhiMethod::rational) return t.dashpots == 0;  // by name they hand over to KIOPS
        if (method == PhiMethod::reformulated || method == PhiMethod::reformulated_newton) return t.definite();
        return true;
    }
};
template <class Phi, int m>
std::unique_ptr<PhiEvaluator> shortened() {
    return std::make_unique<Phi>(m);
}

template <ReformulatedPhi::Root root, int m>
std::unique_ptr<PhiEvaluator> shortened_reformulated() {
    return std::make_unique<ReformulatedPhi>(root, m);
}

const Evaluator evaluators[] = {
    {PhiMethod::lanczos, shortened<LanczosPhi, 12>, 12},
    {PhiMethod::kiops, shortened<KiopsPhi, 20>, 20},
    {PhiMethod::phipm, shortened<PhipmPhi, 20>, 20},
    {PhiMethod::phipm_simul_iom2, shortened<PhipmSimulIom2Phi, 20>, 20},
    {PhiMethod::energy, shortened<EnergyPhi, 16>, 16},
    {PhiMethod::reformulated, shortened_reformulated<ReformulatedPhi::Root::eigenvectors, 16>, 16},
    {PhiMethod::reformulated_newton, shortened_reformulated<ReformulatedPhi::Root::newton, 16>, 16},
};
std::string id(PhiMethod method) {
    for (const auto& info : phi_methods())
        if (info.kind == method) return info.id;
    return "?";
}

using Case = std::tuple<Evaluator, Tangent>;
class PhiEvaluators : public testing::TestWithParam<Case> {
protected:
    const Evaluator& evaluator = std::get<0>(GetParam());
    const Tangent& tangent = std::get<1>(GetParam());
    const Problem& p = problem(tangent);
};
class AllPhiEvaluators : public PhiEvaluators {};  // those without a dimension to shorten, too
class ExactPhi : public PhiEvaluators {};          // of these the ones that reach ten digits on small bodies
class UndampedPhi : public PhiEvaluators {};
class FloatingPhi : public PhiEvaluators {};

TEST_P(ExactPhi, AgreeWithTheOracleToTheirTolerance) {
    const auto phi = make_phi(evaluator.method);
    for (const Terms terms : {Terms::frozen, Terms::flow, Terms::correction, Terms::all})
        for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
            const bool three = terms == Terms::frozen || terms == Terms::all;
            const std::span<const double> shares = three ? std::span<const double>(three_nodes) : two_nodes;
            PhiReport report;
            const Answer a = answer(p, *phi, terms_of(p, terms), shares, tolerance, report);
            ASSERT_TRUE(report.converged) << "terms " << static_cast<int>(terms) << ", " << tolerance;
            EXPECT_EQ(report.path, id(evaluator.method));
            EXPECT_GT(report.products, 0);
            const Answer& exact = oracle(p, terms, shares);
            for (std::size_t i = 0; i < shares.size(); ++i)
                // Rational Krylov judges by energy as it is seen: a little more is allowed in fast modes.
                EXPECT_LT(relative_error(p, a, exact, i), (evaluator.method == PhiMethod::rational ? 5 : 2) * tolerance + 2e-11)
                    << "terms " << static_cast<int>(terms) << ", tolerance " << tolerance << ", node " << i << ", dimension "
                    << report.dimension << ", substeps " << report.substeps;
        }
}

// Several substeps, p >= 2: what comes later must know how the polynomial has gone on.
TEST_P(PhiEvaluators, ShortBasesWithSubstepsAgreeToo) {
    const auto phi = evaluator.short_one();
    for (const Terms terms : {Terms::flow, Terms::all}) {
        const std::span<const double> shares = terms == Terms::all ? std::span<const double>(three_nodes) : two_nodes;
        PhiReport report;
        const Answer a = answer(p, *phi, terms_of(p, terms), shares, 1e-8, report);
        ASSERT_TRUE(report.converged);
        EXPECT_LE(report.dimension, evaluator.short_dimension);
        EXPECT_GE(report.substeps, tangent.h_rho >= 20 ? 2 : 1);
        const Answer& exact = oracle(p, terms, shares);
        for (std::size_t i = 0; i < shares.size(); ++i)
            EXPECT_LT(relative_error(p, a, exact, i), 3e-8) << "node " << i << ", substeps " << report.substeps;
    }
}

TEST_P(AllPhiEvaluators, NothingStaysNothing) {
    const auto phi = make_phi(evaluator.method);
    const VecX zero = VecX::Zero(p.size());
    const PhiTerm terms[] = {{0, nullptr, &zero}, {1, &zero, &zero}};
    PhiReport report;
    const Answer a = answer(p, *phi, terms, two_nodes, 1e-6, report);
    EXPECT_TRUE(report.converged);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(a.x[i].isZero(0) && a.v[i].isZero(0));
}

TEST_P(AllPhiEvaluators, NotFiniteIsNotConverged) {
    const auto phi = make_phi(evaluator.method);
    VecX a1 = p.v(1);
    a1[a1.size() - 1] = std::numeric_limits<double>::quiet_NaN();
    const PhiTerm terms[] = {{1, nullptr, &a1}};
    PhiReport report;
    answer(p, *phi, terms, two_nodes, 1e-6, report);
    EXPECT_FALSE(report.converged);
}

TEST_P(AllPhiEvaluators, SameBitsForAnyNumberOfThreads) {
    const auto phi = make_phi(evaluator.method);
    VecX x[2], v[2];
    for (int i = 0; i < 2; ++i) {
        Workers workers(1 + 2 * i);
        x[i] = v[i] = VecX::Zero(p.size());
        const PhiNode nodes[] = {{p.h(), 1e-6, &x[i], &v[i]}};
        const Linearized l = p.linearized();
        ASSERT_TRUE(phi->evaluate({workers, l.K, l.mass, l.inverse_mass, l.alpha, l.beta, l.D}, p.flow_terms(), nodes).converged);
    }
    EXPECT_TRUE(x[0] == x[1] && v[0] == v[1]);
}

TEST_P(AllPhiEvaluators, StopWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    Workers workers(2, stop.get_token());
    VecX x(p.size()), v(p.size());
    const PhiNode nodes[] = {{p.h(), 1e-6, &x, &v}};
    const Linearized l = p.linearized();
    const auto phi = make_phi(evaluator.method);
    EXPECT_FALSE(phi->evaluate({workers, l.K, l.mass, l.inverse_mass, l.alpha, l.beta, l.D}, p.flow_terms(), nodes).converged);
}

// A start vector in a small invariant space: one mode of the undamped body, in which J is a 2x2 block.
TEST_P(UndampedPhi, OneModeNeedsTwoVectors) {
    const Eigen::Index n = p.size();
    const Linearized linearized = p.linearized();
    const Eigen::MatrixXd WK = -dense_jacobian(linearized).bottomLeftCorner(n, n);
    const VecX root = p.system().mass().cwiseSqrt();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(root.asDiagonal() * WK * root.cwiseInverse().asDiagonal());
    const VecX mode = root.cwiseInverse().cwiseProduct(eigen.eigenvectors().col(n - 1));
    const double omega = std::sqrt(eigen.eigenvalues()[n - 1]), t = p.h();
    const auto phi = make_phi(evaluator.method);
    VecX x(n), v(n);
    const PhiTerm terms[] = {{0, nullptr, &mode}};
    const PhiNode nodes[] = {{t, 1e-9, &x, &v}};
    const PhiReport report = phi->evaluate(linearized, terms, nodes);
    ASSERT_TRUE(report.converged);
    EXPECT_LT(p.energy(x - std::sin(omega * t) / omega * mode, v - std::cos(omega * t) * mode), 1e-8 * p.energy(x, v - mode));
    EXPECT_LE(report.dimension, 10);
}

// Uniform motion of a free body has no elastic energy; it must be carried all the same.
TEST_P(FloatingPhi, FreeFallIsAParabola) {
    VecX v0(p.size()), a(p.size()), x(p.size()), v(p.size());
    for (int i = 0; i < p.system().particles(); ++i) particle(v0, i) = Vec3(1, 2, 3), particle(a, i) = Vec3(0, -9.81, 0);
    const auto phi = make_phi(evaluator.method);
    const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a}};
    const PhiNode nodes[] = {{p.h(), 1e-8, &x, &v}};
    const PhiReport report = phi->evaluate(p.linearized(), terms, nodes);
    ASSERT_TRUE(report.converged);
    const double t = p.h();
    EXPECT_LT((x - t * v0 - t * t / 2 * a).norm(), 1e-10 * x.norm());
    EXPECT_LT((v - v0 - t * a).norm(), 1e-10 * v.norm());
}

// The energy inner product builds the Krylov matrix of the reformulated variables (Omega x, v), by either square root.
TEST(KrylovMatrix, OfTheEnergyProductIsThatOfTheReformulation) {
    for (const Tangent& tangent : tangents) {
        if (!tangent.definite()) continue;
        const Problem& p = problem(tangent);
        const VecX &x = p.x(0), &v = p.v(0);
        const Linearized linearized = p.linearized();  // processes refer to it
        EnergyKrylov energy(30);
        ASSERT_EQ(energy.start(linearized, x, v), KrylovProcess::Outcome::good);
        EXPECT_EQ(energy.skew(), !linearized.damped());
        for (const auto root : {ReformulatedPhi::Root::eigenvectors, ReformulatedPhi::Root::newton}) {
            ReformulatedPhi phi(root, 30);
            PhiReport report;
            answer(p, phi, p.frozen_terms(), two_nodes, 1e-4, report);  // makes the square root
            const Eigen::MatrixXd& Omega = phi.reformulation().Omega;
            EXPECT_LT((Omega * Omega - phi.reformulation().L).norm(), 1e-11 * phi.reformulation().L.norm());
            ReformulatedKrylov reformulated(30, phi.reformulation());
            ASSERT_EQ(reformulated.start(linearized, x, v), KrylovProcess::Outcome::good);
            EXPECT_NEAR(energy.beta(), reformulated.beta(), 1e-11 * energy.beta());
            for (int j = 0; j < 20; ++j) {
                if (energy.dimension() == j) {
                    ASSERT_EQ(energy.extend(), KrylovProcess::Outcome::good);
                }
                ASSERT_EQ(reformulated.extend(), KrylovProcess::Outcome::good);
            }
            double largest = 0, difference = 0;
            for (int j = 0; j < 20; ++j)
                for (int i = 0; i <= j + 1; ++i) {
                    largest = std::max(largest, std::abs(reformulated.H(i, j)));
                    difference = std::max(difference, std::abs(reformulated.H(i, j) - energy.H(i, j)));
                }
            EXPECT_LT(difference, 1e-9 * largest) << tangent.name;
        }
    }
}

TEST(ReformulatedPhi, DoesNotTakeIndefiniteTangents) {
    const Problem& p = problem(tangents[2]);
    for (const PhiMethod method : {PhiMethod::reformulated, PhiMethod::reformulated_newton}) {
        PhiReport report;
        answer(p, *make_phi(method), p.frozen_terms(), two_nodes, 1e-4, report);
        EXPECT_FALSE(report.converged);
    }
}

std::string case_name(const testing::TestParamInfo<std::tuple<Evaluator, Tangent>>& test) {
    std::string name = id(std::get<0>(test.param).method) + "_" + std::get<1>(test.param).name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
std::vector<Case> cases(std::span<const Evaluator> list, bool (*apply)(const Tangent&)) {
    std::vector<Case> all;
    for (const Evaluator& evaluator : list)
        for (const Tangent& tangent : tangents)
            if (evaluator.takes(tangent) && apply(tangent)) all.emplace_back(evaluator, tangent);
    return all;
}
std::vector<Case> all_cases() {
    std::vector<Evaluator> list(std::begin(evaluators), std::end(evaluators));
    for (const PhiMethod method : {PhiMethod::automatic, PhiMethod::rational, PhiMethod::dense}) list.push_back({method, nullptr, 0});
    return cases(list, [](const Tangent&) { return true; });
}
std::vector<Case> exact_cases() {
    std::vector<Evaluator> list(std::begin(evaluators), std::end(evaluators));
    list.push_back({PhiMethod::rational, nullptr, 0});
    return cases(list, [](const Tangent&) { return true; });
}
const auto any = [](const Tangent&) { return true; };
const auto undamped = [](const Tangent& t) { return t.dashpots == 0 && t.beta == 0; };
const auto floating = [](const Tangent& t) { return t.floating; };
INSTANTIATE_TEST_SUITE_P(Krylov, PhiEvaluators, testing::ValuesIn(cases(evaluators, any)), case_name);
INSTANTIATE_TEST_SUITE_P(All, AllPhiEvaluators, testing::ValuesIn(all_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Krylov, ExactPhi, testing::ValuesIn(exact_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Krylov, UndampedPhi, testing::ValuesIn(cases(evaluators, undamped)), case_name);
INSTANTIATE_TEST_SUITE_P(Krylov, FloatingPhi, testing::ValuesIn(cases(evaluators, floating)), case_name);

}  // namespace
}  // namespace wobble
