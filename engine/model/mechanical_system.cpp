#include "engine/model/mechanical_system.h"

#include "engine/core/reduce.h"

namespace wobble {

namespace {

std::shared_ptr<const BlockPattern> tet_pattern(const TetMesh& mesh) {
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [i, j] : unique_edges(mesh)) pairs.emplace_back(i, j);
    return std::make_shared<const BlockPattern>(static_cast<int>(mesh.vertices.size()), pairs);
}

// A quarter of each tet's volume to each of its vertices.
VecX lump_volumes(const TetMesh& mesh) {
    VecX lumped = VecX::Zero(static_cast<Eigen::Index>(mesh.vertices.size()));
    for (const Tet& tet : mesh.tets)
        for (int a : tet) lumped[a] += volume(mesh, tet) / 4;
    return lumped;
}

}  // namespace

MechanicalSystem::MechanicalSystem(const TetMesh& rest, Constraints constraints, const Material& material,
                                   std::shared_ptr<Workers> workers)
    : workers_(std::move(workers)),
      constraints_(std::move(constraints)),
      rest_(3 * static_cast<Eigen::Index>(rest.vertices.size())),
      material_(material),
      lumped_volume_(lump_volumes(rest)),
      pattern_(tet_pattern(rest)),
      tangent_(unique_edges(rest), *pattern_),
      edges_(rest, material.edge_stiffness, workers_),
      medians_(rest, material.stiffness, workers_),
      external_(VecX::Zero(3 * static_cast<Eigen::Index>(rest.vertices.size()))) {
    for (int i = 0; i < particles(); ++i) particle(rest_, i) = rest.vertices[i];
    lump_masses();
}

void MechanicalSystem::lump_masses() {
    const int n = particles();
    mass_.resize(3 * n);
    inverse_mass_.resize(3 * n);
    for (int i = 0; i < n; ++i) {
        const double m = material_.density * lumped_volume_[i];
        particle(mass_, i).setConstant(m);
        particle(inverse_mass_, i).setConstant(pinned()[i] ? 0 : 1 / m);
    }
    total_mass_ = material_.density * lumped_volume_.sum();
}

void MechanicalSystem::set_material(const Material& material) {
    const bool new_masses = material.density != material_.density;
    material_ = material;
    edges_.set_stiffness(material.edge_stiffness);
    medians_.set_stiffness(material.stiffness);
    if (new_masses) lump_masses();
}

void MechanicalSystem::elastic_force(const VecX& q, VecX& f) const {
    workers_->ranges(particles(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i) particle(f, i) = Vec3(0, -material_.gravity * mass_[3 * i], 0);
    });
    edges_.add_force(q, f);
    medians_.add_force(q, f);
}

void MechanicalSystem::force(const VecX& q, const VecX& v, VecX& f) const {
    const double a = alpha();
    workers_->ranges(particles(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const double m = mass_[3 * i];
            particle(f, i) = Vec3(0, -material_.gravity * m, 0) + particle(external_, i) - a * m * particle(v, i);
        }
    });
    edges_.add_force(q, f);
    medians_.add_force(q, f);
    if (beta() == 0) return;
    edges_.add_product(q, v, -beta(), f);
    medians_.add_product(q, v, -beta(), f);
}

void MechanicalSystem::damping_force(const VecX& q, const VecX& v, VecX& f) const {
    const double a = alpha();
    workers_->ranges(3 * particles(), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) f[k] = -a * mass_[k] * v[k];
    });
    if (beta() == 0) return;
    edges_.add_product(q, v, -beta(), f);
    medians_.add_product(q, v, -beta(), f);
}

void MechanicalSystem::damping_rate(const VecX& q, const VecX& v, VecX& f) const {
    f.setZero();
    edges_.add_rate(q, v, -beta(), f);
    medians_.add_rate(q, v, -beta(), f);
}

void MechanicalSystem::stiffness(const VecX& q, BlockMatrix& K) const {
    tangent_.set_zero(*workers_);
    edges_.add_stiffness(q, tangent_);
    medians_.add_stiffness(q, tangent_);
    tangent_.expand(*workers_, K);
}

void MechanicalSystem::linear_stiffness(BlockMatrix& K) const {
    tangent_.set_zero(*workers_);
    edges_.add_linear_stiffness(tangent_);
    medians_.add_linear_stiffness(tangent_);
    tangent_.expand(*workers_, K);
}

void MechanicalSystem::step_matrix(const VecX& q, double m, double k, double d, BlockMatrix& A) const {
    stiffness(q, A);
    const double stiff = k + d * beta(), inertial = m + d * alpha();
    const BlockPattern& pattern = A.pattern();
    workers_->ranges(A.rows(), [&](int begin, int end) {
        double* values = A.block(pattern.row_begin[begin]);
        const std::size_t count = 9 * static_cast<std::size_t>(pattern.row_begin[end] - pattern.row_begin[begin]);
        for (std::size_t e = 0; e < count; ++e) values[e] *= stiff;
        for (int i = begin; i < end; ++i)
            for (int e = 0; e < 9; e += 4) A.block(pattern.diagonal[i])[e] += inertial * mass_[3 * i];
    });
}

double MechanicalSystem::elastic_energy(const VecX& q) const { return edges_.energy(q) + medians_.energy(q); }

double MechanicalSystem::kinetic_energy(const VecX& v) const {
    return blocked_sum(*workers_, 3 * particles(), [&](int begin, int end) {
        double sum = 0;
        for (int k = begin; k < end; ++k) sum += inverse_mass_[k] > 0 ? 0.5 * mass_[k] * v[k] * v[k] : 0;
        return sum;
    });
}

double MechanicalSystem::gravity_energy(const VecX& q) const {
    return blocked_sum(*workers_, particles(), [&](int begin, int end) {
        double sum = 0;
        for (int i = begin; i < end; ++i) sum += mass_[3 * i] * material_.gravity * q[3 * i + 1];
        return sum;
    });
}

double MechanicalSystem::dissipation_power(const VecX& q, const VecX& v, VecX& scratch) const {
    if (!damped()) return 0;
    damping_force(q, v, scratch);
    return blocked_sum(*workers_, 3 * particles(), [&](int begin, int end) {
        double sum = 0;
        for (int k = begin; k < end; ++k) sum -= scratch[k] * v[k];
        return sum;
    });
}

}  // namespace wobble
