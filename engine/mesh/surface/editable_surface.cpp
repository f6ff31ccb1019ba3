// The link condition (Dey, Edelsbrunner, Guha, Nekhayev 1999): an edge of a closed manifold may collapse iff its ends have exactly the two
// opposite corners as common neighbours.
#include "engine/mesh/surface/editable_surface.h"

#include "engine/mesh/geometry.h"
#include "engine/mesh/surface/weld.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace wobble {
namespace {

constexpr double largest_turn = 0.25;  // cosine of the angle a face may turn in one change

bool has(const Triangle& t, int v) { return t[0] == v || t[1] == v || t[2] == v; }
Triangle with(Triangle t, int from, int to) {
    for (int& v : t)
        if (v == from) v = to;
    return t;
}

}  // namespace

EditableSurface::EditableSurface(const TriMesh& mesh) : points_(mesh.vertices), faces_(mesh.triangles), faces_of_(mesh.vertices.size()) {
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f)
        for (int v : faces_[f]) faces_of_[v].push_back(f);
    for (int v = 0; v < vertex_slots(); ++v) alive_vertices_ += alive(v);
}

TriMesh EditableSurface::mesh() const {
    TriMesh out{points_, {}};
    for (const Triangle& t : faces_)
        if (t[0] >= 0) out.triangles.push_back(t);
    drop_unused_vertices(out);
    return out;
}

void EditableSurface::neighbours(int v, std::vector<int>& out) const {
    out.clear();
    for (int f : faces_of_[v]) {
        const Triangle& t = faces_[f];
        out.push_back(t[0] == v ? t[1] : t[1] == v ? t[2] : t[0]);  // each neighbour follows v in exactly one face
    }
}

Vec3 EditableSurface::area_vector(int f) const {
    const auto& [a, b, c] = faces_[f];
    return (points_[b] - points_[a]).cross(points_[c] - points_[a]);
}

Vec3 EditableSurface::normal(int v) const {
    Vec3 sum = Vec3::Zero();
    for (int f : faces_of_[v]) sum += area_vector(f);
    return sum.normalized();
}

int EditableSurface::face_with(int a, int b) const {
    for (int f : faces_of_[a]) {
        const Triangle& t = faces_[f];
        for (int k = 0; k < 3; ++k)
            if (t[k] == a && t[(k + 1) % 3] == b) return f;
    }
    return -1;
}

bool EditableSurface::opposite(int a, int b, int& left, int& right) const {
    const int l = face_with(a, b), r = face_with(b, a);
    if (l < 0 || r < 0) return false;
    const auto third = [&](int f) { return faces_[f][0] + faces_[f][1] + faces_[f][2] - a - b; };
    left = third(l), right = third(r);
    return true;
}

void EditableSurface::replace(int f, const Triangle& t) {
    for (int v : faces_[f])
        if (!has(t, v)) std::erase(faces_of_[v], f);
    for (int v : t)
        if (!has(faces_[f], v)) faces_of_[v].push_back(f);
    faces_[f] = t;
}

void EditableSurface::remove(int f) {
    for (int v : faces_[f]) std::erase(faces_of_[v], f);
    faces_[f] = {-1, -1, -1};
}

bool EditableSurface::collapse(int u, int v, const Vec3& p, double worst_quality) {
    int left = -1, right = -1;
    if (!opposite(u, v, left, right) || left == right || valence(left) <= 3 || valence(right) <= 3) return false;
    std::vector<int> near_u, near_v;
    neighbours(u, near_u), neighbours(v, near_v);
    const auto common =
        std::count_if(near_u.begin(), near_u.end(), [&](int w) { return std::find(near_v.begin(), near_v.end(), w) != near_v.end(); });
    if (common != 2) return false;

    double before = 1, after = 1;
    for (int end : {u, v})
        for (int f : faces_of_[end]) {
            const Triangle& t = faces_[f];
            before = std::min(before, triangle_quality(points_[t[0]], points_[t[1]], points_[t[2]]));
            if (has(t, u) && has(t, v)) continue;
            const auto at = [&](int w) -> const Vec3& { return w == end ? p : points_[w]; };
            const Vec3 turned = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])), old = area_vector(f);
            if (!(turned.dot(old) > largest_turn * turned.norm() * old.norm())) return false;
            after = std::min(after, triangle_quality(at(t[0]), at(t[1]), at(t[2])));
        }
    if (after < worst_quality && after <= before) return false;

    remove(face_with(u, v));
    remove(face_with(v, u));
    const std::vector<int> moved = faces_of_[v];
    for (int f : moved) replace(f, with(faces_[f], v, u));
    points_[u] = p;
    --alive_vertices_;
    return true;
}

bool EditableSurface::flip(int a, int b) {
    int left = -1, right = -1;
    if (!opposite(a, b, left, right) || left == right || valence(a) <= 3 || valence(b) <= 3 || face_with(left, right) >= 0 ||
        face_with(right, left) >= 0)
        return false;
    const int f = face_with(a, b), g = face_with(b, a);
    const Triangle first = {left, right, b}, second = {right, left, a};
    const Vec3 old = area_vector(f).normalized() + area_vector(g).normalized();
    for (const Triangle& t : {first, second}) {
        const Vec3 n = (points_[t[1]] - points_[t[0]]).cross(points_[t[2]] - points_[t[0]]);
        if (!(n.dot(old) > 0.7 * n.norm() * old.norm())) return false;
    }
    replace(f, first);
    replace(g, second);
    return true;
}

int EditableSurface::split(int a, int b, const Vec3& p) {
    const int f = face_with(a, b), g = face_with(b, a), middle = vertex_slots();
    const Triangle left = faces_[f], right = faces_[g];
    points_.push_back(p);
    faces_of_.emplace_back();
    ++alive_vertices_;
    for (const auto& [index, t] : {std::pair{f, left}, std::pair{g, right}}) {
        replace(index, with(t, b, middle));
        const int added = static_cast<int>(faces_.size());
        faces_.push_back(with(t, a, middle));
        for (int v : faces_[added]) faces_of_[v].push_back(added);
    }
    return middle;
}

}  // namespace wobble
