#include "engine/model/median_springs.h"

#include "engine/core/reduce.h"
#include "engine/model/spring_lanes.h"
#include "engine/model/tet_edges.h"

namespace wobble {

using lanes::Lane;
using lanes::Lane3;

namespace {

constexpr double bound_strain = 0.5;  // of stiffening springs

// d_a = 4/3 (x_a - c) of the four vertices of a tet.
[[gnu::always_inline]] inline Lane3 medians(const VecX& x, const Tet& tet) {
    const double* points[4] = {x.data() + 3 * tet[0], x.data() + 3 * tet[1], x.data() + 3 * tet[2], x.data() + 3 * tet[3]};
    Lane3 d = lanes::gather(points);
    for (Lane& c : d) c = (4.0 / 3.0) * (c - 0.25 * c.sum());
    return d;
}

}  // namespace

MedianSprings::MedianSprings(const TetMesh& rest, const std::vector<Edge>& edges, std::shared_ptr<Workers> workers,
                             std::vector<double> factors)
    : tets_(rest.tets),
      edges_(edges_of_tets(tets_, edges)),
      factors_(std::move(factors)),
      workers_(std::move(workers)),
      parts_(split_rows(static_cast<int>(rest.vertices.size()), tets_, *workers_)) {
    for (const Tet& t : tets_) {
        Vec3 centroid = Vec3::Zero();
        for (int a : t) centroid += 0.25 * rest.vertices[a];
        auto& l0 = rest_.emplace_back();
        for (int a = 0; a < 4; ++a) l0[a] = 4.0 / 3.0 * (rest.vertices[t[a]] - centroid).norm();
    }
}

void MedianSprings::set_material(const Material& m) { k_ = m.stiffness, c_ = m.stiffening, tau_ = m.spring_damping; }

// use(law), where law(t) is make(stiffness of the springs of tet t times s).
template <class Make, class Use>
auto MedianSprings::with_factors(double s, Make&& make, Use&& use) const {
    const double k = s * k_;
    if (factors_.empty()) return use([law = make(k)](int) { return law; });
    return use([this, k, make](int t) { return make(k * factors_[t]); });
}

template <class Use>
auto MedianSprings::with_law(double s, Use&& use) const {
    if (c_ == 0) return with_factors(s, [](double k) { return lanes::Linear<double>{k}; }, use);
    return with_factors(s, [c = c_](double k) { return lanes::Stiffening<double>{k, c}; }, use);
}

template <class Use>
auto MedianSprings::with_dashpots(double s, Use&& use) const {
    return with_factors(s * tau_, [](double k) { return lanes::Dashpot<double>{k}; }, use);
}

double MedianSprings::energy(const VecX& q) const {
    return with_law(1, [&](auto&& law) {
        return blocked_sum(*workers_, static_cast<int>(tets_.size()), [&](int begin, int end) {
            double sum = 0;
            for (int t = begin; t < end; ++t)
                sum += lanes::energy(law(t), medians(q, tets_[t]), Eigen::Map<const Lane>(rest_[t].data())).sum();
            return sum;
        });
    });
}

// Adds 4/3 value_a - 1/3 sum_b value_b to every vertex a, where value = per_spring(t, d, l0).
template <class PerSpring>
void MedianSprings::scatter(const VecX& q, VecX& f, PerSpring&& per_spring) const {
    workers_->run([&](int part) {
        const OwnedRange& range = parts_[part];
        for (int t = range.element_begin; t < range.element_end; ++t) {
            const Tet& tet = tets_[t];
            Lane3 value = per_spring(t, medians(q, tet), Eigen::Map<const Lane>(rest_[t].data()));
            for (int c = 0; c < 3; ++c) value[c] = (4.0 / 3.0) * value[c] - value[c].sum() / 3.0;
            for (int a = 0; a < 4; ++a)
                if (range.owns(tet[a]))
                    for (int c = 0; c < 3; ++c) f[3 * tet[a] + c] += value[c][a];
        }
    });
}

void MedianSprings::add_force(const VecX& q, VecX& f) const {
    with_law(-1, [&](auto&& law) {
        scatter(q, f, [&](int t, const Lane3& d, const Lane& l0) { return lanes::tension(law(t), d, l0); });
    });
}

void MedianSprings::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, [&](auto&& law) {
        scatter(q, f, [&](int t, const Lane3& d, const Lane& l0) { return lanes::product(law(t), d, medians(u, tets_[t]), l0); });
    });
}

void MedianSprings::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, [&](auto&& law) {
        scatter(q, f, [&](int t, const Lane3& d, const Lane& l0) { return lanes::rate(law(t), d, medians(u, tets_[t]), l0); });
    });
}

// An edge belongs to the part that owns its smaller particle.
template <class Law>
void MedianSprings::add_tangent(const VecX& q, EdgeTangent& K, Law&& law) const {
    using Six = Eigen::Array<double, EdgeTangent::stride, 1>;  // and two numbers that stay zero
    workers_->run([&](int part) {
        const OwnedRange& range = parts_[part];
        for (int t = range.element_begin; t < range.element_end; ++t) {
            const Tet& tet = tets_[t];
            const auto H = lanes::tangent(law(t), medians(q, tet), Eigen::Map<const Lane>(rest_[t].data()));
            Six H4[4];  // 4/9 H_a
            for (int a = 0; a < 4; ++a) H4[a] = 4.0 / 9.0 * Six(H[0][a], H[1][a], H[2][a], H[3][a], H[4][a], H[5][a], 0.0, 0.0);
            const Six S = 0.25 * (H4[0] + H4[1] + H4[2] + H4[3]);  // S/9
            for (int e = 0; e < 6; ++e) {
                const auto [a, b] = tet_edges[e];
                if (range.owns(std::min(tet[a], tet[b]))) Eigen::Map<Six>(K.at(edges_[t][e])) += S - H4[a] - H4[b];
            }
        }
    });
}

void MedianSprings::add_stiffness(const VecX& q, EdgeTangent& K) const {
    with_law(1, [&](auto&& law) { add_tangent(q, K, law); });
}

// The tangent of the header with H_a = k I: K_ab = 4k/9 - 8k/9.
void MedianSprings::add_linear_stiffness(EdgeTangent& K) const {
    const double k = k_ * (1 + 3 * c_ * bound_strain * bound_strain);
    for (std::size_t t = 0; t < edges_.size(); ++t)
        for (int edge : edges_[t])
            for (int x : {0, 3, 5}) K.at(edge)[x] -= 4.0 / 9 * k * factor(t);
}

void MedianSprings::add_dashpot_matrix(const VecX& q, double s, EdgeTangent& D) const {
    with_dashpots(s, [&](auto&& law) { add_tangent(q, D, law); });
}

void MedianSprings::add_dashpot_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_dashpots(s, [&](auto&& law) {
        scatter(q, f, [&](int t, const Lane3& d, const Lane& l0) { return lanes::product(law(t), d, medians(u, tets_[t]), l0); });
    });
}

void MedianSprings::add_dashpot_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_dashpots(s, [&](auto&& law) {
        scatter(q, f, [&](int t, const Lane3& d, const Lane& l0) { return lanes::rate(law(t), d, medians(u, tets_[t]), l0); });
    });
}

void MedianSprings::list_springs(std::vector<SpringRow>& rows) const {
    for (std::size_t t = 0; t < tets_.size(); ++t)
        for (int a = 0; a < 4; ++a) {
            std::array<double, 4> weights;
            weights.fill(-1.0 / 3);
            weights[a] = 1;
            rows.push_back({tets_[t], weights, k_ * factor(t), rest_[t][a], "median"});
        }
}

}  // namespace wobble
