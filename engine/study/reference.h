#pragma once
// The motion that others are measured against, and how far it can be trusted: the same method with twice the step is run too, and the step
// is halved until the two agree. Their difference d is the self-error. Where errors fall like h^p the finer run's own error is
//     d / (2^p - 1),       p = log2(d' / d),
// d' the difference before. p is observed, so the estimate grows where the steps are not in the range in which the order shows.
#include "engine/study/body_problem.h"

#include <string>

namespace wobble {

struct ReferenceOptions {
    double target = 1e-7;  // self-error of positions to stop at
    double budget = 60;    // s inside the integrator, for all runs together; each of the first two may take as much alone, or a second
    const char* method = "rk4";
};

struct Reference {
    Trajectory samples;
    std::string method;
    double h = 0;                     // s, of the finer run
    TrajectoryError self_error;       // between the two finest runs
    int order = 0;                    // of the method
    double observed_order = 0;        // p from the last three runs; 0: there were only two
    TrajectoryError estimated_error;  // d / (2^p - 1), p between 1/2 and the order; d itself after two runs
    double seconds = 0;               // of the finest run
    double largest_energy = 0;        // J, kinetic + elastic
    bool reached_target = false;      // false: the budget ended it
    bool asymptotic() const;          // p is known and near the order
    std::string explanation() const;  // sentences with the numbers
};

Result<Reference> compute_reference(const BodyProblem&, const ReferenceOptions&, const Progress&);

}  // namespace wobble
