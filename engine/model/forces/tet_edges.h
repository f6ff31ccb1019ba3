#pragma once
// The six edges of a tet as pairs of its corners, and of its particles.
#include "engine/model/edge_tangent.h"

#include <algorithm>

namespace wobble {

constexpr int tet_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// Pair 6 t + e is edge e of tet t.
inline void append_pairs(const std::vector<Tet>& tets, std::vector<Edge>& pairs) {
    pairs.reserve(pairs.size() + 6 * tets.size());
    for (const Tet& t : tets)
        for (const auto& [a, b] : tet_edges) pairs.push_back({std::min(t[a], t[b]), std::max(t[a], t[b])});
}

}  // namespace wobble
