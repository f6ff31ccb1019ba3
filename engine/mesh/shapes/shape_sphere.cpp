#include "engine/mesh/io/polygon.h"
#include "engine/mesh/shapes/shapes.h"
#include "engine/mesh/surface/weld.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace wobble {

// An icosahedron whose faces are cut into n^2 triangles and blown up.
TriMesh make_sphere(const ShapeParameters& p, double edge) {
    const double radius = p.at("radius"), golden = (1 + std::sqrt(5.0)) / 2;
    std::array<Vec3, 12> corner;
    for (int k = 0; k < 12; ++k) {
        const double s = k & 1 ? 1 : -1, t = k & 2 ? golden : -golden;
        const int axis = k / 4;
        corner[k][axis] = 0, corner[k][(axis + 1) % 3] = s, corner[k][(axis + 2) % 3] = t;
    }
    const double side = 1.0514622 * radius;                                        // of the icosahedron inscribed in the sphere
    const int n = std::max(1, static_cast<int>(std::lround(1.12 * side / edge)));  // edges stretch by about 12 % when blown up
    TriMesh mesh;
    for (int a = 0; a < 12; ++a)
        for (int b = a + 1; b < 12; ++b)
            for (int c = b + 1; c < 12; ++c) {
                const auto near = [&](int i, int j) { return (corner[i] - corner[j]).norm() < 2.1; };
                if (!near(a, b) || !near(b, c) || !near(c, a)) continue;
                const bool outward = corner[a].dot(corner[b].cross(corner[c])) > 0;
                const int first = static_cast<int>(mesh.vertices.size());
                const Vec3 &x = corner[a], &y = corner[outward ? b : c], &z = corner[outward ? c : b];
                for (int j = 0; j <= n; ++j)
                    for (int i = 0; i + j <= n; ++i)
                        mesh.vertices.push_back((x * (n - i - j) + y * i + z * j).normalized() * radius + Vec3(0, radius, 0));
                const auto at = [&](int i, int j) { return first + j * (n + 1) - j * (j - 1) / 2 + i; };
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i + j < n; ++i) {
                        mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
                        if (i + j + 1 < n) mesh.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
                    }
            }
    weld(mesh, 1e-9 * radius);
    drop_unused_vertices(mesh);
    return mesh;
}

}  // namespace wobble
