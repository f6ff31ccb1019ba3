#pragma once
// The motion that others are measured against, and how far it can be trusted: the same method with twice the step is run too, and the step
// is halved until the two agree. Their difference is the self-error. For a method of order p the finer run is about 2^p - 1 times
// better than that, so the self-error bounds its true error as long as steps are in the range where the order shows, which the
// sequence of differences tells.
#include "engine/study/body_problem.h"

#include <string>

namespace wobble {

struct ReferenceOptions {
    double target = 1e-7;  // self-error of positions to stop at
    double budget = 60;    // s inside the integrator, for all runs together
};

struct Reference {
    Trajectory samples;
    std::string method;
    double h = 0;                     // s, of the finer run
    TrajectoryError self_error;       // between the two finest runs
    double observed_order = 0;        // from the last three runs; 0: there were only two
    double seconds = 0;               // of the finest run
    double largest_energy = 0;        // J, kinetic + elastic
    bool reached_target = false;      // false: the budget ended it
    std::string explanation() const;  // one sentence with the numbers
};

Result<Reference> compute_reference(const BodyProblem&, const ReferenceOptions&, const Progress&);

}  // namespace wobble
