#include "engine/view/pin_highlight.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wobble {

namespace {

// For every vertex the largest share within its patch of held vertices, or within the one beside it; else 1.
std::vector<float> largest_of_patch(const std::vector<Triangle>& triangles, const std::vector<std::uint8_t>& held,
                                    const std::vector<float>& share) {
    std::vector<int> patch(share.size());  // another vertex of the same patch; the first one names itself
    std::iota(patch.begin(), patch.end(), 0);
    const auto first_of = [&](int i) {
        while (patch[i] != i) i = patch[i] = patch[patch[i]];
        return i;
    };
    for (const Triangle& t : triangles)
        for (int k = 0; k < 3; ++k)
            if (held[t[k]] && held[t[(k + 1) % 3]]) patch[first_of(t[k])] = first_of(t[(k + 1) % 3]);
    std::vector<float> most(share.size(), 0.0f), result(share.size(), 1.0f);
    for (int i = 0; i < std::ssize(share); ++i) most[first_of(i)] = std::max(most[first_of(i)], share[i]);
    for (const Triangle& t : triangles)
        for (int k = 0; k < 3; ++k)
            for (const int beside : {t[(k + 1) % 3], t[(k + 2) % 3]})
                if (held[t[k]]) result[beside] = result[t[k]] = most[first_of(t[k])];
    return result;
}

// Each round of blurring is a step of diffusion over about one edge; on a coarse surface there is nothing to blur.
int rounds_for(const TriMesh& mesh) {
    double edges = 0;
    for (const auto& [a, b, c] : mesh.triangles) edges += (mesh.vertices[a] - mesh.vertices[b]).norm();
    const double edge = edges / std::max<double>(1, static_cast<double>(mesh.triangles.size()));
    const double reach = 0.02 * bounding_box(mesh.vertices).diagonal();
    return edge > 0 ? static_cast<int>(std::min(60.0, 2 * reach * reach / (edge * edge))) : 0;
}

}  // namespace

std::vector<std::uint8_t> pin_highlight(const TriMesh& at_rest, const std::vector<std::uint8_t>& held) {
    std::vector<std::uint8_t> tint(at_rest.vertices.size(), 0);
    if (std::find(held.begin(), held.end(), 1) == held.end()) return tint;
    std::vector<float> share(held.begin(), held.end());
    std::vector<float> sum(share.size()), count(share.size());
    const int rounds = rounds_for(at_rest);
    for (int round = 0; round < rounds; ++round) {
        sum = share;
        std::fill(count.begin(), count.end(), 1.0f);
        for (const Triangle& t : at_rest.triangles)
            for (int k = 0; k < 3; ++k) sum[t[k]] += share[t[(k + 1) % 3]], ++count[t[k]];
        for (std::size_t i = 0; i < share.size(); ++i) share[i] = sum[i] / count[i];
    }
    const std::vector<float> most = largest_of_patch(at_rest.triangles, held, share);
    for (std::size_t i = 0; i < share.size(); ++i) {
        const float relative = most[i] > 0 ? share[i] / most[i] : 0.0f;
        tint[i] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(rounds > 0 ? 2 * relative - 1 : relative, 0.0f, 1.0f)));
    }
    return tint;
}

}  // namespace wobble
