#include "engine/mesh/volume/tet_adjacency.h"

#include <algorithm>

namespace wobble {

std::vector<Triangle> boundary_faces(const std::vector<Tet>& tets) {
    struct Face {
        Triangle sorted, outward;
    };
    std::vector<Face> faces;
    faces.reserve(4 * tets.size());
    for (const Tet& tet : tets)
        for (const auto& corners : tet_faces) {
            const Triangle outward = {tet[corners[0]], tet[corners[1]], tet[corners[2]]};
            Triangle sorted = outward;
            std::sort(sorted.begin(), sorted.end());
            faces.push_back({sorted, outward});
        }
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.sorted < b.sorted; });
    std::vector<Triangle> boundary;
    for (std::size_t i = 0; i < faces.size();) {
        std::size_t same = i + 1;
        while (same < faces.size() && faces[same].sorted == faces[i].sorted) ++same;
        if (same == i + 1) boundary.push_back(faces[i].outward);
        i = same;
    }
    return boundary;
}

Rows tets_of_vertices(const std::vector<Tet>& tets, int vertices) {
    Rows rows;
    rows.start.assign(vertices + 1, 0);
    for (const Tet& tet : tets)
        for (int v : tet) ++rows.start[v + 1];
    for (int v = 0; v < vertices; ++v) rows.start[v + 1] += rows.start[v];
    rows.items.resize(rows.start[vertices]);
    std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
    for (int t = 0; t < static_cast<int>(tets.size()); ++t)
        for (int v : tets[t]) rows.items[next[v]++] = t;
    return rows;
}

Rows neighbours_of_vertices(const std::vector<Tet>& tets, int vertices) {
    const Rows around = tets_of_vertices(tets, vertices);
    Rows rows;
    rows.start.push_back(0);
    std::vector<int> near;
    for (int v = 0; v < vertices; ++v) {
        near.clear();
        for (const int* t = around.begin(v); t != around.end(v); ++t)
            for (int w : tets[*t])
                if (w != v) near.push_back(w);
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        rows.items.insert(rows.items.end(), near.begin(), near.end());
        rows.start.push_back(static_cast<int>(rows.items.size()));
    }
    return rows;
}

}  // namespace wobble
