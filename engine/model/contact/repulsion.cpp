#include "engine/model/contact/repulsion.h"

#include "engine/model/contact/crossing.h"

#include <algorithm>

namespace wobble {

struct Repulsion::Seen {
    Seen(const std::shared_ptr<const ContactSurface>& surface, const std::shared_ptr<Workers>& workers) : narrow(surface, workers) {}
    NarrowPhase narrow;
    VecX q, v;
    bool valid = false;
    bool of(const State& state) const { return valid && state.q == q && state.v == v; }
};

Repulsion::Repulsion(std::shared_ptr<const ContactSurface> surface, Rules rules, VecX share, std::vector<std::uint8_t> fixed,
                     std::shared_ptr<Workers> workers)
    : surface_(std::move(surface)),
      rules_(rules),
      share_(std::move(share)),
      fixed_(std::move(fixed)),
      workers_(std::move(workers)),
      materials_(surface_->bodies.size()),
      values_(contact_values(*surface_, materials_, share_, rules_.bodies, rules_.self)),
      seen_(std::make_unique<Seen>(surface_, workers_)),
      near_(surface_, workers_) {}

Repulsion::~Repulsion() = default;

void Repulsion::set_materials(std::span<const Material> materials) {
    if (std::ranges::equal(materials, materials_)) return;
    materials_.assign(materials.begin(), materials.end());
    const std::vector<double> apart = values_.apart;
    values_ = contact_values(*surface_, materials_, share_, rules_.bodies, rules_.self);
    if (values_.apart != apart) near_.forget();
    seen_->valid = false;
}

namespace {

// The largest speed with respect to the mean one.
double relative_speed(const ContactSurface& s, const VecX& v) {
    if (s.vertices.empty()) return 0;
    Vec3 mean = Vec3::Zero();
    for (int p : s.vertices) mean += particle(v, p);
    mean /= static_cast<double>(s.vertices.size());
    double largest = 0;
    for (int p : s.vertices) largest = std::max(largest, (particle(v, p) - mean).squaredNorm());
    return std::sqrt(largest);
}

double mean_edge(const ContactSurface& s) {
    double mean = 0;
    for (const auto& body : s.bodies) mean = std::max(mean, body.mean);
    return mean;
}

}  // namespace

// Everything that follows from a state alone: contacts, and how long a step may be.
void Repulsion::look(const State& state, double h) const {
    if (seen_->of(state)) return;
    const double speed = relative_speed(*surface_, state.v), edge = mean_edge(*surface_);
    // Pairs that could meet within a step of a hundredth of a second, and those that touch.
    const double horizon = std::clamp(speed / 100, 1.5 * values_.thickest, std::max(1.5 * values_.thickest, edge));
    near_.update(values_, state.q, horizon, std::clamp(8 * std::max(h, 1.0 / 700) * speed, 0.3 * edge, edge));
    seen_->narrow.find(values_, near_.vertex_triangle(), near_.edge_edge(), state.q, state.v, horizon);
    seen_->q = state.q, seen_->v = state.v, seen_->valid = true;
}

bool Repulsion::begin_step(const State& state, double h) {
    look(state, h);
    const std::vector<Contact>& found = seen_->narrow.contacts();
    const bool same =
        found.size() == contacts_.size() && std::equal(found.begin(), found.end(), contacts_.begin(),
                                                       [](const Contact& a, const Contact& b) { return a.particle == b.particle; });
    contacts_ = found;
    return !same;
}

double Repulsion::longest_step(const State& state) const { return look(state, 0), seen_->narrow.longest_step(); }

namespace {

constexpr int pair_of[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

}  // namespace

void Repulsion::varying_pairs(std::vector<Edge>& pairs) const {
    for (const Contact& c : contacts_)
        for (const auto& [a, b] : pair_of)
            pairs.push_back({std::min(c.particle[a], c.particle[b]), std::max(c.particle[a], c.particle[b])});
}

void Repulsion::bind_varying(std::span<const int> place) { place_.assign(place.begin(), place.end()); }

double Repulsion::energy(const VecX& q) const {
    double sum = 0;
    for (const Contact& c : contacts_) sum += ContactLaw::energy(c.k, c.d, c.depth(q));
    return sum;
}

void Repulsion::add_force(const VecX& q, VecX& f) const {
    for (const Contact& c : contacts_)
        if (const double z = c.depth(q); z > 0) {
            const Vec3 force = ContactLaw::force(c.k, c.d, z) * c.n;
            for (int a = 0; a < 4; ++a) particle(f, c.particle[a]) += c.weight[a] * force;
        }
}

double Repulsion::add_force_and_energy(const VecX& q, VecX& f) const { return add_force(q, f), energy(q); }

void Repulsion::add_stiffness(const VecX& q, EdgeTangent& K) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const Contact& c = contacts_[i];
        const double k = ContactLaw::stiffness(c.k, c.d, c.depth(q));
        if (k == 0) continue;
        const Vec3& n = c.n;
        const double nn[6] = {n[0] * n[0], n[0] * n[1], n[0] * n[2], n[1] * n[1], n[1] * n[2], n[2] * n[2]};
        for (std::size_t p = 0; p < 6; ++p) {
            const double s = k * c.weight[pair_of[p][0]] * c.weight[pair_of[p][1]];
            double* S = K.varying(place_[6 * i + p]);
            for (int x = 0; x < 6; ++x) S[x] += s * nn[x];
        }
    }
}

// (sum w_a x_a)^2 = -sum over pairs of w_a w_b (x_a - x_b)^2: what the pairs of both sides give bounds it, each with n n^T <= I.
void Repulsion::add_linear_stiffness(EdgeTangent& K) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        for (std::size_t p = 0; p < 6; ++p) {
            const Contact& c = contacts_[i];
            const double ww = c.weight[pair_of[p][0]] * c.weight[pair_of[p][1]];
            if (ww < 0)
                for (int x : {0, 3, 5}) K.varying(place_[6 * i + p])[x] += c.k * ww;
        }
}

void Repulsion::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    for (const Contact& c : contacts_)
        if (const double k = ContactLaw::stiffness(c.k, c.d, c.depth(q)); k != 0) {
            const Vec3 force = s * k * c.n.dot(c.combine(u)) * c.n;
            for (int a = 0; a < 4; ++a) particle(f, c.particle[a]) += c.weight[a] * force;
        }
}

void Repulsion::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    for (const Contact& c : contacts_)
        if (const double third = ContactLaw::third(c.k, c.d, c.depth(q)); third != 0) {
            const double along = c.n.dot(c.combine(u));
            const Vec3 force = -s * third * along * along * c.n;
            for (int a = 0; a < 4; ++a) particle(f, c.particle[a]) += c.weight[a] * force;
        }
}

void Repulsion::end_step(const State& before, State& after, StepBooks& books) {
    if (!contacts_.empty()) friction_.apply(*surface_, values_, contacts_, fixed_, before, after, books);
}

// Whether the surfaces of two bodies cut each other at q: then nothing can keep them apart but the force itself.
bool Repulsion::entangled(int one, int other, const VecX& q) const {
    const ContactSurface& s = *surface_;
    for (const auto& [a, b] : {std::pair(one, other), std::pair(other, one)})
        for (int e = s.bodies[a].edges.begin; e < s.bodies[a].edges.end; ++e) {
            const auto& [i, j] = s.edges[e];
            const Vec3 p = particle(q, i), r = particle(q, j), low = p.cwiseMin(r), high = p.cwiseMax(r);
            for (int t = s.bodies[b].triangles.begin; t < s.bodies[b].triangles.end; ++t) {
                const auto& [k, l, m] = s.triangles[t];
                if (i == k || i == l || i == m || j == k || j == l || j == m) continue;
                const Vec3 x = particle(q, k), y = particle(q, l), z = particle(q, m);
                if ((x.cwiseMin(y).cwiseMin(z).array() > high.array()).any() || (x.cwiseMax(y).cwiseMax(z).array() < low.array()).any())
                    continue;
                if (edge_cuts_triangle(p, r, x, y, z)) return true;
            }
        }
    return false;
}

bool Repulsion::passes(const State& before, const State& after, double approach) {
    const ContactSurface& s = *surface_;
    const auto at = [&](int i) -> Vec3 { return particle(before.q, i); };
    const auto moved = [&](int i) -> Vec3 { return particle(after.q, i) - particle(before.q, i); };
    PerBodies<std::int8_t> known(s.bodies.size(), -1);  // whether two bodies are entangled
    const auto held_apart = [&](int a, int b) {
        if (known(a, b) < 0) known.set(a, b, entangled(a, b, before.q));
        return known(a, b) == 0;
    };
    const auto &pairs = near_.vertex_triangle(), &edges = near_.edge_edge();
    const auto &distance = seen_->narrow.vertex_triangle_distance(), &apart = seen_->narrow.edge_edge_distance();
    for (std::size_t n = 0; n < pairs.size(); ++n) {
        if (distance[n] > approach) continue;
        const auto& [i, j, k] = s.triangles[pairs[n].b];
        const int p = s.vertices[pairs[n].a], a = s.vertex_body[pairs[n].a], b = s.triangle_body[pairs[n].b];
        if (vertex_meets_triangle({at(p), at(i), at(j), at(k)}, {moved(p), moved(i), moved(j), moved(k)}) && held_apart(a, b)) return true;
    }
    for (std::size_t n = 0; n < edges.size(); ++n) {
        if (apart[n] > approach) continue;
        const auto& [i, j] = s.edges[edges[n].a];
        const auto& [k, l] = s.edges[edges[n].b];
        if (edge_meets_edge({at(i), at(j), at(k), at(l)}, {moved(i), moved(j), moved(k), moved(l)}) &&
            held_apart(s.edge_body[edges[n].a], s.edge_body[edges[n].b]))
            return true;
    }
    return false;
}

const char* Repulsion::refuses(const State& before, const State& after) {
    if (!after.q.allFinite()) return nullptr;  // others say so
    const double approach = near_.largest_approach(values_, before.q, after.q);
    if (approach == 0) return nullptr;
    if (near_.cover(values_, before.q, after.q)) {
        if (!seen_->valid || seen_->q != before.q) look(before, 0);
    } else {  // farther than the lists reach: this step's own
        const double edge = mean_edge(*surface_);
        if (approach > 20 * edge) return "surfaces would move too far in one step to see what they pass through";
        near_.update(values_, before.q, approach + values_.thickest, 0.2 * edge);
        seen_->narrow.find(values_, near_.vertex_triangle(), near_.edge_edge(), before.q, before.v, 0);
        seen_->valid = false;
    }
    return passes(before, after, approach) ? "surfaces would pass through each other" : nullptr;
}

}  // namespace wobble
