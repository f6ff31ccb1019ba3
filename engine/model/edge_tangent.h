#pragma once
// Where forces add their tangents: an EdgeMatrix, six numbers per edge and, for forces that are not springs, three more.
// A quarter of the additions and a third of the memory of adding to the matrix itself; expand() then writes the matrix once.
#include "engine/linalg/block_matrix.h"
#include "engine/linalg/edge_matrix.h"
#include "engine/mesh/mesh.h"
#include "engine/model/forces/row_ownership.h"

#include <memory>
#include <vector>

namespace wobble {

using Edge = std::array<int, 2>;                    // i < j
std::vector<Edge> unique_edges(const TetMesh&);     // sorted
std::vector<Edge> unique_edges(std::vector<Edge>);  // sorted, from pairs in any order

class EdgeTangent {
public:
    // All pairs of the pattern, sorted: edges are numbered by it.
    EdgeTangent(const std::vector<Edge>& sorted_edges, const BlockPattern&, bool with_skew = false);

    void set_zero(Workers&);
    void scale(Workers&, double);
    bool has_skew() const { return matrix_.has_skew(); }
    EdgeLine* lines() { return matrix_.lines(); }  // one per edge
    double* at(int edge) { return lines()[edge].symmetric; }
    double* skew(int edge) { return matrix_.skew() + static_cast<std::size_t>(3) * edge; }  // only with_skew
    const EdgeMatrix& matrix() const { return matrix_; }
    void expand(Workers&, BlockMatrix& K) const;  // K = the sum of what was added

private:
    template <bool skewed>
    void expand_rows(Workers&, BlockMatrix& K) const;

    EdgeMatrix matrix_;
    std::vector<int> edge_of_block_;  // 0 on the diagonal, where it means nothing
};

// A tangent, and its block matrix for those who ask for it: most steps of exponential methods never do.
class TangentBlocks {
public:
    TangentBlocks(EdgeTangent edges, std::shared_ptr<const BlockPattern> pattern)
        : edges_(std::move(edges)), pattern_(std::move(pattern)) {}

    EdgeTangent& to_set() { return up_to_date_ = false, edges_; }
    const EdgeMatrix& edges() const { return edges_.matrix(); }
    const BlockPattern& pattern() const { return *pattern_; }
    std::size_t bytes() const { return BlockMatrix::bytes(*pattern_); }  // of the blocks, made or not
    BlockMatrix& blocks(Workers&);                                       // not from inside a loop of the workers

private:
    EdgeTangent edges_;
    std::shared_ptr<const BlockPattern> pattern_;
    std::unique_ptr<BlockMatrix> blocks_;
    bool up_to_date_ = false;
};

}  // namespace wobble
