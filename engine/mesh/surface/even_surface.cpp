#include "engine/mesh/surface/even_surface.h"

#include "engine/mesh/surface/creases.h"
#include "engine/mesh/surface/fit_surface.h"
#include "engine/mesh/surface/remesh.h"
#include "engine/mesh/surface/simplify.h"
#include "engine/mesh/surface/triangle_adjacency.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace wobble {
namespace {

constexpr const char* stage = "evening out the surface";
constexpr int rounds = 8;
constexpr double huge = 20, far_too_fine = 2, fine = 1.5;  // vertices of the start over those of the result
constexpr double volume_lost = 0.05, part_lost = 0.3;      // shares; a part may be small
constexpr double small_share = 0.15;                       // of a vertex in the surface: then its creases may be too dense
constexpr double distance_lost = 0.5;                      // edges
constexpr std::size_t poll_interval = 4096;
constexpr double most_vertices = 1e7;

// Vertices minus edges plus faces.
long euler(const TriMesh& mesh) { return static_cast<long>(mesh.vertices.size()) - static_cast<long>(mesh.triangles.size()) / 2; }

// The smallest area around a vertex, in those of an even surface.
double smallest_share(const TriMesh& mesh, double edge) {
    std::vector<double> around(mesh.vertices.size(), 0);
    for (const auto& [a, b, c] : mesh.triangles) {
        const double third = (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).norm() / 6;
        for (int v : {a, b, c}) around[v] += third;
    }
    return *std::min_element(around.begin(), around.end()) / (0.87 * edge * edge);
}

// Ascending; of cavities negative.
std::vector<double> volumes_of_parts(const TriMesh& mesh) {
    int count = 0;
    const std::vector<int> part = components(mesh, count);
    const Vec3 origin = bounding_box(mesh.vertices).centre();
    std::vector<double> volumes(count, 0);
    for (std::size_t f = 0; f < part.size(); ++f) {
        const auto& [a, b, c] = mesh.triangles[f];
        volumes[part[f]] += (mesh.vertices[a] - origin).dot((mesh.vertices[b] - origin).cross(mesh.vertices[c] - origin)) / 6;
    }
    std::sort(volumes.begin(), volumes.end());
    return volumes;
}

// Whether all points are nearer to the surface than `distance`.
bool near(const std::vector<Vec3>& points, const NearestPoint& surface, double distance, const Progress& progress) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i % poll_interval == 0 && !keep_going(progress, stage, 0.95)) return false;
        if (!((surface(points[i]) - points[i]).norm() < distance)) return false;
    }
    return true;
}

std::vector<Vec3> centres(const TriMesh& mesh) {
    std::vector<Vec3> all;
    for (const auto& [a, b, c] : mesh.triangles) all.push_back((mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3);
    return all;
}

// Vertices in one tilted plane are off it by nothing but rounding, which no test can tell from a cut: a little more makes it definite.
TriMesh definite(TriMesh mesh, double amount) {
    double phase = 0;
    for (Vec3& p : mesh.vertices)
        for (int k = 0; k < 3; ++k) {
            phase = std::fmod(phase + 0.6180339887498949, 1.0);
            p[k] += amount * (phase - 0.5);
        }
    return mesh;
}

}  // namespace

EvenSurface::EvenSurface(const TriMesh& original) : original_(original), nearest_(original), base_(original) {}

// Coarsening puts vertices where the shape needs them, and shows as creases what is sharp at this size, like the rim of an ear. The base
// saves going down from a huge mesh with every size that is tried. False: not wanted any more.
bool EvenSurface::start_from(int vertices, const Progress& progress) {
    const auto size = [](const TriMesh& mesh) { return static_cast<double>(mesh.vertices.size()); };
    bool wanted = true;
    const auto coarser = [&](const TriMesh& mesh, double times) {
        return simplify(mesh, static_cast<int>(times * vertices),
                        [&](double done) { return wanted = wanted && keep_going(progress, stage, 0.4 * done); });
    };
    if (size(base_) < size(original_) && size(base_) < far_too_fine * vertices) base_ = original_;
    if (size(base_) > huge * vertices) base_ = coarser(base_, 0.5 * huge);
    if (!wanted) return false;
    start_ = size(base_) > far_too_fine * vertices ? coarser(base_, fine) : base_;
    return wanted;
}

bool EvenSurface::resembles(const TriMesh& even, double edge, const Progress& progress) const {
    if (euler(even) != euler(original_)) return false;
    const double volume = signed_volume(original_);
    if (!(std::abs(signed_volume(even) - volume) < volume_lost * volume)) return false;
    const std::vector<double> parts = volumes_of_parts(original_), even_parts = volumes_of_parts(even);
    if (parts.size() != even_parts.size()) return false;
    for (std::size_t k = 0; k < parts.size(); ++k)
        if (!(std::abs(even_parts[k] - parts[k]) < part_lost * std::abs(parts[k]))) return false;
    const double distance = distance_lost * edge;
    if (!near(even.vertices, nearest_, distance, progress) || !near(centres(even), nearest_, distance, progress)) return false;
    if (!near(original_.vertices, NearestPoint(even), distance, progress)) return false;
    return check_surface(definite(even, 1e-7 * edge), progress).good();
}

std::optional<TriMesh> EvenSurface::attempt(double edge, bool keep_creases, const Progress& progress) const {
    RemeshGuide guide{.project = [&](const Vec3& p, const Vec3& normal) { return nearest_.facing(p, normal, 2 * edge); }, .strong = true};
    if (keep_creases) guide.creases = find_creases(start_, edge), guide.fixed = pointed_vertices(start_);
    const CreaseLines lines(start_, guide.creases);
    guide.project_to_line = [&](const Vec3& p, int line) { return lines.nearest(p, line); };
    bool wanted = true;
    guide.keep_going = [&](double done) { return wanted = wanted && keep_going(progress, stage, 0.4 + 0.3 * done); };
    TriMesh even = remesh(start_, edge, rounds, guide);
    if (!wanted || !fit_surface(even, original_, edge, [&](double done) { return keep_going(progress, stage, 0.7 + 0.2 * done); }))
        return {};
    if (!resembles(even, edge, progress)) return {};
    return even;
}

std::vector<TriMesh> EvenSurface::make(double edge, const Progress& progress) {
    if (!keep_going(progress, stage, 0)) return {};
    const double vertices = area(original_) / (0.87 * edge * edge);
    if (!(vertices < most_vertices) || !start_from(static_cast<int>(vertices), progress)) return {};
    std::vector<TriMesh> all;
    for (const bool keep_creases : {true, false}) {
        if (!all.empty() && smallest_share(all[0], edge) > small_share) break;
        if (!keep_going(progress, stage, 0.4)) return {};
        if (std::optional<TriMesh> even = attempt(edge, keep_creases, progress)) all.push_back(std::move(*even));
    }
    return all;
}

}  // namespace wobble
