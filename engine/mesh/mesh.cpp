#include "engine/mesh/mesh.h"

#include <Eigen/Geometry>

namespace wobble {

BodyRange whole(const BodyMesh& mesh) {
    const auto all = [](const auto& items) { return IndexRange{0, static_cast<int>(items.size())}; };
    return {.particles = all(mesh.tets.vertices),
            .tets = all(mesh.tets.tets),
            .boundary = all(mesh.tets.boundary),
            .links = all(mesh.links),
            .vertices = all(mesh.surface.vertices),
            .triangles = all(mesh.surface.triangles)};
}

namespace {

// Appends `from` to `to`, every item changed by shift(item); says where it lies.
template <class Item, class Shift>
IndexRange append_shifted(std::vector<Item>& to, const std::vector<Item>& from, Shift&& shift) {
    const int begin = static_cast<int>(to.size());
    for (Item item : from) shift(item), to.push_back(item);
    return {begin, static_cast<int>(to.size())};
}

}  // namespace

BodyRange append(BodyMesh& all, const BodyMesh& one) {
    const int first = static_cast<int>(all.tets.vertices.size()), first_drawn = static_cast<int>(all.surface.vertices.size());
    const auto by = [](int offset) {
        return [offset](auto& indices) {
            for (int& i : indices) i += offset;
        };
    };
    const auto unchanged = [](const auto&) {};
    BodyRange range;
    range.particles = append_shifted(all.tets.vertices, one.tets.vertices, unchanged);
    range.tets = append_shifted(all.tets.tets, one.tets.tets, by(first));
    range.boundary = append_shifted(all.tets.boundary, one.tets.boundary, by(first));
    range.links = append_shifted(all.links, one.links, [&](Link& link) { link.i += first, link.j += first; });
    range.vertices = append_shifted(all.surface.vertices, one.surface.vertices, unchanged);
    range.triangles = append_shifted(all.surface.triangles, one.surface.triangles, by(first_drawn));
    append_shifted(all.embedding.particle, one.embedding.particle, by(first));
    append_shifted(all.embedding.weight, one.embedding.weight, unchanged);
    all.two_sided |= one.two_sided;
    return range;
}

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

Box bounding_box(std::span<const Vec3> points) {
    Box box;
    for (const Vec3& p : points) box.low = box.low.cwiseMin(p), box.high = box.high.cwiseMax(p);
    return box;
}

}  // namespace wobble
