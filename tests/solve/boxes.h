#pragma once
// Boxes of springs on their edges, next to each other and not touching, each held at its left end; soft left halves, stiff right halves.
#include "engine/solve/linearized.h"
#include "tests/support/box_tets.h"

#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace wobble::support {

struct Boxes {
    Workers workers;
    std::vector<Vec3> rest;
    std::unique_ptr<BlockMatrix> K;
    VecX mass, inverse_mass;
    double alpha = 0, beta = 0;

    struct Box {
        int length;
        double soft, stiff;
    };
    explicit Boxes(const std::vector<Box>& boxes, int threads = 2, bool hold = true) : workers(threads) {
        std::vector<std::pair<int, int>> pairs;
        std::vector<double> stiffness;
        for (const Box& box : boxes) {
            const TetMesh mesh = support::box_tets(box.length, 1, 1);
            const int offset = static_cast<int>(rest.size());
            std::set<std::pair<int, int>> edges;
            for (const Tet& tet : mesh.tets)
                for (int a = 0; a < 4; ++a)
                    for (int b = a + 1; b < 4; ++b) edges.insert(std::minmax(tet[a], tet[b]));
            rest.insert(rest.end(), mesh.vertices.begin(), mesh.vertices.end());
            for (const auto& [i, j] : edges) {
                pairs.emplace_back(offset + i, offset + j);
                stiffness.push_back(mesh.vertices[i].x() + mesh.vertices[j].x() < 0.25 * box.length ? box.soft : box.stiff);
            }
        }
        const int n = static_cast<int>(rest.size());
        const auto pattern = std::make_shared<BlockPattern>(n, pairs);
        K = std::make_unique<BlockMatrix>(pattern);
        for (std::size_t s = 0; s < pairs.size(); ++s) {
            const auto [i, j] = pairs[s];
            const Vec3 d = (rest[j] - rest[i]).normalized();
            const Mat3 block = stiffness[s] * d * d.transpose();
            for (const auto& [r, c, sign] : {std::tuple(i, i, 1), std::tuple(j, j, 1), std::tuple(i, j, -1), std::tuple(j, i, -1)})
                Eigen::Map<Mat3>(K->block(pattern->find(r, c))) += sign * block;
        }
        mass.resize(3 * n);
        for (int i = 0; i < n; ++i) particle(mass, i).setConstant(0.4 + 0.02 * (i % 7));
        inverse_mass = mass.cwiseInverse();
        for (int i = 0; hold && i < n; ++i)
            if (rest[i].x() < 1e-9) particle(inverse_mass, i).setZero();
    }
    Linearized linearized() { return {workers, *K, mass, inverse_mass, alpha, beta}; }
    VecX free(VecX v) const {
        for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = inverse_mass[k] == 0 ? 0 : v[k];
        return v;
    }
    VecX random(double size, unsigned seed) const { return free(support::random_vector(mass.size(), size, seed)); }
    VecX smooth(const std::function<Vec3(const Vec3&)>& f) const {
        VecX v(mass.size());
        for (std::size_t i = 0; i < rest.size(); ++i) particle(v, static_cast<int>(i)) = f(rest[i]);
        return free(v);
    }
    void compress(double by) {  // K - by: some directions are unstable
        for (int i = 0; i < K->rows(); ++i) Eigen::Map<Mat3>(K->block(K->pattern().diagonal[i])).diagonal().array() -= by;
    }
};

}  // namespace wobble::support
