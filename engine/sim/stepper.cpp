#include "engine/sim/stepper.h"

#include <chrono>
#include <exception>

namespace wobble {

namespace {

constexpr double shortest_refused = 1e-5;  // s; what still crosses in less is rounding, and better let through than stood still for
constexpr int most_past = 4;               // states that start values are extrapolated from, besides the present one

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
    ladder_.choose_method();
    rescuers_.clear();
    if (method.info.family == Family::explicit_classical) return;
    for (const char* id : {"tr-bdf2", "implicit-euler"})
        if (const Method* rescue = find_method(id); rescue && rescue != &method) rescuers_.push_back({rescue, nullptr});
}

void Stepper::reset() {
    integrator_->reset();
    defect_.forget();
    refused_ = {};
    ladder_.forget();
    for (Rescuer& rescuer : rescuers_) rescuer.steps = 0;
}

// With the surest solver, whatever was chosen: the chosen one may be what failed.
std::unique_ptr<Integrator> Stepper::surest(const Method& method) const {
    return method.make({.solver = {.tolerance = solver_.tolerance}});
}

int Stepper::Memory::states() const { return std::max({past, std::min(rescues, most_past), defect_step > 0 ? 1 : 0}); }

Stepper::Memory Stepper::memory() {
    Memory m;
    m.control = control_, m.ladder = ladder_;
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
    ladder_ = memory.ladder;
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

bool Stepper::attempt(Motion m, double h, const RescueLadder::Rules& rules) {
    const auto start = std::chrono::steady_clock::now();
    ++counters_.tries;
    if (m.drivers.move_particles()) held_velocity_ = m.state.v;
    const bool good = accurate(m, h, try_method(m, h, rules));
    const bool redone = !good && rescue(m, h, rules);
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!good && !redone) return refuse(m), false;
    if (good) ladder_.taken(rules, h);
    take(m, redone);
    return true;
}

// The chosen method's own try, where it has one.
bool Stepper::try_method(Motion& m, double h, const RescueLadder::Rules& rules) {
    if (ladder_.asks_method(rules)) return run(*integrator_, m, h, ladder_.limits(rules));
    report_ = {};
    report_.status = StepStatus::krylov_stagnated;  // nothing better is known of it
    return false;
}

// What step control says of a try that was good, or not.
bool Stepper::accurate(Motion& m, double h, bool good) {
    if (!control_.active()) return good;
    if (!good) return control_.failed(h), false;
    const double defect = defect_.measure(m.state, m.next);
    if (report_.error < 0) report_.error = defect;
    return control_.accept(report_, h);
}

void Stepper::refuse(Motion& m) {
    m.system.undo_contact(m.state);
    if (m.drivers.move_particles()) m.state.v = held_velocity_;
    m.system.set_internal(m.state.internal);
    add_work(report_, refused_);
}

void Stepper::take(Motion& m, bool redone) {
    add_work(refused_, report_);
    refused_ = {};
    for (Rescuer& rescuer : rescuers_) rescuer.steps = redone && &rescuer == last_rescuer_ ? rescuer.steps + 1 : 0;
    if (redone) {
        if (control_.active()) report_.error = defect_.measure(m.state, m.next);  // the rescuer has no estimate: what its motion shows
        defect_.forget();
    } else if (control_.active()) {
        defect_.accept();
    }
    if (books_.changed) {  // what methods know of the state they reached is no longer so
        integrator_->reset();
        for (Rescuer& rescuer : rescuers_) rescuer.steps = 0;
    }
    m.system.contact().take();
    m.book.accept();
    std::swap(m.state, m.next);
}

// One integrator's step, from what drives it to what the guard says of it; report_ tells both.
bool Stepper::run(Integrator& integrator, Motion& m, double h, const GuardLimits& limits) {
    drive(m, h);
    advance_with_contact(integrator, m, h);
    if (report_.ok()) {
        if (const char* why = h > shortest_refused ? m.system.refuses(m.state, m.next) : nullptr)
            report_.status = StepStatus::contact, report_.message = why;
    }
    end(m);
    return judge(m, limits);
}

// Once more where something touched that was not known to, from the same state.
void Stepper::advance_with_contact(Integrator& integrator, Motion& m, double h) {
    m.system.begin_contact(m.state, h);
    if (m.system.contact().changed()) integrator.constraints_changed();
    for (advance(integrator, m, h); report_.ok();) {
        const ActiveSet::Verdict verdict = m.system.judge_contact(m.state, h, m.next);
        if (verdict == ActiveSet::Verdict::good) break;
        if (verdict == ActiveSet::Verdict::too_deep) {
            report_.status = StepStatus::contact;
            report_.message = "the body would end inside an obstacle";
            break;
        }
        const StepReport first = report_;
        integrator.rejected();
        integrator.constraints_changed();
        advance(integrator, m, h);
        add_work(first, report_);
    }
}

void Stepper::drive(Motion& m, double h) {
    m.system.undo_contact(m.state);
    if (m.drivers.move_particles()) m.state.v = held_velocity_;  // as before any try: the wind looks at it
    m.drivers.begin(m.system, m.state, h);
    m.system.begin_step(m.state, h);
}

void Stepper::advance(Integrator& integrator, Motion& m, double h) {
    try {
        m.next.internal = m.state.internal;
        report_ = integrator.step(m.system, m.state, h, m.next);
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

void Stepper::end(Motion& m) {
    books_ = report_.ok() ? m.system.end_step(m.state, m.next) : StepBooks{};
    if (books_.changed) report_.elastic_energy.reset();
}

bool Stepper::judge(Motion& m, const GuardLimits& limits) {
    if (!report_.ok()) return false;
    const double work = m.drivers.work(m.system, m.state, m.next);
    report_.status = m.book.examine(m.system, m.state, m.next, work, books_, limits, report_.elastic_energy);
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

// Up the ladder, as far as it goes within this step.
bool Stepper::rescue(Motion& m, double h, const RescueLadder::Rules& rules) {
    ++counters_.rejected;
    integrator_->rejected();
    RescueLadder::Refusal refusal{.status = report_.status, .h = h};
    while (true) {
        refusal.stopped = m.system.workers().stop_requested();
        const Rescue rung = ladder_.next(rules, refusal);
        bool took = false;
        if (rung == Rescue::redo) took = redo(m, h);
        else if (rung == Rescue::hand_over) took = hand_over(m, h, rules);
        else if (rung == Rescue::settle) took = largest_part(m, rules.whole, h, [&](double part) { return settle(m, part); });
        else return ladder_.fell(refusal.tried), false;
        if (took) {
            if (rung != Rescue::redo && control_.active()) control_.start_at(0);  // the next one may be as long as it likes
            return ladder_.rescued(rung), true;
        }
        refusal.tried = rung;
    }
}

bool Stepper::redo(Motion& m, double h) {
    const StepReport refused = report_;
    for (Rescuer& rescuer : rescuers_) {
        if (!rescuer.integrator) rescuer.integrator = surest(*rescuer.method);
        if (rescuer.steps == 0) rescuer.integrator->reset();  // its past has a gap
        if (run(*rescuer.integrator, m, h, RescueLadder::rescue_limits()))
            return last_rescuer_ = &rescuer, rescued(refused, rescuer.method->info.id);
        count_refused_rescue();
    }
    report_ = refused;
    return false;
}

bool Stepper::settle(Motion& m, double h) {
    const StepReport refused = report_;
    if (!descent_) descent_ = std::make_unique<DescentFallback>();
    const std::vector<Material> materials = m.system.materials();
    std::vector<Material> undamped = materials;
    for (Material& u : undamped) u.damping = u.mass_damping = u.spring_damping = 0;
    drive(m, h);
    m.system.set_materials(undamped);
    advance_with_contact(*descent_, m, h);
    m.system.set_materials(materials);
    end(m);
    if (judge(m, RescueLadder::rescue_limits())) return last_rescuer_ = nullptr, rescued(refused, DescentFallback::id);
    count_refused_rescue();
    report_ = refused;
    return false;
}

// The largest part of `whole` that can be taken, not less than `least`.
template <class Take>
bool Stepper::largest_part(Motion& m, double whole, double least, Take&& take_part) {
    for (double part = std::max(whole, least);; part = std::max(part / 8, least)) {
        if (take_part(part)) return true;
        if (part <= least || m.system.workers().stop_requested()) return false;
    }
}

bool Stepper::hand_over(Motion& m, double h, const RescueLadder::Rules& rules) {
    const double whole = std::max(rules.controlled ? rules.whole : h, h);
    return largest_part(m, whole, ladder_.least_part(rules, h), [&](double part) { return redo(m, part); });
}

}  // namespace wobble
