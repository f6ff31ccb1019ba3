#include "engine/model/system_parts.h"

#include "engine/model/forces/corotational_tets.h"
#include "engine/model/forces/link_springs.h"
#include "engine/model/forces/median_springs.h"
#include "engine/model/forces/neo_hookean_tets.h"
#include "engine/model/forces/stiff_regions.h"

#include <Eigen/Geometry>

namespace wobble {

namespace {

VecX shares(const TetMesh& mesh, double thickness) {
    VecX share = VecX::Zero(static_cast<Eigen::Index>(mesh.vertices.size()));
    for (const Tet& tet : mesh.tets)
        for (int a : tet) share[a] += volume(mesh, tet) / 4;
    if (!mesh.tets.empty()) return share;
    for (const auto& [a, b, c] : mesh.boundary) {
        const double area = 0.5 * (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).norm();
        for (int v : {a, b, c}) share[v] += thickness * area / 3;
    }
    return share;
}

double relative_stiffness(LinkKind kind, const ElasticModel& model) {
    return kind == LinkKind::shear ? model.shear : kind == LinkKind::bending ? model.bending : 1;
}

}  // namespace

namespace {

// `extents`: of the body, for its regions; the mesh may hold the particles of others, too.
SystemParts body_parts(const TetMesh& mesh, const std::vector<Link>& links, const ElasticModel& model,
                       const std::shared_ptr<Workers>& workers, const Box& extents) {
    SystemParts parts;
    parts.rest = mesh.vertices;
    parts.share = shares(mesh, model.thickness);
    const int n = static_cast<int>(mesh.vertices.size());
    const RegionBox box(mesh.vertices, extents);
    const auto factor = [&](int i, int j) { return model.regions.empty() ? 1 : box.factor(model.regions, Edge{i, j}); };
    const auto length = [&](int i, int j) { return (mesh.vertices[j] - mesh.vertices[i]).norm(); };
    if (!mesh.tets.empty() && model.kind == ElasticModel::Kind::corotational) {
        parts.forces.push_back(std::make_unique<CorotationalTets>(mesh, workers, tet_factors(model.regions, mesh, extents)));
    } else if (!mesh.tets.empty() && model.kind == ElasticModel::Kind::neo_hookean) {
        parts.forces.push_back(std::make_unique<NeoHookeanTets>(mesh, workers, tet_factors(model.regions, mesh, extents)));
    } else if (!mesh.tets.empty()) {
        std::vector<NetSpring> springs;
        for (const auto& [i, j] : unique_edges(mesh)) springs.push_back({i, j, factor(i, j), length(i, j)});
        parts.forces.push_back(std::make_unique<LinkSprings>(n, std::move(springs), &Material::edge_stiffness, workers));
        parts.forces.push_back(std::make_unique<MedianSprings>(mesh, workers, tet_factors(model.regions, mesh, extents)));
    }
    if (!links.empty()) {
        std::vector<NetSpring> springs;
        for (const auto& [i, j, kind] : links)
            springs.push_back({i, j, factor(i, j) * relative_stiffness(kind, model), length(i, j), kind});
        parts.forces.push_back(std::make_unique<LinkSprings>(n, std::move(springs), &Material::stiffness, workers));
    }
    return parts;
}

}  // namespace

SystemParts body_parts(const TetMesh& mesh, const std::vector<Link>& links, const ElasticModel& model,
                       const std::shared_ptr<Workers>& workers) {
    return body_parts(mesh, links, model, workers, bounding_box(mesh.vertices));
}

SystemParts body_parts(const BodyMesh& all, const std::vector<BodyPart>& bodies, const std::shared_ptr<Workers>& workers) {
    if (bodies.size() == 1) return body_parts(all.tets, all.links, bodies.front().model, workers);
    SystemParts parts;
    parts.rest = all.tets.vertices;
    parts.share = VecX::Zero(static_cast<Eigen::Index>(parts.rest.size()));
    const auto part = [](const auto& list, IndexRange range) { return std::vector(list.begin() + range.begin, list.begin() + range.end); };
    for (const auto& [range, model] : bodies) {
        const TetMesh mesh{all.tets.vertices, part(all.tets.tets, range.tets), part(all.tets.boundary, range.boundary)};
        SystemParts own =
            body_parts(mesh, part(all.links, range.links), model, workers, bounding_box(part(all.tets.vertices, range.particles)));
        parts.share += own.share;
        const int first = static_cast<int>(parts.forces.size());
        for (auto& force : own.forces) parts.forces.push_back(std::move(force));
        parts.owners.push_back({range.particles, {first, static_cast<int>(parts.forces.size())}});
    }
    return parts;
}

SystemParts net_parts(const SpringNet& net, const std::shared_ptr<Workers>& workers) {
    SystemParts parts;
    parts.rest = net.rest;
    parts.share = Eigen::Map<const VecX>(net.mass.data(), static_cast<Eigen::Index>(net.mass.size()));
    parts.mass_given = true;
    parts.forces.push_back(std::make_unique<LinkSprings>(static_cast<int>(net.rest.size()), net.springs, nullptr, workers));
    return parts;
}

}  // namespace wobble
