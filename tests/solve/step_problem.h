#pragma once
// A small body with every kind of constraint, bent out of its rest shape, and dense references for what the solvers make of it.
#include "engine/solve/solver_options.h"
#include "tests/support/box_tets.h"

#include <Eigen/Dense>

namespace wobble::support {

using MatX = Eigen::MatrixXd;

enum class Held { nothing, end, and_sliding };

// A box of 5 x 2 x 2 cells: held at x = 0; sliding on an oblique plane and an oblique line at the other end.
inline MechanicalSystem constrained_box(Held held, const Material& material,
                                        std::shared_ptr<Workers> workers = std::make_shared<Workers>(2)) {
    const TetMesh mesh = box_tets(5, 2, 2, 0.2);
    const int n = static_cast<int>(mesh.vertices.size());
    std::vector<Constraint> all;
    for (int i = 0; i < n; ++i) {
        if (held != Held::nothing && mesh.vertices[i].x() < 1e-9) all.push_back(Constraint::held(i));
        if (held == Held::and_sliding && mesh.vertices[i].x() > 0.999)
            all.push_back(i % 2 ? Constraint::on_plane(i, Vec3(1, 2, 0.5)) : Constraint::on_line(i, Vec3(0.3, -1, 2)));
    }
    return MechanicalSystem(mesh, Constraints(n, all), material, std::move(workers));
}

inline VecX bent(const MechanicalSystem& system, double size) {
    VecX q = system.rest();
    for (int i = 0; i < system.particles(); ++i) {
        const double x = q[3 * i];
        q[3 * i + 1] += size * x * x;
    }
    return q + random_vector(q.size(), 0.05 * size, 7);
}

inline MatX dense(const BlockMatrix& A) {
    MatX D = MatX::Zero(3 * A.rows(), 3 * A.rows());
    const BlockPattern& pattern = A.pattern();
    for (int i = 0; i < A.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) D.block<3, 3>(3 * i, 3 * pattern.column[k]) = A.at(k);
    return D;
}

inline MatX projector(const Constraints& constraints) {
    MatX P = MatX::Identity(3 * constraints.particles(), 3 * constraints.particles());
    for (const Constraint& c : constraints.all()) P.block<3, 3>(3 * c.particle, 3 * c.particle) = c.allowed;
    return P;
}

// x with P A P x = P b, (I - P) x = 0.
inline VecX filtered_solution(const MatX& A, const MatX& P, const VecX& b) {
    const MatX I = MatX::Identity(A.rows(), A.cols());
    return (P * A * P + (I - P)).ldlt().solve(P * b);
}

inline std::string identifier(std::string name) {
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}

}  // namespace wobble::support
