#include "engine/sim/system_factory.h"

#include "engine/model/drivers/hand.h"
#include "engine/model/drivers/moving_pins.h"
#include "engine/model/drivers/wind.h"
#include "engine/scene/pin_rules.h"
#include "engine/solve/krylov/spectrum.h"

#include <algorithm>

namespace wobble {

std::shared_ptr<Workers> make_workers(const LoadedScene& loaded, int threads, std::stop_token stop) {
    // A thread pays off from some hundred particles on.
    const int useful = std::max(1, static_cast<int>(loaded.body.tets.vertices.size()) / 500);
    return std::make_shared<Workers>(std::min(useful, threads > 0 ? threads : cores()), std::move(stop));
}

std::unique_ptr<MechanicalSystem> make_system(const LoadedScene& loaded, std::shared_ptr<Workers> workers) {
    return make_system(loaded, constraints(loaded.scene.pins, loaded.body.tets.vertices), std::move(workers));
}

std::unique_ptr<MechanicalSystem> make_system(const LoadedScene& loaded, Constraints held, std::shared_ptr<Workers> workers) {
    const Scene& scene = loaded.scene;
    SystemParts parts = body_parts(loaded.body.tets, loaded.body.links, scene.model, workers);
    if (loaded.add_forces) loaded.add_forces(parts);
    return std::make_unique<MechanicalSystem>(std::move(parts), std::move(held), scene.parameters, std::move(workers));
}

Drivers make_drivers(const LoadedScene& loaded) {
    const Scene& scene = loaded.scene;
    Drivers drivers;
    drivers.append(Hand());
    drivers.append(Wind(loaded.body.tets, scene.wind)).set_speed(scene.parameters.wind);
    drivers.append(MovingPins(moving_pins(scene.pins, loaded.body.tets.vertices)));
    return drivers;
}

State initial_state(const LoadedScene& loaded, const MechanicalSystem& system) {
    State state = initial_state(loaded, system.constraints());
    state.internal = system.start_internal();
    return state;
}

State initial_state(const LoadedScene& loaded, const Constraints& constraints) {
    const TetMesh& mesh = loaded.body.tets;
    const Scene& scene = loaded.scene;
    const double ground = bounding_box(mesh.vertices).low.y();
    State state;
    state.q.resize(3 * constraints.particles());
    state.v.setZero(3 * constraints.particles());
    for (int i = 0; i < constraints.particles(); ++i) {
        particle(state.q, i) = mesh.vertices[i];
        if (!constraints.held()[i]) particle(state.v, i) = scene.initial_velocity + (mesh.vertices[i].y() - ground) * scene.initial_shear;
    }
    constraints.project(state.v);
    return state;
}

IntegratorOptions integrator_options(const Scene& scene) { return {.solver = scene.solver}; }

double highest_frequency(const LoadedScene& loaded, const MechanicalSystem& system) {
    BlockMatrix K(system.pattern());
    system.stiffness(initial_state(loaded, system).q, K);
    return highest_frequency({system.workers(), K, system.mass(), system.inverse_mass(), 0, 0});
}

}  // namespace wobble
