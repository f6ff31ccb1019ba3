#include "engine/mesh/shapes/shapes.h"
#include "engine/mesh/surface/weld.h"

#include <algorithm>
#include <cmath>

namespace wobble {

// Six grids of squares, welded. The diagonals alternate like a chess board, so that no direction is preferred.
TriMesh make_beam(const ShapeParameters& p, double edge) {
    const Vec3 size(p.at("length"), p.at("height"), p.at("width"));
    std::array<int, 3> n;
    for (int k = 0; k < 3; ++k) n[k] = std::max(1, static_cast<int>(std::lround(size[k] / edge)));
    TriMesh mesh;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3, first = static_cast<int>(mesh.vertices.size());
            for (int j = 0; j <= n[v]; ++j)
                for (int i = 0; i <= n[u]; ++i) {
                    Vec3 x;
                    x[axis] = side * size[axis], x[u] = size[u] * i / n[u], x[v] = size[v] * j / n[v];
                    mesh.vertices.push_back(x - Vec3(0.5 * size.x(), 0, 0.5 * size.z()));
                }
            for (int j = 0; j < n[v]; ++j)
                for (int i = 0; i < n[u]; ++i) {
                    const int a = first + j * (n[u] + 1) + i, b = a + 1, c = b + n[u] + 1, d = c - 1;
                    const std::array<Triangle, 2> two =
                        (i + j) % 2 ? std::array<Triangle, 2>{{{a, b, d}, {b, c, d}}} : std::array<Triangle, 2>{{{a, b, c}, {a, c, d}}};
                    for (Triangle t : two) {
                        if (side == 0) std::swap(t[1], t[2]);
                        mesh.triangles.push_back(t);
                    }
                }
        }
    weld(mesh, 1e-9 * size.norm());
    drop_unused_vertices(mesh);
    return mesh;
}

}  // namespace wobble
