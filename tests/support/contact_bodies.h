#pragma once
// Boxes of tets in one system, with contact between them; placed one inside the other at first.
#include "engine/model/contact/repulsion.h"
#include "tests/support/box_tets.h"
#include "tests/support/small_scene.h"

namespace wobble::support {

struct ContactBodies {
    TetMesh mesh;
    std::vector<BodyRange> ranges;
    Material material{.contact_thickness = 0.02};

    ContactBodies(const std::vector<std::array<int, 3>>& boxes, double cell) {
        for (const auto& [x, y, z] : boxes) {
            BodyMesh body;
            body.tets = box_tets(x, y, z, cell);
            body.tets.boundary = boundary_faces(body.tets);
            ranges.push_back(append(all_, body));
        }
        mesh = all_.tets;
    }
    int body_of(int i) const {
        for (std::size_t b = 0; b < ranges.size(); ++b)
            if (ranges[b].particles.contains(i)) return static_cast<int>(b);
        return -1;
    }
    VecX positions() const { return support::positions(mesh); }
    ContactSurface surface() const { return contact_surface(mesh, ranges); }
    VecX share() const {
        VecX share = VecX::Zero(static_cast<Eigen::Index>(mesh.vertices.size()));
        for (const Tet& tet : mesh.tets)
            for (int a : tet) share[a] += volume(mesh, tet) / 4;
        return share;
    }
    std::unique_ptr<Repulsion> make(int threads, Repulsion::Rules rules, double thickness) const {
        auto force = std::make_unique<Repulsion>(std::make_shared<ContactSurface>(surface()), rules, share(),
                                                 std::vector<std::uint8_t>(mesh.vertices.size(), 0), std::make_shared<Workers>(threads));
        force->set_materials(std::vector<Material>(ranges.size(), Material{.contact_thickness = thickness}));
        return force;
    }
    std::unique_ptr<MechanicalSystem> system(int threads, Repulsion::Rules rules, double thickness, bool elastic = true) const {
        const auto workers = std::make_shared<Workers>(threads);
        SystemParts parts = body_parts(mesh, {}, {}, workers);
        if (!elastic) parts.forces.clear();
        parts.owners.clear();
        for (const BodyRange& range : ranges) parts.owners.push_back({range.particles, {0, 0}});
        parts.forces.push_back(make(threads, rules, thickness));
        return std::make_unique<MechanicalSystem>(std::move(parts), Constraints(static_cast<int>(mesh.vertices.size())),
                                                  Material{.contact_thickness = thickness}, workers);
    }

private:
    BodyMesh all_;
};

inline Eigen::MatrixXd dense(const BlockMatrix& A) {
    const BlockPattern& pattern = A.pattern();
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * A.rows(), 3 * A.rows());
    for (int i = 0; i < A.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) D.block<3, 3>(3 * i, 3 * pattern.column[k]) = A.at(k);
    return D;
}

}  // namespace wobble::support
