#include "engine/sim/stepper.h"

#include <chrono>
#include <exception>

namespace wobble {

namespace {

// Explosions are cured only at their beginning, so wherever another try is possible a step is judged strictly.
constexpr GuardLimits explosion_only{.step_gain = 1, .total_gain = 1};
constexpr GuardLimits shorter_step_possible{.step_gain = 0.02, .total_gain = 1};
constexpr GuardLimits rescue_possible{.step_gain = 0.1, .total_gain = 0.1};

}  // namespace

void Stepper::choose(const Method& method, const SolverOptions& solver, const StepController& control) {
    method_ = &method;
    solver_ = solver;
    control_ = control;
    integrator_ = method.make({.solver = solver});
    rescuers_.clear();
    if (!implicit()) return;
    for (const char* id : {"tr-bdf2", "implicit-euler"})
        if (const Method* rescue = find_method(id); rescue && rescue != &method) rescuers_.push_back({rescue, nullptr});
}

void Stepper::reset() {
    integrator_->reset();
    for (Rescuer& rescuer : rescuers_)
        if (rescuer.integrator) rescuer.integrator->reset();
}

bool Stepper::attempt(MechanicalSystem& system, Drives& drives, EnergyBook& book, State& state, State& scratch, double h, bool strict) {
    const auto start = std::chrono::steady_clock::now();
    drives.begin(system, state, h);
    const GuardLimits& limits = implicit() ? rescue_possible : strict ? shorter_step_possible : explosion_only;
    bool good = run(*integrator_, system, drives, book, state, scratch, h, limits);
    bool inaccurate = false;
    if (good && control_.active()) {
        if (report_.error < 0 && !implicit()) report_.error = quadrature_defect(state, scratch);
        inaccurate = !control_.accept(report_, h);
    }
    if (!good || inaccurate) {
        ++counters_.rejected;
        integrator_->rejected();
        if (!good && control_.active()) control_.failed(h);
    }
    if (!good && implicit() && !system.workers().stop_requested()) good = redo(system, drives, book, state, scratch, h);
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!good || inaccurate) return false;
    book.accept();
    std::swap(state, scratch);
    return true;
}

// One integrator's step and what the guard says of it; report_ tells both.
bool Stepper::run(Integrator& integrator, MechanicalSystem& system, Drives& drives, EnergyBook& book, const State& state, State& next,
                  double h, const GuardLimits& limits) {
    try {
        report_ = integrator.step(system, state, h, next);
    } catch (const std::exception& failure) {  // memory, above all: the first step of a method makes its workspace
        report_ = {};
        report_.status = StepStatus::out_of_memory;
        report_.message = std::string("not enough memory for this method at this resolution: ") + failure.what();
        integrator_ = method_->make({.solver = solver_});  // gives back what it holds
        for (Rescuer& rescuer : rescuers_) rescuer.integrator.reset();
    }
    counters_.newton_iterations += report_.newton_iterations;
    counters_.linear_iterations += report_.linear_iterations;
    counters_.operator_products += report_.operator_products;
    counters_.force_evaluations += report_.force_evaluations;
    counters_.factorizations += report_.factorizations;
    if (report_.ok()) report_.status = book.examine(system, state, next, drives.work(system, state, next), limits);
    return report_.ok();
}

bool Stepper::redo(MechanicalSystem& system, Drives& drives, EnergyBook& book, const State& state, State& next, double h) {
    const StepReport refused = report_;
    for (Rescuer& rescuer : rescuers_) {
        // By the surest solver, whatever was chosen: the chosen one may be what failed.
        if (!rescuer.integrator) rescuer.integrator = rescuer.method->make({.solver = {.tolerance = solver_.tolerance}});
        if (!run(*rescuer.integrator, system, drives, book, state, next, h, shorter_step_possible)) continue;
        ++counters_.redone;
        report_.redone_by = rescuer.method->info.id;
        integrator_->reset();  // its history has a gap now
        return true;
    }
    report_ = refused;
    return false;
}

}  // namespace wobble
