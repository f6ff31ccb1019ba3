#pragma once
// Short chains of springs, most of them held at one end or at both, in edge form: 2 topologies, 6 together with what is held. Some
// particles have a block of their own; pairs that come and go join neighbours, double an edge, or lead to a held particle.
#include "engine/solve/linearized.h"
#include "tests/support/box_tets.h"

#include <memory>
#include <optional>
#include <vector>

namespace wobble::support {

struct Fibres {
    Workers workers;
    std::vector<int> begin{0};  // of the fibres' particles
    std::vector<Edge> edges;
    std::optional<TangentBlocks> K;
    VecX mass, inverse_mass;
    double alpha = 0, beta = 0, stiffness = 100;
    int turn = 0;  // K is another one at every turn

    explicit Fibres(int fibres, int threads = 2, bool skewed = false) : workers(threads) {
        for (int f = 0; f < fibres; ++f) {
            const int first = begin.back(), count = f % 2 == 0 ? 6 : 5;
            for (int i = 1; i < count; ++i) edges.push_back({first + i - 1, first + i});
            for (int i = 2; f % 2 == 1 && i < count; ++i) edges.push_back({first + i - 2, first + i});
            begin.push_back(first + count);
        }
        edges = unique_edges(std::move(edges));
        K.emplace(EdgeTangent(edges, pattern(), skewed, true));
        mass = VecX::Constant(3 * particles(), 0.01);
        for (int i = 0; i < particles(); ++i) particle(mass, i) *= 1 + 0.05 * (i % 7);
        inverse_mass = mass.cwiseInverse();
        for (int f = 0; f < fibres; ++f) {
            if (f % 6 < 4) particle(inverse_mass, begin[f]).setZero();
            if (f % 6 < 2) particle(inverse_mass, begin[f + 1] - 1).setZero();
        }
        set();
    }
    int particles() const { return begin.back(); }
    int fibres() const { return static_cast<int>(begin.size()) - 1; }
    std::shared_ptr<const BlockPattern> pattern(const std::vector<Edge>& more = {}) const {
        std::vector<std::pair<int, int>> pairs;
        for (const auto* list : {&edges, &more})
            for (const auto& [i, j] : *list) pairs.emplace_back(i, j);
        return std::make_shared<const BlockPattern>(particles(), pairs);
    }

    // Every `apart`-th fibre joins its neighbour; the next one has a doubled edge, and one after it a pair with its held end. 0: none.
    void join(int apart) {
        std::vector<Edge> pairs;
        for (int f = 0; apart > 0 && f + 3 < fibres(); f += apart) {
            pairs.push_back({begin[f] + 3, begin[f + 1] + 3});
            pairs.push_back({begin[f + 2] + 1, begin[f + 2] + 2});
            pairs.push_back({begin[f + 3], begin[f + 3] + 3});
        }
        pairs = unique_edges(std::move(pairs));
        const auto varying = pairs.empty() ? nullptr : std::make_shared<const VaryingPairs>(pairs);
        K->to_set().follow(std::make_shared<const TangentTopology>(pattern(pairs), K->edges().pattern(), varying));
        set();
    }

    // -S = k (n n^T + 0.2), n of no particular direction; s a few percent of it.
    void set() {
        EdgeTangent& to = K->to_set();
        to.set_zero(workers);
        const auto number = [&](std::size_t e, int d) { return std::sin(1.0 + 1.3 * static_cast<double>(e) + 2.1 * d + 0.01 * turn); };
        const auto spring = [&](std::size_t e, double k, double* S, double* s) {
            const Vec3 n = Vec3(number(e, 0), number(e, 1), number(e, 2)).normalized();
            const Mat3 H = k * (n * n.transpose() + 0.2 * Mat3::Identity());
            S[0] -= H(0, 0), S[1] -= H(0, 1), S[2] -= H(0, 2), S[3] -= H(1, 1), S[4] -= H(1, 2), S[5] -= H(2, 2);
            for (int d = 0; s && d < 3; ++d) s[d] += 0.03 * k * number(e, 3 + d);
        };
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const int edge = static_cast<int>(e);
            spring(e, stiffness * (1 + 0.5 * number(e, 9)), to.at(edge), to.has_skew() ? to.skew(edge) : nullptr);
        }
        for (int f = 0; f < fibres(); f += 5) {
            double* const L = to.local(begin[f + 1] - 2);
            L[0] += 0.4 * stiffness, L[1] += 0.1 * stiffness, L[3] += 0.2 * stiffness, L[5] += 0.3 * stiffness;
        }
        if (const VaryingPairs* const varying = K->edges().extra().pairs())
            for (std::size_t p = 0; p < varying->pairs.size(); ++p)
                spring(1000 + p, 0.7 * stiffness, to.varying(static_cast<int>(p)), to.varying_skew(static_cast<int>(p)));
        to.gather();
    }
    void next_turn() { ++turn, set(); }

    Linearized linearized(bool with_edges = true, Damping D = nullptr) {
        return {workers, {*K, workers}, mass, inverse_mass, alpha, beta, D, with_edges ? &K->edges() : nullptr};
    }
    VecX random(double size, unsigned seed) const {
        VecX v = random_vector(mass.size(), size, seed);
        for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = inverse_mass[k] == 0 ? 0 : v[k];
        return v;
    }
};

}  // namespace wobble::support
