// A slender co-rotational cantilever against Euler and Bernoulli: f = 1.8751^2 / (2 pi) sqrt(E I / (rho A L^4)).
// Linear tets are too stiff in bending (shear locking), the more the coarser; they come down to the formula from above: frequencies
// 81 % too high with one cell over the thickness, 26 % with two, 7 % with four (8 % with Poisson's ratio 0.3).
#include "engine/model/mechanical_system.h"
#include "engine/solve/krylov/spectrum.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace wobble {
namespace {

// Measured over expected, with `across` cells over the thickness.
double ratio(int across, double poisson) {
    const double L = 2, h = 0.2, E = 1e6, rho = 1000, A = h * h, I = h * h * h * h / 12;
    const BodyMesh body{.tets = support::box_tets(10 * across, across, across, h / across)};
    const int n = static_cast<int>(body.tets.vertices.size());
    std::vector<Constraint> held;
    for (int i = 0; i < n; ++i)
        if (body.tets.vertices[i].x() < 1e-9) held.push_back(Constraint::held(i));
    const MechanicalSystem system(body, {.kind = ElasticModel::Kind::corotational}, Constraints(n, held),
                                  {.density = rho, .young = E, .poisson = poisson}, std::make_shared<Workers>(2));
    BlockMatrix K(system.pattern());
    system.stiffness(system.rest(), K);
    const double omega = lowest_frequency({system.workers(), K, system.mass(), system.inverse_mass(), 0, 0});
    return omega / (1.8751 * 1.8751 * std::sqrt(E * I / (rho * A * L * L * L * L)));
}

TEST(CorotationalTets, CantileverComesDownToEulerAndBernoulli) {
    const double one = ratio(1, 0), two = ratio(2, 0), four = ratio(4, 0);
    // The mesh is made of equal cells: these are numbers of the elements, not of a mesher.
    EXPECT_NEAR(one, 1.807, 0.005);
    EXPECT_NEAR(two, 1.257, 0.005);
    EXPECT_NEAR(four, 1.067, 0.005);
    EXPECT_NEAR(ratio(4, 0.3), 1.082, 0.005);
    // Squares of frequencies are stiffnesses; what linear elements have too much of them falls with the square of their size.
    const auto excess = [](double ratio) { return ratio * ratio - 1; };
    EXPECT_NEAR(std::log2(excess(one) / excess(two)), 2, 0.15);
    EXPECT_NEAR(std::log2(excess(two) / excess(four)), 2, 0.15);
}

}  // namespace
}  // namespace wobble
