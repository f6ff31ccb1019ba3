#include "engine/mesh/surface/orientation.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace wobble {

// Spreads one orientation over each component.
TurnedFaces turned_faces(const TriMesh& mesh, const std::vector<EdgeUse>& uses) {
    struct Near {
        int face;
        bool agrees;
    };
    std::vector<std::vector<Near>> links(mesh.triangles.size());
    bool any = false;
    for_each_edge(uses, [&](const EdgeUse* a, const EdgeUse* end) {
        if (end - a != 2) return;
        const bool agrees = a[0].forward != a[1].forward;
        any |= !agrees;
        links[a[0].face].push_back({a[1].face, agrees});
        links[a[1].face].push_back({a[0].face, agrees});
    });
    TurnedFaces result;
    if (!any) return result;
    std::vector<int> side(mesh.triangles.size(), -1);
    for (int start = 0; start < static_cast<int>(side.size()); ++start) {
        if (side[start] >= 0) continue;
        std::vector<int> part{start};
        side[start] = 0;
        for (std::size_t i = 0; i < part.size(); ++i)
            for (const Near& link : links[part[i]]) {
                const int wanted = link.agrees ? side[part[i]] : 1 - side[part[i]];
                if (side[link.face] < 0) side[link.face] = wanted, part.push_back(link.face);
                result.one_sided |= side[link.face] != wanted;
            }
        const auto turned = std::count_if(part.begin(), part.end(), [&](int f) { return side[f] == 1; });
        const int minority = 2 * turned <= static_cast<long>(part.size()) ? 1 : 0;
        for (int f : part)
            if (side[f] == minority && turned > 0) result.faces.push_back(f);
    }
    std::ranges::sort(result.faces);
    return result;
}

std::vector<int> inverted_faces(const TriMesh& mesh) {
    int count = 0;
    const std::vector<int> part = components(mesh, count);
    std::vector<double> volumes(count, 0);
    std::vector<Box> boxes(count);
    const Vec3 origin = bounding_box(mesh.vertices).centre();
    for (std::size_t f = 0; f < part.size(); ++f) {
        const auto& [a, b, c] = mesh.triangles[f];
        volumes[part[f]] += (mesh.vertices[a] - origin).dot((mesh.vertices[b] - origin).cross(mesh.vertices[c] - origin)) / 6;
        for (int v : mesh.triangles[f])
            boxes[part[f]].low = boxes[part[f]].low.cwiseMin(mesh.vertices[v]),
            boxes[part[f]].high = boxes[part[f]].high.cwiseMax(mesh.vertices[v]);
    }
    // A negative part within another one is the wall of a cavity and right as it is.
    const auto within_another = [&](int i) {
        for (int j = 0; j < count; ++j)
            if (volumes[j] > 0 && (boxes[j].low.array() < boxes[i].low.array()).all() &&
                (boxes[j].high.array() > boxes[i].high.array()).all())
                return true;
        return false;
    };
    std::vector<char> inverted(count, 0);
    for (int i = 0; i < count; ++i) inverted[i] = volumes[i] < 0 && !within_another(i);
    std::vector<int> faces;
    for (std::size_t f = 0; f < part.size(); ++f)
        if (inverted[part[f]]) faces.push_back(static_cast<int>(f));
    return faces;
}

}  // namespace wobble
