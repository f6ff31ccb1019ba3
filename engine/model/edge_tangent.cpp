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

TangentTopology::TangentTopology(std::shared_ptr<const BlockPattern> pattern, const EdgePattern& fixed,
                                 std::shared_ptr<const VaryingPairs> pairs)
    : blocks(std::move(pattern)), edge_of_block(blocks->blocks(), fixed.edges()), varying(std::move(pairs)) {
    for (int i = 0; i < fixed.rows(); ++i)
        for (int e = fixed.begin[i]; e < fixed.begin[i + 1]; ++e)
            edge_of_block[blocks->find(i, fixed.other[e])] = edge_of_block[blocks->find(fixed.other[e], i)] = e;
    if (!varying) return;
    for (const auto& [i, j] : varying->pairs) block_of_pair.push_back({blocks->find(i, j), blocks->find(j, i)});
}

EdgeTangent::EdgeTangent([[maybe_unused]] const std::vector<Edge>& edges, std::shared_ptr<const BlockPattern> pattern, bool with_skew,
                         bool with_local)
    : matrix_(std::make_shared<EdgePattern>(*pattern), with_skew),
      topology_(std::make_shared<const TangentTopology>(std::move(pattern), matrix_.pattern())) {
    assert(static_cast<int>(edges.size()) == matrix_.pattern().edges());
    assert(std::is_sorted(edges.begin(), edges.end()));
    if (with_local) matrix_.extra().allow_local(matrix_.rows());
}

void EdgeTangent::follow(const std::shared_ptr<const TangentTopology>& topology) {
    if (topology_ == topology) return;
    topology_ = topology;
    matrix_.extra().set_pairs(topology_->varying);
}

void EdgeTangent::set_zero(Workers& workers) {
    workers.ranges(matrix_.pattern().edges(), [&](int begin, int end) {
        std::fill(lines() + begin, lines() + end, EdgeLine{});
        if (has_skew()) std::fill(skew(begin), skew(end), 0.0);
    });
    clear_extra();
}

void EdgeTangent::scale(Workers& workers, double s) {
    workers.ranges(matrix_.pattern().edges(), [&](int begin, int end) {
        for (int e = begin; e < end; ++e)
            for (double& x : lines()[e].symmetric) x *= s;
        if (has_skew()) std::for_each(skew(begin), skew(end), [&](double& x) { x *= s; });
    });
    matrix_.extra().scale(s);
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
        const int* const edge_of = topology_->edge_of_block.data();
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

// K_ii += L_i;   K_ij += S + [s], K_ji += S - [s], K_ii -= S, K_jj -= S. The lists are short.
void EdgeTangent::expand_extra(BlockMatrix& K) const {
    const ExtraBlocks& extra = matrix_.extra();
    const std::vector<int>& diagonal = K.pattern().diagonal;
    const auto add = [](double* block, const double* S, double sign) {
        constexpr int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
        for (int e = 0; e < 9; ++e) block[e] += sign * S[at[e]];
    };
    const auto turn = [](double* block, const double* s, double sign) {
        block[3] += sign * s[2], block[6] -= sign * s[1], block[7] += sign * s[0];
        block[1] -= sign * s[2], block[2] += sign * s[1], block[5] -= sign * s[0];
    };
    for (int i : extra.local_rows()) add(K.block(diagonal[i]), extra.local(i), 1);
    for (std::size_t k = 0; k < topology_->block_of_pair.size(); ++k) {
        const auto [i, j] = topology_->varying->pairs[k];
        const auto [ij, ji] = topology_->block_of_pair[k];
        const int pair = static_cast<int>(k);
        const double *const S = extra.varying(pair), *const s = extra.varying_skew(pair);
        add(K.block(ij), S, 1), add(K.block(ji), S, 1);
        add(K.block(diagonal[i]), S, -1), add(K.block(diagonal[j]), S, -1);
        turn(K.block(ij), s, 1), turn(K.block(ji), s, -1);
    }
}

void EdgeTangent::expand(Workers& workers, BlockMatrix& K) const {
    assert(K.pattern().blocks() == pattern()->blocks());
    if (has_skew()) expand_rows<true>(workers, K);
    else expand_rows<false>(workers, K);
    if (!matrix_.extra().empty()) expand_extra(K);
}

BlockMatrix& TangentBlocks::blocks(Workers& workers) {
    if (!blocks_ || blocks_->shared_pattern() != edges_.pattern()) blocks_ = std::make_unique<BlockMatrix>(edges_.pattern());
    if (!up_to_date_) {
        edges_.expand(workers, *blocks_);
        if (constraints_) constraints_->project(workers, *blocks_);
        up_to_date_ = true;
    }
    return *blocks_;
}

}  // namespace wobble
