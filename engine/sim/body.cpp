#include "engine/sim/body.h"

#include "engine/mesh/obj.h"
#include "engine/model/edge_tangent.h"
#include "engine/model/stiff_regions.h"
#include "engine/sim/pins.h"

#include <algorithm>

namespace wobble {

namespace {

Result<BodyMesh> build_body(const Scene& scene, const Progress& progress) {
    BodyOptions options;
    options.resolution = static_cast<int>(scene.parameters.resolution);
    if (const auto* source = std::get_if<ShapeSource>(&scene.source)) {
        const Shape* shape = find_shape(source->shape);
        if (!shape) return Error{"There is no shape \"" + source->shape + "\"; use bunny, beam, sphere, torus, coil or cloth."};
        return make_body(*shape, source->parameters, options, progress);
    }
    const auto& file = std::get<FileSource>(scene.source);
    auto surface = load_obj(file.file);
    if (!surface) return surface.error();
    return make_body(std::move(surface).value(), file.file.string(), file.size, options, progress);
}

// Whether any tet or spring belongs to the region.
bool has_elements(const StiffRegion& region, const BodyMesh& body, ElasticModel::Kind kind) {
    const RegionBox box(body.tets.vertices);
    const auto inside = [&](const auto& particles) { return box.contains(region, particles); };
    if (std::any_of(body.tets.tets.begin(), body.tets.tets.end(), inside)) return true;
    if (kind == ElasticModel::Kind::corotational) return false;
    const std::vector<Edge> edges = unique_edges(body.tets);
    return std::any_of(edges.begin(), edges.end(), inside) ||
           std::any_of(body.links.begin(), body.links.end(), [&](const Link& link) { return inside(Edge{link.i, link.j}); });
}

}  // namespace

Result<std::shared_ptr<const LoadedScene>> build_scene(Scene scene, const Progress& progress) {
    auto body = build_body(scene, progress);
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
    return std::shared_ptr<const LoadedScene>(new LoadedScene{std::move(scene), std::move(body).value()});
}

Result<MeshReport> check_mesh_file(const std::filesystem::path& file) {
    const auto surface = load_obj(file);
    if (!surface) return surface.error();
    return check_surface(surface.value());
}

}  // namespace wobble
