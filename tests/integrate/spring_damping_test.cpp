// Methods keep their order when springs stiffen and have dashpots, which are not Rayleigh damping. The reference is a
// Runge-Kutta integration written here, which needs nothing but the force.
#include "engine/integrate/methods.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

struct Flow {
    VecX q, v;
};

Flow rk4(const MechanicalSystem& system, Flow u, double h, int steps) {
    const auto F = [&](const Flow& x) {
        Flow d{x.v, VecX(x.q.size())};
        system.force(x.q, x.v, d.v);
        d.v.array() *= system.inverse_mass().array();
        return d;
    };
    const auto plus = [](const Flow& a, double s, const Flow& b) { return Flow{a.q + s * b.q, a.v + s * b.v}; };
    for (int n = 0; n < steps; ++n) {
        const Flow k1 = F(u), k2 = F(plus(u, h / 2, k1)), k3 = F(plus(u, h / 2, k2)), k4 = F(plus(u, h, k3));
        u = plus(plus(plus(plus(u, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    }
    return u;
}

class SpringDamping : public testing::TestWithParam<const char*> {};

TEST_P(SpringDamping, KeepsTheOrder) {
    const Method& method = *find_method(GetParam());
    const TetMesh mesh = support::box_tets(2, 1, 1);
    const MechanicalSystem system = support::cantilever(
        mesh, {.stiffness = 3e3, .edge_stiffness = 3e2, .damping = 1e-3, .mass_damping = 0.5, .stiffening = 2, .spring_damping = 4e-3});
    State start{0, support::positions(mesh), VecX::Zero(3 * system.particles())};
    for (int i = 0; i < system.particles(); ++i) {
        const Vec3 x = mesh.vertices[i];
        particle(start.v, i) = x.x() * Vec3(0.2, 2.0 - 3 * x.z(), 1.0 + 3 * x.y());
    }
    const double T = 0.1;
    const Flow reference = rk4(system, {start.q, start.v}, T / 2000, 2000);
    const auto error = [&](int steps) {
        const auto integrator = method.make({.solver = {.tolerance = 1e-10}});
        State state = start, next = start;
        for (int n = 0; n < steps; ++n) {
            const StepReport report = integrator->step(system, state, T / steps, next);
            EXPECT_TRUE(report.ok()) << report.message;
            std::swap(state, next);
        }
        return std::sqrt((state.q - reference.q).squaredNorm() + 1e-4 * (state.v - reference.v).squaredNorm());
    };
    const int n = method.info.order == 1 ? 800 : method.info.order == 2 ? 200 : 16;
    const double coarse = error(n), fine = error(2 * n);
    ASSERT_GT(fine, 1e-10);
    EXPECT_NEAR(std::log2(coarse / fine), method.info.order, method.info.order > 2 ? 0.4 : 0.15) << "errors " << coarse << " " << fine;
}

constexpr const char* methods_here[] = {"exprb2", "epi3", "exprb42", "pexprb43", "gautschi", "implicit-euler", "verlet"};
INSTANTIATE_TEST_SUITE_P(Methods, SpringDamping, testing::ValuesIn(methods_here), [](const auto& test) {
    std::string name = test.param;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
});

}  // namespace
}  // namespace wobble
