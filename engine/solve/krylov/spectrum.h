#pragma once
// The highest and the lowest natural frequency of M^-1 K: what limits explicit steps, and what one sees.
#include "engine/core/saved_solver_state.h"
#include "engine/solve/linearized.h"

namespace wobble {

// Largest eigenvalue of M^-1 K by Lanczos from a fixed pseudo-random start, to about 0.1 %; returns its square root, rad/s.
double highest_frequency(const Linearized&);
// The same with the residual added, which ends below `accuracy` of the eigenvalue.
double highest_frequency_bound(const Linearized&, double accuracy);

// That bound for matrices that follow each other from step to step, as the square root of twice their largest diagonal entry in M^-1 K
// times what its ratio to that was when last measured: when the entry had changed by a factor of `far`, and every `period` calls.
class TrackedFrequency {
public:
    TrackedFrequency(double far, double accuracy, int period) : far_(far), accuracy_(accuracy), period_(period) {}
    void follow(const Linearized&);
    void measure(const Linearized&);
    double value() const { return omega_; }
    void solver_state(SavedSolverState&);

private:
    double far_, accuracy_;
    int period_, age_ = 0;
    double omega_ = 0, measured_scale_ = 0, ratio_ = 1;
    std::vector<double> sums_;
};

// Lowest one by inverse iteration with a sparse Cholesky factor, rad/s; 0 if K is not positive definite on the free particles.
double lowest_frequency(const Linearized&);

}  // namespace wobble
