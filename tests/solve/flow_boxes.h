#pragma once
// Small bodies for the flows that solve the linear problem in substeps, and how far those are from the oracle.
#include "engine/model/mechanical_system.h"
#include "engine/solve/phi/phi_leapfrog.h"
#include "tests/solve/eigenvector_oracle.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

namespace wobble::support {

struct EdgeBox {
    TetMesh mesh = box_tets(5, 2, 2);
    MechanicalSystem system;
    TangentBlocks K;
    VecX v0, a, e;

    EdgeBox(double stiffness, double alpha, double beta, double deformation, int threads = 2)
        : system(cantilever(mesh, {.stiffness = stiffness, .damping = beta, .mass_damping = alpha}, threads)),
          K(system.new_tangent()),
          v0(random_velocity(system, 1, 9)),
          a(random_velocity(system, 50, 10)),
          e(random_velocity(system, 500, 11)) {
        set(deformation);
    }
    void set(double deformation) { system.stiffness(positions(mesh) + random_velocity(system, deformation, 8), K.to_set()); }
    Linearized linearized() {
        return {system.workers(), {K, system.workers()}, system.mass(), system.inverse_mass(),
                system.alpha(),   system.beta(),         nullptr,       &K.edges()};
    }
    double omega() { return highest_frequency(linearized()); }
};

struct FlowEnd {
    VecX x, v;
    explicit FlowEnd(const EdgeBox& box) : x(box.v0.size()), v(box.v0.size()) {}
    PhiNode at(double t, double tolerance = 1) { return {t, tolerance, &x, &v}; }
};

inline double relative_distance(const FlowEnd& a, const FlowEnd& b) {
    return (a.v - b.v).norm() / b.v.norm() + (a.x - b.x).norm() / b.x.norm();
}

template <class Flow>
bool run_with(Flow flow, const Linearized& system, double omega, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes,
              PhiReport& report) {
    FlowState state;
    return run(flow, state, system, omega, terms, nodes, report);
}

template <class Flow>
double flow_error(EdgeBox& box, std::span<const PhiTerm> terms, double t, Flow flow) {
    const Linearized linearized = box.linearized();
    FlowEnd motion(box), exact(box);
    const PhiNode node = motion.at(t), oracle = exact.at(t);
    PhiReport report;
    EXPECT_TRUE(run_with(flow, linearized, box.omega(), terms, {&node, 1}, report));
    if constexpr (std::is_same_v<Flow, LeapfrogFlow>) {
        EXPECT_GE(report.substeps, LeapfrogFlow::least_substeps);
        EXPECT_GE(report.products, t / flow.longest(linearized, box.omega()) - 1);
    } else {
        EXPECT_EQ(static_cast<double>(report.products), flow.products(linearized, box.omega(), t));
    }
    support::exact(linearized, terms, {&oracle, 1});
    return relative_distance(motion, exact);
}

}  // namespace wobble::support
