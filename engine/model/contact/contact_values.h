#pragma once
// What contact is made of: which bodies, how thick, how stiff, how rough.
#include "engine/model/contact/feature_grid.h"
#include "engine/model/material.h"

#include <span>

namespace wobble {

// Stiffness of a contact: k = omega_c^2 / (1 / m_1 + 1 / m_2) with masses that do not depend on where a feature is touched (a vertex its
// own, a triangle the harmonic mean of its body's, an edge that of its ends), so that the energy is a function of the positions alone and
// sliding over a surface does no work. omega_c is a number of the two bodies, not of the method or its step: most of what they vibrate with
// themselves, estimated from their springs, so that explicit steps and Krylov dimensions stay what they are and contact is not softer than
// what it holds; and never below 1000 rad/s, which stops what falls at 5 m/s within a thickness of 1 cm (k d^2 / 6 >= m v^2 / 2).
struct ContactValues {
    PerBodies<std::uint8_t> may_touch;
    PerBodies<double> thickness;      // d, m
    PerBodies<double> friction;       // Coulomb's mu
    std::vector<double> apart;        // m, per body: what is nearer at rest are neighbours
    VecX mass;                        // kg, per particle
    std::vector<double> vertex_mass;  // kg, per vertex of the surface
    std::vector<double> edge_mass;    // kg, per edge
    std::vector<double> mean_mass;    // kg, per body: harmonic mean of its surface
    PerBodies<double> omega;          // omega_c, rad/s
    double thickest = 0;              // m

    double stiffness(int body, int other, double m1, double m2) const {  // k, N/m
        return omega(body, other) * omega(body, other) / (1 / m1 + 1 / m2);
    }
};

// One material per body, share: m^3 per particle.
ContactValues contact_values(const ContactSurface&, std::span<const Material>, const VecX& share, bool bodies, bool self);

}  // namespace wobble
