#include "engine/mesh/surface/creases.h"

#include "engine/mesh/surface/triangle_adjacency.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace wobble {
namespace {

constexpr double sharp = 0.64;                         // cosine of the turn from face to face: 50 degrees
constexpr double sharp_corner = 0.5;                   // cosine of the turn along a line: 60 degrees
constexpr double shortest_net = 4, shortest_twig = 2;  // in edges

double length(const TriMesh& mesh, const CreaseEdge& e) { return (mesh.vertices[e.a] - mesh.vertices[e.b]).norm(); }

std::vector<CreaseEdge> sharp_edges(const TriMesh& mesh) {
    std::vector<CreaseEdge> found;
    const auto normal = [&](int f) {
        const auto& [a, b, c] = mesh.triangles[f];
        return Vec3((mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).normalized());
    };
    for_each_edge(edge_uses(mesh), [&](const EdgeUse* begin, const EdgeUse* end) {
        if (end == begin + 2 && normal(begin->face).dot(normal(begin[1].face)) < sharp) found.push_back({begin->low, begin->high, 0});
    });
    return found;
}

// Gives edges that follow one another without a corner the same number; returns how many numbers there are.
int number_lines(const TriMesh& mesh, std::vector<CreaseEdge>& edges) {
    const std::vector<char> corner = crease_corners(mesh, edges);
    Sets sets(edges.size());
    std::vector<int> first(mesh.vertices.size(), -1);
    for (int e = 0; e < static_cast<int>(edges.size()); ++e)
        for (int v : {edges[e].a, edges[e].b}) {
            if (corner[v]) continue;
            if (first[v] >= 0) sets.join(first[v], e);
            first[v] = e;
        }
    int count = 0;
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) edges[e].line = sets.find(e) == e ? count++ : edges[sets.find(e)].line;
    return count;
}

// Lines with a loose end, unless they are long.
bool drop_twigs(const TriMesh& mesh, std::vector<CreaseEdge>& edges, double shortest) {
    const int lines = number_lines(mesh, edges);
    std::vector<int> degree(mesh.vertices.size(), 0);
    for (const CreaseEdge& e : edges) ++degree[e.a], ++degree[e.b];
    std::vector<double> lengths(lines, 0);
    std::vector<char> loose(lines, 0);
    for (const CreaseEdge& e : edges) {
        lengths[e.line] += length(mesh, e);
        if (degree[e.a] == 1 || degree[e.b] == 1) loose[e.line] = 1;
    }
    return std::erase_if(edges, [&](const CreaseEdge& e) { return loose[e.line] && lengths[e.line] < shortest; }) > 0;
}

void drop_small_nets(const TriMesh& mesh, std::vector<CreaseEdge>& edges, double shortest) {
    Sets sets(mesh.vertices.size());
    for (const CreaseEdge& e : edges) sets.join(e.a, e.b);
    std::vector<double> lengths(mesh.vertices.size(), 0);
    for (const CreaseEdge& e : edges) lengths[sets.find(e.a)] += length(mesh, e);
    std::erase_if(edges, [&](const CreaseEdge& e) { return lengths[sets.find(e.a)] < shortest; });
}

}  // namespace

std::vector<char> crease_corners(const TriMesh& mesh, const std::vector<CreaseEdge>& edges) {
    struct Ends {
        int count = 0, first = -1, second = -1;
    };
    std::vector<Ends> at(mesh.vertices.size());
    for (const CreaseEdge& e : edges)
        for (const auto& [v, w] : {std::pair{e.a, e.b}, std::pair{e.b, e.a}}) {
            (at[v].count == 0 ? at[v].first : at[v].second) = w;
            ++at[v].count;
        }
    std::vector<char> corner(mesh.vertices.size(), 0);
    for (std::size_t v = 0; v < corner.size(); ++v) {
        if (at[v].count == 0) continue;
        corner[v] = at[v].count != 2;
        if (corner[v]) continue;
        const Vec3 in = mesh.vertices[v] - mesh.vertices[at[v].first], out = mesh.vertices[at[v].second] - mesh.vertices[v];
        corner[v] = in.dot(out) < sharp_corner * in.norm() * out.norm();
    }
    return corner;
}

std::vector<CreaseEdge> find_creases(const TriMesh& mesh, double edge) {
    std::vector<CreaseEdge> edges = sharp_edges(mesh);
    for (int round = 0; round < 3 && drop_twigs(mesh, edges, shortest_twig * edge); ++round) {
    }
    drop_small_nets(mesh, edges, shortest_net * edge);
    number_lines(mesh, edges);
    return edges;
}

std::vector<int> pointed_vertices(const TriMesh& mesh) {
    std::vector<double> angle(mesh.vertices.size(), 0);
    for (const Triangle& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) {
            const Vec3 u = mesh.vertices[t[(k + 1) % 3]] - mesh.vertices[t[k]], v = mesh.vertices[t[(k + 2) % 3]] - mesh.vertices[t[k]];
            angle[t[k]] += std::atan2(u.cross(v).norm(), u.dot(v));
        }
    std::vector<int> pointed;
    for (int v = 0; v < static_cast<int>(angle.size()); ++v)
        if (angle[v] > 0 && angle[v] < M_PI) pointed.push_back(v);
    return pointed;
}

CreaseLines::CreaseLines(const TriMesh& mesh, const std::vector<CreaseEdge>& edges) {
    for (const CreaseEdge& e : edges) {
        if (e.line >= static_cast<int>(segments_.size())) segments_.resize(e.line + 1);
        segments_[e.line].push_back({mesh.vertices[e.a], mesh.vertices[e.b]});
    }
}

Vec3 CreaseLines::nearest(const Vec3& p, int line) const {
    Vec3 best = p;
    double nearest = 1e300;
    for (const auto& [a, b] : segments_[line]) {
        const Vec3 q = a + std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0) * (b - a);
        if (const double d = (q - p).squaredNorm(); d < nearest) nearest = d, best = q;
    }
    return best;
}

}  // namespace wobble
