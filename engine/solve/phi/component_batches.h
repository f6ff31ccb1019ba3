#pragma once
// The connected components of K's pattern among the free particles, and which of them are alike. A component has the particles
// p_0 < p_1 < .. and the local pattern {(a, b): K has a block (p_a, p_b)}; those with the same local pattern make a batch: one pattern, and
// per component only numbers in shared arrays that say where its particles, blocks and edges are in the whole.
//
// Each is a linear problem of its own, held particles left out (their x is zero). In blocks: K_ab = K_{p_a p_b}. In edges
// (edge_matrix.h), with the sums over neighbours j of p_a in ascending order:
//     S_ab, s_ab = those of the fixed edge (p_a, p_b) + those of the varying pair (p_a, p_b),
//     L_a = L_{p_a} - sum over held j of S_{p_a j}.
// Varying pairs belong to K's pattern and so to the components; in a component they are edges like others.
#include "engine/solve/linearized.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace wobble {

struct ComponentBatch {
    std::shared_ptr<const BlockPattern> pattern;
    std::vector<Edge> edges;     // a < b, as EdgePattern numbers them
    std::vector<int> particles;  // p, one component after the other
    std::vector<int> blocks;     // of the whole K, in the order of the pattern's

    // Where S and s of an edge are in the whole: fixed edge, the line after those, which stays zero, or 1 + that + varying pair.
    std::vector<int> lines;  // per edge
    struct Added {
        int to, from;  // to an edge, or to ~row: L of that row loses S; from: as `lines`
    };
    std::vector<Added> added;
    std::vector<int> added_begin;  // per component, and the end

    int size() const { return pattern->rows(); }  // particles of one component
    int count() const { return static_cast<int>(particles.size()) / size(); }
    const int* particles_of(int c) const { return particles.data() + static_cast<std::size_t>(size()) * c; }
    const int* blocks_of(int c) const { return blocks.data() + static_cast<std::size_t>(pattern->blocks()) * c; }
    const int* lines_of(int c) const { return lines.data() + edges.size() * static_cast<std::size_t>(c); }
};

class ComponentBatches {
public:
    bool known(const Linearized&) const;  // the same pattern and the same held particles as in the last find()
    void find(const Linearized&);
    void find_edges(const EdgeMatrix&);  // `lines` and `added`, unless they are those of these edges and pairs

    int components() const { return components_; }
    int largest() const { return largest_; }      // particles of the largest
    int particles() const { return particles_; }  // of all: those that are free
    // The batches of the largest components first; empty where one component has more than half of all particles.
    const std::vector<ComponentBatch>& batches() const { return batches_; }

private:
    void label(const BlockPattern&);
    void add(const BlockPattern&, const int* particles, int count);
    void add_edges(ComponentBatch&, const EdgePattern&, const VaryingPairs*) const;

    std::vector<int> row_begin_, column_;  // of the pattern they belong to
    std::vector<std::uint8_t> held_;
    int components_ = 0, largest_ = 0, particles_ = 0;
    std::vector<ComponentBatch> batches_;
    std::vector<std::uint64_t> hashes_;  // of the batches' patterns
    bool edges_found_ = false;
    std::vector<int> edge_begin_, edge_other_;      // of the edges found
    std::vector<std::array<int, 2>> varying_;       // and the pairs
    std::vector<int> label_, begin_, members_;      // workspace of find(): component of a particle; its particles, one after the other
    std::vector<int> local_, rows_, columns_, at_;  // particle -> a; a component's pattern and its blocks
};

// One component at a time in memory of its own.
class ComponentProblem {
public:
    explicit ComponentProblem(const ComponentBatch&);
    // Component c of the batch, for these workers; valid until the next. By edges: the whole has them, and find_edges() knows them. Else
    // the whole K's blocks have been made.
    Linearized gather(Workers&, const Linearized& whole, const ComponentBatch&, int c, bool by_edges);

private:
    void gather_edges(const EdgeMatrix&, const ComponentBatch&, int c);

    std::optional<TangentBlocks> tangent_;
    std::optional<BlockMatrix> K_, D_;
    VecX mass_, inverse_mass_;
};

}  // namespace wobble
