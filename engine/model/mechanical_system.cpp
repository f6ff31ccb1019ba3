#include "engine/model/mechanical_system.h"

#include "engine/core/reduce.h"

namespace wobble {

namespace {

std::shared_ptr<const BlockPattern> block_pattern(int particles, const std::vector<Edge>& edges) {
    std::vector<std::pair<int, int>> pairs;
    pairs.reserve(edges.size());
    for (const auto& [i, j] : edges) pairs.emplace_back(i, j);
    return std::make_shared<const BlockPattern>(particles, pairs);
}

template <class Holds>
bool any(const std::vector<std::unique_ptr<ForceModel>>& forces, Holds&& holds) {
    return std::any_of(forces.begin(), forces.end(), [&](const auto& force) { return holds(*force); });
}

EdgeTangent bound_tangent(int particles, std::span<const std::unique_ptr<ForceModel>> forces, bool with_skew, bool with_local) {
    const std::vector<Edge> edges = bind_pairs(forces);
    return {edges, block_pattern(particles, edges), with_skew, with_local};
}

std::vector<SystemParts::Owner> owners_of(const SystemParts& parts) {
    if (!parts.owners.empty()) return parts.owners;
    return {{{0, static_cast<int>(parts.rest.size())}, {0, static_cast<int>(parts.forces.size())}}};
}

}  // namespace

MechanicalSystem::MechanicalSystem(SystemParts parts, Constraints constraints, const Material& material, std::shared_ptr<Workers> workers)
    : workers_(std::move(workers)),
      constraints_(std::move(constraints)),
      rest_(3 * static_cast<Eigen::Index>(parts.rest.size())),
      owners_(owners_of(parts)),
      materials_(owners_.size(), material),
      share_(std::move(parts.share)),
      mass_given_(parts.mass_given),
      forces_(std::move(parts.forces)),
      dashpots_(any(forces_, [](const ForceModel& f) { return f.has_dashpots(); })),
      tangent_(bound_tangent(static_cast<int>(parts.rest.size()), forces_,  //
                             any(forces_, [](const ForceModel& f) { return !f.symmetric_blocks(); }),
                             any(forces_, [](const ForceModel& f) { return f.acts_on_single_particles(); }))),
      fixed_(tangent_.topology()),
      external_(VecX::Zero(rest_.size())) {
    for (int i = 0; i < particles(); ++i) particle(rest_, i) = parts.rest[i];
    set_material(material);
    lump_masses();
    internal_variables_ = place_internal(forces_);
    if (internal_variables_ > 0) set_internal(start_internal());
}

MechanicalSystem::MechanicalSystem(const BodyMesh& body, const ElasticModel& model, Constraints constraints, const Material& material,
                                   std::shared_ptr<Workers> workers)
    : MechanicalSystem(body_parts(body.tets, body.links, model, workers), std::move(constraints), material, workers) {}

MechanicalSystem::MechanicalSystem(const TetMesh& rest, Constraints constraints, const Material& material, std::shared_ptr<Workers> workers)
    : MechanicalSystem(body_parts(rest, {}, {}, workers), std::move(constraints), material, workers) {}

MechanicalSystem::MechanicalSystem(const SpringNet& net, Constraints constraints, const Material& material,
                                   std::shared_ptr<Workers> workers)
    : MechanicalSystem(net_parts(net, workers), std::move(constraints), material, workers) {}

void MechanicalSystem::begin_step(const State& state, double h) {
    set_internal(state.internal);
    if (contact_.active()) constraints_.set_contacts({});
    bool changed = false;
    for (const auto& force : forces_) changed = force->begin_step(state, h) || changed;
    if (!changed) return;
    std::vector<Edge> pairs = bind_varying_pairs(forces_);
    const VaryingPairs* const before = tangent_.topology()->varying.get();
    if (pairs.empty()) return tangent_.follow(fixed_);
    if (before && before->pairs == pairs) return;
    std::vector<Edge> all = pairs;
    const EdgePattern& edges = edge_pattern();
    for (int i = 0; i < edges.rows(); ++i)
        for (int e = edges.begin[i]; e < edges.begin[i + 1]; ++e) all.push_back({i, edges.other[e]});
    tangent_.follow(std::make_shared<const TangentTopology>(block_pattern(particles(), all), edges,
                                                            std::make_shared<const VaryingPairs>(std::move(pairs))));
}

void MechanicalSystem::lump_masses() {
    const int n = particles();
    mass_.resize(3 * n);
    inverse_mass_.resize(3 * n);
    total_mass_ = 0;
    for (std::size_t b = 0; b < owners_.size(); ++b) {
        const double density = mass_given_ ? 1 : materials_[b].density;
        const IndexRange own = owners_[b].particles;
        for (int i = own.begin; i < own.end; ++i) {
            const double m = density * share_[i];
            particle(mass_, i).setConstant(m);
            particle(inverse_mass_, i).setConstant(pinned()[i] ? 0 : 1 / m);
        }
        total_mass_ += density * (own.size() == n ? share_.sum() : share_.segment(own.begin, own.size()).sum());
    }
}

void MechanicalSystem::set_material(const Material& material) { set_materials(std::vector(owners_.size(), material)); }

void MechanicalSystem::set_materials(std::vector<Material> materials) {
    bool new_masses = false;
    for (std::size_t b = 0; b < owners_.size(); ++b) new_masses = new_masses || materials[b].density != materials_[b].density;
    materials_ = std::move(materials);
    for (const auto& force : forces_) force->set_material(materials_.front()), force->set_materials(materials_);  // forces of no body
    for (std::size_t b = 0; b < owners_.size(); ++b)
        for (int f = owners_[b].forces.begin; f < owners_[b].forces.end; ++f) forces_[f]->set_material(materials_[b]);
    if (new_masses) lump_masses();
}

double MechanicalSystem::tau() const {
    double largest = 0;
    if (dashpots_)
        for (const Material& material : materials_) largest = std::max(largest, material.spring_damping);
    return largest;
}

void MechanicalSystem::set_gravity(VecX& f) const {
    workers_->ranges(particles(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i) particle(f, i) = Vec3(0, -material().gravity * mass_[3 * i], 0);
    });
}

void MechanicalSystem::elastic_force(const VecX& q, VecX& f) const {
    set_gravity(f);
    for (const auto& force : forces_) force->add_force(q, f);
}

// f -= beta K(q) v + D_s(q) v
void MechanicalSystem::add_damping(const VecX& q, const VecX& v, VecX& f) const {
    for (const auto& force : forces_) {
        if (beta() != 0) force->add_product(q, v, -beta(), f);
        if (tau() != 0) force->add_dashpot_product(q, v, -1, f);
    }
}

// f = gravity + f_ext - alpha M v
void MechanicalSystem::set_outer_forces(const VecX& v, VecX& f) const {
    const double a = alpha(), g = material().gravity;
    workers_->coordinates(particles(), [&](int begin, int end) {
        const double *const m = mass_.data(), *const from = external_.data(), *const speed = v.data();
        double* const to = f.data();
        if (a == 0) std::copy(from + begin, from + end, to + begin);
        else
            for (int k = begin; k < end; ++k) to[k] = from[k] - a * m[k] * speed[k];
        for (int k = begin + 1; k < end; k += 3) to[k] -= g * m[k];
    });
}

void MechanicalSystem::force(const VecX& q, const VecX& v, VecX& f) const {
    set_outer_forces(v, f);
    for (const auto& force : forces_) force->add_force(q, f);
    add_damping(q, v, f);
}

bool MechanicalSystem::energy_comes_with_force() const {
    return std::all_of(forces_.begin(), forces_.end(), [](const auto& force) { return force->energy_comes_with_force(); });
}

double MechanicalSystem::force_and_energy(const VecX& q, const VecX& v, VecX& f) const {
    set_outer_forces(v, f);
    double energy = 0;
    for (const auto& force : forces_) energy += force->add_force_and_energy(q, f);
    add_damping(q, v, f);
    return energy;
}

void MechanicalSystem::damping_force(const VecX& q, const VecX& v, VecX& f) const {
    const double a = alpha();
    workers_->ranges(3 * particles(), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) f[k] = -a * mass_[k] * v[k];
    });
    add_damping(q, v, f);
}

void MechanicalSystem::elastic_force_and_damping_rate(const VecX& q, const VecX& v, VecX& f, VecX& rate) const {
    set_gravity(f);
    workers_->coordinates(particles(), [&](int begin, int end) { std::fill(rate.data() + begin, rate.data() + end, 0.0); });
    for (const auto& force : forces_) {
        if (beta() != 0) force->add_force_and_rate(q, v, -beta(), f, rate);
        else force->add_force(q, f);
        if (tau() != 0) force->add_dashpot_rate(q, v, -1, rate);
    }
}

void MechanicalSystem::stiffness(const VecX& q, EdgeTangent& K) const {
    K.follow(tangent_.topology());
    if (forces_.empty()) return K.set_zero(*workers_);
    K.clear_extra();
    forces_.front()->set_stiffness(q, K, *workers_);
    for (std::size_t f = 1; f < forces_.size(); ++f) forces_[f]->add_stiffness(q, K);
    K.gather();
}

void MechanicalSystem::expand(BlockMatrix& K) const {
    if (K.shared_pattern() != tangent_.pattern()) K = BlockMatrix(tangent_.pattern());
    tangent_.gather();
    tangent_.expand(*workers_, K);
}

void MechanicalSystem::stiffness(const VecX& q, BlockMatrix& K) const {
    stiffness(q, tangent_);
    expand(K);
}

void MechanicalSystem::linear_stiffness(BlockMatrix& K) const {
    tangent_.set_zero(*workers_);
    for (const auto& force : forces_) force->add_linear_stiffness(tangent_);
    expand(K);
}

void MechanicalSystem::step_matrix(const VecX& q, double m, double k, double d, BlockMatrix& A) const {
    stiffness(q, tangent_);
    make_step_matrix(q, m, k, d, A);
}

bool MechanicalSystem::offers_semidefinite_stiffness() const {
    return any(forces_, [](const ForceModel& f) { return f.offers_semidefinite_stiffness(); });
}

void MechanicalSystem::semidefinite_step_matrix(const VecX& q, double m, double k, double d, BlockMatrix& A) const {
    tangent_.set_zero(*workers_);
    for (const auto& force : forces_) force->add_semidefinite_stiffness(q, tangent_);
    tangent_.gather();
    make_step_matrix(q, m, k, d, A);
}

void MechanicalSystem::make_step_matrix(const VecX& q, double m, double k, double d, BlockMatrix& A) const {
    const double stiff = k + d * beta(), inertial = m + d * alpha();
    if (stiff != 1) tangent_.scale(*workers_, stiff);
    if (tau() != 0)
        for (const auto& force : forces_) force->add_dashpot_matrix(q, d, tangent_);
    expand(A);
    const BlockPattern& pattern = A.pattern();
    workers_->ranges(A.rows(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i)
            for (int e = 0; e < 9; e += 4) A.block(pattern.diagonal[i])[e] += inertial * mass_[3 * i];
    });
}

double MechanicalSystem::elastic_energy(const VecX& q) const {
    double sum = 0;
    for (const auto& force : forces_) sum += force->energy(q);
    return sum;
}

double MechanicalSystem::contact_energy(const VecX& q) const {
    double sum = 0;
    for (const auto& force : forces_)
        if (force->is_contact()) sum += force->energy(q);
    return sum;
}

VecX MechanicalSystem::start_internal() const { return wobble::start_internal(forces_, internal_variables_); }

void MechanicalSystem::set_internal(const VecX& internal) {
    if (internal_variables_ == 0 || internal.size() < internal_variables_) return;
    for (const auto& force : forces_) force->set_internal(force->own(internal));
}

StepBooks MechanicalSystem::end_step(const State& before, State& after) {
    StepBooks books;
    for (const auto& force : forces_) force->end_step(before, after, books);
    if (books.changed) set_internal(after.internal);
    if (contact_.active()) {
        ActiveSet::Step step = contact_step(before, after.t - before.t, nullptr);
        if (contact_.wants_force(step, after)) {
            touching_force_.resize(after.q.size());
            elastic_force(after.q, touching_force_);
            if (damped()) {
                VecX drag(after.q.size());
                damping_force(after.q, after.v, drag);
                touching_force_ += drag;
            }
        }
        contact_.end(step, after, touching_force_, books);
    }
    return books;
}

ActiveSet::Step MechanicalSystem::contact_step(const State& state, double h, VecX* velocities) {
    return {mass_, material().gravity, internal_variables_, h, state, external_, constraints_, velocities};
}

double MechanicalSystem::longest_step(const State& state, double asked) const {
    constexpr double shortest = 1.0 / 16;  // of a step: what is nearer has come
    double h = 1e300;
    for (const auto& force : forces_) h = std::min(h, force->longest_step(state));
    if (contact_.active())
        h = std::min(h, std::max(shortest * asked, contact_.first_touch(state, internal_variables_, material().gravity, asked)));
    return h;
}

const char* MechanicalSystem::refuses(const State& before, const State& after) {
    for (const auto& force : forces_)
        if (const char* why = force->refuses(before, after)) return why;
    return nullptr;
}

void MechanicalSystem::begin_contact(State& state, double h) {
    if (!contact_.active()) return;
    ActiveSet::Step step = contact_step(state, h, &state.v);
    contact_.begin(step);
}

ActiveSet::Verdict MechanicalSystem::judge_contact(State& before, double h, const State& after) {
    if (!contact_.active()) return ActiveSet::Verdict::good;
    ActiveSet::Step step = contact_step(before, h, &before.v);
    return contact_.judge(step, after);
}

void MechanicalSystem::undo_contact(State& state) {
    if (!contact_.active()) return;
    contact_.undo(state.v);
    constraints_.set_contacts({});
}

void MechanicalSystem::list_springs(std::vector<SpringRow>& rows) const {
    for (const auto& force : forces_) force->list_springs(rows);
}

std::array<double, 2> MechanicalSystem::kinetic_and_gravity_energy(const VecX& q, const VecX& v) const {
    return blocked_sums<2>(*workers_, particles(), [&](int begin, int end) {
        const double *const m = mass_.data(), *const W = inverse_mass_.data(), *const speed = v.data(), *const at = q.data();
        double kinetic = 0, height = 0;  // times mass
        for (int i = begin; i < end; ++i) {
            const double *const x = at + 3 * i, *const w = speed + 3 * i;
            kinetic += W[3 * i] > 0 ? m[3 * i] * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) : 0;
            height += m[3 * i] * x[1];
        }
        return std::array<double, 2>{0.5 * kinetic, material().gravity * height};
    });
}

double MechanicalSystem::kinetic_energy(const VecX& v) const { return kinetic_and_gravity_energy(v, v)[0]; }

double MechanicalSystem::gravity_energy(const VecX& q) const { return kinetic_and_gravity_energy(q, q)[1]; }

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
