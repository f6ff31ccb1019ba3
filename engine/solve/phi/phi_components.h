#pragma once
// Bodies that do not touch each other, and hairs that touch held particles only, move on their own: the linear problem falls apart
// into the connected components of K's pattern among the free particles. Each such island is evaluated for itself: smaller dimensions,
// matrices that stay in the cache, islands spread over the threads, the largest first; and each is accurate relative to its own motion.
// One evaluator per island, single-threaded, so that what it keeps (a factor, what it learnt of its island) stays its own and the bits
// do not depend on the thread that runs it; equal islands share one topology. One island only, or one with most of the particles:
// everything goes to one evaluator with all threads, as it came.
//
// The islands are looked for again when the pattern or the held particles have changed. Particles without neighbours are islands, too.
#include "engine/solve/phi/phi_evaluator.h"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace wobble {

class ComponentsPhi final : public PhiEvaluator {
public:
    using Make = std::function<std::unique_ptr<PhiEvaluator>(int unknowns)>;  // for problems of that size at most
    explicit ComponentsPhi(Make make);

    // dimension, predicted_dimension, substeps, loosened: the largest; products, solves, factorizations: sums; path: the largest island's.
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;
    void solver_state(SavedSolverState&) override;

    int islands() const { return static_cast<int>(islands_.size()); }  // of the last problem

private:
    struct Island {
        std::vector<int> particles;       // ascending
        std::vector<int> blocks;          // of the whole matrix, in the order of the island's
        std::optional<BlockMatrix> K, D;  // of one of the topologies
        VecX mass, inverse_mass;
        std::vector<VecX> vectors;  // gathered terms, then the nodes' results
        std::vector<PhiTerm> terms;
        std::vector<PhiNode> nodes;
        std::unique_ptr<PhiEvaluator> phi;
        PhiReport report;
        std::exception_ptr thrown;  // by this island's evaluator; no thread may throw
    };
    bool known(const Linearized&) const;
    void recall();
    void find(const Linearized&);
    void add(const BlockPattern&, const std::vector<int>& particles, std::vector<int>& local, Island&);
    void solve(const Linearized&, Workers& alone, std::span<const PhiTerm>, std::span<const PhiNode>, Island&) const;
    static void gather(const Linearized&, Island&);

    Make make_;
    std::unique_ptr<PhiEvaluator> whole_;  // for everything at once; made when needed
    std::vector<int> row_begin_, column_;  // of the pattern the islands belong to
    std::vector<std::uint8_t> held_;
    std::vector<Island> islands_;                                  // the largest first
    std::vector<std::shared_ptr<const BlockPattern>> topologies_;  // of the islands, each once
    std::vector<double> recalled_;                                 // what they had learnt, read back before they were found
    bool together_ = true;                                         // not worth splitting
    std::vector<std::unique_ptr<Workers>> alone_;                  // one per thread
};

}  // namespace wobble
