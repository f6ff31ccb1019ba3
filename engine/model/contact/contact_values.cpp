#include "engine/model/contact/contact_values.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr double least_omega = 1000;  // rad/s

// About what a body's highest modes have, rad/s, of particles of this mass: omega^2 = 2 K_ii / m with the mean of K_ii, a third of the
// trace of what the springs of a particle add up to; for elements the time of a pressure wave across an edge.
double own_omega(const ContactSurface::Body& body, const Material& m, double mass) {
    if (body.corotational) {
        const double pressure = m.young * (1 - m.poisson) / ((1 + m.poisson) * (1 - 2 * m.poisson));
        return 2 * std::sqrt(pressure / m.density) / body.mean;
    }
    const double edges = 1 + body.tets_per_particle;
    const double trace = body.sheet ? 4 * m.stiffness : 16.0 / 3 * body.tets_per_particle * m.stiffness + 2 * edges * m.edge_stiffness;
    return std::sqrt(2 * trace / 3 / mass);
}

double thickness(const ContactSurface::Body& body, double largest, const Material& material) {
    const double own = material.contact_thickness > 0 ? material.contact_thickness : 0.01 * largest;
    // What is one mesh width apart in a sheet lies beside each other, not on top of each other.
    return body.sheet ? std::min(own, body.shortest / 3) : own;
}

}  // namespace

ContactValues contact_values(const ContactSurface& s, std::span<const Material> materials, const VecX& share, bool bodies, bool self) {
    const std::size_t n = s.bodies.size();
    const auto material = [&](std::size_t b) -> const Material& { return materials[std::min(b, materials.size() - 1)]; };
    ContactValues c{PerBodies<std::uint8_t>(n), PerBodies<double>(n), PerBodies<double>(n), std::vector<double>(n), share, {}, {}, {},
                    PerBodies<double>(n)};
    double largest = 0;
    for (const auto& body : s.bodies) largest = std::max(largest, body.size);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a; b < n; ++b) {
            const int i = static_cast<int>(a), j = static_cast<int>(b);
            c.may_touch.set(i, j, a == b ? self : bodies);
            c.thickness.set(i, j, (thickness(s.bodies[a], largest, material(a)) + thickness(s.bodies[b], largest, material(b))) / 2);
            c.friction.set(i, j, std::sqrt(material(a).friction * material(b).friction));
            c.thickest = std::max(c.thickest, c.thickness(i, j));
        }
    c.vertex_mass.resize(s.vertices.size());
    for (std::size_t b = 0; b < n; ++b) {
        const int i = static_cast<int>(b);
        c.apart[b] = 1.01 * c.thickness(i, i);
        double inverse = 0;
        const IndexRange own = s.bodies[b].vertices;
        for (int v = own.begin; v < own.end; ++v) {
            const double m = share[s.vertices[v]] * material(b).density;
            c.mass[s.vertices[v]] = c.vertex_mass[v] = m;
            inverse += 1 / m;
        }
        c.mean_mass.push_back(own.size() > 0 ? own.size() / inverse : 1);
    }
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a; b < n; ++b) {
            const auto own = [&](std::size_t i) { return 0.7 * own_omega(s.bodies[i], material(i), c.mean_mass[i]); };
            c.omega.set(static_cast<int>(a), static_cast<int>(b), std::max({least_omega, own(a), own(b)}));
        }
    for (const auto& [i, j] : s.edges) c.edge_mass.push_back(2 / (1 / c.mass[i] + 1 / c.mass[j]));
    return c;
}

}  // namespace wobble
