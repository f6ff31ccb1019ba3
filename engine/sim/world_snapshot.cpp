// What others see of a World.
#include "engine/mesh/volume/embedding.h"
#include "engine/model/drivers/hand.h"
#include "engine/sim/surface_view.h"
#include "engine/sim/world_implementation.h"

namespace wobble {

namespace {

// det F <= 0; a volume is that of the rest shape, which is positive, times det F.
int inverted_tets(const TetMesh& mesh, const VecX& q) {
    int count = 0;
    const double* const x = q.data();
    for (const Tet& t : mesh.tets) {
        const Eigen::Map<const Vec3> x0(x + 3 * t[0]), x1(x + 3 * t[1]), x2(x + 3 * t[2]), x3(x + 3 * t[3]);
        count += !((x1 - x0).cross(x2 - x0).dot(x3 - x0) > 0);
    }
    return count;
}

}  // namespace

EnergySample World::sample() const {
    const Implementation& s = *self_;
    const StepReport& report = s.stepper.report();
    return {s.state.t,
            s.book.energies(),
            s.last_step,
            report.newton_iterations,
            report.linear_iterations,
            report.krylov_dimension,
            s.stepper.counters().rejected,
            s.stepper.counters().redone};
}

Snapshot World::snapshot() const {
    const Implementation& s = *self_;
    Snapshot shot;
    shot.step = s.steps;
    shot.rejected_steps = s.stepper.counters().rejected;
    shot.redone_steps = s.stepper.counters().redone;
    shot.t = s.state.t;
    shot.h = s.steps > 0 ? s.last_step : s.step_size();
    shot.asked_step = s.settings.step > 0 ? s.settings.step : s.stepper.control().active() ? s.longest_step() : shot.h;
    shot.settings = s.settings;
    shot.running = s.running;
    shot.speed = s.speed;
    shot.threads = s.workers->at_work();
    shot.energies = s.book.energies();
    shot.omega_max = s.highest_frequency_now();
    shot.particles = s.system->particles();
    shot.dofs = s.system->degrees_of_freedom();
    shot.tets = static_cast<int>(s.loaded->body.tets.tets.size());
    shot.inverted = inverted_tets(s.loaded->body.tets, s.state.q);
    shot.mass = s.system->total_mass();
    deform(s.loaded->body.embedding, s.state.q, shot.positions);
    shot.surface = s.surface;
    if (s.shown.particles) {
        shot.particle_positions.reserve(static_cast<std::size_t>(s.system->particles()));
        shot.particle_velocities.reserve(static_cast<std::size_t>(s.system->particles()));
        for (int i = 0; i < s.system->particles(); ++i) {
            shot.particle_positions.push_back(particle(s.state.q, i).cast<float>());
            shot.particle_velocities.push_back(particle(s.state.v, i).cast<float>());
        }
    }
    shot.field = s.shown.field;
    if (s.shown.field != Field::none && !s.probe) s.probe.emplace(s.loaded->body, parts_of(*s.loaded, s.settings));
    if (s.probe) s.probe->measure(s.shown.field, s.state, s.system->materials(), shot.values);
    if (s.shown.particles && s.shown.field != Field::none)
        shot.particle_values.assign(s.probe->per_particle().begin(), s.probe->per_particle().end());
    shot.history_begin = s.history.begin(), shot.history_end = s.history.end();
    shot.frame_interval = s.frames.interval, shot.frame = s.frames.number, shot.on_frame = s.frames.reached;
    if (const Hand* hand = s.drivers.find<Hand>(); hand->active())
        shot.grab = GrabView{hand->hit_point(s.loaded->body, s.state.q).cast<float>(), hand->target().cast<float>()};
    for (int o = 0; o < static_cast<int>(s.settings.obstacles.size()); ++o)
        shot.obstacle_poses.push_back(s.system->contact().pose_at(s.state, s.system->internal_variables(), o));
    for (const ActiveSet::Seen& c : s.system->contact().seen())
        shot.contacts.push_back({particle(s.state.q, c.particle).cast<float>(), c.force.cast<float>()});
    shot.penetration = s.system->contact().deepest();
    shot.contact_seconds = s.system->contact().seconds();
    shot.report = s.stepper.report();
    shot.scene = s.loaded;
    shot.message = s.message;
    shot.state_hash = state_hash();
    return shot;
}

}  // namespace wobble
