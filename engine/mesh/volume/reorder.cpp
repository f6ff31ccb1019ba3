// Reverse Cuthill-McKee (Cuthill, McKee 1969; George 1971): breadth first from a vertex at the rim, neighbours by ascending degree,
// backwards. The start is a pseudo-peripheral vertex (George, Liu 1979): go to the farthest, least connected vertex until the depth stops
// growing.
#include "engine/mesh/volume/reorder.h"

#include "engine/mesh/volume/tet_adjacency.h"

#include <algorithm>

namespace wobble {
namespace {

class Order {
public:
    explicit Order(const TetMesh& mesh)
        : graph_(neighbours_of_vertices(mesh.tets, static_cast<int>(mesh.vertices.size()))), level_(mesh.vertices.size(), -1) {}

    std::vector<int> reverse_cuthill_mckee() {
        std::vector<int> order;
        for (int v = 0; v < static_cast<int>(level_.size()); ++v) {
            if (level_[v] >= 0) continue;
            const std::vector<int> part = breadth_first(rim_vertex(v));
            order.insert(order.end(), part.begin(), part.end());
        }
        std::reverse(order.begin(), order.end());
        return order;
    }

private:
    std::vector<int> breadth_first(int start) {
        std::vector<int> order{start}, next;
        level_[start] = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int v = order[i];
            next.clear();
            for (const int* w = graph_.begin(v); w != graph_.end(v); ++w)
                if (level_[*w] < 0) level_[*w] = level_[v] + 1, next.push_back(*w);
            std::stable_sort(next.begin(), next.end(), [&](int a, int b) { return graph_.count(a) < graph_.count(b); });
            order.insert(order.end(), next.begin(), next.end());
        }
        return order;
    }

    int rim_vertex(int start) {
        for (int depth = -1;;) {
            const std::vector<int> order = breadth_first(start);
            const int reached = level_[order.back()];
            int farthest = order.back();
            for (int v : order)
                if (level_[v] == reached && graph_.count(v) < graph_.count(farthest)) farthest = v;
            for (int v : order) level_[v] = -1;
            if (reached <= depth) return start;
            depth = reached, start = farthest;
        }
    }

    Rows graph_;
    std::vector<int> level_;  // distance from the start of the current search; -1: not reached
};

// The even permutations put any corner first and keep the orientation.
Tet smallest_first(const Tet& t) {
    switch (std::min_element(t.begin(), t.end()) - t.begin()) {
        case 1:
            return {t[1], t[0], t[3], t[2]};
        case 2:
            return {t[2], t[3], t[0], t[1]};
        case 3:
            return {t[3], t[2], t[1], t[0]};
        default:
            return t;
    }
}

}  // namespace

std::vector<int> reorder(TetMesh& mesh) {
    const std::vector<int> order = Order(mesh).reverse_cuthill_mckee();
    std::vector<int> number(order.size());
    std::vector<Vec3> vertices(order.size());
    for (int i = 0; i < static_cast<int>(order.size()); ++i) number[order[i]] = i, vertices[i] = mesh.vertices[order[i]];
    mesh.vertices = std::move(vertices);
    for (Tet& tet : mesh.tets) {
        for (int& v : tet) v = number[v];
        tet = smallest_first(tet);
    }
    std::sort(mesh.tets.begin(), mesh.tets.end());
    for (Triangle& face : mesh.boundary)
        for (int& v : face) v = number[v];
    std::sort(mesh.boundary.begin(), mesh.boundary.end());
    return number;
}

int bandwidth(const TetMesh& mesh) {
    int width = 0;
    for (const Tet& tet : mesh.tets) {
        const auto [low, high] = std::minmax_element(tet.begin(), tet.end());
        width = std::max(width, *high - *low);
    }
    return width;
}

}  // namespace wobble
