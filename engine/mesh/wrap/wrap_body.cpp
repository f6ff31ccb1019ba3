#include "engine/mesh/wrap/wrap_body.h"

#include "engine/mesh/surface/even_surface.h"
#include "engine/mesh/surface/triangle_adjacency.h"
#include "engine/mesh/volume/embedding.h"
#include "engine/mesh/volume/expected_vertices.h"
#include "engine/mesh/volume/quality.h"
#include "engine/mesh/wrap/cage.h"
#include "engine/mesh/wrap/lattice.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wobble {
namespace {

constexpr int usual_resolution = 1500, least_vertices = 40;
constexpr std::size_t most_pieces = 64;                      // filled one by one; the others together
constexpr double rough_cells = 48;                           // along the longest extent, to learn how large the edges will be
constexpr double cells_per_edge = 3.5, coarsest_cell = 0.8;  // of the cage, in edges
constexpr double wall = 0.8;                                 // edges: how thick a body has to be
constexpr double pocket = 4;                                 // edges^3
constexpr double volume_of_edge = 0.2;                       // largest tet over edge^3
constexpr double flat = 0.02;                                // quality of a tet that is no use
constexpr double longest_filling = 20;                       // s of TetGen
constexpr double too_many = 2.2;                             // times as many vertices as wanted

const Error cancelled{"Building the body was cancelled."};

// Closed surfaces that do not touch, each with the walls of its cavities; the largest first.
std::vector<TriMesh> pieces_of(const TriMesh& cage) {
    int count = 0;
    const std::vector<int> part = components(cage, count);
    std::vector<TriMesh> parts(count);
    std::vector<int> own(cage.vertices.size(), -1);  // a vertex belongs to one part
    for (std::size_t f = 0; f < part.size(); ++f) {
        TriMesh& mesh = parts[part[f]];
        Triangle t = cage.triangles[f];
        for (int& v : t) {
            if (own[v] < 0) own[v] = static_cast<int>(mesh.vertices.size()), mesh.vertices.push_back(cage.vertices[v]);
            v = own[v];
        }
        mesh.triangles.push_back(t);
    }
    std::vector<double> volumes;
    for (const TriMesh& mesh : parts) volumes.push_back(signed_volume(mesh));
    std::vector<int> outer;
    for (int k = 0; k < count; ++k)
        if (volumes[k] > 0) outer.push_back(k);
    std::stable_sort(outer.begin(), outer.end(), [&](int a, int b) { return volumes[a] > volumes[b]; });
    std::vector<TriMesh> pieces;
    std::vector<std::optional<TriangleTree>> trees(outer.size());
    for (int k : outer) pieces.push_back(parts[k]);
    for (int k = 0; k < count; ++k) {
        if (volumes[k] > 0 || parts[k].triangles.empty()) continue;
        for (int j = static_cast<int>(outer.size()) - 1; j >= 0; --j) {  // the smallest one around it
            if (volumes[outer[j]] < -volumes[k]) continue;
            if (!trees[j]) trees[j].emplace(parts[outer[j]]);
            if (trees[j]->winding(parts[k].vertices[0]) < 0.5) continue;
            const int first = static_cast<int>(pieces[j].vertices.size());
            pieces[j].vertices.insert(pieces[j].vertices.end(), parts[k].vertices.begin(), parts[k].vertices.end());
            for (const Triangle& t : parts[k].triangles) pieces[j].triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
            break;
        }
    }
    return pieces;
}

// More than `most_pieces`: the small ones together.
void join_small_ones(std::vector<TriMesh>& pieces) {
    for (std::size_t k = most_pieces; k < pieces.size(); ++k) {
        TriMesh& rest = pieces[most_pieces - 1];
        const int first = static_cast<int>(rest.vertices.size());
        rest.vertices.insert(rest.vertices.end(), pieces[k].vertices.begin(), pieces[k].vertices.end());
        for (const Triangle& t : pieces[k].triangles) rest.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    if (pieces.size() > most_pieces) pieces.resize(most_pieces);
}

// The piece filled with about as many vertices as edges e give; none: that makes too many of them, or TetGen refuses.
std::optional<TetMesh> fill(const TriMesh& piece, double e, const BodyOptions& options, const Progress& progress) {
    const double expected = std::max<double>(ExpectedVertices{area(piece), signed_volume(piece)}.everywhere(e), least_vertices);
    const double edge = ExpectedVertices{area(piece), signed_volume(piece)}.edge(expected, e);
    EvenSurface evened(piece);
    std::optional<TetMesh> best;
    double best_worst = flat;
    for (double finer : {1.0, 0.75, 0.55}) {  // thin parts may need smaller triangles
        for (const TriMesh& even : evened.make(finer * edge, progress)) {
            if (!keep_going(progress, "filling with tetrahedra", 0)) return {};
            TetrahedralizeOptions filling = options.tetrahedralize;
            filling.max_volume = volume_of_edge * edge * edge * edge;
            filling.trim = true;
            filling.timeout_seconds = std::min(filling.timeout_seconds, longest_filling);
            Result<TetMesh> mesh = tetrahedralize(even, filling, progress);
            if (!mesh || static_cast<double>(mesh.value().vertices.size()) > too_many * expected) continue;
            const double worst = quality(mesh.value()).worst;
            if (worst > best_worst) best = std::move(mesh).value(), best_worst = worst;
        }
        if (best || !keep_going(progress, "filling with tetrahedra", 0)) break;
    }
    return best;
}

// Edges of cubes that give about as many vertices.
double cube_edge(const TriMesh& piece, double e) {
    const double wanted = ExpectedVertices{area(piece), signed_volume(piece)}.everywhere(e);
    return std::max(e, std::cbrt(signed_volume(piece) / std::max<double>(wanted, least_vertices)));
}

}  // namespace

Result<Wrapped> wrap_body(TriMesh surface, Soup soup, const BodyOptions& options, const Progress& progress) {
    const Box box = bounding_box(soup.mesh.vertices);
    const double extent = box.size().maxCoeff(), wanted = options.resolution > 0 ? options.resolution : usual_resolution;
    const Cage cage(std::move(soup));
    Workers workers;
    const auto early = [&](std::string_view stage, double done) { return keep_going(progress, stage, 0.2 * done); };
    const double rough = extent / rough_cells;
    const TriMesh first = cage.make({.cell = rough, .thickness = 2 * rough, .smallest = 8 * rough * rough * rough}, workers, early);
    if (first.triangles.empty()) return cancelled;
    const double e = ExpectedVertices{area(first), signed_volume(first)}.edge(wanted, extent);

    Wrapped wrapped;
    // A fine cage may have more handles and edges than so few vertices can follow: then a coarser one.
    for (double cell = e / cells_per_edge;; cell *= 2) {
        const bool last = cell > coarsest_cell * e;
        const TriMesh closed = cage.make({.cell = cell, .thickness = wall * e, .smallest = pocket * e * e * e}, workers, progress);
        if (closed.triangles.empty()) return cancelled;
        std::vector<TriMesh> pieces = pieces_of(closed);
        wrapped.pieces = static_cast<int>(pieces.size());
        join_small_ones(pieces);
        BodyMesh all;
        bool filled = true;
        for (const TriMesh& piece : pieces) {
            std::optional<TetMesh> tets = fill(piece, e, options, progress);
            if (!keep_going(progress, "filling with tetrahedra", 0)) return cancelled;
            if (!tets && !last) {
                filled = false;
                break;
            }
            append(all, BodyMesh{.tets = tets ? std::move(*tets) : fill_with_cubes(piece, cube_edge(piece, e))});
        }
        if (!filled) continue;
        wrapped.body.tets = std::move(all.tets);
        break;
    }
    BodyMesh& body = wrapped.body;
    wrapped.cage_triangles = static_cast<int>(body.tets.boundary.size());
    body.surface = std::move(surface);
    body.two_sided = true;
    bool go_on = true;
    body.embedding =
        embed(body.surface.vertices, body.tets, [&](double done) { return go_on = keep_going(progress, "embedding the surface", done); });
    if (!go_on) return cancelled;
    return wrapped;
}

}  // namespace wobble
