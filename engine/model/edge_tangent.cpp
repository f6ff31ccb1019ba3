#include "engine/model/edge_tangent.h"

#include "engine/model/forces/spring_lanes.h"

#include <algorithm>
#include <cassert>

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
    : matrix_(std::make_shared<EdgePattern>(pattern), with_skew), edge_of_block_(pattern.blocks(), 0) {
    assert(static_cast<int>(edges.size()) == matrix_.pattern().edges());
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
        const auto [i, j] = edges[e];
        assert(matrix_.pattern().begin[i] <= e && e < matrix_.pattern().begin[i + 1] && matrix_.pattern().other[e] == j);
        edge_of_block_[pattern.find(i, j)] = edge_of_block_[pattern.find(j, i)] = e;
    }
}

void EdgeTangent::set_zero(Workers& workers) {
    workers.ranges(matrix_.pattern().edges(), [&](int begin, int end) {
        std::fill(lines() + begin, lines() + end, EdgeLine{});
        if (has_skew()) std::fill(skew(begin), skew(end), 0.0);
    });
}

void EdgeTangent::scale(Workers& workers, double s) {
    workers.ranges(matrix_.pattern().edges(), [&](int begin, int end) {
        for (int e = begin; e < end; ++e)
            for (double& x : lines()[e].symmetric) x *= s;
        if (has_skew()) std::for_each(skew(begin), skew(end), [&](double& x) { x *= s; });
    });
}

// A block from its xx, xy, xz, yy (first) and yz, zz (last).
[[gnu::always_inline]] inline void write(double* block, const lanes::Lane& first, const lanes::Pair& last) {
    const lanes::Lane again = __builtin_shufflevector(last, last, 0, 1, 0, 1);
    *reinterpret_cast<lanes::UnalignedLane*>(block) = __builtin_shufflevector(first, first, 0, 1, 2, 1);
    *reinterpret_cast<lanes::UnalignedLane*>(block + 4) = __builtin_shufflevector(first, again, 3, 4, 2, 4);
    block[8] = last[1];
}

template <bool skewed>
void EdgeTangent::expand_rows(Workers& workers, BlockMatrix& K) const {
    const BlockPattern& pattern = K.pattern();
    pattern.split(workers, [&](int begin, int end) {
        // Locals: writing lanes makes the compiler forget what it knew of everything else.
        const int* const edge_of = edge_of_block_.data();
        const int *const row_begin = pattern.row_begin.data(), *const diagonal = pattern.diagonal.data();
        const EdgeLine* const lines = matrix_.lines();
        const double* const skew = matrix_.skew();
        double* const out = K.block(0);
        for (int i = begin; i < end; ++i) {
            lanes::Lane first = lanes::all(0);
            lanes::Pair last = {0, 0};
            const auto blocks = [&](int from, int to, double sign) [[gnu::always_inline]] {
                for (int k = from; k < to; ++k) {
                    const double* six = lines[edge_of[k]].symmetric;
                    const lanes::Lane h = lanes::load(six);
                    const lanes::Pair t = lanes::load_pair(six + 4);
                    first -= h, last -= t;
                    double* block = out + 9 * static_cast<std::size_t>(k);
                    write(block, h, t);
                    if constexpr (skewed) {
                        const double* x = skew + static_cast<std::size_t>(3) * edge_of[k];
                        block[3] += sign * x[2], block[6] -= sign * x[1], block[7] += sign * x[0];
                        block[1] -= sign * x[2], block[2] += sign * x[1], block[5] -= sign * x[0];
                    }
                }
            };
            const int middle = diagonal[i];
            blocks(row_begin[i], middle, -1);
            blocks(middle + 1, row_begin[i + 1], 1);
            write(out + 9 * static_cast<std::size_t>(middle), first, last);
        }
    });
}

void EdgeTangent::expand(Workers& workers, BlockMatrix& K) const {
    if (has_skew()) expand_rows<true>(workers, K);
    else expand_rows<false>(workers, K);
}

BlockMatrix& TangentBlocks::blocks(Workers& workers) {
    if (!blocks_) blocks_ = std::make_unique<BlockMatrix>(pattern_);
    if (!up_to_date_) {
        edges_.expand(workers, *blocks_);
        up_to_date_ = true;
    }
    return *blocks_;
}

}  // namespace wobble
