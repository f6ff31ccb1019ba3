#pragma once
// Independent oscillators as a MechanicalSystem, so that scalar test equations are solved by the very integrators that move bodies:
//     m q_i'' + alpha m q_i' + k_i (q_i - c) + m g = 0
// One particle each, on a spring of rest length zero to one held particle at height c. Such a spring pulls with k d in every
// direction, so the motion along y is linear for any amplitude and nothing is lost to a large rest length.
//
// Dahlquist's y' = lambda y:   alpha = -2 Re lambda, k/m = |lambda|^2 has the two solutions e^(lambda t), e^(conj(lambda) t).
// Written as (q, v)' = J (q, v) its start q = Re a, v = Re (lambda a) stays of this form, and every Runge-Kutta or linear multistep method
// gives a_n = R(h lambda)^n a_0, its scalar result. Methods that treat q and v differently (Verlet) do not keep the form.
#include "engine/model/mechanical_system.h"

#include <complex>
#include <memory>
#include <vector>

namespace wobble {

struct Oscillators {
    double mass = 1, alpha = 0, gravity = 0, centre = 0;  // kg, 1/s (may be negative), m/s^2, m
    std::vector<double> stiffness = {}, q = {}, v = {};   // N/m, m, m/s: one each
};

class OscillatorBank {
public:
    explicit OscillatorBank(const Oscillators&);
    MechanicalSystem& system() const { return *system_; }
    const State& start() const { return start_; }
    static double position(const State& s, int i) { return s.q[3 * (i + 1) + 1]; }  // particle 0 is the held one
    static double velocity(const State& s, int i) { return s.v[3 * (i + 1) + 1]; }

private:
    std::unique_ptr<MechanicalSystem> system_;
    State start_;
};

// y' = lambda y, y(0) = 1 for lambdas with the same real part.
Oscillators dahlquist(const std::vector<std::complex<double>>& lambdas);
// The amplitude a with q = Re a, v = Re (lambda a); Im lambda is not zero.
std::complex<double> amplitude(double q, double v, std::complex<double> lambda);

}  // namespace wobble
