#pragma once
// What contact is made of: which bodies, how thick, how stiff, how rough.
#include "engine/model/contact/feature_grid.h"
#include "engine/model/material.h"

#include <span>

namespace wobble {

// Stiffness of a contact: k = omega_c^2 / (1 / m_1 + 1 / m_2) with masses that do not depend on where a feature is touched (a vertex its
// own, a triangle the harmonic mean of its body's, an edge that of its ends), so that the energy is a function of the positions alone and
// sliding over a surface does no work. omega_c is a number of the bodies, not of the method or its step.
struct ContactValues {
    PerBodies<std::uint8_t> may_touch;
    PerBodies<double> thickness;      // d, m
    PerBodies<double> friction;       // Coulomb's mu
    std::vector<double> apart;        // m, per body: what is nearer at rest are neighbours
    VecX mass;                        // kg, per particle
    std::vector<double> vertex_mass;  // kg, per vertex of the surface
    std::vector<double> edge_mass;    // kg, per edge
    std::vector<double> mean_mass;    // kg, per body: harmonic mean of its surface
    double omega = 0;                 // rad/s
    double thickest = 0;              // m

    double vertex_triangle(int vertex, int body_of_triangle) const {  // k, N/m
        return omega * omega / (1 / vertex_mass[vertex] + 1 / mean_mass[body_of_triangle]);
    }
    double edge_edge(int one, int other) const { return omega * omega / (1 / edge_mass[one] + 1 / edge_mass[other]); }
};

// One material per body, share: m^3 per particle.
ContactValues contact_values(const ContactSurface&, std::span<const Material>, const VecX& share, bool bodies, bool self);

}  // namespace wobble
