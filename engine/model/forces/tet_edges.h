#pragma once
// The six edges of a tet, and which of the system's edges they are.
#include "engine/model/edge_tangent.h"

#include <algorithm>

namespace wobble {

constexpr int tet_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

inline std::vector<std::array<int, 6>> edges_of_tets(const std::vector<Tet>& tets, const std::vector<Edge>& sorted_edges) {
    std::vector<std::array<int, 6>> all;
    for (const Tet& t : tets) {
        auto& own = all.emplace_back();
        for (int e = 0; e < 6; ++e) {
            const int i = t[tet_edges[e][0]], j = t[tet_edges[e][1]];
            const Edge edge{std::min(i, j), std::max(i, j)};
            own[e] = static_cast<int>(std::lower_bound(sorted_edges.begin(), sorted_edges.end(), edge) - sorted_edges.begin());
        }
    }
    return all;
}

}  // namespace wobble
