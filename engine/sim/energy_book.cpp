#include "engine/sim/energy_book.h"

#include <algorithm>
#include <cmath>

namespace wobble {

void EnergyBook::measure(const MechanicalSystem& system, const State& state, Energies& e, std::optional<double> elastic) const {
    const auto [kinetic, gravity] = system.kinetic_and_gravity_energy(state.q, state.v);
    e.kinetic = kinetic;
    e.elastic = elastic ? *elastic : system.elastic_energy(state.q);
    e.potential = gravity - gravity_reference_;
    e.contact = system.contact_energy(state.q);
}

// Before anything moves: a fall through a hundredth of the body's size, or a slow push where there is no gravity.
double EnergyBook::natural_scale(const MechanicalSystem& system) const {
    return 0.01 * system.total_mass() * std::max(1.0, std::abs(system.material().gravity)) * extent_;
}

void EnergyBook::begin(const MechanicalSystem& system, const State& initial) {
    initial_q_ = initial.q;
    for (VecX* vector : {&scratch_, &mean_q_, &mean_v_}) vector->resize(initial.q.size());
    const auto points = initial.q.reshaped(3, initial.q.size() / 3);
    extent_ = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
    gravity_reference_ = system.gravity_energy(initial_q_);
    energies_ = {};
    measure(system, initial, energies_);
    energies_.initial_total = energies_.total();
    energies_.max_kinetic = energies_.kinetic;
    power_ = system.dissipation_power(initial.q, initial.v, scratch_);
    largest_ = std::max({energies_.kinetic, energies_.elastic, natural_scale(system)});
    base_ = energies_.total();
}

void EnergyBook::rebase(const MechanicalSystem& system, const State& state) {
    const double before = energies_.total();
    gravity_reference_ = system.gravity_energy(initial_q_);
    measure(system, state, energies_);
    energies_.supplied += energies_.total() - before;
    power_ = system.dissipation_power(state.q, state.v, scratch_);
    largest_ = std::max(energies_.kinetic + energies_.elastic, natural_scale(system));
    base_ = energies_.total() - energies_.supplied;
}

// What damping took between the two states, given that `lost` disappeared altogether: see the header.
double EnergyBook::dissipated(const MechanicalSystem& system, const State& before, const State& after, double lost) {
    if (!system.damped()) return 0;
    const double h = after.t - before.t, trapezoid = h / 2 * (power_ + examined_power_);
    mean_q_ = 0.5 * (before.q + after.q);
    mean_v_ = (after.q - before.q) / h;
    const double least = h * system.dissipation_power(mean_q_, mean_v_, scratch_);
    return std::clamp(lost, std::min(least, trapezoid), std::max(least, trapezoid));
}

StepStatus EnergyBook::examine(const MechanicalSystem& system, const State& before, const State& after, double work, const StepBooks& books,
                               const GuardLimits& limits, std::optional<double> elastic) {
    examined_ = energies_;
    measure(system, after, examined_, elastic);
    examined_power_ = system.dissipation_power(after.q, after.v, scratch_);
    const double supply = work + books.supplied;
    examined_.supplied += supply;
    if (!std::isfinite(examined_.total()) || !std::isfinite(examined_power_)) return StepStatus::not_finite;

    const double gain = examined_.total() - energies_.total() - supply + books.dissipated;
    const double gained = examined_.total() - examined_.supplied - base_;
    const double allowed = largest_ + std::abs(supply);
    // A run above its total limit may go on as long as its steps lose energy, or next to nothing comes from them.
    if (gain > limits.step_gain * allowed || (gained > limits.total_gain * allowed && gain > limits.slight * allowed))
        return StepStatus::energy_guard;
    const double damped = dissipated(system, before, after, -gain),
                 impact = std::clamp(-gain - damped, 0.0, std::max(0.0, books.impact_room));
    examined_.dissipated += damped + impact + books.dissipated;
    examined_.impact += books.impact + impact;
    examined_.friction += books.friction;
    examined_.max_kinetic = std::max(examined_.max_kinetic, examined_.kinetic);
    examined_.max_error = std::max(examined_.max_error, std::abs(examined_.error()));
    examined_largest_ = std::max({largest_, examined_.kinetic, examined_.elastic});
    return StepStatus::ok;
}

}  // namespace wobble
