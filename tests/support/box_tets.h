#pragma once
// A box of tets without TetGen: a regular grid, six tets per cell, vertices ordered along the longest axis.
#include "engine/mesh/mesh.h"
#include "engine/model/mechanical_system.h"

#include <memory>
#include <random>

namespace wobble::support {

inline TetMesh box_tets(int nx, int ny, int nz, double cell = 0.25) {
    TetMesh mesh;
    const auto index = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
    for (int i = 0; i <= nx; ++i)
        for (int j = 0; j <= ny; ++j)
            for (int k = 0; k <= nz; ++k) mesh.vertices.push_back(cell * Vec3(i, j, k));
    constexpr int paths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j)
            for (int k = 0; k < nz; ++k)
                for (const auto& path : paths) {
                    std::array<int, 3> corner{i, j, k};
                    Tet tet;
                    tet[0] = index(i, j, k);
                    for (int s = 0; s < 3; ++s) {
                        ++corner[path[s]];
                        tet[s + 1] = index(corner[0], corner[1], corner[2]);
                    }
                    if (volume(mesh, tet) < 0) std::swap(tet[2], tet[3]);
                    mesh.tets.push_back(tet);
                }
    std::sort(mesh.tets.begin(), mesh.tets.end(),
              [](const Tet& a, const Tet& b) { return *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end()); });
    return mesh;
}

inline VecX positions(const TetMesh& mesh) {
    VecX q(3 * static_cast<Eigen::Index>(mesh.vertices.size()));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) particle(q, static_cast<int>(i)) = mesh.vertices[i];
    return q;
}

inline VecX random_vector(Eigen::Index n, double size, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-size, size);
    return VecX::NullaryExpr(n, [&] { return uniform(random); });
}

// A box held at its x = 0 end.
inline MechanicalSystem cantilever(const TetMesh& mesh, const Material& material, int threads = 2) {
    const int n = static_cast<int>(mesh.vertices.size());
    std::vector<Constraint> held;
    for (int i = 0; i < n; ++i)
        if (mesh.vertices[i].x() < 1e-9) held.push_back(Constraint::held(i));
    return MechanicalSystem(mesh, Constraints(n, held), material, std::make_shared<Workers>(threads));
}

// A velocity that vanishes on held particles.
inline VecX random_velocity(const MechanicalSystem& system, double size, unsigned seed) {
    VecX v = random_vector(3 * system.particles(), size, seed);
    for (int i = 0; i < system.particles(); ++i)
        if (system.pinned()[i]) particle(v, i).setZero();
    return v;
}

}  // namespace wobble::support
