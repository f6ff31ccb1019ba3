#pragma once
// Where forces add their tangents: six numbers (xx, xy, xz, yy, yz, zz) per edge i < j, the symmetric part of the block K_ij. For
// springs that is all of K: their blocks are symmetric, K_ji = K_ij, and because moving the whole body changes nothing,
// K_ii = -sum_j K_ij. Forces with other blocks add three numbers more, x with K_ij = symmetric part + [x], [x] y = x cross y;
// then K_ji = K_ij^T = symmetric part - [x], and in K_ii they cancel.
// A quarter of the additions and a third of the memory of adding to the matrix itself; expand() then writes the matrix once.
#include "engine/core/block_matrix.h"
#include "engine/mesh/mesh.h"
#include "engine/model/row_ownership.h"

#include <vector>

namespace wobble {

using Edge = std::array<int, 2>;                 // i < j
std::vector<Edge> unique_edges(const TetMesh&);  // sorted
std::vector<Edge> unique_edges(std::vector<Edge>);  // sorted, from pairs in any order

class EdgeTangent {
public:
    EdgeTangent(const std::vector<Edge>& sorted_edges, const BlockPattern&, bool with_skew = false);

    void set_zero(Workers&);
    void scale(Workers&, double);
    bool has_skew() const { return !skew_.empty(); }
    struct alignas(64) Line {  // six numbers in one cache line
        double six[8] = {};
    };
    Line* lines() { return values_.data(); }  // one per edge
    double* at(int edge) { return values_[edge].six; }
    double* skew(int edge) { return skew_.data() + static_cast<std::size_t>(3) * edge; }  // only with_skew
    void expand(Workers&, BlockMatrix& K) const;  // K = the sum of what was added

private:
    template <bool skewed>
    void expand_rows(Workers&, BlockMatrix& K) const;

    std::vector<Line> values_;
    std::vector<double> skew_;
    std::vector<int> edge_of_block_;  // 0 on the diagonal, where it means nothing
};

}  // namespace wobble
