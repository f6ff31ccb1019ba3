// Many fibres: batches of equal components against one evaluator on the whole problem.
#include "engine/solve/phi/component_batches.h"

#include "engine/solve/phi/make_phi.h"
#include "engine/solve/phi/phi_automatic.h"
#include "engine/solve/phi/phi_components.h"
#include "tests/solve/fibres.h"
#include "tests/solve/motion.h"

#include <gtest/gtest.h>

#include <atomic>

namespace wobble {
namespace {

using support::apart;
using support::Fibres;
using support::Motion;

struct Fixture {
    VecX v, a;
    std::array<PhiTerm, 2> terms;
    explicit Fixture(const Fibres& fibres) : v(fibres.random(1, 1)), a(fibres.random(50, 2)), terms{{{0, nullptr, &v}, {1, nullptr, &a}}} {}
};

ComponentsPhi automatic() {
    return ComponentsPhi([](int unknowns) { return std::make_unique<AutomaticPhi>(unknowns); });
}

void expect_the_same(const Motion& a, const Motion& b, double tolerance) {
    EXPECT_LT(apart(a.x1, b.x1), tolerance);
    EXPECT_LT(apart(a.v1, b.v1), tolerance);
    EXPECT_LT(apart(a.x, b.x), tolerance);
    EXPECT_LT(apart(a.v, b.v), tolerance);
}

void expect_the_same_bits(const Motion& a, const Motion& b) {
    EXPECT_EQ(a.x1, b.x1);
    EXPECT_EQ(a.v1, b.v1);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.v, b.v);
}

TEST(ComponentBatches, AreTheEqualOnesAndEveryFreeParticleIsInOne) {
    Fibres fibres(60);
    ComponentBatches parts;
    EXPECT_FALSE(parts.known(fibres.linearized()));
    parts.find(fibres.linearized());
    EXPECT_TRUE(parts.known(fibres.linearized()));
    EXPECT_EQ(parts.components(), 60);
    ASSERT_EQ(parts.batches().size(), 6u);
    EXPECT_EQ(parts.largest(), 6);
    std::vector<int> seen(fibres.particles());
    for (const ComponentBatch& batch : parts.batches()) {
        EXPECT_EQ(batch.count(), 10);
        for (const int p : batch.particles) ++seen[p];
    }
    for (int i = 0; i < fibres.particles(); ++i) EXPECT_EQ(seen[i], fibres.inverse_mass[3 * i] != 0);
    for (std::size_t b = 1; b < parts.batches().size(); ++b) EXPECT_GE(parts.batches()[b - 1].size(), parts.batches()[b].size());
}

TEST(ComponentBatches, EdgesAndBlocksAreTheSameProblem) {
    for (const bool skewed : {false, true})
        for (const int joined : {0, 7}) {
            Fibres fibres(60, 1, skewed);
            fibres.join(joined);
            const Linearized whole = fibres.linearized();
            ComponentBatches parts;
            parts.find(whole);
            parts.find_edges(*whole.edges);
            whole.K.blocks();
            for (const ComponentBatch& batch : parts.batches()) {
                ComponentProblem by_edges(batch), by_blocks(batch);
                for (int c = 0; c < batch.count(); ++c) {
                    const Linearized e = by_edges.gather(fibres.workers, whole, batch, c, true);
                    const Linearized b = by_blocks.gather(fibres.workers, whole, batch, c, false);
                    ASSERT_TRUE(e.edges);
                    ASSERT_FALSE(b.edges);
                    EXPECT_EQ(e.mass, b.mass);
                    EXPECT_EQ(e.inverse_mass, b.inverse_mass);
                    for (int k = 0; k < batch.pattern->blocks(); ++k)
                        EXPECT_LT((e.K.blocks().at(k) - b.K.blocks().at(k)).norm(), 1e-12 * fibres.stiffness);
                }
            }
        }
}

TEST(ComponentBatches, GiveWhatTheWholeGives) {
    for (const bool skewed : {false, true})
        for (const double beta : {0.0, 1e-4})
            for (const int joined : {0, 9}) {
                Fibres fibres(200, 2, skewed);
                fibres.beta = beta, fibres.alpha = 100 * beta;
                fibres.join(joined);
                const Fixture f(fibres);
                Motion whole(f.v.size(), 0.02, 1e-11);
                ASSERT_TRUE(LanczosPhi().evaluate(fibres.linearized(), f.terms, whole.nodes).converged);
                for (const PhiMethod method : {PhiMethod::automatic, PhiMethod::lanczos, PhiMethod::rational}) {
                    Motion found(f.v.size(), 0.02, 1e-9);
                    const PhiReport report = make_phi(method)->evaluate(fibres.linearized(), f.terms, found.nodes);
                    ASSERT_TRUE(report.converged);
                    EXPECT_EQ(report.islands, joined ? 200 - 22 : 200);
                    expect_the_same(found, whole, 1e-7);
                }
            }
}

TEST(ComponentBatches, TakeADampingMatrixAndLeaveAnyOtherOperatorToTheWhole) {
    Fibres fibres(200);
    fibres.join(9);
    const Fixture f(fibres);
    BlockMatrix D = fibres.K->blocks(fibres.workers);
    for (int i = 0; i < D.rows(); ++i)
        for (int k = D.pattern().row_begin[i]; k < D.pattern().row_begin[i + 1]; ++k)
            for (int e = 0; e < 9; ++e) D.block(k)[e] *= 1e-4 * (1 + 0.1 * ((i + D.pattern().column[k]) % 3));
    const Linearized dashpots = fibres.linearized(true, &D);
    Motion whole(f.v.size(), 0.02, 1e-11), found(f.v.size(), 0.02, 1e-9);
    ASSERT_TRUE(KiopsPhi().evaluate(dashpots, f.terms, whole.nodes).converged);
    ComponentsPhi phi = automatic();
    const PhiReport report = phi.evaluate(dashpots, f.terms, found.nodes);
    ASSERT_TRUE(report.converged);
    EXPECT_EQ(report.islands, 200 - 22);
    expect_the_same(found, whole, 1e-7);

    struct Drag final : DampingOperator {  // of the neighbour in the list
        void row(int i, const double* v, double* y) const override {
            for (int d = 0; d < 3; ++d) y[d] = 0.1 * v[3 * i + d] + (i > 0 ? 0.05 * v[3 * (i - 1) + d] : 0);
        }
        bool symmetric() const override { return false; }
        double fastest_decay(const VecX& inverse_mass) const override { return 0.15 * inverse_mass.maxCoeff(); }
        Eigen::MatrixXd dense() const override { return {}; }
    } drag;
    const Linearized dragged = fibres.linearized(true, &drag);
    ComponentsPhi fresh = automatic();
    ASSERT_TRUE(KiopsPhi().evaluate(dragged, f.terms, whole.nodes).converged);
    ASSERT_TRUE(fresh.evaluate(dragged, f.terms, found.nodes).converged);
    expect_the_same(found, whole, 1e-7);
    EXPECT_EQ(fresh.evaluators(), 1);
}

TEST(ComponentBatches, EvaluatorsAreAsManyAsBatchesTimesThreads) {
    for (const int threads : {1, 2, 3}) {
        Fibres fibres(600, threads);
        const Fixture f(fibres);
        std::atomic<int> made = 0;
        ComponentsPhi phi([&](int unknowns) { return ++made, std::make_unique<AutomaticPhi>(unknowns); });
        Motion found(f.v.size(), 0.02, 1e-6);
        for (int turn = 0; turn < 3; ++turn, fibres.next_turn())
            ASSERT_TRUE(phi.evaluate(fibres.linearized(), f.terms, found.nodes).converged);
        EXPECT_EQ(phi.islands(), 600);
        EXPECT_EQ(phi.batches(), 6);
        EXPECT_EQ(phi.evaluators(), 6 * threads);
        EXPECT_EQ(made, 6 * threads);
    }
}

// What is learnt differs from island to island and decides: with these stiffnesses modes and rational Krylov are taken.
struct Case {
    double stiffness, beta;
};
const Case cases[] = {{1, 0}, {100, 1e-4}, {1e4, 0}, {1e6, 1e-4}, {1e9, 1e-3}};

TEST(ComponentBatches, GiveTheSameBitsForAnyNumberOfThreads) {
    const auto lanczos = [](int unknowns) { return std::make_unique<LanczosPhi>(LanczosPhi::dimension_for(unknowns)); };
    for (const auto& [stiffness, beta] : cases) {
        std::vector<std::unique_ptr<Motion>> found;
        std::vector<long> products;
        for (const int threads : {1, 2, 3}) {
            Fibres fibres(200, threads);
            fibres.stiffness = stiffness, fibres.beta = beta;
            fibres.join(9);
            const Fixture f(fibres);
            ComponentsPhi phi = stiffness < 10 ? ComponentsPhi(lanczos) : automatic();
            long sum = 0;
            for (int turn = 0; turn < 3; ++turn, fibres.next_turn()) {
                found.push_back(std::make_unique<Motion>(f.v.size(), 0.02, 1e-6));
                const PhiReport report = phi.evaluate(fibres.linearized(), f.terms, found.back()->nodes);
                ASSERT_TRUE(report.converged);
                sum = 1000 * sum + report.products + report.solves;
            }
            products.push_back(sum);
        }
        for (std::size_t k = 3; k < found.size(); ++k) expect_the_same_bits(*found[k], *found[k % 3]);
        for (const long sum : products) EXPECT_EQ(sum, products.front());
    }
}

TEST(ComponentBatches, ContinueBitByBitFromASavedState) {
    for (const auto& [stiffness, beta] : cases) {
        Fibres fibres(200);
        fibres.stiffness = stiffness, fibres.beta = beta;
        fibres.join(9);
        const Fixture f(fibres);
        ComponentsPhi phi = automatic(), fresh = automatic();
        std::vector<double> states[3];  // before every turn
        std::vector<std::unique_ptr<Motion>> found;
        const auto evaluate = [&](ComponentsPhi& by, int turn) {
            fibres.turn = turn, fibres.set();
            auto motion = std::make_unique<Motion>(f.v.size(), 0.02, 1e-6);
            EXPECT_TRUE(by.evaluate(fibres.linearized(), f.terms, motion->nodes).converged);
            return motion;
        };
        const auto save = [](ComponentsPhi& from) {
            std::vector<double> state;
            auto numbers = SavedSolverState::writing(state);
            from.solver_state(numbers);
            return state;
        };
        const auto read = [](ComponentsPhi& to, std::vector<double> state) {
            auto numbers = SavedSolverState::reading(state);
            to.solver_state(numbers);
        };
        for (int turn = 0; turn < 3; ++turn) {
            states[turn] = save(phi);
            found.push_back(evaluate(phi, turn));
        }
        for (const int turn : {1, 0, 2}) {
            read(phi, states[turn]);    // back in time
            read(fresh, states[turn]);  // another one, which may not even know the islands yet
            for (int t = turn; t < 3; ++t) {
                if (t > 0) {  // before the first evaluation there is nothing to write down
                    EXPECT_EQ(save(phi), states[t]);
                    EXPECT_EQ(save(fresh), states[t]);
                }
                expect_the_same_bits(*evaluate(phi, t), *found[t]);
                expect_the_same_bits(*evaluate(fresh, t), *found[t]);
            }
        }
    }
}

TEST(ComponentBatches, AreFoundAgainWhenPairsAppearAndVanish) {
    Fibres fibres(200);
    const Fixture f(fibres);
    ComponentsPhi phi = automatic();
    for (const int joined : {0, 9, 9, 4, 0, 50, 0}) {
        fibres.join(joined);
        fibres.next_turn();
        Motion whole(f.v.size(), 0.02, 1e-11), found(f.v.size(), 0.02, 1e-9);
        ASSERT_TRUE(LanczosPhi().evaluate(fibres.linearized(), f.terms, whole.nodes).converged);
        const PhiReport report = phi.evaluate(fibres.linearized(), f.terms, found.nodes);
        ASSERT_TRUE(report.converged);
        EXPECT_EQ(report.islands, joined == 0 ? 200 : 200 - (196 / joined + 1));
        expect_the_same(found, whole, 1e-7);
        // A batch of few has an evaluator per island, one of many has one per thread.
        EXPECT_LE(phi.evaluators(), phi.batches() * ComponentsPhi::few);
        EXPECT_LT(phi.evaluators(), joined == 0 ? 13 : 200);
    }
}

// The same pairs of particles, once as fixed edges and once as a pair that came: K's pattern does not tell.
TEST(ComponentBatches, NoticePairsThatDoubleAnEdge) {
    Fibres fibres(60);
    const Fixture f(fibres);
    ComponentsPhi phi = automatic();
    for (const bool doubled : {false, true, false}) {
        const std::vector<Edge> pair{fibres.edges[4]};
        const auto varying = doubled ? std::make_shared<const VaryingPairs>(pair) : nullptr;
        fibres.K->to_set().follow(std::make_shared<const TangentTopology>(fibres.pattern(), fibres.K->edges().pattern(), varying));
        fibres.set();
        Motion whole(f.v.size(), 0.02, 1e-11), found(f.v.size(), 0.02, 1e-9);
        ASSERT_TRUE(LanczosPhi().evaluate(fibres.linearized(), f.terms, whole.nodes).converged);
        ASSERT_TRUE(phi.evaluate(fibres.linearized(), f.terms, found.nodes).converged);
        EXPECT_EQ(phi.islands(), 60);
        expect_the_same(found, whole, 1e-7);
    }
}

TEST(ComponentBatches, FewGoByBlocksBitByBit) {
    for (const int count : {ComponentsPhi::few, ComponentsPhi::few + 1}) {
        Fibres fibres(count);
        const Fixture f(fibres);
        ComponentsPhi edges = automatic(), blocks = automatic();
        Motion by_edges(f.v.size(), 0.02, 1e-6), by_blocks(f.v.size(), 0.02, 1e-6);
        ASSERT_TRUE(edges.evaluate(fibres.linearized(true), f.terms, by_edges.nodes).converged);
        ASSERT_TRUE(blocks.evaluate(fibres.linearized(false), f.terms, by_blocks.nodes).converged);
        EXPECT_EQ(edges.evaluators(), count);
        EXPECT_EQ(by_edges.x == by_blocks.x, count <= ComponentsPhi::few);
        expect_the_same(by_edges, by_blocks, 1e-5);
    }
}

TEST(ComponentBatches, SayWhyOneDidNotConvergeAndPassOnWhatIsThrown) {
    struct Refuser final : PhiEvaluator {
        double heavy, thrown;
        Refuser(double h, double t) : heavy(h), thrown(t) {}
        PhiReport evaluate(const Linearized& system, std::span<const PhiTerm>, std::span<const PhiNode> nodes) override {
            for (const PhiNode& node : nodes) node.x->setZero(), node.v->setZero();
            if (system.mass.maxCoeff() > thrown) throw std::bad_alloc();
            if (system.mass.maxCoeff() > 2 * heavy) return {.converged = false, .declined = "far too heavy", .path = "refuser"};
            if (system.mass.maxCoeff() > heavy) return {.converged = false, .declined = "too heavy", .path = "refuser"};
            return {.path = "taker"};
        }
    };
    for (const int threads : {1, 2}) {
        Fibres fibres(200, threads);
        const Fixture f(fibres);
        Motion found(f.v.size(), 0.02, 1e-6);
        ComponentsPhi phi([](int) { return std::make_unique<Refuser>(1, 100); });
        EXPECT_STREQ(phi.evaluate(fibres.linearized(), f.terms, found.nodes).path, "taker");
        particle(fibres.mass, fibres.begin[72] + 2).setConstant(2);  // of the same batch: 72 comes before 150
        particle(fibres.mass, fibres.begin[150] + 2).setConstant(3);
        const PhiReport report = phi.evaluate(fibres.linearized(), f.terms, found.nodes);
        EXPECT_FALSE(report.converged);
        EXPECT_STREQ(report.declined, "too heavy");
        EXPECT_STREQ(report.path, "refuser");
        particle(fibres.mass, fibres.begin[31] + 2).setConstant(200);
        EXPECT_THROW(phi.evaluate(fibres.linearized(), f.terms, found.nodes), std::bad_alloc);
    }
}

}  // namespace
}  // namespace wobble
