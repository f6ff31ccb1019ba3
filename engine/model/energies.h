#pragma once
// The energy book-keeping of a run, in joules.

namespace wobble {

struct Energies {
    double kinetic = 0;
    double elastic = 0;
    double potential = 0;   // gravity; zero at the initial state
    double contact = 0;     // of the elastic energy: between surfaces that are near each other
    double dissipated = 0;  // by damping, plastic work, impacts and friction since the start
    double impact = 0;      // of these
    double friction = 0;    // of these
    double supplied = 0;    // by grabs and by edits of parameters since the start
    double initial_total = 0;
    double max_kinetic = 0;  // largest so far
    double max_error = 0;    // largest |total + dissipated - supplied - initial_total| so far
    double total() const { return kinetic + elastic + potential; }
    double error() const { return total() + dissipated - supplied - initial_total; }
    double drift() const { return max_error / (max_kinetic > 0 ? max_kinetic : 1); }
};

}  // namespace wobble
