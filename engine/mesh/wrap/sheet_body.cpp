// Edges that are too long are halved; vertices that are too many are taken together by the cells of a grid
// (Rossignac, Borrel 1993).
#include "engine/mesh/wrap/sheet_body.h"

#include "engine/mesh/surface/nearest.h"
#include "engine/mesh/surface/triangle_adjacency.h"
#include "engine/mesh/surface/weld.h"
#include "engine/mesh/wrap/split_edges.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace wobble {
namespace {

constexpr int usual_resolution = 1500;
constexpr double too_fine = 2, longest = 1.6;  // vertices over those wanted, edges over those of an even sheet
constexpr int rounds = 24;

void cluster(TriMesh& mesh, double cell) {
    const Vec3 low = bounding_box(mesh.vertices).low;
    std::map<std::array<int, 3>, int> numbers;
    std::vector<Vec3> sums;
    std::vector<int> counts, number;
    for (const Vec3& p : mesh.vertices) {
        std::array<int, 3> at;
        for (int k = 0; k < 3; ++k) at[k] = static_cast<int>((p[k] - low[k]) / cell);
        const auto [found, is_new] = numbers.try_emplace(at, static_cast<int>(sums.size()));
        if (is_new) sums.push_back(Vec3::Zero()), counts.push_back(0);
        sums[found->second] += p, ++counts[found->second];
        number.push_back(found->second);
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
    mesh.vertices = std::move(sums);
    std::set<Triangle> seen;
    std::vector<Triangle> triangles;
    for (Triangle t : mesh.triangles) {
        for (int& v : t) v = number[v];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        Triangle sorted = t;
        std::sort(sorted.begin(), sorted.end());
        if (seen.insert(sorted).second) triangles.push_back(t);
    }
    mesh.triangles = std::move(triangles);
}

// Neighbours get near numbers: by the place along the longest extent of the box.
void sort_along_box(TriMesh& mesh) {
    int axis = 0;
    bounding_box(mesh.vertices).size().maxCoeff(&axis);
    std::vector<int> order(mesh.vertices.size()), number(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return mesh.vertices[a][axis] < mesh.vertices[b][axis]; });
    std::vector<Vec3> vertices;
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<int>(i), vertices.push_back(mesh.vertices[order[i]]);
    mesh.vertices = std::move(vertices);
    for (Triangle& t : mesh.triangles)
        for (int& v : t) v = number[v];
}

std::vector<Link> springs(const TriMesh& mesh) {
    std::map<std::pair<int, int>, LinkKind> all;
    const auto uses = edge_uses(mesh);
    const auto opposite = [&](const EdgeUse& use) {
        for (int v : mesh.triangles[use.face])
            if (v != use.low && v != use.high) return v;
        return use.low;
    };
    for_each_edge(uses, [&](const EdgeUse* begin, const EdgeUse*) { all.try_emplace({begin->low, begin->high}, LinkKind::structural); });
    for_each_edge(uses, [&](const EdgeUse* begin, const EdgeUse* end) {
        for (const EdgeUse* other = begin + 1; other < end; ++other) {
            const int a = opposite(*begin), b = opposite(*other);
            if (a != b) all.try_emplace(std::minmax(a, b), LinkKind::bending);
        }
    });
    std::vector<Link> links;
    for (const auto& [ends, kind] : all)
        if ((mesh.vertices[ends.first] - mesh.vertices[ends.second]).norm() > 0) links.push_back({ends.first, ends.second, kind});
    return links;
}

// Points of the drawn surface as combinations of the corners of the nearest triangle.
Embedding lay_on(const std::vector<Vec3>& points, const TriMesh& sheet) {
    const NearestPoint nearest(sheet);
    Embedding embedding;
    for (const Vec3& p : points) {
        int f = 0;
        const Vec3 q = nearest(p, &f);
        const auto& [ia, ib, ic] = sheet.triangles[std::max(f, 0)];
        const Vec3 &a = sheet.vertices[ia], &b = sheet.vertices[ib], &c = sheet.vertices[ic], n = (b - a).cross(c - a);
        const double square = n.squaredNorm();
        double v = 0, w = 0;
        if (square > 0) v = n.dot((q - a).cross(c - a)) / square, w = n.dot((b - a).cross(q - a)) / square;
        embedding.particle.push_back({ia, ib, ic, ia});
        embedding.weight.push_back({1 - v - w, v, w, 0});
    }
    return embedding;
}

}  // namespace

Result<BodyMesh> sheet_body(TriMesh surface, const Soup& soup, const BodyOptions& options, const Progress& progress) {
    TriMesh mesh = soup.mesh;
    std::erase_if(mesh.triangles,
                  [&, diagonal = bounding_box(mesh.vertices).diagonal()](const Triangle& t) { return is_flat(mesh, t, diagonal); });
    drop_unused_vertices(mesh);
    if (mesh.triangles.empty()) return Error{"The surface has no area, so it cannot be a sheet; use --as wrap."};
    const double wanted = options.resolution > 0 ? options.resolution : usual_resolution;
    const double edge = std::sqrt(area(mesh) / (0.87 * wanted));
    if (static_cast<double>(mesh.vertices.size()) > too_fine * wanted) cluster(mesh, edge);
    for (int k = 0; k < rounds && split_long_edges(mesh, longest * edge); ++k)
        if (!keep_going(progress, "dividing the sheet", k / double(rounds))) return Error{"Building the body was cancelled."};
    drop_unused_vertices(mesh);
    if (mesh.triangles.empty()) return Error{"The surface is too small for so few particles; use a higher --set resolution=."};
    sort_along_box(mesh);

    BodyMesh body;
    body.links = springs(mesh);
    body.embedding = lay_on(surface.vertices, mesh);
    body.surface = std::move(surface);
    body.tets.vertices = std::move(mesh.vertices);
    body.tets.boundary = std::move(mesh.triangles);
    return body;
}

}  // namespace wobble
