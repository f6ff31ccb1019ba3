#include "engine/sim/energy_book.h"

#include <algorithm>
#include <cmath>

namespace wobble {

void EnergyBook::measure(const MechanicalSystem& system, const State& state, Energies& e) {
    e.kinetic = system.kinetic_energy(state.v);
    e.elastic = system.elastic_energy(state.q);
    e.potential = system.gravity_energy(state.q) - system.gravity_energy(initial_q_);
}

void EnergyBook::begin(const MechanicalSystem& system, const State& initial) {
    initial_q_ = initial.q;
    scratch_.resize(initial.q.size());
    energies_ = {};
    measure(system, initial, energies_);
    energies_.initial_total = energies_.total();
    energies_.max_kinetic = energies_.kinetic;
    power_ = system.dissipation_power(initial.q, initial.v, scratch_);
    // Before anything moves, a fall through a hundredth of the body's height is the natural measure.
    const double height = initial.q.maxCoeff() - initial.q.minCoeff();
    largest_ = std::max({energies_.kinetic, energies_.elastic, 0.01 * system.total_mass() * std::abs(system.material().gravity) * height});
}

void EnergyBook::rebase(const MechanicalSystem& system, const State& state) {
    const double before = energies_.total();
    measure(system, state, energies_);
    energies_.supplied += energies_.total() - before;
    power_ = system.dissipation_power(state.q, state.v, scratch_);
    largest_ = std::max({largest_, energies_.kinetic, energies_.elastic});
}

StepStatus EnergyBook::examine(const MechanicalSystem& system, const State& state, double h, double work,
                               double largest_gain) {
    examined_ = energies_;
    measure(system, state, examined_);
    examined_power_ = system.dissipation_power(state.q, state.v, scratch_);
    examined_.dissipated += h / 2 * (power_ + examined_power_);
    examined_.supplied += work;
    if (!std::isfinite(examined_.total()) || !std::isfinite(examined_power_)) return StepStatus::not_finite;
    const double allowed = largest_ + std::abs(examined_.supplied);
    if (examined_.error() > allowed || examined_.error() - energies_.error() > largest_gain * allowed) return StepStatus::energy_guard;
    examined_.max_kinetic = std::max(examined_.max_kinetic, examined_.kinetic);
    examined_.max_error = std::max(examined_.max_error, std::abs(examined_.error()));
    examined_largest_ = std::max({largest_, examined_.kinetic, examined_.elastic});
    return StepStatus::ok;
}

}  // namespace wobble
