#include "engine/scene/loaded_scene.h"

#include "engine/mesh/surface/repair.h"
#include "engine/mesh/surface/triangle_adjacency.h"
#include "engine/mesh/surface/weld.h"
#include "engine/mesh/volume/embedding.h"
#include "engine/mesh/volume/tet_body.h"
#include "engine/mesh/wrap/any_body.h"
#include "engine/model/edge_tangent.h"
#include "engine/model/forces/stiff_regions.h"
#include "engine/scene/obstacles.h"
#include "engine/scene/pin_rules.h"
#include "engine/scene/softness.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

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

// Whether a body can be made of it.
bool usable(const MeshReport& report, SurfaceUse as) {
    if (as == SurfaceUse::solid) return report.good();
    return std::none_of(report.findings.begin(), report.findings.end(),
                        [](const Finding& f) { return f.fault == Fault::not_finite || f.fault == Fault::empty; });
}

// The surface of a file, repaired if the scene says so; one of which nothing can be made goes to `refused`.
Result<TriMesh> usable_surface(const FileSource& file, const ImportedMesh& read, const Progress& progress, BodyReport& report,
                               std::optional<RefusedSurface>* refused) {
    auto welded = welded_surface(read, progress);
    if (!welded) return welded;
    TriMesh surface = std::move(welded).value();
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
    if (usable(report.surface, file.as)) return surface;
    const Error fault{file.file.string() + ": " + report.surface.findings[0].sentence};
    if (refused) *refused = {std::move(surface), report.surface, report.repaired};
    return fault;
}

Mat3 rotation(const Place& place) {
    return Eigen::AngleAxisd(place.angle * std::numbers::pi / 180, place.axis.normalized()).toRotationMatrix();
}

// x = translation + size R (X - c) + c, see Place.
void put(std::vector<Vec3>& points, const Place& place, const Vec3& foot) {
    const Mat3 R = rotation(place);
    for (Vec3& x : points) x = place.translation + place.size * (R * (x - foot)) + foot;
}

void put(BodyMesh& body, const Place& place, BodyReport& report, FileVertices* file) {
    if (place == Place{}) return;
    const Box box = bounding_box(body.surface.vertices);
    const Vec3 foot(box.centre().x(), box.low.y(), box.centre().z());
    put(body.tets.vertices, place, foot);
    put(body.surface.vertices, place, foot);
    if (file) {
        std::vector<Vec3> shift{Vec3::Zero()};
        put(shift, place, foot);
        file->to_scene = file->to_scene.then({place.size * rotation(place), shift[0]});
    }
    report.surface.box = bounding_box(body.surface.vertices);
    report.surface.volume *= place.size * place.size * place.size;
}

// What a body from a file is besides a body; empty for a shape.
struct Origin {
    std::shared_ptr<FileVertices> file;
    std::shared_ptr<const SurfaceLook> look;
};

// Keeps the file's mesh, and its look for the triangles that are drawn. particle: that each of the file's vertices is, if that is known.
Origin origin_of(ImportedMesh read, const BodyMesh& body, const FileFrame& frame, const std::vector<int>* particle) {
    TriMesh moved{read.vertices, read.triangles};  // by the same operations as the body's surface: they fit to the last bit
    Origin origin{std::make_shared<FileVertices>(), nullptr};
    put_in_frame(moved.vertices, frame);
    origin.file->to_scene = {frame.scale * frame.turn, frame.shift};
    origin.file->follows = particle ? *particle : nearest_drawn(moved.vertices, body.surface);
    for (int& v : origin.file->follows) v = std::max(v, 0);  // what belongs to no tetrahedron follows any
    if (read.look) origin.look = look_on(*read.look, moved, origin.file->follows, body.surface);
    origin.file->vertices = std::move(read.vertices);
    origin.file->triangles = std::move(read.triangles);
    return origin;
}

// The page about the mesh speaks of the body, not of the file's units.
void measure(const BodyMesh& body, MeshReport& report) {
    report.box = bounding_box(body.surface.vertices);
    report.volume = signed_volume(body.surface);
}

Result<BodyMesh> body_of_tets(ImportedMesh read, FileSource& file, BodyReport& report, Origin& origin) {
    TriMesh boundary{read.vertices, read.triangles};
    drop_unused_vertices(boundary);
    report.surface.vertices = static_cast<int>(boundary.vertices.size());
    report.surface.triangles = static_cast<int>(boundary.triangles.size());
    components(boundary, report.surface.components);
    Box box = bounding_box(boundary.vertices);
    report.file = place_in_world(boundary, box, file);
    ImportedMesh placed{read.vertices, read.triangles, read.tets};
    put_in_frame(placed.vertices, *report.file);
    TetBody made = tet_body(placed, 0);
    origin = origin_of(std::move(read), made.body, *report.file, &made.particle);
    measure(made.body, report.surface);
    return std::move(made.body);
}

// A guessed axis of a file is replaced by what the format says or what was found.
Result<BodyMesh> build_body(BodySource& source, const Parameters& parameters, const Progress& progress, BodyReport& report,
                            std::optional<RefusedSurface>* refused, Origin& origin) {
    BodyOptions options;
    options.resolution = static_cast<int>(parameters.resolution);
    if (const auto* shape = std::get_if<ShapeSource>(&source.source)) return body_of_shape(*shape, options, progress, report);
    auto& file = std::get<FileSource>(source.source);
    auto read = read_mesh_file(file.file, {}, progress);
    if (!read) return read.error();
    report.notes = read.value().notes;
    if (const int up = read.value().up; file.up == UpAxis::guessed && up >= 0)
        file.up = up == 0 ? UpAxis::x : up == 1 ? UpAxis::y : UpAxis::z;
    if (!read.value().tets.empty()) return body_of_tets(std::move(read).value(), file, report, origin);
    auto surface = usable_surface(file, read.value(), progress, report, refused);
    if (!surface) return surface.error();
    report.file = place_in_world(surface.value(), report.surface.box, file);
    auto made = make_any_body(std::move(surface).value(), file.file.string(), {.as = file.as, .body = options}, progress, &report.surface);
    if (!made) return made.error();
    BodyMesh& body = made.value().body;
    report.used = made.value().used, report.made = std::move(made.value().sentence);
    measure(body, report.surface);
    if (!keep_going(progress, "finding the file's vertices", 0)) return cancelled;
    origin = origin_of(std::move(read).value(), body, *report.file, nullptr);
    return std::move(body);
}

// Whether any tet or spring belongs to the region.
bool has_elements(const StiffRegion& region, const BodyMesh& body, ElasticModel::Kind kind) {
    const RegionBox box(body.tets.vertices);
    const auto inside = [&](const auto& particles) { return box.contains(region, particles); };
    if (std::any_of(body.tets.tets.begin(), body.tets.tets.end(), inside)) return true;
    if (kind != ElasticModel::Kind::springs) return false;
    const std::vector<Edge> edges = unique_edges(body.tets);
    return std::any_of(edges.begin(), edges.end(), inside) || std::any_of(body.links.begin(), body.links.end(), [&](const Link& link) {
               return inside(Edge{link.i, link.j});
           });
}

// What of a scene's description of this body cannot be.
Result<void> fits(const BodySource& source, const BodySettings& settings, const BodyMesh& body, const std::string& name) {
    const auto* file = std::get_if<FileSource>(&source.source);
    if (body.sheet() && source.model.continuum() && !(file && file->as == SurfaceUse::sheet))
        return Error{name + " is a sheet of springs, which has no tetrahedra; use kind = \"springs\" in [model]."};
    for (std::size_t i = 0; i < settings.pins.size(); ++i)
        if (particles_in(settings.pins[i], body.tets.vertices) == 0)
            return Error{"Pin rule " + std::to_string(i + 1) + " of " + name + " catches no vertex; make its box larger."};
    for (std::size_t i = 0; i < source.model.regions.size(); ++i)
        if (!has_elements(source.model.regions[i], body, source.model.kind))
            return Error{"Region " + std::to_string(i + 1) + " of " + name + " catches no spring or tetrahedron; make its box larger."};
    return {};
}

// What bodies were to be made of instead of what their sources say.
Result<void> settle_models(LoadedScene& loaded) {
    RunSettings& settings = loaded.scene.settings;
    for (int b = 0; b < loaded.scene.count(); ++b) {
        const auto at = static_cast<std::size_t>(b);
        const auto wanted = settings.bodies[at].model;
        settings.bodies[at].model.reset();
        if (!wanted) continue;
        if (auto changed = change_model(loaded, settings, b, *wanted); !changed) return changed;
        settings.bodies[at].model.reset();
        loaded.scene.body(b).model.kind = *wanted;
    }
    return {};
}

}  // namespace

std::span<const Vec3> LoadedScene::rest_of(int i) const {
    const IndexRange own = range(i).particles;
    return std::span(body.tets.vertices).subspan(static_cast<std::size_t>(own.begin), static_cast<std::size_t>(own.size()));
}

int LoadedScene::body_of_triangle(int triangle) const {
    for (int i = 0; i < static_cast<int>(ranges.size()); ++i)
        if (ranges[static_cast<std::size_t>(i)].triangles.contains(triangle)) return i;
    return 0;
}

int LoadedScene::body_of_particle(int particle) const {
    for (int i = 0; i < static_cast<int>(ranges.size()); ++i)
        if (ranges[static_cast<std::size_t>(i)].particles.contains(particle)) return i;
    return 0;
}

std::vector<Vec3f> drawn_at_rest(const LoadedScene& loaded) {
    const std::vector<Vec3>& particles = loaded.body.tets.vertices;
    VecX q(3 * static_cast<Eigen::Index>(particles.size()));
    for (std::size_t i = 0; i < particles.size(); ++i) particle(q, static_cast<int>(i)) = particles[i];
    std::vector<Vec3f> out;
    deform(loaded.body.embedding, q, out);
    return out;
}

Constraints constraints(const LoadedScene& loaded, const RunSettings& settings) {
    std::vector<Constraint> all;
    for (int b = 0; b < loaded.scene.count(); ++b)
        for (Constraint held : held_by(settings.pins(b), loaded.rest_of(b)))
            held.particle += loaded.range(b).particles.begin, all.push_back(held);
    return Constraints(static_cast<int>(loaded.body.tets.vertices.size()), all);
}

Constraints constraints(const LoadedScene& loaded) { return loaded.held ? *loaded.held : constraints(loaded, loaded.scene.settings); }

Result<std::shared_ptr<const LoadedScene>> build_scene(Scene scene, const Progress& progress, std::optional<RefusedSurface>* refused) {
    auto loaded = std::make_shared<LoadedScene>();
    loaded->reports.clear();
    for (int b = 0; b < scene.count(); ++b) {
        BodySource& source = scene.body(b);
        BodyReport report;
        Origin origin;
        auto body = build_body(source, scene.settings.parameters(b), progress, report, refused, origin);
        if (!body) return body.error();
        const std::string name = "scene \"" + scene.name + "\"" + (scene.count() > 1 ? ", " + scene.body_name(b) : "");
        put(body.value(), source.place, report, origin.file.get());
        if (auto good = fits(source, scene.settings.bodies[static_cast<std::size_t>(b)], body.value(), name); !good) return good.error();
        if (!keep_going(progress, "judging the tetrahedra", 1)) return cancelled;
        if (!body.value().sheet()) report.tets = quality(body.value().tets);
        append_look(loaded->look, loaded->body.surface.triangles.size(), origin.look, body.value().surface.triangles.size());
        loaded->files.push_back(std::move(origin.file));
        loaded->ranges.push_back(append(loaded->body, body.value()));
        loaded->reports.push_back(std::move(report));
    }
    loaded->scene = std::move(scene);
    if (!keep_going(progress, "measuring the slowest wobble", 1)) return cancelled;
    if (auto done = settle_models(*loaded); !done) return Error{"scene \"" + loaded->scene.name + "\": " + done.message()};
    if (auto done = fulfil_wishes(*loaded, loaded->scene.settings, -1); !done)
        return Error{"scene \"" + loaded->scene.name + "\": " + done.message()};
    loaded->held = constraints(*loaded, loaded->scene.settings);
    if (loaded->held->degrees_of_freedom() == 0)
        return Error{"The pins of scene \"" + loaded->scene.name +
                     "\" hold every vertex, so nothing could move; make their fraction smaller."};
    if (auto read = load_obstacles(loaded->scene.settings.obstacles); !read) return read.error();
    loaded->ground = ground_under(*loaded, loaded->scene.settings);
    put_floor(loaded->scene.settings, loaded->ground);
    return std::shared_ptr<const LoadedScene>(std::move(loaded));
}

}  // namespace wobble
