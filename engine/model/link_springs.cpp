#include "engine/model/link_springs.h"

#include "engine/core/reduce.h"
#include "engine/model/spring_lanes.h"

namespace wobble {

using lanes::Lane;
using lanes::Lane3;

namespace {

constexpr double bound_strain = 0.5;

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
    interleave(springs);
    for (const NetSpring& s : springs) {
        ends_.push_back({s.i, s.j});
        kind_.push_back(s.kind);
        edge_.push_back(static_cast<int>(std::lower_bound(edges.begin(), edges.end(), ends_.back()) - edges.begin()));
        rest_.push_back(s.rest_length);
        relative_.push_back(s.stiffness);
    }
    one_per_edge_ = edges.size() == ends_.size() && std::vector<Edge>(unique_edges(ends_)).size() == edges.size();
    for (const auto& [i, j] : ends_) from_.push_back(i), to_.push_back(j);
    while (from_.size() % 4 != 0) {
        from_.push_back(from_.back()), to_.push_back(to_.back());
        rest_.push_back(rest_.back()), relative_.push_back(0.0);
    }
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
    if (c == 0) return use([r = relative_.data(), k](int e) { return lanes::Linear<Lane>{k * lanes::load(r + e)}; });
    return use([r = relative_.data(), k, c](int e) { return lanes::Stiffening<Lane>{k * lanes::load(r + e), c}; });
}

template <class Use>
auto LinkSprings::with_dashpots(double s, Use&& use) const {
    return use([r = relative_.data(), c = s * tau_ * k_](int e) { return lanes::Dashpot<Lane>{c * lanes::load(r + e)}; });
}

// What loops read, as local copies of the addresses: writing lanes makes the compiler forget what it knew of everything else.
struct LinkSprings::Arrays {
    const int *from, *to;
    const double* rest;
    explicit Arrays(const LinkSprings& s) : from(s.from_.data()), to(s.to_.data()), rest(s.rest_.data()) {}

    // x_j - x_i of the four springs from e on.
    [[gnu::always_inline]] Lane3 differences(const double* x, int e) const { return lanes::gather(x, to + e) - lanes::gather(x, from + e); }
    [[gnu::always_inline]] Lane rest_lengths(int e) const { return lanes::load(rest + e); }
};

double LinkSprings::energy(const VecX& q) const {
    return with_law(1, [&](auto&& law) {
        return blocked_sum(*workers_, static_cast<int>(from_.size() / 4), [&](int begin, int end) {
            Lane sum = lanes::all(0);  // padding has k = 0
            const Arrays springs(*this);
            for (int e = 4 * begin; e < 4 * end; e += 4)
                sum += lanes::energy(law(e), springs.differences(q.data(), e), springs.rest_lengths(e));
            return sum[0] + sum[1] + sum[2] + sum[3];
        });
    });
}

// Adds +value to particle j and -value to particle i of each output, where values = per_spring(springs, e, d, l0, counted) of the four
// springs from e on; of the parts that visit them one has `counted`.
template <std::size_t N, class PerSpring>
void LinkSprings::scatter(const VecX& q, const std::array<double*, N>& outputs, PerSpring&& per_spring) const {
    workers_->run([&](int part) {
        const OwnedRange range = parts_[part];
        const Arrays springs(*this);
        const double* const x = q.data();
        const std::array<double*, N> out = outputs;
        for_fours(range, count(), [=, all = count()](int g, auto kind) {
            constexpr bool inner = kind.inner;
            const int e = 4 * g, n = kind.whole ? 4 : std::min(4, all - e);
            const bool counted = inner || range.owns(springs.from[e]);
            const std::array<Lane3, N> values = per_spring(springs, e, springs.differences(x, e), springs.rest_lengths(e), counted);
            double waste[3] = {};
            for (std::size_t o = 0; o < N; ++o) {
                const lanes::Vectors value(values[o]);
                for (int t = 0; t < n; ++t) {
                    const int i = springs.from[e + t], j = springs.to[e + t];
                    value.subtract_from(inner ? out[o] + 3 * i : range.at(out[o], i, waste), t);
                    value.add_to(inner ? out[o] + 3 * j : range.at(out[o], j, waste), t);
                }
            }
        });
    });
}

template <class PerSpring>
void LinkSprings::scatter(const VecX& q, VecX& f, PerSpring&& per_spring) const {
    scatter<1>(q, {f.data()}, [per_spring](const Arrays& springs, int e, const Lane3& d, const Lane& l0, bool counted) {
        return std::array<Lane3, 1>{per_spring(springs, e, d, l0, counted)};
    });
}

void LinkSprings::add_force(const VecX& q, VecX& f) const {
    with_law(-1, [&](auto&& law) {
        scatter(q, f, [law](const Arrays&, int e, const Lane3& d, const Lane& l0, bool) { return lanes::tension(law(e), d, l0); });
    });
}

void LinkSprings::add_force_and_rate(const VecX& q, const VecX& u, double s, VecX& f, VecX& rate) const {
    with_law(-1, [&](auto&& law) {
        scatter<2>(q, {f.data(), rate.data()}, [law, s, x = u.data()](const Arrays& springs, int e, const Lane3& d, const Lane& l0, bool) {
            std::array<Lane3, 2> both{d, springs.differences(x, e)};
            lanes::tension_and_rate(law(e), both[0], both[1], l0);
            both[1] = -s * both[1];
            return both;
        });
    });
}

double LinkSprings::add_force_and_energy(const VecX& q, VecX& f) const {
    energies_.resize(from_.size() / 4);
    with_law(-1, [&](auto&& law) {
        scatter(q, f, [law, to = energies_.data()](const Arrays&, int e, const Lane3& d, const Lane& l0, bool counted) {
            Lane u = lanes::all(0);  // padding has k = 0
            const Lane3 T = lanes::tension(law(e), d, l0, u);
            if (counted) to[e / 4] = -(u[0] + u[1] + u[2] + u[3]);
            return T;
        });
    });
    return sum(*workers_, energies_);
}

void LinkSprings::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, [&](auto&& law) {
        scatter(q, f, [law, x = u.data()](const Arrays& springs, int e, const Lane3& d, const Lane& l0, bool) {
            return lanes::product(law(e), d, springs.differences(x, e), l0);
        });
    });
}

void LinkSprings::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, [&](auto&& law) {
        scatter(q, f, [law, x = u.data()](const Arrays& springs, int e, const Lane3& d, const Lane& l0, bool) {
            return lanes::rate(law(e), d, springs.differences(x, e), l0);
        });
    });
}

void LinkSprings::add_dashpot_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_dashpots(s, [&](auto&& law) {
        scatter(q, f, [law, x = u.data()](const Arrays& springs, int e, const Lane3& d, const Lane& l0, bool) {
            return lanes::product(law(e), d, springs.differences(x, e), l0);
        });
    });
}

void LinkSprings::add_dashpot_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_dashpots(s, [&](auto&& law) {
        scatter(q, f, [law, x = u.data()](const Arrays& springs, int e, const Lane3& d, const Lane& l0, bool) {
            return lanes::rate(law(e), d, springs.differences(x, e), l0);
        });
    });
}

// K_ij -= H, or K_ij = -H. An edge belongs to the part that owns its smaller particle.
template <bool set, class Law>
void LinkSprings::add_tangent(const VecX& q, EdgeTangent& K, Law&& law) const {
    workers_->run([&](int part) {
        const OwnedRange range = parts_[part];
        const Arrays springs(*this);
        const double* const x = q.data();
        const int* const edge = edge_.data();
        EdgeLine* const lines = K.lines();
        for_fours(range, count(), [=, all = count()](int g, auto kind) {
            constexpr bool inner = kind.inner;
            const int e = 4 * g, n = kind.whole ? 4 : std::min(4, all - e);
            const lanes::Sixes H(lanes::tangent(law(e), springs.differences(x, e), springs.rest_lengths(e)));
            for (int t = 0; t < n; ++t)
                if (!inner && !range.owns(springs.from[e + t])) continue;
                else if (set) H.negated_to(lines[edge[e + t]].six, t);
                else H.subtract_from(lines[edge[e + t]].six, t);
        });
    });
}

void LinkSprings::add_stiffness(const VecX& q, EdgeTangent& K) const {
    with_law(1, [&](auto&& law) { add_tangent(q, K, law); });
}

void LinkSprings::set_stiffness(const VecX& q, EdgeTangent& K, Workers& workers) const {
    if (!one_per_edge_ || K.has_skew()) return ForceModel::set_stiffness(q, K, workers);
    with_law(1, [&](auto&& law) { add_tangent<true>(q, K, law); });
}

void LinkSprings::add_linear_stiffness(EdgeTangent& K) const {
    const double k = k_ * (1 + 3 * c_ * bound_strain * bound_strain);
    for (int e = 0; e < count(); ++e)
        for (int x : {0, 3, 5}) K.at(edge_[e])[x] -= k * relative_[e];
}

void LinkSprings::add_dashpot_matrix(const VecX& q, double s, EdgeTangent& D) const {
    with_dashpots(s, [&](auto&& law) { add_tangent(q, D, law); });
}

void LinkSprings::list_springs(std::vector<SpringRow>& rows) const {
    for (int e = 0; e < count(); ++e)
        rows.push_back({{ends_[e][0], ends_[e][1], -1, -1}, {-1, 1, 0, 0}, k_ * relative_[e], rest_[e], name(kind_[e])});
}

}  // namespace wobble
