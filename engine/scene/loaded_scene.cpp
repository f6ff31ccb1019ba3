#include "engine/scene/loaded_scene.h"

#include "engine/mesh/io/obj.h"
#include "engine/mesh/surface/repair.h"
#include "engine/mesh/surface/triangle_adjacency.h"
#include "engine/model/edge_tangent.h"
#include "engine/model/forces/stiff_regions.h"
#include "engine/scene/pin_rules.h"

#include <algorithm>

namespace wobble {

namespace {

const Error cancelled{"Building the body was cancelled."};

Result<BodyMesh> body_of_shape(const ShapeSource& source, const BodyOptions& options, const Progress& progress, BodyReport& report) {
    const Shape* shape = find_shape(source.shape);
    if (!shape) return Error{"There is no shape \"" + source.shape + "\"; use bunny, beam, sphere, torus, coil or cloth."};
    auto body = make_body(*shape, source.parameters, options, progress);
    if (!body) return body;
    const TriMesh& surface = body.value().surface;  // checked while it was made
    report.surface.vertices = static_cast<int>(surface.vertices.size());
    report.surface.triangles = static_cast<int>(surface.triangles.size());
    components(surface, report.surface.components);
    report.surface.volume = body.value().sheet() ? 0 : signed_volume(surface);
    report.surface.box = bounding_box(surface.vertices);
    return body;
}

// The surface of a file, repaired if the scene says so; a faulty one goes to `refused`.
Result<TriMesh> sound_surface(const FileSource& file, const Progress& progress, BodyReport& report,
                              std::optional<RefusedSurface>* refused) {
    auto loaded = load_obj(file.file, progress);
    if (!loaded) return loaded;
    TriMesh surface = std::move(loaded).value();
    report.surface = check_surface(surface, progress);
    if (report.surface.cancelled) return cancelled;
    if (file.repair || file.largest_part) {
        RepairOptions options;
        options.faults = file.repair;
        options.keep_parts = file.largest_part ? 1 : 0;
        Repaired repaired = repair(std::move(surface), report.surface, options, progress);
        if (repaired.report.cancelled) return cancelled;
        surface = std::move(repaired.mesh);
        report.surface = std::move(repaired.report);
        report.repaired = std::move(repaired.done);
        report.repaired.insert(report.repaired.end(), repaired.left.begin(), repaired.left.end());
    }
    if (report.surface.good()) return surface;
    const Error fault{file.file.string() + ": " + report.surface.findings[0].sentence};
    if (refused) *refused = {std::move(surface), report.surface, report.repaired};
    return fault;
}

Result<BodyMesh> build_body(const Scene& scene, const Progress& progress, BodyReport& report, std::optional<RefusedSurface>* refused) {
    BodyOptions options;
    options.resolution = static_cast<int>(scene.parameters.resolution);
    if (const auto* source = std::get_if<ShapeSource>(&scene.source)) return body_of_shape(*source, options, progress, report);
    const auto& file = std::get<FileSource>(scene.source);
    auto surface = sound_surface(file, progress, report, refused);
    if (!surface) return surface.error();
    auto body = make_body(std::move(surface).value(), file.file.string(), file.size, options, progress, &report.surface);
    if (body && file.size > 0) {  // the page about the mesh speaks of the body, not of the file's units
        report.surface.box = bounding_box(body.value().surface.vertices);
        report.surface.volume = signed_volume(body.value().surface);
    }
    return body;
}

// Whether any tet or spring belongs to the region.
bool has_elements(const StiffRegion& region, const BodyMesh& body, ElasticModel::Kind kind) {
    const RegionBox box(body.tets.vertices);
    const auto inside = [&](const auto& particles) { return box.contains(region, particles); };
    if (std::any_of(body.tets.tets.begin(), body.tets.tets.end(), inside)) return true;
    if (kind == ElasticModel::Kind::corotational) return false;
    const std::vector<Edge> edges = unique_edges(body.tets);
    return std::any_of(edges.begin(), edges.end(), inside) || std::any_of(body.links.begin(), body.links.end(), [&](const Link& link) {
               return inside(Edge{link.i, link.j});
           });
}

}  // namespace

Result<std::shared_ptr<const LoadedScene>> build_scene(Scene scene, const Progress& progress, std::optional<RefusedSurface>* refused) {
    BodyReport report;
    auto body = build_body(scene, progress, report, refused);
    if (!body) return body.error();
    if (body.value().sheet() && scene.model.kind == ElasticModel::Kind::corotational)
        return Error{"Scene \"" + scene.name + "\" is a sheet of springs, which has no tetrahedra; use kind = \"springs\" in [model]."};
    if (constraints(scene.pins, body.value().tets.vertices).degrees_of_freedom() == 0)
        return Error{"The pins of scene \"" + scene.name + "\" hold every vertex, so nothing could move; make their fraction smaller."};
    for (std::size_t i = 0; i < scene.pins.size(); ++i)
        if (particles_in(scene.pins[i], body.value().tets.vertices) == 0)
            return Error{"Pin rule " + std::to_string(i + 1) + " of scene \"" + scene.name + "\" catches no vertex; make its box larger."};
    for (std::size_t i = 0; i < scene.model.regions.size(); ++i)
        if (!has_elements(scene.model.regions[i], body.value(), scene.model.kind))
            return Error{"Region " + std::to_string(i + 1) + " of scene \"" + scene.name +
                         "\" catches no spring or tetrahedron; make its box larger."};
    if (!keep_going(progress, "judging the tetrahedra", 1)) return cancelled;
    if (!body.value().sheet()) report.tets = quality(body.value().tets);
    return std::shared_ptr<const LoadedScene>(new LoadedScene{std::move(scene), std::move(body).value(), std::move(report)});
}

}  // namespace wobble
