#include "engine/mesh/surface/triangle_adjacency.h"

#include <algorithm>
#include <numeric>

namespace wobble {

std::vector<EdgeUse> edge_uses(const TriMesh& mesh) {
    std::vector<EdgeUse> uses;
    uses.reserve(3 * mesh.triangles.size());
    for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f) {
        const Triangle& t = mesh.triangles[f];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            uses.push_back({std::min(a, b), std::max(a, b), f, a < b});
        }
    }
    std::sort(uses.begin(), uses.end(),
              [](const EdgeUse& x, const EdgeUse& y) { return std::tie(x.low, x.high, x.face) < std::tie(y.low, y.high, y.face); });
    return uses;
}

Sets::Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

int Sets::find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
}

void Sets::join(int i, int j) {
    i = find(i), j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
}

std::vector<int> components(const TriMesh& mesh, int& count) {
    Sets sets(mesh.triangles.size());
    for_each_edge(edge_uses(mesh), [&](const EdgeUse* begin, const EdgeUse* end) {
        for (const EdgeUse* use = begin + 1; use < end; ++use) sets.join(begin->face, use->face);
    });
    std::vector<int> number(mesh.triangles.size());
    count = 0;
    for (int f = 0; f < static_cast<int>(number.size()); ++f) number[f] = sets.find(f) == f ? count++ : number[sets.find(f)];
    return number;
}

}  // namespace wobble
