#pragma once
// The energy book-keeping of a run, in joules.

namespace wobble {

struct Energies {
    double kinetic = 0;
    double elastic = 0;
    double potential = 0;   // gravity; zero at the initial state
    double dissipated = 0;  // by damping, plastic work and friction since the start
    double supplied = 0;    // by grabs and by edits of parameters since the start
    double initial_total = 0;
    double max_kinetic = 0;  // largest so far
    double max_error = 0;    // largest |total + dissipated - supplied - initial_total| so far
    double total() const { return kinetic + elastic + potential; }
    double error() const { return total() + dissipated - supplied - initial_total; }
    double drift() const { return max_error / (max_kinetic > 0 ? max_kinetic : 1); }
};

}  // namespace wobble
