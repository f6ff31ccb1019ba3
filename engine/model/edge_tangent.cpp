#include "engine/model/edge_tangent.h"

#include <algorithm>

namespace wobble {

std::vector<Edge> unique_edges(const TetMesh& mesh) {
    std::vector<Edge> edges;
    edges.reserve(6 * mesh.tets.size());
    for (const Tet& t : mesh.tets)
        for (int a = 0; a < 4; ++a)
            for (int b = a + 1; b < 4; ++b) edges.push_back({t[a], t[b]});
    return unique_edges(std::move(edges));
}

std::vector<Edge> unique_edges(std::vector<Edge> edges) {
    for (auto& [i, j] : edges)
        if (i > j) std::swap(i, j);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

EdgeTangent::EdgeTangent(const std::vector<Edge>& edges, const BlockPattern& pattern, bool with_skew)
    : values_(stride * edges.size(), 0.0), skew_(with_skew ? 3 * edges.size() : 0, 0.0), edge_of_block_(pattern.blocks(), -1) {
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
        const auto [i, j] = edges[e];
        edge_of_block_[pattern.find(i, j)] = edge_of_block_[pattern.find(j, i)] = e;
    }
}

void EdgeTangent::set_zero(Workers& workers) {
    workers.ranges(static_cast<int>(values_.size() / stride), [&](int begin, int end) { std::fill(at(begin), at(end), 0.0); });
    std::fill(skew_.begin(), skew_.end(), 0.0);
}

void EdgeTangent::scale(Workers& workers, double s) {
    workers.ranges(static_cast<int>(values_.size()), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) values_[k] *= s;
    });
    for (double& x : skew_) x *= s;
}

template <bool skewed>
void EdgeTangent::expand_rows(Workers& workers, BlockMatrix& K) const {
    const BlockPattern& pattern = K.pattern();
    const auto write = [](double* block, const double* h) {
        block[0] = h[0], block[1] = h[1], block[2] = h[2];
        block[3] = h[1], block[4] = h[3], block[5] = h[4];
        block[6] = h[2], block[7] = h[4], block[8] = h[5];
    };
    workers.ranges(K.rows(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            double diagonal[6] = {};
            for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
                const int edge = edge_of_block_[k];
                if (edge < 0) continue;
                const double* h = values_.data() + static_cast<std::size_t>(stride) * edge;
                for (int e = 0; e < 6; ++e) diagonal[e] -= h[e];
                double* block = K.block(k);
                write(block, h);
                if constexpr (skewed) {
                    const double *x = skew_.data() + static_cast<std::size_t>(3) * edge, sign = pattern.column[k] > i ? 1 : -1;
                    block[1] += sign * x[2], block[2] -= sign * x[1], block[5] += sign * x[0];
                    block[3] -= sign * x[2], block[6] += sign * x[1], block[7] -= sign * x[0];
                }
            }
            write(K.block(pattern.diagonal[i]), diagonal);
        }
    });
}

void EdgeTangent::expand(Workers& workers, BlockMatrix& K) const {
    if (skew_.empty()) expand_rows<false>(workers, K);
    else expand_rows<true>(workers, K);
}

}  // namespace wobble
