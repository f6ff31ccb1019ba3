#include "engine/model/link_springs.h"

#include "engine/core/reduce.h"
#include "engine/model/spring_lanes.h"

namespace wobble {

using lanes::Lane;
using lanes::Lane3;
using Lanes = Eigen::Map<const Lane>;

namespace {

constexpr double bound_strain = 0.5;

// x_j - x_i of up to four springs; the lanes beyond `count` repeat the first one and are not used.
[[gnu::always_inline]] inline Lane3 differences(const VecX& x, const Edge* ends, int count) {
    const double *from[4], *to[4];
    for (int lane = 0; lane < 4; ++lane) {
        const auto [i, j] = ends[lane < count ? lane : 0];
        from[lane] = x.data() + 3 * i, to[lane] = x.data() + 3 * j;
    }
    return lanes::difference(lanes::gather(to), lanes::gather(from));
}

}  // namespace

const char* name(LinkKind kind) {
    switch (kind) {
        case LinkKind::structural:
            return "structural";
        case LinkKind::shear:
            return "shear";
        case LinkKind::bending:
            return "bending";
    }
    return "";
}

LinkSprings::LinkSprings(int particles, std::vector<NetSpring> springs, double Material::*unit, const std::vector<Edge>& edges,
                         std::shared_ptr<Workers> workers)
    : unit_(unit), workers_(std::move(workers)) {
    for (NetSpring& s : springs)
        if (s.i > s.j) std::swap(s.i, s.j);
    std::stable_sort(springs.begin(), springs.end(), [](const NetSpring& a, const NetSpring& b) {
        return Edge{a.i, a.j} < Edge{b.i, b.j};
    });
    for (const NetSpring& s : springs) {
        ends_.push_back({s.i, s.j});
        kind_.push_back(s.kind);
        edge_.push_back(static_cast<int>(std::lower_bound(edges.begin(), edges.end(), ends_.back()) - edges.begin()));
        rest_.push_back(s.rest_length);
        relative_.push_back(s.stiffness);
    }
    rest_.resize(rest_.size() + 4, 1.0);
    relative_.resize(rest_.size(), 0.0);
    parts_ = split_rows(particles, ends_, *workers_);
}

void LinkSprings::set_material(const Material& m) {
    k_ = unit_ ? m.*unit_ : 1;
    c_ = m.stiffening;
    tau_ = m.spring_damping;
}

// use(law), where law(e) gives the law of the four springs from e on, with stiffnesses times s.
template <class Use>
auto LinkSprings::with_law(double s, Use&& use) const {
    const double k = s * k_, c = c_;
    if (c == 0) return use([this, k](int e) { return lanes::Linear<Lane>{k * Lanes(&relative_[e])}; });
    return use([this, k, c](int e) { return lanes::Stiffening<Lane>{k * Lanes(&relative_[e]), c}; });
}

double LinkSprings::energy(const VecX& q) const {
    return with_law(1, [&](auto&& law) {
        return blocked_sum(*workers_, count(), [&](int begin, int end) {
            double sum = 0;
            for (int e = begin; e < end; e += 4) {
                const int n = std::min(4, end - e);
                const Lane u = lanes::energy(law(e), differences(q, &ends_[e], n), Lanes(&rest_[e]));
                for (int lane = 0; lane < n; ++lane) sum += u[lane];
            }
            return sum;
        });
    });
}

// Adds +value to particle j and -value to particle i, where value = per_spring(e, count, d, l0).
template <class PerSpring>
void LinkSprings::scatter(const VecX& q, VecX& f, PerSpring&& per_spring) const {
    workers_->run([&](int part) {
        const OwnedRange& range = parts_[part];
        for (int e = range.element_begin; e < range.element_end; e += 4) {
            const int n = std::min(4, range.element_end - e);
            const Lane3 value = per_spring(e, n, differences(q, &ends_[e], n), Lanes(&rest_[e]));
            for (int lane = 0; lane < n; ++lane) {
                const auto [i, j] = ends_[e + lane];
                if (range.owns(i))
                    for (int c = 0; c < 3; ++c) f[3 * i + c] -= value[c][lane];
                if (range.owns(j))
                    for (int c = 0; c < 3; ++c) f[3 * j + c] += value[c][lane];
            }
        }
    });
}

void LinkSprings::add_force(const VecX& q, VecX& f) const {
    with_law(-1,
             [&](auto&& law) { scatter(q, f, [&](int e, int, const Lane3& d, const Lane& l0) { return lanes::tension(law(e), d, l0); }); });
}

void LinkSprings::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, [&](auto&& law) {
        scatter(q, f,
                [&](int e, int n, const Lane3& d, const Lane& l0) { return lanes::product(law(e), d, differences(u, &ends_[e], n), l0); });
    });
}

void LinkSprings::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, [&](auto&& law) {
        scatter(q, f,
                [&](int e, int n, const Lane3& d, const Lane& l0) { return lanes::rate(law(e), d, differences(u, &ends_[e], n), l0); });
    });
}

// K_ij -= H. An edge belongs to the part that owns its smaller particle.
template <class Law>
void LinkSprings::add_tangent(const VecX& q, EdgeTangent& K, Law&& law) const {
    workers_->run([&](int part) {
        const OwnedRange& range = parts_[part];
        for (int e = range.element_begin; e < range.element_end; e += 4) {
            const int n = std::min(4, range.element_end - e);
            const auto H = lanes::tangent(law(e), differences(q, &ends_[e], n), Lanes(&rest_[e]));
            for (int lane = 0; lane < n; ++lane)
                if (range.owns(ends_[e + lane][0]))
                    for (int k = 0; k < 6; ++k) K.at(edge_[e + lane])[k] -= H[k][lane];
        }
    });
}

void LinkSprings::add_stiffness(const VecX& q, EdgeTangent& K) const {
    with_law(1, [&](auto&& law) { add_tangent(q, K, law); });
}

void LinkSprings::add_linear_stiffness(EdgeTangent& K) const {
    const double k = k_ * (1 + 3 * c_ * bound_strain * bound_strain);
    for (int e = 0; e < count(); ++e)
        for (int x : {0, 3, 5}) K.at(edge_[e])[x] -= k * relative_[e];
}

void LinkSprings::add_dashpot_matrix(const VecX& q, double s, EdgeTangent& D) const {
    const double c = s * tau_ * k_;
    add_tangent(q, D, [&](int e) { return lanes::Dashpot<Lane>{c * Lanes(&relative_[e])}; });
}

void LinkSprings::add_dashpot_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    const double c = s * tau_ * k_;
    scatter(q, f, [&](int e, int n, const Lane3& d, const Lane& l0) {
        return lanes::product(lanes::Dashpot<Lane>{c * Lanes(&relative_[e])}, d, differences(u, &ends_[e], n), l0);
    });
}

void LinkSprings::add_dashpot_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    const double c = s * tau_ * k_;
    scatter(q, f, [&](int e, int n, const Lane3& d, const Lane& l0) {
        return lanes::rate(lanes::Dashpot<Lane>{c * Lanes(&relative_[e])}, d, differences(u, &ends_[e], n), l0);
    });
}

void LinkSprings::list_springs(std::vector<SpringRow>& rows) const {
    for (int e = 0; e < count(); ++e)
        rows.push_back({{ends_[e][0], ends_[e][1], -1, -1}, {-1, 1, 0, 0}, k_ * relative_[e], rest_[e], name(kind_[e])});
}

}  // namespace wobble
