#pragma once
// Where springs add their tangents: six numbers (xx, xy, xz, yy, yz, zz) per mesh edge i < j, the block K_ij. That is all of K:
// spring blocks are symmetric, K_ji = K_ij, and because moving the whole body changes nothing, K_ii = -sum_j K_ij.
// A quarter of the additions and a third of the memory of adding to the matrix itself; expand() then writes the matrix once.
#include "engine/core/block_matrix.h"
#include "engine/mesh/mesh.h"
#include "engine/model/row_ownership.h"

#include <vector>

namespace wobble {

using Edge = std::array<int, 2>;                 // i < j
std::vector<Edge> unique_edges(const TetMesh&);  // sorted

class EdgeTangent {
public:
    static constexpr int stride = 8;  // six numbers in one cache line

    EdgeTangent(const std::vector<Edge>& sorted_edges, const BlockPattern&);

    void set_zero(Workers&);
    double* at(int edge) { return values_.data() + static_cast<std::size_t>(stride) * edge; }
    void expand(Workers&, BlockMatrix& K) const;  // K = the sum of what was added

private:
    std::vector<double> values_;
    std::vector<int> edge_of_block_;  // -1 on the diagonal
};

}  // namespace wobble
