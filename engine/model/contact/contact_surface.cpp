#include "engine/model/contact/contact_surface.h"

#include "engine/model/contact/proximity.h"

#include <algorithm>
#include <numeric>

namespace wobble {

namespace {

constexpr double flat = 0.9998;  // cosine of one degree: triangles that meet at less have no edge between them

// The edges of one body's triangles, sorted, and which triangles meet there.
void add_edges(ContactSurface& s, IndexRange triangles) {
    struct Side {
        std::array<int, 2> edge;
        int triangle, corner;
    };
    std::vector<Side> sides;
    for (int t = triangles.begin; t < triangles.end; ++t)
        for (int k = 0; k < 3; ++k) {
            const int i = s.triangles[t][(k + 1) % 3], j = s.triangles[t][(k + 2) % 3];
            sides.push_back({{std::min(i, j), std::max(i, j)}, t, k});
        }
    std::sort(sides.begin(), sides.end(),
              [](const Side& a, const Side& b) { return std::tie(a.edge, a.triangle) < std::tie(b.edge, b.triangle); });
    for (std::size_t n = 0; n < sides.size(); ++n) {
        if (n == 0 || sides[n].edge != sides[n - 1].edge) s.edges.push_back(sides[n].edge), s.edge_triangles.push_back({-1, -1});
        auto& [one, other] = s.edge_triangles.back();
        if (one < 0) one = sides[n].triangle;
        else if (other < 0) other = sides[n].triangle;
        s.triangle_edges[sides[n].triangle][sides[n].corner] = static_cast<int>(s.edges.size()) - 1;
    }
}

Vec3 normal(const ContactSurface& s, int triangle) {
    const auto& [a, b, c] = s.triangles[triangle];
    return (s.rest[b] - s.rest[a]).cross(s.rest[c] - s.rest[a]).normalized();
}

bool is_sharp(const ContactSurface& s, int edge, bool sheet) {
    const auto [one, other] = s.edge_triangles[edge];
    return sheet || other < 0 || normal(s, one).dot(normal(s, other)) < flat;
}

}  // namespace

ContactSurface contact_surface(const TetMesh& mesh, std::span<const BodyRange> ranges) {
    ContactSurface s;
    s.rest = mesh.vertices;
    for (const BodyRange& range : ranges) {
        ContactSurface::Body body;
        body.sheet = range.sheet();
        body.vertices.begin = static_cast<int>(s.vertices.size());
        body.triangles.begin = static_cast<int>(s.triangles.size());
        body.edges.begin = static_cast<int>(s.edges.size());
        for (int t = range.boundary.begin; t < range.boundary.end; ++t) {
            s.triangles.push_back(mesh.boundary[t]);
            s.vertices.insert(s.vertices.end(), mesh.boundary[t].begin(), mesh.boundary[t].end());
        }
        body.triangles.end = static_cast<int>(s.triangles.size());
        s.triangle_edges.resize(s.triangles.size());
        const auto first = s.vertices.begin() + body.vertices.begin;
        std::sort(first, s.vertices.end());
        s.vertices.erase(std::unique(first, s.vertices.end()), s.vertices.end());
        body.vertices.end = static_cast<int>(s.vertices.size());
        add_edges(s, body.triangles);
        body.edges.end = static_cast<int>(s.edges.size());

        Box box;
        for (int i = range.particles.begin; i < range.particles.end; ++i)
            box.low = box.low.cwiseMin(s.rest[i]), box.high = box.high.cwiseMax(s.rest[i]);
        body.size = range.particles.size() > 0 ? box.diagonal() : 0;
        if (range.particles.size() > 0) body.tets_per_particle = static_cast<double>(range.tets.size()) / range.particles.size();
        body.shortest = body.edges.size() > 0 ? 1e300 : 0;
        for (int e = body.edges.begin; e < body.edges.end; ++e) {
            const double l = (s.rest[s.edges[e][1]] - s.rest[s.edges[e][0]]).norm();
            body.shortest = std::min(body.shortest, l);
            body.mean += l / body.edges.size();
            s.sharp.push_back(is_sharp(s, e, body.sheet));
        }
        const int number = static_cast<int>(s.bodies.size());
        s.vertex_body.resize(s.vertices.size(), number);
        s.triangle_body.resize(s.triangles.size(), number);
        s.edge_body.resize(s.edges.size(), number);
        s.bodies.push_back(body);
    }
    return s;
}

bool ContactSurface::neighbours_vertex_triangle(int vertex, int triangle, double distance) const {
    const int p = vertices[vertex];
    const auto& [a, b, c] = triangles[triangle];
    if (p == a || p == b || p == c) return true;
    return closest_on_triangle(rest[p], rest[a], rest[b], rest[c]).distance < distance;
}

bool ContactSurface::neighbours_edges(int one, int other, double distance) const {
    const auto& [a, b] = edges[one];
    const auto& [c, d] = edges[other];
    if (a == c || a == d || b == c || b == d) return true;
    return closest_on_edges(rest[a], rest[b], rest[c], rest[d]).distance < distance;
}

}  // namespace wobble
