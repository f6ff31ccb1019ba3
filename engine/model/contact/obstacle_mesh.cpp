#include "engine/model/contact/obstacle_mesh.h"

#include "engine/core/spelling.h"
#include "engine/mesh/geometry.h"
#include "engine/mesh/io/mesh_file.h"
#include "engine/mesh/surface/check.h"
#include "engine/mesh/surface/orientation.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr int most_parts = 1000;  // every part is compared with every other

std::vector<Box> boxes_of(const TriMesh& mesh) {
    std::vector<Box> boxes(mesh.triangles.size());
    for (std::size_t t = 0; t < boxes.size(); ++t)
        for (int v : mesh.triangles[t])
            boxes[t].low = boxes[t].low.cwiseMin(mesh.vertices[v]), boxes[t].high = boxes[t].high.cwiseMax(mesh.vertices[v]);
    return boxes;
}

double angle(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

// Every edge has one face on each side, which agree about the outside.
bool is_closed(const std::vector<EdgeUse>& uses) {
    bool closed = true;
    for_each_edge(uses, [&](const EdgeUse* begin, const EdgeUse* end) {
        if (end - begin != 2 || begin[0].forward == begin[1].forward) closed = false;
    });
    return closed;
}

}  // namespace

Result<std::shared_ptr<const ObstacleMesh>> ObstacleMesh::make(TriMesh mesh) {
    for (const Vec3& x : mesh.vertices)
        if (!x.allFinite()) return Error{"The surface has a vertex that is not a number; repair the file."};
    const double diagonal = bounding_box(mesh.vertices).diagonal();
    std::erase_if(mesh.triangles, [&](const Triangle& t) { return is_flat(mesh, t, diagonal); });
    if (mesh.triangles.empty()) return Error{"The surface has no triangle with an area; choose another file."};
    for (int face : turned_faces(mesh, edge_uses(mesh)).faces) std::swap(mesh.triangles[face][1], mesh.triangles[face][2]);
    const bool closed = is_closed(edge_uses(mesh));
    int parts = 0;
    components(mesh, parts);
    if (closed && parts <= most_parts)
        for (int face : inverted_faces(mesh)) std::swap(mesh.triangles[face][1], mesh.triangles[face][2]);
    return std::shared_ptr<const ObstacleMesh>(new ObstacleMesh(std::move(mesh), closed));
}

ObstacleMesh::ObstacleMesh(TriMesh mesh, bool closed)
    : surface_(std::move(mesh)), closed_(closed), box_(bounding_box(surface_.vertices)), tree_(boxes_of(surface_)) {
    const std::size_t faces = surface_.triangles.size();
    vertex_normals_.assign(surface_.vertices.size(), Vec3::Zero());
    border_vertex_.assign(surface_.vertices.size(), false);
    edge_normals_.resize(faces), border_edge_.assign(faces, {});
    for (const Triangle& triangle : surface_.triangles) {
        const auto x = [&](int k) { return surface_.vertices[triangle[k % 3]]; };
        face_normals_.push_back((x(1) - x(0)).cross(x(2) - x(0)).normalized());
        for (int k = 0; k < 3; ++k) vertex_normals_[triangle[k]] += angle(x(k + 1) - x(k), x(k + 2) - x(k)) * face_normals_.back();
    }
    for_each_edge(edge_uses(surface_), [&](const EdgeUse* begin, const EdgeUse* end) {
        Vec3 sum = Vec3::Zero();
        for (const EdgeUse* use = begin; use != end; ++use) sum += face_normals_[use->face];
        const bool border = end - begin == 1;
        for (const EdgeUse* use = begin; use != end; ++use)
            for (int k = 0; k < 3; ++k) {
                const Triangle& t = surface_.triangles[use->face];
                if (std::min(t[k], t[(k + 1) % 3]) != use->low || std::max(t[k], t[(k + 1) % 3]) != use->high) continue;
                edge_normals_[use->face][k] = sum, border_edge_[use->face][k] = border;
            }
        if (border) border_vertex_[begin->low] = border_vertex_[begin->high] = true;
    });
}

// Which corner, edge or inside of the triangle its point x belongs to. closest_point_on_triangle returns corners exactly and points of
// edges to rounding.
ObstacleMesh::Point ObstacleMesh::on(int triangle, const Vec3& x) const {
    const Triangle& t = surface_.triangles[triangle];
    for (int v : t)
        if (x == surface_.vertices[v]) return {x, vertex_normals_[v], border_vertex_[v]};
    for (int k = 0; k < 3; ++k) {
        const Vec3 &a = surface_.vertices[t[k]], &b = surface_.vertices[t[(k + 1) % 3]], &c = surface_.vertices[t[(k + 2) % 3]];
        const Vec3 e = b - a;
        const double height = e.cross(c - a).norm();  // times |e|
        if (e.cross(x - a).norm() <= 1e-9 * height) return {x, edge_normals_[triangle][k], border_edge_[triangle][k]};
    }
    return {x, face_normals_[triangle], false};
}

Nearest ObstacleMesh::nearest(const Vec3& X) const {
    Vec3 best = X;
    double least = 1e300;
    int which = 0;
    tree_.nearest(X, [&](int t) {
        const auto& [a, b, c] = surface_.triangles[t];
        const Vec3 q = closest_point_on_triangle(X, surface_.vertices[a], surface_.vertices[b], surface_.vertices[c]);
        if (const double d = (q - X).squaredNorm(); d < least) least = d, best = q, which = t;
        return least;
    });
    const Point p = on(which, best);
    const Vec3 away = X - p.x;
    const double d = away.norm();
    if (d <= 1e-12 * box_.diagonal()) return {0, p.normal.norm() > 0 ? p.normal.normalized() : face_normals_[which]};
    const bool behind = away.dot(p.normal) < 0;
    if (behind && (closed_ || (!p.border && d < solid_behind * box_.diagonal()))) return {-d, -away / d};
    return {d, away / d};
}

Result<std::shared_ptr<const ObstacleMesh>> load_mesh(const std::filesystem::path& file, const Vec3& size) {
    auto read = load_surface(file);
    if (!read) return read.error();
    TriMesh mesh = std::move(read).value();
    for (Vec3& x : mesh.vertices) x = x.cwiseProduct(size);
    auto made = ObstacleMesh::make(std::move(mesh));
    if (!made) return Error{in_quotes(file.string()) + " cannot be an obstacle: " + made.message()};
    return made;
}

Result<void> load_mesh(Obstacle& o) {
    if (o.kind != Obstacle::Kind::mesh) return {};
    auto mesh = load_mesh(o.file, o.size);
    if (!mesh) return mesh.error();
    o.mesh = std::move(mesh).value();
    return {};
}

}  // namespace wobble
