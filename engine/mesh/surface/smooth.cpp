#include "engine/mesh/surface/smooth.h"

#include "engine/mesh/geometry.h"
#include "engine/mesh/volume/tet_adjacency.h"

#include <algorithm>

namespace wobble {
namespace {

double tet_quality(const TetMesh& mesh, const Tet& t) {
    return wobble::tet_quality(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]);
}

}  // namespace

bool smooth_inside(TetMesh& mesh, const std::function<bool(double)>& keep_going) {
    const int count = static_cast<int>(mesh.vertices.size());
    const Rows around = tets_of_vertices(mesh.tets, count), near = neighbours_of_vertices(mesh.tets, count);
    std::vector<char> fixed(count, 0);
    for (const Triangle& face : boundary_faces(mesh.tets))
        for (int v : face) fixed[v] = 1;
    const auto worst_around = [&](int v) {
        double worst = 1;
        for (const int* t = around.begin(v); t != around.end(v); ++t) worst = std::min(worst, tet_quality(mesh, mesh.tets[*t]));
        return worst;
    };
    for (int round = 0; round < 4; ++round)
        for (int v = 0; v < count; ++v) {
            if (keep_going && v % 1024 == 0 && !keep_going((round + static_cast<double>(v) / count) / 4)) return false;
            if (fixed[v]) continue;
            double best = worst_around(v);
            if (best > 0.3) continue;  // good enough; more would cost the others' shape
            // Towards the centre of the neighbours, and along the ways that lift the worst tet: six directions, shrinking.
            Vec3 centre = Vec3::Zero(), place = mesh.vertices[v];
            double reach = 1e300;
            for (const int* w = near.begin(v); w != near.end(v); ++w)
                centre += mesh.vertices[*w] / near.count(v), reach = std::min(reach, (mesh.vertices[*w] - place).norm());
            const auto attempt = [&](const Vec3& p) {
                mesh.vertices[v] = p;
                if (const double worst = worst_around(v); worst > best) best = worst, place = p;
            };
            attempt(centre);
            attempt(0.5 * (centre + place));
            for (double step = 0.3 * reach; step > 0.03 * reach; step /= 2)
                for (int k = 0; k < 6; ++k) attempt(place + (k % 2 ? step : -step) * Vec3::Unit(k / 2));
            mesh.vertices[v] = place;
        }
    return true;
}

}  // namespace wobble
