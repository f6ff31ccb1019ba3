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
constexpr int most_past = 4;             // states that start values are extrapolated from, besides the present one

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
    for (Rescuer& rescuer : rescuers_) rescuer.steps = 0;
}

// With the surest solver, whatever was chosen: the chosen one may be what failed.
std::unique_ptr<Integrator> Stepper::surest(const Method& method) const {
    return method.make({.solver = {.tolerance = solver_.tolerance}});
}

int Stepper::Memory::states() const { return std::max({past, std::min(rescues, most_past), defect_step > 0 ? 1 : 0}); }

Stepper::Memory Stepper::memory() {
    Memory m;
    m.control = control_, m.handovers = handovers_, m.settled = settled_;
    m.past = integrator_->past(), m.defect_step = defect_.last_step();
    for (std::size_t i = 0; i < rescuers_.size(); ++i)
        if (rescuers_[i].steps > 0) m.rescuer = static_cast<int>(i), m.rescues = rescuers_[i].steps;
    auto numbers = SavedSolverState::writing(m.solver_state);
    integrator_->solver_state(numbers);
    for (Rescuer& rescuer : rescuers_) numbers.maybe(rescuer.integrator, [&] { return surest(*rescuer.method); });
    return m;
}

void Stepper::recall(const Memory& memory, std::span<const State* const> before, const State& now) {
    reset();
    control_ = memory.control;
    handovers_ = memory.handovers;
    settled_ = memory.settled;
    const auto hand_over_last = [&](Integrator& integrator, int count) {
        const auto last = std::min(static_cast<std::size_t>(count), before.size());
        for (const State* state : before.last(last)) integrator.recall(*state);
    };
    hand_over_last(*integrator_, memory.past);
    if (memory.defect_step > 0 && !before.empty()) defect_.recall(*before.back(), now, memory.defect_step);
    std::vector<double> solver_state = memory.solver_state;
    auto numbers = SavedSolverState::reading(solver_state);
    integrator_->solver_state(numbers);
    for (Rescuer& rescuer : rescuers_) numbers.maybe(rescuer.integrator, [&] { return surest(*rescuer.method); });
    if (memory.rescuer < 0 || memory.rescuer >= static_cast<int>(rescuers_.size())) return;
    Rescuer& rescuer = rescuers_[static_cast<std::size_t>(memory.rescuer)];
    if (!rescuer.integrator) return;
    rescuer.steps = memory.rescues;
    rescuer.integrator->reset();
    hand_over_last(*rescuer.integrator, std::min(memory.rescues, most_past));
}

// Whether a refused step of this size is handed over.
bool Stepper::hopeless(double h, const Handover& handover) const {
    if (method_->info.family != Family::exponential) return false;
    const double sooner = std::ldexp(1.0, 2 * std::min(handovers_, 10));  // 4^n
    return report_.status == StepStatus::krylov_stagnated || (control_.active() && h <= sooner * handover.hopeless);
}

// Whether the method is not even asked: see the header.
bool Stepper::waiting() const {
    return control_.active() && method_->info.family == Family::exponential && handovers_ > 4 &&
           !std::has_single_bit(static_cast<unsigned>(handovers_));
}

bool Stepper::attempt(MechanicalSystem& system, Drivers& drives, EnergyBook& book, State& state, State& scratch, double h, bool strict,
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
        if (system.workers().stop_requested()) redone = false;  // cancelled
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
    for (Rescuer& rescuer : rescuers_) rescuer.steps = redone && &rescuer == last_rescuer_ ? rescuer.steps + 1 : 0;
    if (redone) {
        if (control_.active()) report_.error = defect_.measure(state, scratch);  // the fallback method has no estimate of its own
        defect_.forget();
    } else if (control_.active()) {
        defect_.accept();
    }
    if (good && h >= worth_mentioning * handover.hopeless) handovers_ = 0;
    book.accept();
    std::swap(state, scratch);
    return true;
}

// One integrator's step and what the guard says of it; report_ tells both.
bool Stepper::run(Integrator& integrator, MechanicalSystem& system, Drivers& drives, EnergyBook& book, const State& state, State& next,
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
        for (Rescuer& rescuer : rescuers_) rescuer.integrator.reset(), rescuer.steps = 0;
        descent_.reset();
    }
    add_counts(report_, counters_);
}

bool Stepper::judge(MechanicalSystem& system, Drivers& drives, EnergyBook& book, const State& state, const State& next,
                    const GuardLimits& limits) {
    if (!report_.ok()) return false;
    report_.status = book.examine(system, state, next, drives.work(system, state, next), limits, report_.elastic_energy);
    if (report_.status == StepStatus::energy_guard) report_.message = "the step gained energy without external work";
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

bool Stepper::redo(MechanicalSystem& system, Drivers& drives, EnergyBook& book, const State& state, State& next, double h) {
    const StepReport refused = report_;
    for (Rescuer& rescuer : rescuers_) {
        if (!rescuer.integrator) rescuer.integrator = surest(*rescuer.method);
        if (rescuer.steps == 0) rescuer.integrator->reset();  // its past has a gap
        if (run(*rescuer.integrator, system, drives, book, state, next, h, shorter_step_possible))
            return last_rescuer_ = &rescuer, rescued(refused, rescuer.method->info.id);
        count_refused_rescue();
    }
    report_ = refused;
    return false;
}

bool Stepper::settle(MechanicalSystem& system, Drivers& drives, EnergyBook& book, const State& state, State& next, double h) {
    const StepReport refused = report_;
    if (!descent_) descent_ = std::make_unique<DescentFallback>();
    const Material material = system.material();
    Material undamped = material;
    undamped.damping = undamped.mass_damping = undamped.spring_damping = 0;
    system.set_material(undamped);
    try_step(*descent_, system, state, next, h);
    system.set_material(material);
    if (judge(system, drives, book, state, next, shorter_step_possible))
        return last_rescuer_ = nullptr, rescued(refused, DescentFallback::id);
    count_refused_rescue();
    report_ = refused;
    return false;
}

// The largest part of `whole` that a fallback method can take, not less than h.
bool Stepper::hand_over(MechanicalSystem& system, Drivers& drives, EnergyBook& book, State& state, State& next, double h, double whole) {
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
    settled_ =
        !redone && control_.active() && largest_part(h, [&](double part) { return settle(system, drives, book, state, next, part); });
    if (!redone && !settled_) {
        handovers_ = 0;  // all depends on the method
        return false;
    }
    if (control_.active()) control_.start_at(0);  // the next one may be as long as it likes
    handovers_ = (handovers_ + 1) % 64;
    return true;
}

}  // namespace wobble
