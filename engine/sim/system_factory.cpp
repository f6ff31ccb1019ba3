#include "engine/sim/system_factory.h"

#include "engine/model/contact/repulsion.h"
#include "engine/model/drivers/hand.h"
#include "engine/model/drivers/moving_pins.h"
#include "engine/model/drivers/wind.h"
#include "engine/scene/pin_rules.h"
#include "engine/solve/krylov/spectrum.h"

#include <algorithm>

namespace wobble {

std::vector<BodyPart> parts_of(const LoadedScene& loaded, const RunSettings& settings) {
    std::vector<BodyPart> parts;
    for (int b = 0; b < loaded.scene.count(); ++b) parts.push_back({loaded.range(b), body_model(loaded.scene, settings, b)});
    return parts;
}

std::shared_ptr<Workers> make_workers(const LoadedScene& loaded, int threads, std::stop_token stop) {
    // A thread pays off from some hundred particles on.
    const int useful = std::max(1, static_cast<int>(loaded.body.tets.vertices.size()) / 500);
    return std::make_shared<Workers>(std::min(useful, threads > 0 ? threads : cores()), std::move(stop));
}

namespace {

SystemParts parts_of(const LoadedScene& loaded, const RunSettings& settings, const std::shared_ptr<Workers>& workers) {
    SystemParts parts = body_parts(loaded.body, parts_of(loaded, settings), workers);
    if (loaded.add_forces) loaded.add_forces(parts);
    return parts;
}

std::unique_ptr<ForceModel> make_repulsion(const LoadedScene& loaded, const SystemParts& parts, const Constraints& held,
                                           Repulsion::Rules rules, const std::shared_ptr<Workers>& workers) {
    std::vector<BodyRange> ranges;
    for (int b = 0; b < loaded.scene.count(); ++b) ranges.push_back(loaded.range(b));
    std::vector<std::uint8_t> fixed = held.held();
    for (const Constraint& constraint : held.all()) fixed[constraint.particle] = 1;
    auto surface = std::make_shared<ContactSurface>(contact_surface(loaded.body.tets, ranges));
    for (int b = 0; b < loaded.scene.count(); ++b)
        surface->bodies[b].corotational = !ranges[b].sheet() && loaded.scene.body(b).model.kind == ElasticModel::Kind::corotational;
    return std::make_unique<Repulsion>(std::move(surface), rules, parts.share, std::move(fixed), workers);
}

// Without internal variables.
State initial_motion(const LoadedScene& loaded, const Constraints& constraints) {
    const TetMesh& mesh = loaded.body.tets;
    const Scene& scene = loaded.scene;
    State state;
    state.q.resize(3 * constraints.particles());
    state.v.setZero(3 * constraints.particles());
    for (int b = 0; b < scene.count(); ++b) {
        const BodySource& source = scene.body(b);
        const double ground = bounding_box(loaded.rest_of(b)).low.y();
        const IndexRange own = loaded.range(b).particles;
        for (int i = own.begin; i < own.end; ++i) {
            particle(state.q, i) = mesh.vertices[i] + scene.settings.drop_height * Vec3::UnitY();
            if (!constraints.held()[i])
                particle(state.v, i) = source.initial_velocity + (mesh.vertices[i].y() - ground) * source.initial_shear;
        }
    }
    constraints.project(state.v);
    return state;
}

}  // namespace

std::unique_ptr<MechanicalSystem> make_system(const LoadedScene& loaded, std::shared_ptr<Workers> workers) {
    return make_system(loaded, loaded.scene.settings, constraints(loaded), std::move(workers));
}

std::unique_ptr<MechanicalSystem> make_system(const LoadedScene& loaded, const RunSettings& settings, Constraints held,
                                              std::shared_ptr<Workers> workers) {
    SystemParts parts = parts_of(loaded, settings, workers);
    const ContactRules& contact = settings.contact;
    if (const bool bodies = contact.bodies && loaded.scene.count() > 1; bodies || contact.self)
        parts.forces.push_back(make_repulsion(loaded, parts, held, {bodies, contact.self}, workers));
    auto system = std::make_unique<MechanicalSystem>(std::move(parts), std::move(held), settings.parameters(), std::move(workers));
    if (loaded.scene.count() > 1) set_materials(*system, settings);
    set_contact(*system, loaded, settings);
    return system;
}

// Vertices of all surfaces, with the law of their body.
void set_contact(MechanicalSystem& system, const LoadedScene& loaded, const RunSettings& settings) {
    std::vector<ActiveSet::Vertex> vertices;
    std::vector<TouchLaw> laws;
    for (int b = 0; b < loaded.scene.count(); ++b) {
        const Parameters& p = settings.parameters(b);
        const double size = bounding_box(loaded.rest_of(b)).size().maxCoeff();
        const double thickness = p.contact_thickness > 0 ? p.contact_thickness : 0.01 * size;
        laws.push_back({p.friction, p.restitution, thickness, loaded.range(b).sheet() ? 0.5 * thickness : 0.0});
        const BodyRange range = loaded.range(b);
        std::vector<std::uint8_t> outside(static_cast<std::size_t>(range.particles.size()), 0);
        for (int t = range.boundary.begin; t < range.boundary.end; ++t)
            for (int i : loaded.body.tets.boundary[static_cast<std::size_t>(t)])
                outside[static_cast<std::size_t>(i - range.particles.begin)] = 1;
        for (int i = range.particles.begin; i < range.particles.end; ++i)
            if (outside[static_cast<std::size_t>(i - range.particles.begin)]) vertices.push_back({i, b});
    }
    system.contact().set_vertices(std::move(vertices));
    system.contact().set_laws(std::move(laws));
    system.contact().set_obstacles(settings.obstacles);
}

Drivers make_drivers(const LoadedScene& loaded) {
    const Scene& scene = loaded.scene;
    Drivers drivers;
    drivers.append(Hand());
    drivers.append(Wind(loaded.body.tets, scene.wind)).set_speed(scene.settings.parameters().wind);
    drivers.append(moving_pins(loaded, scene.settings));
    return drivers;
}

State initial_state(const LoadedScene& loaded, const MechanicalSystem& system) {
    State state = initial_motion(loaded, system.constraints());
    state.internal = system.start_internal();
    return state;
}

State initial_state(const LoadedScene& loaded, const Constraints& constraints) {
    State state = initial_motion(loaded, constraints);
    if (!loaded.add_forces) return state;  // those of the bodies are elastic and have no internal variables
    const SystemParts parts = parts_of(loaded, loaded.scene.settings, make_workers(loaded, 1));
    state.internal = start_internal(parts.forces, place_internal(parts.forces));
    return state;
}

MovingPins moving_pins(const LoadedScene& loaded, const RunSettings& settings) {
    std::vector<MovingPin> all;
    for (int b = 0; b < loaded.scene.count(); ++b)
        for (MovingPin pin : moving_pins(settings.pins(b), loaded.rest_of(b)))
            pin.particle += loaded.range(b).particles.begin, all.push_back(pin);
    return MovingPins(std::move(all));
}

void set_materials(MechanicalSystem& system, const RunSettings& settings) {
    std::vector<Material> materials;
    for (const BodySettings& body : settings.bodies) materials.push_back(body.parameters);
    system.set_materials(std::move(materials));
}

IntegratorOptions integrator_options(const Scene& scene) { return {.solver = scene.settings.solver}; }

double highest_frequency(const LoadedScene& loaded, MechanicalSystem& system) {
    const State start = initial_state(loaded, system);
    system.prepare(start);
    BlockMatrix K(system.pattern());
    system.stiffness(start.q, K);
    return highest_frequency({system.workers(), K, system.mass(), system.inverse_mass(), 0, 0});
}

}  // namespace wobble
