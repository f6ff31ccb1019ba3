#include "engine/mesh/volume/body_mesh.h"

#include "engine/core/text.h"
#include "engine/mesh/shapes/shapes.h"
#include "engine/mesh/surface/even_surface.h"
#include "engine/mesh/surface/self_intersection.h"
#include "engine/mesh/surface/simplify.h"
#include "engine/mesh/volume/embedding.h"
#include "engine/mesh/volume/expected_vertices.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace wobble {
namespace {

constexpr int smallest_resolution = 20, largest_resolution = 1'000'000;
constexpr double close_enough = 0.1, far_off = 0.25;  // relative, number of vertices got against wanted
constexpr double very_light = 0.05;
constexpr int soon_even = 20000;  // vertices: with more, evening out takes several times as long as filling, and is tried second
constexpr int attempts = 4;
constexpr int drawn_triangles = 16000;
constexpr double volume_of_edge = 0.2;  // largest tet volume over edge^3: a regular tet has 0.118, TetGen needs room to choose

const Error cancelled{"Building the body was cancelled."};

double mean_edge(const TriMesh& mesh) { return std::sqrt(area(mesh) / static_cast<double>(mesh.triangles.size()) * 4 / std::sqrt(3.0)); }

double miss(const TetMesh& mesh, double wanted) { return std::abs(std::log(static_cast<double>(mesh.vertices.size()) / wanted)); }

// The mean volume of the tets around the vertex where it is smallest, in mean tets. Springs are per tet and masses by volume, so the
// highest natural frequency is about proportional to the inverse square root of this.
double lightest(const TetMesh& mesh) {
    std::vector<double> volumes(mesh.vertices.size(), 0);
    std::vector<int> counts(mesh.vertices.size(), 0);
    for (const Tet& tet : mesh.tets)
        for (int v : tet) volumes[v] += volume(mesh, tet), ++counts[v];
    double smallest = 1e300;
    for (std::size_t v = 0; v < volumes.size(); ++v) smallest = std::min(smallest, volumes[v] / counts[v]);
    return smallest * static_cast<double>(mesh.tets.size()) / volume(mesh);
}

bool better(const TetMesh& a, const TetMesh& b, double wanted) {
    const double miss_a = miss(a, wanted), miss_b = miss(b, wanted);
    return std::max(miss_a, miss_b) > far_off ? miss_a < miss_b : lightest(a) > lightest(b);
}

// Tries tet meshes until one has about as many vertices as wanted. build(control) is expected to grow like control^-power.
template <class Build>
Result<TetMesh> aim(double wanted, double control, double power, Build&& build) {
    Result<TetMesh> best = Error{"No tetrahedra were made."};
    for (int attempt = 0; attempt < attempts; ++attempt) {
        Result<TetMesh> mesh = build(control);
        if (!mesh) return best.ok() ? std::move(best) : std::move(mesh);
        const double ratio = static_cast<double>(mesh.value().vertices.size()) / wanted;
        if (!best || miss(mesh.value(), wanted) < miss(best.value(), wanted)) best = std::move(mesh);
        if (miss(best.value(), wanted) < close_enough) break;
        control *= std::pow(ratio, 1 / power);
    }
    return best;
}

Result<BodyMesh> finish(Result<TetMesh> tets, TriMesh surface, const std::string& name, const Progress& progress) {
    if (!tets) return Error{text(name, ": ", tets.message())};
    if (!keep_going(progress, "embedding the surface", 0)) return cancelled;
    BodyMesh body{.tets = std::move(tets).value(), .surface = std::move(surface)};
    bool wanted = true;
    body.embedding =
        embed(body.surface.vertices, body.tets, [&](double done) { return wanted = keep_going(progress, "embedding the surface", done); });
    if (!wanted) return cancelled;
    return body;
}

Result<ShapeParameters> complete(const Shape& shape, const ShapeParameters& given) {
    ShapeParameters all = shape.parameters;
    for (const auto& [name, value] : given) {
        const auto found = all.find(name);
        if (found == all.end()) {
            std::string known;
            for (const auto& entry : shape.parameters) known += (known.empty() ? "" : ", ") + entry.first;
            return Error{text("The shape ", shape.name, " has no parameter ", name, "; it has ", known, ".")};
        }
        const double usual = found->second;
        if (!(value >= usual / 100 && value <= usual * 100))
            return Error{text("The parameter ", name, " = ", value, " of the shape ", shape.name, " is out of range; use ", usual / 100,
                              " to ", usual * 100, ".")};
        found->second = value;
    }
    return all;
}

Result<TriMesh> coarsen_without_cuts(const TriMesh& surface, int vertices, const Progress& progress) {
    for (double target = std::max(vertices, 4); target < 0.9 * static_cast<double>(surface.vertices.size()); target *= 1.5) {
        bool wanted = true;
        const auto asked = [&](double done) { return wanted = wanted && keep_going(progress, "coarsening the surface", done); };
        TriMesh coarse = simplify(surface, static_cast<int>(target), [&](double done) { return asked(0.7 * done); });
        if (!wanted) return cancelled;
        const SelfIntersections cuts = self_intersections(coarse, 1, [&](double done) { return asked(0.7 + 0.3 * done); });
        if (!wanted) return cancelled;
        if (cuts.none()) return coarse;
    }
    return surface;
}

// With even triangles on the surface and tets of the same size inside; an error where the surface does not bear that.
Result<TetMesh> fill_evenly(const TriMesh& surface, const BodyOptions& options, const Progress& progress) {
    const ExpectedVertices expected{area(surface), signed_volume(surface)};
    const double wanted = options.resolution, diagonal = bounding_box(surface.vertices).diagonal();
    EvenSurface evened(surface);
    return aim(wanted, expected.edge(wanted, diagonal), 2.5, [&](double e) -> Result<TetMesh> {
        std::vector<TriMesh> candidates;
        for (double finer : {1.0, 0.75, 0.55}) {  // thin parts may need smaller triangles
            candidates = evened.make(finer * e, progress);
            if (!candidates.empty()) break;
            if (!keep_going(progress, "evening out the surface", 1)) return cancelled;
        }
        TetrahedralizeOptions filling = options.tetrahedralize;
        if (!(filling.max_volume > 0)) filling.max_volume = volume_of_edge * e * e * e;
        filling.trim = true;
        Result<TetMesh> best = Error{"The surface cannot be made of even triangles of this size."};
        for (const TriMesh& even : candidates) {
            if (!keep_going(progress, "filling with tetrahedra", 0)) return cancelled;
            Result<TetMesh> mesh = tetrahedralize(even, filling, progress);
            if (!best || (mesh && lightest(mesh.value()) > lightest(best.value()))) best = std::move(mesh);
        }
        return best;
    });
}

// With the triangles the surface has; smaller tets inside if it is too coarse, fewer triangles if it is too fine.
Result<TetMesh> fill_as_it_is(const TriMesh& surface, const BodyOptions& options, const Progress& progress) {
    const double wanted = options.resolution;
    // Filled as it is, a surface gives at least its own vertices: no need to try that with a much finer one.
    const bool too_fine = std::log(static_cast<double>(surface.vertices.size()) / wanted) >= close_enough;
    Result<TetMesh> natural = Error{"The surface is finer than wanted."};
    if (!too_fine) natural = tetrahedralize(surface, options.tetrahedralize, progress);
    if (natural && miss(natural.value(), wanted) < close_enough) return natural;
    const double got = natural ? static_cast<double>(natural.value().vertices.size()) : 0;
    if (natural && got < wanted) {  // smaller tets inside the same surface
        const double volume = signed_volume(surface) / static_cast<double>(natural.value().tets.size()) * got / wanted;
        return aim(wanted, volume, 1, [&](double largest) -> Result<TetMesh> {
            TetrahedralizeOptions filling = options.tetrahedralize;
            filling.max_volume = largest;
            return tetrahedralize(surface, filling, progress);
        });
    }
    // A coarser surface, filled evenly. The control is the mean area of a surface vertex.
    const ExpectedVertices expected{area(surface), signed_volume(surface)};
    const double edge = expected.edge(wanted, std::sqrt(expected.area));
    Result<TetMesh> coarser = aim(wanted, expected.area / expected.on_surface(edge), 1.25, [&](double area_per_vertex) -> Result<TetMesh> {
        if (!keep_going(progress, "coarsening the surface", 0)) return cancelled;
        const Result<TriMesh> coarsened = coarsen_without_cuts(surface, static_cast<int>(expected.area / area_per_vertex), progress);
        if (!coarsened) return coarsened.error();
        const TriMesh& coarse = coarsened.value();
        TetrahedralizeOptions filling = options.tetrahedralize;
        if (!(filling.max_volume > 0)) filling.max_volume = volume_of_edge * std::pow(mean_edge(coarse), 3);
        return tetrahedralize(coarse, filling, progress);
    });
    if (!coarser && too_fine && keep_going(progress, "filling with tetrahedra", 0))
        natural = tetrahedralize(surface, options.tetrahedralize, progress);
    if (!coarser && natural) coarser = std::move(natural);
    return coarser;
}

}  // namespace

Result<void> check_options(const BodyOptions& options) {
    if (options.resolution == 0 || (options.resolution >= smallest_resolution && options.resolution <= largest_resolution)) return {};
    return Error{text("The resolution ", options.resolution, " is not possible; use ", smallest_resolution, " to ", largest_resolution,
                      " vertices, or 0 for what the surface gives.")};
}

Result<BodyMesh> make_body(const Shape& shape, const ShapeParameters& given, const BodyOptions& options, const Progress& progress) {
    if (const Result<void> fine = check_options(options); !fine) return fine.error();
    const Result<ShapeParameters> parameters = complete(shape, given);
    if (!parameters) return parameters.error();
    const std::string name = text("The shape ", shape.name);

    if (!keep_going(progress, "drawing the shape", 0)) return cancelled;
    if (shape.make_sheet) return shape.make_sheet(parameters.value(), options.resolution);
    const TriMesh first = shape.make(parameters.value(), 1);  // whatever comes: only for its size
    const double diagonal = bounding_box(first.vertices).diagonal();
    if (!keep_going(progress, "drawing the shape", 0.05)) return cancelled;
    const TriMesh rough = shape.make(parameters.value(), diagonal / 20);
    if (!keep_going(progress, "drawing the shape", 0.15)) return cancelled;
    TriMesh drawn = shape.make(parameters.value(), std::sqrt(area(rough) / drawn_triangles * 4 / std::sqrt(3.0)));
    if (const MeshReport report = check_surface(drawn, progress); report.cancelled) return cancelled;
    else if (!report.good()) return Error{text(name, " with these parameters does not work: ", report.findings[0].sentence)};

    const ExpectedVertices expected{area(drawn), signed_volume(drawn)};
    const double wanted = options.resolution > 0 ? options.resolution : expected.everywhere(diagonal / 30);
    Result<TetMesh> tets = aim(wanted, expected.edge(wanted, diagonal), 2.5, [&](double e) -> Result<TetMesh> {
        if (!keep_going(progress, "drawing the shape", 0.5)) return cancelled;
        const double vertices = expected.on_surface(e);
        TriMesh coarse = shape.make(parameters.value(), e);
        const MeshReport report = check_surface(coarse, progress);
        if (report.cancelled) return cancelled;
        if (!report.good()) coarse = drawn;  // too coarse for its thin parts
        if (static_cast<double>(coarse.vertices.size()) > 1.5 * vertices) {
            Result<TriMesh> coarser = coarsen_without_cuts(coarse, static_cast<int>(vertices), progress);
            if (!coarser) return coarser.error();
            coarse = std::move(coarser).value();
        }
        TetrahedralizeOptions filling = options.tetrahedralize;
        if (!(filling.max_volume > 0)) filling.max_volume = volume_of_edge * e * e * e;
        return tetrahedralize(coarse, filling, progress);
    });
    return finish(std::move(tets), std::move(drawn), name, progress);
}

void scale_and_rest(TriMesh& surface, const Box& box, double size) {
    const double scale = size / box.size().maxCoeff();
    const Vec3 foot(box.centre().x(), box.low.y(), box.centre().z());
    for (Vec3& p : surface.vertices) p = scale * (p - foot);
}

Result<BodyMesh> make_body(TriMesh surface, const std::string& name, double size, const BodyOptions& options, const Progress& progress,
                           const MeshReport* checked) {
    if (const Result<void> fine = check_options(options); !fine) return fine.error();
    if (!(size >= 0 && size <= 1e6))
        return Error{text("The size ", size, " m of ", name, " is not possible; use a positive length, or 0 to keep it.")};
    const MeshReport report = checked ? *checked : check_surface(surface, progress);
    if (report.cancelled) return cancelled;
    if (!report.good()) return Error{text(name, ": ", report.findings[0].sentence)};
    if (size > 0) scale_and_rest(surface, report.box, size);

    if (!keep_going(progress, "filling with tetrahedra", 0)) return cancelled;
    if (options.resolution == 0) {
        Result<TetMesh> natural = tetrahedralize(surface, options.tetrahedralize, progress);
        return finish(std::move(natural), std::move(surface), name, progress);
    }
    const bool evenly_first = options.resolution <= soon_even;
    Result<TetMesh> tets = evenly_first ? fill_evenly(surface, options, progress) : fill_as_it_is(surface, options, progress);
    if (!tets || miss(tets.value(), options.resolution) > far_off || lightest(tets.value()) < very_light) {
        if (!keep_going(progress, "filling with tetrahedra", 0)) return cancelled;
        Result<TetMesh> other = evenly_first ? fill_as_it_is(surface, options, progress) : fill_evenly(surface, options, progress);
        // If both fail, what filling it as it is says can be understood without knowing of the other.
        if (!tets ? other.ok() || evenly_first : other && better(other.value(), tets.value(), options.resolution)) tets = std::move(other);
    }
    return finish(std::move(tets), std::move(surface), name, progress);
}

}  // namespace wobble
