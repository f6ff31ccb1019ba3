// Kuhn's cut: the six paths along edges from one corner of a cube to the opposite one; cuts of neighbouring cubes match.
#include "engine/mesh/wrap/lattice.h"

#include "engine/mesh/volume/reorder.h"
#include "engine/mesh/volume/tet_adjacency.h"
#include "engine/mesh/wrap/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace wobble {

TetMesh fill_with_cubes(const TriMesh& surface, double edge) {
    const Box box = bounding_box(surface.vertices);
    const TriangleTree tree(surface);
    using Cube = std::array<int, 3>;
    Cube n;
    for (int k = 0; k < 3; ++k) n[k] = std::max(1, static_cast<int>(std::ceil(box.size()[k] / edge)));
    const Vec3 low = box.centre() - 0.5 * edge * Vec3(n[0], n[1], n[2]);
    std::set<Cube> cubes;
    for (const Vec3& p : surface.vertices) {
        Cube c;
        for (int k = 0; k < 3; ++k) c[k] = std::clamp(static_cast<int>((p[k] - low[k]) / edge), 0, n[k] - 1);
        cubes.insert(c);
    }
    for (int z = 0; z < n[2]; ++z)
        for (int y = 0; y < n[1]; ++y)
            for (int x = 0; x < n[0]; ++x)
                if (tree.winding(low + edge * Vec3(x + 0.5, y + 0.5, z + 0.5)) > 0.5) cubes.insert({x, y, z});

    TetMesh mesh;
    std::map<Cube, int> numbers;
    const auto corner = [&](const Cube& cube, int bits) {
        const Cube at = {cube[0] + (bits & 1), cube[1] + (bits >> 1 & 1), cube[2] + (bits >> 2)};
        const auto [found, is_new] = numbers.try_emplace(at, static_cast<int>(mesh.vertices.size()));
        if (is_new) mesh.vertices.push_back(low + edge * Vec3(at[0], at[1], at[2]));
        return found->second;
    };
    constexpr int paths[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    for (const Cube& cube : cubes)
        for (const auto& path : paths) {
            Tet tet = {corner(cube, 0), corner(cube, path[0]), corner(cube, path[1]), corner(cube, 7)};
            if (volume(mesh, tet) < 0) std::swap(tet[2], tet[3]);
            mesh.tets.push_back(tet);
        }
    mesh.boundary = boundary_faces(mesh.tets);
    reorder(mesh);
    return mesh;
}

}  // namespace wobble
