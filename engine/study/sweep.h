#pragma once
// One method with one fixed step on a body, measured against a reference: called directly on the system that the World would use, no
// rescue, no guard, no step control. Errors are those of robust-stepping: RMS over free particles and sample times in the second half of
// the run, relative to the RMS displacement (velocities: to the RMS velocity) of the reference.
#include "engine/study/equal_error.h"
#include "engine/study/reference.h"
#include "engine/study/study.h"

#include <string>
#include <vector>

namespace wobble {

struct Outcome {
    double h = 0;
    long steps = 0;
    FixedRun result;
    TrajectoryError error{NAN, NAN};
    std::string status;
};

struct Sweep {
    // A run is called diverged when its kinetic + elastic energy exceeds `lost` times the reference's largest (it ends there; set
    // BodyProblem::energy_limit), or when it exceeds `suspect` times that and an error is above 1, the size of the motion itself.
    static constexpr double lost = 10, suspect = 2;
    static constexpr double trusted = 10;  // times the reference's own error, as estimated: errors below are not known

    const BodyProblem& problem;
    const Reference& reference;
    double too_slow;  // s
    Progress progress;

    // The step is H / parts. Status "stopped" if progress says so.
    Outcome run(const Method&, const IntegratorOptions&, long parts) const;
    // Takes the time of that run once more: the outcome keeps the better one. False: stopped.
    bool time_again(const Method&, const IntegratorOptions&, long parts, double& seconds) const;
};

// The fewest parts of H whose length is at most 0.95 of an explicit method's limit: the step it would be run with. 1 for the others.
long stable_parts(const MethodInfo&, const BodyProblem&);

// How H is cut: the steps asked for, or the study's own, each half of the one before, longest first; for explicit methods that of
// stable_parts too, as halving alone may miss nearly a factor of two.
std::vector<long> parts_of(const MethodInfo&, const BodyProblem&, const StudyOptions&);

std::vector<std::string> work_precision_columns();  // product.md's first, then what else was counted
std::vector<Cell> work_precision_row(const char* integrator, const Outcome&);

// For at_error: position error and seconds. A run too good for the reference to say how good counts only as far as the reference's own
// error allows.
ErrorAndCost priced(const Outcome&, const Reference&);

}  // namespace wobble
