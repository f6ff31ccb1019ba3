#pragma once
// One motion of one body, sampled at fixed times, so that runs with different steps and methods can be compared.
// The interval [0, T] is n0 coarse steps H; samples are taken at multiples of H in its second half, where phase errors have had time to
// grow; every step of a run is a whole part of H.
// Wind and moving pins are constant (pins: uniform motion) over each coarse step, for every run and the reference alike: what they do
// depends on the state at multiples of H only, so all runs solve the same equations and differ by the error of the method. Methods
// with a history start anew there, as the acceleration jumps.
#include "engine/core/progress.h"
#include "engine/integrate/methods.h"
#include "engine/model/drivers/drivers.h"
#include "engine/scene/loaded_scene.h"
#include "engine/study/integrate_fixed.h"

#include <memory>
#include <vector>

namespace wobble {

struct Trajectory {
    std::vector<VecX> q, v;  // at the sample times
};

struct TrajectoryError {
    double position = 0,
           velocity = 0;  // RMS over free particles and samples, relative to RMS displacement and RMS velocity of the reference
};

struct BodyProblem {
    std::shared_ptr<const LoadedScene> scene;  // may be empty: a system made by hand
    std::shared_ptr<MechanicalSystem> system;
    IntegratorOptions options;
    Drivers drivers;  // moving pins, wind
    State start;
    double H = 0;             // s
    long coarse_steps = 0;    // n0
    double omega_max = 0;     // rad/s, of the initial tangent
    double energy_limit = 0;  // J of kinetic + elastic energy: above it a run is lost; 0: no limit

    double end() const { return H * static_cast<double>(coarse_steps); }
    bool driven() const { return drivers.active(); }
    bool sampled(long coarse_step) const;
    // The longest step of an explicit method that does not break down in small motion, s; infinite for the others.
    double stability_limit(const MethodInfo&) const;
};

// H is as near to `longest` as T allows.
BodyProblem body_problem(std::shared_ptr<const LoadedScene>, double T, double longest, int threads);
void set_interval(BodyProblem&, double T, double longest);

struct SampledRun {
    FixedRun result;
    Trajectory samples;
    double largest_energy = 0;  // kinetic + elastic at multiples of H
};
// H / parts is the step. `progress` is told the fraction of this run; too_slow: after this many seconds inside the integrator.
SampledRun sample(const BodyProblem&, Integrator&, long parts, double too_slow, const Progress&);

double displacement(const BodyProblem&, const Trajectory&);  // RMS over free coordinates and samples, m
TrajectoryError difference(const BodyProblem&, const Trajectory& run, const Trajectory& reference);

}  // namespace wobble
