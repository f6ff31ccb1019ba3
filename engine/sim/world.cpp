#include "engine/sim/world.h"

#include "engine/mesh/embedding.h"
#include "engine/sim/default_step.h"
#include "engine/sim/limits.h"
#include "engine/sim/start.h"
#include "engine/sim/stepper.h"
#include "engine/solve/spectrum.h"

#include <cmath>
#include <cstring>

namespace wobble {

namespace {

std::shared_ptr<const SurfaceTopology> surface_topology(const BodyMesh& body, const std::vector<std::uint8_t>& pinned) {
    auto topology = std::make_shared<SurfaceTopology>();
    topology->triangles = body.surface.triangles;
    topology->closed = !body.sheet();
    topology->rest_box = bounding_box(body.surface.vertices);
    for (std::size_t i = 0; i < body.surface.vertices.size(); ++i) {
        bool held = true;
        for (int k = 0; k < 4; ++k)
            held = held && (pinned[body.embedding.particle[i][k]] || std::abs(body.embedding.weight[i][k]) < 1e-6);
        topology->pinned.push_back(held);
    }
    return topology;
}

std::uint64_t hash_words(std::uint64_t hash, const double* data, Eigen::Index count) {
    for (Eigen::Index k = 0; k < count; ++k) {
        std::uint64_t word;
        std::memcpy(&word, data + k, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

constexpr double first_gain = 0.03;  // of the largest energy: a drift that a method's own step should not have
constexpr double shortest_fraction = 1e-3;  // of a step, after automatic halving
constexpr double shortest_controlled = 1e-6;  // of the longest step, under step control

std::string milliseconds(double h) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g ms", 1000 * h);
    return text;
}

}  // namespace

struct World::Implementation {
    std::shared_ptr<const LoadedScene> loaded;
    int threads = 0;  // asked for; 0: all cores
    std::stop_token stop;
    std::shared_ptr<Workers> workers;
    Parameters parameters;
    std::unique_ptr<MechanicalSystem> system;
    std::shared_ptr<const SurfaceTopology> surface;
    const Method* method = nullptr;
    SolverOptions solver;
    StepControl control = StepControl::fixed;
    double error_tolerance = 0.01;
    Stepper stepper;
    Drives drives;
    EnergyBook book;
    State state, next;

    double wanted_step = 0;    // 0: the method's own choice
    double step_fraction = 1;  // of the step, after automatic halving
    double lasting_fraction = 1, watched_gain = first_gain;  // see watch_drift()
    int good_in_a_row = 0;
    double last_step = 0, speed = 1;
    double frame_end = 0;  // under step control: where the step asked for ends
    mutable std::optional<double> omega_max;  // measured when somebody asks, so that a slider's edits cost one measurement
    bool running = false;
    int steps_asked = 0;
    DivergencePolicy policy = DivergencePolicy::pause;
    std::uint64_t steps = 0;
    std::string message;

    void load(std::shared_ptr<const LoadedScene> scene) {
        loaded = std::move(scene);
        workers = make_workers(*loaded, threads, stop);
        const Scene& s = loaded->scene;
        parameters = s.parameters;
        solver = s.solver;
        control = s.control;
        error_tolerance = s.error_tolerance;
        system = make_system(*loaded, workers);
        drives = make_drives(*loaded);
        surface = surface_topology(loaded->body, system->pinned());
        wanted_step = s.step.value_or(0);
        omega_max.reset();
        set_method(s.integrator);
        reset();
    }

    void reset() {
        drives.let_go(*system);
        state = initial_state(*loaded, *system);
        next = state;
        steps = 0;
        steps_asked = 0;
        message.clear();
        stepper.reset_counters();
        stepper.clear_report();
        forget();
        book.begin(*system, state);
    }

    // The method's past does not belong to what comes next.
    void forget() {
        stepper.reset();
        restart_control();
        step_fraction = lasting_fraction = 1;
        watched_gain = first_gain;
    }

    void restart_control() {
        const MethodInfo& info = stepper.method().info;
        const int by_motion = info.order == 1 ? 1 : 2;  // see MotionDefect
        stepper.control() = StepController(control, error_tolerance, info.error_order > 0 ? info.error_order : by_motion);
        if (stepper.control().active()) stepper.control().start_at(std::min(longest_step(), own_step()));
    }

    void set_method(const std::string& id) {
        const Method* found = find_method(id);
        if (!found) {
            message = "There is no integrator \"" + id + "\"; `wobble list integrators` shows them all.";
            if (method) return;
            found = &methods().front();
        }
        method = found;
        stepper.choose(*method, solver, StepController(control, error_tolerance, 1));
        restart_control();
        step_fraction = 1;
        if (control == StepControl::newton && !stepper.implicit())
            message = std::string(method->info.id) + " has no Newton iterations to control its step by; use the error estimate, or an implicit method.";
    }

    // Of the tangent at the initial state, with the present parameters.
    double highest_frequency_now() const {
        if (!omega_max) omega_max = highest_frequency(*loaded, *system);
        return *omega_max;
    }

    double own_step() const {
        return std::min(default_step(method->info, loaded->scene.frame_step, highest_frequency_now(), parameters), drives.pins.longest_step());
    }

    // What step control may not exceed: the step asked for, or a frame's.
    double longest_step() const { return wanted_step > 0 ? wanted_step : std::min(loaded->scene.frame_step, drives.pins.longest_step()); }

    double step_size() const {
        if (stepper.control().active()) return stepper.control().next(longest_step());
        return step_fraction * (wanted_step > 0 ? wanted_step : own_step());
    }

    void set_parameter_value(const SetParameter& c) {
        const Parameter* parameter = find_parameter(c.name);
        Parameters edited = parameters;
        if (const auto set = wobble::set_parameter(edited, c.name, c.value); !set) return void(message = set.message());
        if (parameter->rebuilds_body) return void(message = c.name + " takes effect when the scene is loaded again.");
        if (edited.stiffness != parameters.stiffness || edited.edge_stiffness != parameters.edge_stiffness ||
            edited.density != parameters.density || edited.young != parameters.young || edited.poisson != parameters.poisson)
            omega_max.reset();
        parameters = edited;
        system->set_material(parameters);
        drives.wind.set_speed(parameters.wind);
        book.rebase(*system, state);
        forget();
        message.clear();
    }

    // A step nobody asked for, or one asked for together with automatic halving, may be replaced by shorter ones; so may those of
    // implicit methods, whose users ask for calm before anything else, and controlled ones by their nature.
    bool may_shorten() const {
        if (stepper.control().active()) return step_size() > shortest_controlled * longest_step();
        return (wanted_step == 0 || policy == DivergencePolicy::halve_step || stepper.implicit()) && step_fraction > shortest_fraction;
    }

    // Too small for the guard in any single step, but adding up: the body stiffens where it is bent, so the own step is too long for this
    // motion. It is halved for good whenever another share of the energy has come from nowhere.
    void watch_drift() {
        if (wanted_step > 0 || stepper.control().active() || stepper.implicit() || book.gained_share() < watched_gain) return;
        watched_gain = book.gained_share() + first_gain;
        lasting_fraction = std::max(0.5 * lasting_fraction, 1.0 / 64);
        step_fraction = std::min(step_fraction, lasting_fraction);
    }

    bool step(double longest) {
        steps_asked = std::max(0, steps_asked - 1);
        const auto choose = [&] { return longest < step_size() * (1 + 1e-8) ? longest : step_size(); };
        double h = choose();
        while (!stepper.attempt(*system, drives, book, state, next, h, may_shorten(), stepper.control().active() && h <= longest_step() / 64)) {
            if (!may_shorten() || stop.stop_requested()) {
                explain_failure(h);
                running = false;
                return false;
            }
            if (!stepper.control().active()) step_fraction *= 0.5 * h / step_size();  // from the step that failed, which may have been shorter
            else if (step_size() >= h) stepper.control().failed(h);
            good_in_a_row = 0;
            h = choose();
        }
        ++steps;
        last_step = h;
        if (step_fraction < lasting_fraction && ++good_in_a_row >= 16)
            step_fraction = std::min(lasting_fraction, 2 * step_fraction), good_in_a_row = 0;
        watch_drift();
        return true;
    }

    bool step_towards(double t) {
        const double left = t - state.t, count = std::ceil(left / step_size() * (1 - 1e-9)), before = state.t;
        // Steps of the method's own choice give way a little, so that all are equal.
        const bool chosen = wanted_step > 0 || stepper.control().active();
        if (!step(chosen && count > 1 ? left : left / count)) return false;
        if (std::abs(state.t - t) <= 1e-9 * left) state.t = t;
        return state.t > before;
    }

    // One step; under step control one of the steps inside the step asked for, which counts as taken when its end is reached.
    bool step_once() {
        if (!stepper.control().active()) return step(1e300);
        const double asked = longest_step();
        if (!(frame_end > state.t) || frame_end > state.t + asked * (1 + 1e-9)) frame_end = state.t + asked;
        const int still_asked = steps_asked;
        const bool good = step_towards(frame_end);
        if (good && state.t < frame_end) steps_asked = still_asked;
        return good;
    }

    void explain_failure(double h) {
        const StepReport& report = stepper.report();
        char at[40];
        std::snprintf(at, sizeof at, "t = %.3g s", state.t);
        message = std::string(method->info.id) + " at h = " + milliseconds(h) + " diverged at " + at +
                  (report.message.empty() ? "" : " (" + report.message + ")") + "; try " +
                  (stepper.control().active() ? "a larger error tolerance" : milliseconds(h / 2)) +
                  (wanted_step > 0 && policy == DivergencePolicy::pause ? ", another integrator, or the automatic halving of the step."
                                                                        : " or another integrator.");
    }

    // Commands, in the order of the variant; the visitor does not compile until every one is handled.
    void operator()(const Play&) { running = true, message.clear(); }
    void operator()(const Pause&) { running = false; }
    void operator()(const StepOnce&) { running = false, ++steps_asked, message.clear(); }
    void operator()(const Reset&) { reset(); }
    void operator()(const SetSpeed& c) {
        if (c.factor > 0 && std::isfinite(c.factor)) speed = std::clamp(c.factor, 1e-3, 1e3);
        else message = "The speed must be a positive number.";
    }
    void operator()(const SetMethod& c) { message.clear(), set_method(c.id); }
    void operator()(const SetStep& c) {
        if (c.h == 0 || limits::step.contains(c.h)) wanted_step = c.h, step_fraction = 1, restart_control(), message.clear();
        else message = "The step must be between 1e-8 and 1 second, or 0 for the method's own choice.";
    }
    void operator()(const SetSolver& c) {
        if (!limits::solver_tolerance.contains(c.solver.tolerance))
            return void(message = "The solver tolerance must be between 1e-14 and 0.1.");
        solver = c.solver;
        message.clear();
        set_method(method->info.id);
    }
    void operator()(const SetStepControl& c) {
        if (!limits::error_tolerance.contains(c.error_tolerance))
            return void(message = "The error tolerance must be between 1e-8 and 1.");
        control = c.control, error_tolerance = c.error_tolerance;
        message.clear();
        set_method(method->info.id);
    }
    void operator()(const SetParameter& c) { set_parameter_value(c); }
    void operator()(const SetDivergencePolicy& c) { policy = c.policy; }
    void operator()(const Grab& c) {
        if (auto taken = Hand::take(loaded->body, *system, state.q, c)) drives.hand = std::move(taken), message.clear();
        else message = "There is nothing to grab here: no free particle is near.";
    }
    void operator()(const MoveGrab& c) {
        if (drives.hand && c.target.allFinite()) drives.hand->move_to(c.target);
    }
    void operator()(const Release&) { drives.let_go(*system); }
    void operator()(const Load& c) {
        if (!c.scene) return;
        const auto before = loaded;
        try {
            load(c.scene);
        } catch (const std::exception& failure) {
            load(before);
            message = "\"" + c.scene->scene.name + "\" could not be loaded (" + failure.what() + "); try a lower resolution.";
        }
    }
};

World::World(std::shared_ptr<const LoadedScene> scene, int threads, std::stop_token stop) : self_(std::make_unique<Implementation>()) {
    self_->threads = threads;
    self_->stop = std::move(stop);
    self_->load(std::move(scene));
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::apply(const Command& command) { std::visit(*self_, command); }
bool World::running() const { return self_->running; }
bool World::wants_step() const { return self_->running || self_->steps_asked > 0; }
void World::step() { self_->step_once(); }
bool World::step_towards(double t) { return self_->step_towards(t); }

bool World::advance_to(double t) {
    while (time() < t)
        if (!step_towards(t)) return false;
    return true;
}

double World::time() const { return self_->state.t; }
double World::next_step() const { return self_->step_size(); }
double World::speed() const { return self_->speed; }
const Energies& World::energies() const { return self_->book.energies(); }
const StepReport& World::report() const { return self_->stepper.report(); }
const VecX& World::positions() const { return self_->state.q; }
const VecX& World::velocities() const { return self_->state.v; }
const World::Totals& World::totals() const { return self_->stepper.counters(); }

EnergySample World::sample() const {
    const Implementation& s = *self_;
    const StepReport& report = s.stepper.report();
    return {s.state.t, s.book.energies(), s.last_step, report.newton_iterations, report.linear_iterations, report.krylov_dimension,
            s.stepper.counters().rejected, s.stepper.counters().redone};
}

std::uint64_t World::state_hash() const {
    const State& s = self_->state;
    return hash_words(hash_words(hash_words(0xCBF29CE484222325u, &s.t, 1), s.q.data(), s.q.size()), s.v.data(), s.v.size());
}

Snapshot World::snapshot() const {
    const Implementation& s = *self_;
    Snapshot shot;
    shot.step = s.steps;
    shot.rejected_steps = s.stepper.counters().rejected;
    shot.redone_steps = s.stepper.counters().redone;
    shot.t = s.state.t;
    shot.h = s.steps > 0 ? s.last_step : s.step_size();
    shot.automatic_step = s.wanted_step == 0;
    shot.asked_step = s.wanted_step > 0 ? s.wanted_step : s.stepper.control().active() ? s.longest_step() : shot.h;
    shot.running = s.running;
    shot.speed = s.speed;
    shot.energies = s.book.energies();
    shot.omega_max = s.highest_frequency_now();
    shot.particles = s.system->particles();
    shot.dofs = s.system->degrees_of_freedom();
    shot.tets = static_cast<int>(s.loaded->body.tets.tets.size());
    shot.mass = s.system->total_mass();
    deform(s.loaded->body.embedding, s.state.q, shot.positions);
    shot.surface = s.surface;
    if (const auto& hand = s.drives.hand)
        shot.grab = GrabView{hand->hit_point(s.loaded->body, s.state.q).cast<float>(), hand->target().cast<float>()};
    shot.report = s.stepper.report();
    shot.method = s.method->info.id;
    shot.parameters = s.parameters;
    shot.solver = s.solver;
    shot.control = s.control;
    shot.error_tolerance = s.error_tolerance;
    shot.policy = s.policy;
    shot.scene = s.loaded;
    shot.message = s.message;
    shot.state_hash = state_hash();
    return shot;
}

}  // namespace wobble
