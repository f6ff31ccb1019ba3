#include "engine/sim/world.h"

#include "engine/integrate/methods.h"
#include "engine/mesh/embedding.h"
#include "engine/model/mechanical_system.h"
#include "engine/sim/default_step.h"
#include "engine/sim/energy_book.h"
#include "engine/sim/grab.h"
#include "engine/sim/limits.h"
#include "engine/sim/start.h"
#include "engine/solve/spectrum.h"

#include <chrono>
#include <cmath>
#include <cstring>

namespace wobble {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::shared_ptr<const SurfaceTopology> surface_topology(const BodyMesh& body, const std::vector<std::uint8_t>& pinned) {
    auto topology = std::make_shared<SurfaceTopology>();
    topology->triangles = body.surface.triangles;
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

constexpr double gain_before_shortening = 0.02;

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
    std::unique_ptr<Integrator> integrator;
    State state, next;
    EnergyBook book;
    std::optional<Hand> hand;
    StepReport report;
    Totals totals;

    double wanted_step = 0;    // 0: the method's own choice
    double step_fraction = 1;  // of the step, after automatic halving
    int good_in_a_row = 0;
    double last_step = 0, speed = 1;
    mutable std::optional<double> omega_max;  // measured when somebody asks, so that a slider's edits cost one measurement
    bool running = false;
    int steps_asked = 0;
    DivergencePolicy policy = DivergencePolicy::pause;
    std::uint64_t steps = 0, rejected = 0;
    std::string message;

    void load(std::shared_ptr<const LoadedScene> scene) {
        loaded = std::move(scene);
        workers = make_workers(*loaded, threads, stop);
        const Scene& s = loaded->scene;
        parameters = s.parameters;
        hand.reset();
        system = make_system(*loaded, workers);
        surface = surface_topology(loaded->body, system->pinned());
        wanted_step = s.step.value_or(0);
        set_method(s.integrator);
        omega_max.reset();
        reset();
    }

    void reset() {
        hand.reset();
        Hand::let_go(*system);
        state = initial_state(*loaded, *system);
        next = state;
        steps = rejected = 0;
        steps_asked = 0;
        totals = {};
        report = {};
        step_fraction = 1;
        message.clear();
        integrator->reset();
        book.begin(*system, state);
    }

    void set_method(const std::string& id) {
        const Method* found = find_method(id);
        if (!found) {
            message = "There is no integrator \"" + id + "\"; `wobble list integrators` shows them all.";
            if (method) return;
            found = &methods().front();
        }
        method = found;
        integrator = method->make({.solver = {.tolerance = loaded->scene.solver_tolerance}});
        step_fraction = 1;
    }

    // Of the tangent at the initial state, with the present parameters.
    double highest_frequency_now() const {
        if (omega_max) return *omega_max;
        VecX q(3 * system->particles());
        for (int i = 0; i < system->particles(); ++i) particle(q, i) = loaded->body.tets.vertices[i];
        BlockMatrix K(system->pattern());
        system->stiffness(q, K);
        omega_max = highest_frequency({*workers, K, system->mass(), system->inverse_mass(), 0, 0});
        return *omega_max;
    }

    double step_size() const {
        const double h =
            wanted_step > 0 ? wanted_step : default_step(method->info, loaded->scene.frame_step, highest_frequency_now(), parameters);
        return h * step_fraction;
    }

    void set_parameter_value(const SetParameter& c) {
        const Parameter* parameter = find_parameter(c.name);
        Parameters edited = parameters;
        if (const auto set = wobble::set_parameter(edited, c.name, c.value); !set) return void(message = set.message());
        if (parameter->rebuilds_body) return void(message = c.name + " takes effect when the scene is loaded again.");
        if (edited.stiffness != parameters.stiffness || edited.edge_stiffness != parameters.edge_stiffness ||
            edited.density != parameters.density)
            omega_max.reset();
        parameters = edited;
        system->set_material(parameters);
        book.rebase(*system, state);
        integrator->reset();
        step_fraction = 1;
        message.clear();
    }

    // A step nobody asked for, or one asked for together with automatic halving, may be replaced by shorter ones.
    bool may_shorten() const { return (wanted_step == 0 || policy == DivergencePolicy::halve_step) && step_fraction > 1e-3; }

    // One attempt with step h: on success the state has moved, otherwise it is untouched and report says why.
    bool attempt(double h) {
        const auto start = std::chrono::steady_clock::now();
        if (hand) hand->pull(*system, state, h);
        try {
            report = integrator->step(*system, state, h, next);
        } catch (const std::exception& failure) {  // memory, above all: the first step of a method makes its workspace
            report = {};
            report.status = StepStatus::factorization_failed;
            report.message = std::string("not enough memory for this method at this resolution: ") + failure.what();
            integrator = method->make({.solver = {.tolerance = loaded->scene.solver_tolerance}});
        }
        totals.operator_products += report.operator_products;
        totals.force_evaluations += report.force_evaluations;
        totals.factorizations += report.factorizations;
        if (report.ok()) {
            const double work = hand ? hand->work(state.q, next.q) : 0;
            report.status = book.examine(*system, state, next, work, may_shorten() ? gain_before_shortening : 1);
        }
        report.seconds = seconds_since(start);
        if (!report.ok()) {
            ++rejected;
            integrator->reset();
            return false;
        }
        book.accept();
        std::swap(state, next);
        ++steps;
        last_step = h;
        return true;
    }

    bool step(double longest) {
        steps_asked = std::max(0, steps_asked - 1);
        const auto choose = [&] { return longest < step_size() * (1 + 1e-8) ? longest : step_size(); };
        double h = choose();
        while (!attempt(h)) {
            if (!may_shorten() || stop.stop_requested()) {
                explain_failure(h);
                running = false;
                return false;
            }
            step_fraction *= 0.5 * h / step_size();  // from the step that failed, which may have been shorter
            good_in_a_row = 0;
            h = choose();
        }
        if (step_fraction < 1 && ++good_in_a_row >= 16) step_fraction = std::min(1.0, 2 * step_fraction), good_in_a_row = 0;
        return true;
    }

    void explain_failure(double h) {
        char at[40];
        std::snprintf(at, sizeof at, "t = %.3g s", state.t);
        message = std::string(method->info.id) + " at h = " + milliseconds(h) + " diverged at " + at +
                  (report.message.empty() ? "" : " (" + report.message + ")") + "; try " + milliseconds(h / 2) +
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
        if (c.h == 0 || limits::step.contains(c.h)) wanted_step = c.h, step_fraction = 1, message.clear();
        else message = "The step must be between 1e-8 and 1 second, or 0 for the method's own choice.";
    }
    void operator()(const SetParameter& c) { set_parameter_value(c); }
    void operator()(const SetDivergencePolicy& c) { policy = c.policy; }
    void operator()(const Grab& c) {
        if (auto taken = Hand::take(loaded->body, *system, state.q, c)) hand = std::move(taken), message.clear();
        else message = "There is nothing to grab here: no free particle is near.";
    }
    void operator()(const MoveGrab& c) {
        if (hand && c.target.allFinite()) hand->move_to(c.target);
    }
    void operator()(const Release&) {
        hand.reset();
        Hand::let_go(*system);
    }
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
void World::step() { self_->step(1e300); }

bool World::step_towards(double t) {
    State& state = self_->state;
    const double left = t - state.t, steps = std::ceil(left / self_->step_size() * (1 - 1e-9)), before = state.t;
    const double longest = self_->wanted_step > 0 && steps > 1 ? left : left / steps;
    if (!self_->step(longest)) return false;
    if (std::abs(state.t - t) <= 1e-9 * left) state.t = t;
    return state.t > before;
}

bool World::advance_to(double t) {
    while (time() < t)
        if (!step_towards(t)) return false;
    return true;
}

double World::time() const { return self_->state.t; }
double World::next_step() const { return self_->step_size(); }
double World::speed() const { return self_->speed; }
const Energies& World::energies() const { return self_->book.energies(); }
const StepReport& World::report() const { return self_->report; }
const VecX& World::positions() const { return self_->state.q; }
const VecX& World::velocities() const { return self_->state.v; }
const World::Totals& World::totals() const { return self_->totals; }

std::uint64_t World::state_hash() const {
    const State& s = self_->state;
    return hash_words(hash_words(hash_words(0xCBF29CE484222325u, &s.t, 1), s.q.data(), s.q.size()), s.v.data(), s.v.size());
}

Snapshot World::snapshot() const {
    const Implementation& s = *self_;
    Snapshot shot;
    shot.step = s.steps;
    shot.rejected_steps = s.rejected;
    shot.t = s.state.t;
    shot.h = s.steps > 0 ? s.last_step : s.step_size();
    shot.automatic_step = s.wanted_step == 0;
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
    if (s.hand) shot.grab = GrabView{s.hand->hit_point(s.loaded->body, s.state.q).cast<float>(), s.hand->target().cast<float>()};
    shot.report = s.report;
    shot.method = s.method->info.id;
    shot.parameters = s.parameters;
    shot.policy = s.policy;
    shot.scene = s.loaded;
    shot.message = s.message;
    shot.state_hash = state_hash();
    return shot;
}

}  // namespace wobble
