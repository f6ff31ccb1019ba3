#pragma once
// Where forces add their tangents: an EdgeMatrix, six numbers per edge and, for forces that are not springs, three more; besides, blocks
// of single particles and of pairs that change between steps.
// A quarter of the additions and a third of the memory of adding to the matrix itself; expand() then writes the matrix once.
#include "engine/linalg/block_matrix.h"
#include "engine/linalg/edge_matrix.h"
#include "engine/mesh/mesh.h"
#include "engine/model/constraints.h"
#include "engine/model/forces/row_ownership.h"

#include <memory>
#include <vector>

namespace wobble {

using Edge = std::array<int, 2>;                    // i < j
std::vector<Edge> unique_edges(const TetMesh&);     // sorted
std::vector<Edge> unique_edges(std::vector<Edge>);  // sorted, from pairs in any order

// Where each pair of particles has its block: the fixed edges, and the pairs of the present steps.
struct TangentTopology {
    std::shared_ptr<const BlockPattern> blocks;   // of both
    std::vector<int> edge_of_block;               // the line that stays zero where there is no fixed edge; on the diagonal it means nothing
    std::shared_ptr<const VaryingPairs> varying;  // null: none
    std::vector<std::array<int, 2>> block_of_pair;  // of the varying ones: (i, j) and (j, i)

    TangentTopology(std::shared_ptr<const BlockPattern>, const EdgePattern& fixed, std::shared_ptr<const VaryingPairs> = nullptr);
};

class EdgeTangent {
public:
    // All pairs of the pattern, sorted: edges are numbered by it.
    EdgeTangent(const std::vector<Edge>& sorted_edges, std::shared_ptr<const BlockPattern>, bool with_skew = false,
                bool with_local = false);

    void set_zero(Workers&);
    void scale(Workers&, double);
    bool has_skew() const { return matrix_.has_skew(); }
    EdgeLine* lines() { return matrix_.lines(); }  // one per edge
    double* at(int edge) { return lines()[edge].symmetric; }
    double* skew(int edge) { return matrix_.skew() + static_cast<std::size_t>(3) * edge; }  // only with_skew
    // What forces add besides, see extra_blocks.h: the six numbers of a particle's own block, K_ii += L (threads may add to different
    // particles at once; only with_local), and those of a varying pair, K_ij += S + [s], K_ii and K_jj -= S.
    double* local(int particle) { return matrix_.extra().local(particle); }
    double* varying(int pair) { return matrix_.extra().varying(pair); }
    double* varying_skew(int pair) { return matrix_.extra().varying_skew(pair); }
    void gather() { matrix_.extra().gather(); }  // after the last force: products go by the list it makes
    void clear_extra() { matrix_.extra().set_zero(); }

    const EdgeMatrix& matrix() const { return matrix_; }
    void expand(Workers&, BlockMatrix& K) const;  // K = the sum of what was added; K is of the present pattern

    const std::shared_ptr<const TangentTopology>& topology() const { return topology_; }
    const std::shared_ptr<const BlockPattern>& pattern() const { return topology_->blocks; }
    void follow(const std::shared_ptr<const TangentTopology>&);  // one of the same fixed edges; new varying pairs are zero

private:
    template <bool skewed>
    void expand_rows(Workers&, BlockMatrix& K) const;
    void expand_extra(BlockMatrix& K) const;

    EdgeMatrix matrix_;
    std::shared_ptr<const TangentTopology> topology_;
};

// A tangent, and its block matrix for those who ask for it: most steps of exponential methods never do.
class TangentBlocks {
public:
    explicit TangentBlocks(EdgeTangent edges) : edges_(std::move(edges)) {}

    EdgeTangent& to_set() { return up_to_date_ = false, edges_; }
    void project(const Constraints* constraints) { up_to_date_ = false, constraints_ = constraints; }  // the blocks alone, P K P; null: not
    const EdgeMatrix& edges() const { return edges_.matrix(); }
    const BlockPattern& pattern() const { return *edges_.pattern(); }
    std::size_t bytes() const { return BlockMatrix::bytes(pattern()); }  // of the blocks, made or not
    BlockMatrix& blocks(Workers&);                                       // not from inside a loop of the workers

private:
    EdgeTangent edges_;
    std::unique_ptr<BlockMatrix> blocks_;
    const Constraints* constraints_ = nullptr;
    bool up_to_date_ = false;
};

}  // namespace wobble
