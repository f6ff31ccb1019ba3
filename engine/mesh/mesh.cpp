#include "engine/mesh/mesh.h"

#include <Eigen/Geometry>

namespace wobble {

double volume(const TetMesh& mesh, const Tet& tet) {
    const Vec3& a = mesh.vertices[tet[0]];
    const Vec3 ab = mesh.vertices[tet[1]] - a, ac = mesh.vertices[tet[2]] - a, ad = mesh.vertices[tet[3]] - a;
    return ab.cross(ac).dot(ad) / 6;
}

double volume(const TetMesh& mesh) {
    double sum = 0;
    for (const Tet& tet : mesh.tets) sum += volume(mesh, tet);
    return sum;
}

double area(const TriMesh& mesh) {
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        sum += 0.5 * (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).norm();
    return sum;
}

// Around the centre: far from it, the volumes of tets with the origin would cancel to rounding.
double signed_volume(const TriMesh& mesh) {
    if (mesh.vertices.empty()) return 0;
    const Vec3 origin = bounding_box(mesh.vertices).centre();
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        sum += (mesh.vertices[a] - origin).dot((mesh.vertices[b] - origin).cross(mesh.vertices[c] - origin)) / 6;
    return sum;
}

Box bounding_box(const std::vector<Vec3>& points) {
    Box box;
    for (const Vec3& p : points) box.low = box.low.cwiseMin(p), box.high = box.high.cwiseMax(p);
    return box;
}

}  // namespace wobble
