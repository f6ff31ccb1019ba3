#include "engine/sim/default_step.h"
#include "engine/sim/surface_view.h"
#include "engine/sim/world_implementation.h"

#include <cmath>

namespace wobble {

namespace {

std::string milliseconds(double h) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g ms", 1000 * h);
    return text;
}

}  // namespace

void World::Implementation::load(std::shared_ptr<const LoadedScene> scene) {
    loaded = std::move(scene);
    workers = make_workers(*loaded, threads, stop);
    workers->limit(threads_at_work);
    const DivergencePolicy policy = settings.policy;  // the user's, not the scene's
    settings = loaded->scene.settings;
    settings.policy = policy;
    system = make_system(*loaded, workers);
    probe.reset();
    drivers = make_drivers(*loaded);
    surface = surface_topology(loaded->body, system->pinned());
    omega_max.reset();
    state = initial_state(*loaded, *system);  // the method's own step is measured on this body
    set_method(settings.method);
    reset();
}

void World::Implementation::reset() {
    drivers.let_go(*system);
    system->contact().release();
    state = initial_state(*loaded, *system);
    const double higher = settings.drop_height - loaded->scene.settings.drop_height;  // than it was loaded
    for (int i = 0; higher != 0 && i < system->particles(); ++i) particle(state.q, i).y() += higher;
    system->prepare(state);
    next = state;
    steps = 0;
    steps_asked = 0;
    pause_at.reset();
    frame_end = 0;
    message.clear();
    stepper.reset_counters();
    stepper.clear_report();
    forget();
    book.begin(*system, state);
    history.clear();
    remember();
    frames.jump_to(state.t);
}

void World::Implementation::forget() {
    stepper.reset();
    restart_control();
}

void World::Implementation::restart_control() {
    const MethodInfo& info = stepper.method().info;
    const int by_motion = info.order == 1 ? 1 : 2;  // see MotionDefect
    stepper.control() = StepController(settings.control, settings.error_tolerance, info.error_order > 0 ? info.error_order : by_motion);
    if (stepper.control().active()) stepper.control().start_at(std::min(longest_step(), own_step()));
}

void World::Implementation::set_method(const std::string& id) {
    const Method* found = find_method(id);
    if (!found) {
        message = "There is no integrator \"" + id + "\"; `wobble list integrators` shows them all.";
        if (method) return;
        found = &methods().front();
    }
    method = found;
    settings.method = method->info.id;
    ++choices;
    stepper.choose(*method, settings.solver, StepController(settings.control, settings.error_tolerance, 1));
    restart_control();
    if (settings.control == StepControl::newton && !stepper.implicit())
        message = std::string(method->info.id) +
                  " has no Newton iterations to control its step by; use the error estimate, or an implicit method.";
}

void World::Implementation::remember() {
    if (keeps_history) history.add(steps, edits, frames.reached, state, book.account(), controller_state());
}

ControllerState World::Implementation::controller_state() { return {choices, frame_end, stepper.memory()}; }

void World::Implementation::follow(const KeptState& kept) {
    const ControllerState& c = kept.controller_state;
    if (c.choices != choices || kept.edits != edits) {  // begins as if the method had been chosen there
        const int chosen = choices;
        set_method(method->info.id);
        choices = chosen;
        forget();
        frame_end = 0;
        return message.clear();
    }
    frame_end = c.frame_end;
    // A step gives moving pins their velocity before it begins: what methods saw of a state is what its successor still has.
    std::vector<const State*> before = history.states_before(kept);
    std::vector<State> driven;
    if (drivers.move_particles()) {
        driven.reserve(before.size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            const VecX& after = (i + 1 < before.size() ? *before[i + 1] : state).v;
            VecX free = before[i]->v, free_after = after;
            system->constraints().project(free);
            system->constraints().project(free_after);
            driven.push_back({before[i]->t, before[i]->q, free + after - free_after, before[i]->internal});
        }
        for (std::size_t i = 0; i < before.size(); ++i) before[i] = &driven[i];
    }
    stepper.recall(c.stepper, before, state);
}

double World::Implementation::highest_frequency_now() const {
    if (!omega_max) {
        omega_max = highest_frequency(*loaded, *system);
        system->prepare(state);
    }
    return *omega_max;
}

double World::Implementation::own_step() const {
    return std::min(default_step(method->info, loaded->scene.frame_step, highest_frequency_now(), settings.parameters()),
                    drivers.longest_step());
}

double World::Implementation::longest_step() const {
    return settings.step > 0 ? settings.step : std::min(loaded->scene.frame_step, drivers.longest_step());
}

double World::Implementation::step_size() const {
    if (stepper.control().active()) return stepper.control().next(longest_step());
    return stepper.ladder().step_fraction() * (settings.step > 0 ? settings.step : own_step());
}

RescueLadder::Rules World::Implementation::rules(double longest) const {
    RescueLadder::Rules r{.family = method->info.family,
                          .controlled = stepper.control().active(),
                          .own_step = settings.step == 0,
                          .may_halve = settings.policy == DivergencePolicy::halve_step,
                          .touching = system->contact().touched(),
                          .step = step_size()};
    if (!r.controlled) return r;
    const double omega = highest_frequency_now(),
                 d = settings.parameters().mass_damping + (settings.parameters().damping + system->tau()) * omega * omega;
    r.longest = longest_step();
    r.whole = std::min(longest, r.longest);
    r.hopeless = RescueLadder::hopeless_step(r.longest, omega, d, settings.error_tolerance);
    return r;
}

// Surfaces that close want to meet at the end of a step.
double World::Implementation::choose_step(double longest) const {
    const double h = longest < step_size() * (1 + 1e-8) ? longest : step_size();
    return std::min(h, system->longest_step(state, h));
}

// Begin, drive, step, end, judge and book are the stages of Stepper::attempt, as often as something is tried; remember() follows.
bool World::Implementation::step(double longest) {
    const double begun = state.t;
    double h = choose_step(longest);
    while (!stepper.attempt({*system, drivers, book, state, next}, h, rules(longest))) {
        if (!shorten(h, longest)) return false;
        h = choose_step(longest);
    }
    end_step(begun);
    return true;
}

bool World::Implementation::shorten(double h, double longest) {
    const RescueLadder::Rules now = rules(longest);
    if (stepper.ladder().next(now, {.h = h, .tried = Rescue::settle, .stopped = stop.stop_requested()}) == Rescue::give_up) {
        explain_failure(h);
        steps_asked = std::max(0, steps_asked - 1);
        running = false;
        return false;
    }
    stepper.ladder().shortened(now, h);
    if (now.controlled && now.step >= h) stepper.control().failed(h);
    return true;
}

void World::Implementation::end_step(double begun) {
    ++steps;
    steps_asked = std::max(0, steps_asked - 1);
    last_step = state.t - begun;
    stepper.ladder().good_step(system->contact().touched());
    stepper.ladder().watch_drift(rules(0), book.gained_share());
    frames.reached = false;
}

bool World::Implementation::step_towards(double t) {
    const double left = t - state.t, count = std::ceil(left / step_size() * (1 - 1e-9)), before = state.t;
    // Steps of the method's own choice give way a little, so that all are equal.
    const bool chosen = settings.step > 0 || stepper.control().active();
    if (!step(chosen && count > 1 ? left : left / count)) return false;
    if (std::abs(state.t - t) <= 1e-9 * left) state.t = t;
    return state.t > before;
}

bool World::Implementation::step_to_frame(double t) {
    if (!frames.wanted() || frames.next() > t) return step_towards(t);
    if (!step_towards(frames.next())) return false;
    if (state.t == frames.next()) frames.arrive();
    return true;
}

// One step; under step control one of the steps inside the step asked for, which counts as taken when its end is reached.
bool World::Implementation::step_once() {
    const bool good = step_within();
    if (pause_at && state.t >= *pause_at * (1 - 1e-12)) running = false, pause_at.reset();
    return good;
}

bool World::Implementation::step_within() {
    if (!stepper.control().active()) return frames.wanted() ? step_to_frame(1e300) : step(1e300);
    const double asked = longest_step();
    if (!(frame_end > state.t) || frame_end > state.t + asked * (1 + 1e-9)) frame_end = state.t + asked;
    const int still_asked = steps_asked;
    const bool good = step_to_frame(frame_end);
    if (good && state.t < frame_end) steps_asked = still_asked;
    return good;
}

void World::Implementation::explain_failure(double h) {
    const StepReport& report = stepper.report();
    char at[40];
    std::snprintf(at, sizeof at, "t = %.3g s", state.t);
    message =
        std::string(method->info.id) + " at h = " + milliseconds(h) + " diverged at " + at +
        (report.message.empty() ? "" : " (" + report.message + ")") + "; try " +
        (stepper.control().active() ? "a larger error tolerance" : milliseconds(h / 2)) +
        (stepper.control().active() ? "" : ", switch on error control") +
        (settings.step > 0 && settings.policy == DivergencePolicy::pause ? ", another integrator, or the automatic halving of the step."
                                                                         : " or another integrator.");
}

World::World(std::shared_ptr<const LoadedScene> scene, int threads, std::stop_token stop) : self_(std::make_unique<Implementation>()) {
    self_->threads = threads;
    self_->stop = std::move(stop);
    self_->load(std::move(scene));
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::use_threads(int most) {
    if (most == self_->threads_at_work) return;
    self_->threads_at_work = most;
    self_->workers->limit(most);
}
void World::apply(const Command& command) { std::visit(*self_, command); }
bool World::running() const { return self_->running; }
bool World::wants_step() const { return self_->running || self_->steps_asked > 0; }
void World::step() {
    if (self_->step_once()) self_->remember();
}
bool World::step_towards(double t) {
    if (!self_->step_towards(t)) return false;
    self_->remember();
    return true;
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
const StepReport& World::report() const { return self_->stepper.report(); }
const VecX& World::positions() const { return self_->state.q; }
const VecX& World::velocities() const { return self_->state.v; }
const VecX& World::internal() const { return self_->state.internal; }
const World::Totals& World::totals() const { return self_->stepper.counters(); }

std::uint64_t World::state_hash() const { return hash_of(self_->state); }
bool World::on_frame() const { return self_->frames.reached; }
std::uint64_t World::frame() const { return self_->frames.number; }

void World::keep_history() {
    self_->keeps_history = true;
    self_->remember();
}

}  // namespace wobble
