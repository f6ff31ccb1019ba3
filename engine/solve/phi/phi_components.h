#pragma once
// Bodies that do not touch each other, and hairs that touch held particles only, move on their own: the linear problem falls apart
// into the connected components of K's pattern among the free particles. Each such island is evaluated for itself: smaller dimensions,
// matrices that stay in the cache, islands spread over the threads, the largest first; and each is accurate relative to its own motion.
// One island only, or one with most of the particles: everything goes to one evaluator with all threads, as it came.
//
// Islands of equal pattern are a batch (component_batches.h). A batch of more than `few` has one seat per thread, an evaluator with the
// memory of one island, which takes one island after the other: their problem is copied to the seat, what the evaluator has learnt of the
// island (solver_state) is read back to it before and written down after. So the objects are as many as batches and threads, and an island
// is to the evaluator what it would be alone after that state was read: the bits do not depend on the thread. What an evaluator keeps
// besides, a factor or eigenvectors of the very K it had last, is lost from island to island; where they are few, and so perhaps large,
// each has a seat of its own.
//
// More than `few` islands in all stay in edge form where the whole has it: per edge 6 numbers are copied, not 36, and the whole K's blocks
// are never made. Up to that number, and with a damping matrix, which is for evaluators that go by blocks, blocks are copied: K_ii is then
// summed over free and held neighbours in the order of the whole, to the same bits as there.
//
// The islands are looked for again when the pattern, varying pairs included, or the held particles have changed. Particles without
// neighbours are islands, too.
#include "engine/solve/phi/component_batches.h"
#include "engine/solve/phi/phi_evaluator.h"

#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace wobble {

class ComponentsPhi final : public PhiEvaluator {
public:
    using Make = std::function<std::unique_ptr<PhiEvaluator>(int unknowns)>;  // for problems of that size at most
    static constexpr int few = 16;
    explicit ComponentsPhi(Make make);

    // dimension, predicted_dimension, substeps, loosened: the largest; products, solves, factorizations: sums; path: the largest island's.
    // Not converged: path and reason are those of the first island that did not.
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;
    void solver_state(SavedSolverState&) override;

    // Of the last problem.
    int islands() const { return parts_.components(); }
    int batches() const { return static_cast<int>(groups_.size()); }  // 0: everything at once
    int evaluators() const;

private:
    struct Seat {
        ComponentProblem problem;
        std::unique_ptr<PhiEvaluator> phi;
        std::vector<VecX> vectors;  // gathered terms, then the nodes' results
        std::vector<PhiTerm> terms;
        std::vector<PhiNode> nodes;
        std::vector<double> numbers;  // state of the present island
        std::vector<double> late;     // islands whose state has outgrown its room: island, state
    };
    struct Group {  // the islands of a batch
        bool shared = false;
        std::vector<Seat> seats;   // shared: one per thread; else one per island
        std::vector<double> born;  // state of a new evaluator
        // Shared: states, `room` numbers per island, their count first.
        std::vector<double> states;
        std::size_t room = 1;
    };
    struct Task {
        int batch, begin, end;  // islands of the batch
    };
    struct Tally {  // of one thread
        PhiReport report;
        int failed, thrown;  // the first island that did; none: of_none
        const char *path, *declined;
        std::exception_ptr exception;  // no thread may throw
    };
    static constexpr int of_none = 1 << 30;

    const ComponentBatch& batch(std::size_t b) const { return parts_.batches()[b]; }
    bool by_edges(const Linearized& system) const { return system.edges && !system.projector && !system.D && islands() > few; }
    void find(const Linearized&);
    void recall();
    void add_seats(std::size_t b, int threads);
    void run(const Linearized&, Workers& alone, std::span<const PhiTerm>, std::span<const PhiNode>, const Task&, int part, Tally&);
    PhiReport solve(const Linearized&, Workers& alone, std::span<const PhiTerm>, std::span<const PhiNode>, const ComponentBatch&,
                    int island, Seat&) const;
    static void load(const Group&, int island, Seat&);
    static void store(Group&, int island, Seat&);
    static void make_room(Group&);

    Make make_;
    std::unique_ptr<PhiEvaluator> whole_;  // for everything at once; made when needed
    ComponentBatches parts_;
    std::vector<Group> groups_;  // one per batch
    std::vector<int> first_;     // of a batch's islands among all of them
    std::vector<Task> tasks_;
    std::vector<Tally> tallies_;
    std::vector<double> recalled_;                 // what the islands had learnt, read back before they were found
    std::vector<std::unique_ptr<Workers>> alone_;  // one per thread
};

}  // namespace wobble
