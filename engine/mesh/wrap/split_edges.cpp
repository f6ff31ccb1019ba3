#include "engine/mesh/wrap/split_edges.h"

#include <algorithm>
#include <map>

namespace wobble {

bool split_long_edges(TriMesh& mesh, double edge) {
    std::map<std::pair<int, int>, int> middle;
    const auto half = [&](int a, int b) {
        if (!((mesh.vertices[a] - mesh.vertices[b]).norm() > edge)) return -1;
        const auto [found, is_new] = middle.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
        if (is_new) mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
        return found->second;
    };
    std::vector<Triangle> triangles;
    for (Triangle t : mesh.triangles) {
        Triangle m = {half(t[0], t[1]), half(t[1], t[2]), half(t[2], t[0])};  // m[k] between t[k] and t[k + 1]
        const auto split = std::count_if(m.begin(), m.end(), [](int i) { return i >= 0; });
        // Turned so that one split edge is the first, or that of two the unsplit one is the last.
        while (split > 0 && split < 3 && !(m[0] >= 0 && m[2] < 0))
            std::rotate(t.begin(), t.begin() + 1, t.end()), std::rotate(m.begin(), m.begin() + 1, m.end());
        if (split == 0) triangles.push_back(t);
        else if (split == 1) triangles.insert(triangles.end(), {{t[0], m[0], t[2]}, {m[0], t[1], t[2]}});
        else if (split == 2) triangles.insert(triangles.end(), {{m[0], t[1], m[1]}, {t[0], m[0], m[1]}, {t[0], m[1], t[2]}});
        else triangles.insert(triangles.end(), {{t[0], m[0], m[2]}, {m[0], t[1], m[1]}, {m[2], m[1], t[2]}, {m[0], m[1], m[2]}});
    }
    mesh.triangles = std::move(triangles);
    return !middle.empty();
}

}  // namespace wobble
