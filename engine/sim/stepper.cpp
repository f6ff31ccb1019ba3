#include "engine/sim/stepper.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <exception>

namespace wobble {

namespace {

// Explosions are cured only at their beginning, so wherever another try is possible a step is judged strictly.
constexpr GuardLimits explosion_only{.step_gain = 1, .total_gain = 1};
constexpr GuardLimits shorter_step_possible{.step_gain = 0.02, .total_gain = 1};
constexpr GuardLimits rescue_possible{.step_gain = 0.1, .total_gain = 0.1};
constexpr double worth_mentioning = 16;  // times a hopeless step

template <class Counts>  // StepReport, Stepper::Counters
void add_counts(const StepReport& from, Counts& to) {
    to.newton_iterations += from.newton_iterations;
    to.linear_iterations += from.linear_iterations;
    to.operator_products += from.operator_products;
    to.force_evaluations += from.force_evaluations;
    to.factorizations += from.factorizations;
    to.solves += from.solves;
}

void add_work(const StepReport& from, StepReport& to) {
    add_counts(from, to);
    to.stages += from.stages;
    to.seconds += from.seconds;
}

}  // namespace

void Stepper::choose(const Method& method, const SolverOptions& solver, const StepController& control) {
    method_ = &method;
    solver_ = solver;
    control_ = control;
    integrator_ = method.make({.solver = solver, .error_estimate = control.kind() == StepControl::error});
    defect_.forget();  // what happened to another method says nothing of this one
    refused_ = {};
    handovers_ = 0;
    settled_ = false;
    rescuers_.clear();
    if (method.info.family == Family::explicit_classical) return;
    for (const char* id : {"tr-bdf2", "implicit-euler"})
        if (const Method* rescue = find_method(id); rescue && rescue != &method) rescuers_.push_back({rescue, nullptr});
}

void Stepper::reset() {
    integrator_->reset();
    defect_.forget();
    refused_ = {};
    handovers_ = 0;
    settled_ = false;
    for (Rescuer& rescuer : rescuers_)
        if (rescuer.integrator) rescuer.integrator->reset();
}

// Whether a refused step of this size is handed over.
bool Stepper::hopeless(double h, const Handover& handover) const {
    if (method_->info.family != Family::exponential) return false;
    const double sooner = std::ldexp(1.0, 2 * std::min(handovers_, 10));  // 4^n
    return report_.status == StepStatus::krylov_stagnated || (control_.active() && h <= sooner * handover.hopeless);
}

// Whether the method is not even asked: see the header.
bool Stepper::waiting() const {
    return control_.active() && method_->info.family == Family::exponential && handovers_ > 4 && !std::has_single_bit(static_cast<unsigned>(handovers_));
}

bool Stepper::attempt(MechanicalSystem& system, Drives& drives, EnergyBook& book, State& state, State& scratch, double h, bool strict,
                      const Handover& handover) {
    const auto start = std::chrono::steady_clock::now();
    ++counters_.tries;
    if (drives.pins.any()) held_velocity_ = state.v;
    bool good = false, redone = false;
    if (waiting()) {
        report_ = {};
        report_.status = StepStatus::krylov_stagnated;  // nothing better is known of it
    } else {
        drives.begin(system, state, h);
        const GuardLimits& limits = implicit() ? rescue_possible : strict ? shorter_step_possible : explosion_only;
        good = run(*integrator_, system, drives, book, state, scratch, h, limits);
    }
    if (good && control_.active()) {
        const double defect = defect_.measure(state, scratch);
        if (report_.error < 0) report_.error = defect;
        good = control_.accept(report_, h);
    } else if (control_.active()) {
        control_.failed(h);
    }
    if (!good) {
        ++counters_.rejected;
        integrator_->rejected();
        if (system.workers().stop_requested()) redone = false;  // nobody waits for it
        else if (hopeless(h, handover)) redone = hand_over(system, drives, book, state, scratch, h, control_.active() ? handover.whole : h);
        else if (implicit() && !report_.ok()) redone = redo(system, drives, book, state, scratch, h);
    }
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!good && !redone) {
        if (drives.pins.any()) state.v = held_velocity_;
        add_work(report_, refused_);
        return false;
    }
    add_work(refused_, report_);
    refused_ = {};
    if (redone) {
        if (control_.active()) report_.error = defect_.measure(state, scratch);  // nobody asked the rescuer: what its motion shows is told
        defect_.forget();
    }
    else if (control_.active()) defect_.accept();
    if (good && h >= worth_mentioning * handover.hopeless) handovers_ = 0;
    book.accept();
    std::swap(state, scratch);
    return true;
}

// One integrator's step and what the guard says of it; report_ tells both.
bool Stepper::run(Integrator& integrator, MechanicalSystem& system, Drives& drives, EnergyBook& book, const State& state, State& next,
                  double h, const GuardLimits& limits) {
    try_step(integrator, system, state, next, h);
    return judge(system, drives, book, state, next, limits);
}

void Stepper::try_step(Integrator& integrator, MechanicalSystem& system, const State& state, State& next, double h) {
    try {
        report_ = integrator.step(system, state, h, next);
    } catch (const std::exception& failure) {  // memory: the first step of a method makes its workspace
        report_ = {};
        report_.status = StepStatus::out_of_memory;
        report_.message = std::string("there was not enough memory for this method (") + failure.what() +
                          "); try a lower resolution or another integrator";
        // Gives back what they hold.
        integrator_ = method_->make({.solver = solver_, .error_estimate = control_.kind() == StepControl::error});
        for (Rescuer& rescuer : rescuers_) rescuer.integrator.reset();
        settling_.reset();
    }
    add_counts(report_, counters_);
}

bool Stepper::judge(MechanicalSystem& system, Drives& drives, EnergyBook& book, const State& state, const State& next,
                    const GuardLimits& limits) {
    if (!report_.ok()) return false;
    report_.status = book.examine(system, state, next, drives.work(system, state, next), limits);
    if (report_.status == StepStatus::energy_guard) report_.message = "the step gained energy that nobody supplied";
    if (report_.status == StepStatus::not_finite) report_.message = "the result is not finite";
    return report_.ok();
}

// A rescue that fails is a try and a refusal of its own; its work is part of the step's.
void Stepper::count_refused_rescue() {
    ++counters_.tries;
    ++counters_.rejected;
    add_work(report_, refused_);
}

bool Stepper::rescued(const StepReport& refused, const char* by) {
    ++counters_.redone;
    report_.redone_by = by;
    add_work(refused, report_);
    integrator_->reset();  // its history has a gap now
    return true;
}

bool Stepper::redo(MechanicalSystem& system, Drives& drives, EnergyBook& book, const State& state, State& next, double h) {
    const StepReport refused = report_;
    for (Rescuer& rescuer : rescuers_) {
        // By the surest solver, whatever was chosen: the chosen one may be what failed.
        if (!rescuer.integrator) rescuer.integrator = rescuer.method->make({.solver = {.tolerance = solver_.tolerance}});
        if (run(*rescuer.integrator, system, drives, book, state, next, h, shorter_step_possible))
            return rescued(refused, rescuer.method->info.id);
        count_refused_rescue();
    }
    report_ = refused;
    return false;
}

bool Stepper::settle(MechanicalSystem& system, Drives& drives, EnergyBook& book, const State& state, State& next, double h) {
    const StepReport refused = report_;
    if (!settling_) settling_ = std::make_unique<Settling>();
    const Material material = system.material();
    Material undamped = material;
    undamped.damping = undamped.mass_damping = undamped.spring_damping = 0;
    system.set_material(undamped);
    try_step(*settling_, system, state, next, h);
    system.set_material(material);
    if (judge(system, drives, book, state, next, shorter_step_possible)) return rescued(refused, Settling::id);
    count_refused_rescue();
    report_ = refused;
    return false;
}

// The largest part of `whole` that somebody can take, not less than h.
bool Stepper::hand_over(MechanicalSystem& system, Drives& drives, EnergyBook& book, State& state, State& next, double h, double whole) {
    const auto largest_part = [&](double least, auto&& take) {
        for (double part = std::max(whole, h);; part = std::max(part / 8, least)) {
            if (drives.pins.any()) state.v = held_velocity_;
            drives.begin(system, state, part);
            if (take(part)) return true;
            if (part <= least || system.workers().stop_requested()) return false;
        }
    };
    // What the rescuers cannot do in a 64th they cannot do in steps that get anywhere, either; after settling they have one try.
    const double least = std::max(settled_ ? whole : whole / 64, h);
    const bool redone = largest_part(least, [&](double part) { return redo(system, drives, book, state, next, part); });
    settled_ = !redone && control_.active() &&
               largest_part(h, [&](double part) { return settle(system, drives, book, state, next, part); });
    if (!redone && !settled_) {
        handovers_ = 0;  // all depends on the method
        return false;
    }
    if (control_.active()) control_.start_at(0);  // the next one may be as long as it likes
    handovers_ = (handovers_ + 1) % 64;
    return true;
}

}  // namespace wobble
