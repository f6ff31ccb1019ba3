#include "engine/model/forces/link_springs.h"

#include "engine/core/reduce.h"
#include "engine/model/forces/spring_lanes.h"

namespace wobble {

using lanes::Lane;
using lanes::Lane3;

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

LinkSprings::LinkSprings(int particles, std::vector<NetSpring> springs, double Material::*unit, std::shared_ptr<Workers> workers)
    : unit_(unit), workers_(std::move(workers)), by_particle_(particles, springs) {
    for (NetSpring& s : springs)
        if (s.i > s.j) std::swap(s.i, s.j);
    std::stable_sort(springs.begin(), springs.end(), [](const NetSpring& a, const NetSpring& b) {
        return Edge{a.i, a.j} < Edge{b.i, b.j};
    });
    for (const NetSpring& s : springs) {
        ends_.push_back({s.i, s.j});
        kind_.push_back(s.kind);
        rest_.push_back(s.rest_length);
        relative_.push_back(s.stiffness);
    }
    for (const auto& [i, j] : ends_) from_.push_back(i), to_.push_back(j);
    while (from_.size() % 4 != 0) {
        from_.push_back(from_.back()), to_.push_back(to_.back());
        rest_.push_back(rest_.back()), relative_.push_back(0.0);
    }
    parts_ = split_rows(particles, ends_, *workers_);
}

void LinkSprings::bind(std::span<const int> edge_of_pair, int edges) {
    edge_.assign(edge_of_pair.begin(), edge_of_pair.end());
    one_per_edge_ = ends_.size() == static_cast<std::size_t>(edges) &&
                    std::adjacent_find(ends_.begin(), ends_.end()) == ends_.end();  // they are sorted
}

void LinkSprings::set_material(const Material& m) {
    k_ = unit_ ? m.*unit_ : 1;
    c_ = m.stiffening;
    tau_ = m.spring_damping;
}

LinkSprings::ByParticle::ByParticle(int particles, const std::vector<NetSpring>& springs) : begin{0} {
    struct End {
        int other;
        double rest, relative;
    };
    std::vector<std::vector<End>> ends(particles);
    for (const NetSpring& s : springs) {
        ends[s.i].push_back({s.j, s.rest_length, s.stiffness});
        ends[s.j].push_back({s.i, s.rest_length, s.stiffness});
    }
    for (std::vector<End>& mine : ends) {
        std::stable_sort(mine.begin(), mine.end(), [](const End& a, const End& b) { return a.other < b.other; });
        while (mine.size() % 4 != 0) mine.push_back({mine.back().other, mine.back().rest, 0.0});
        for (const End& e : mine) other.push_back(e.other), rest.push_back(e.rest), relative.push_back(e.relative);
        begin.push_back(static_cast<int>(other.size() / 4));
    }
}

int LinkSprings::ByParticle::first(int part, int parts) const {
    if (part == parts) return static_cast<int>(begin.size()) - 1;
    const int before = static_cast<int>(static_cast<long>(begin.back()) * part / parts);
    return static_cast<int>(std::lower_bound(begin.begin(), begin.end() - 1, before) - begin.begin());
}

// use(law), where law(e) gives the law of the four springs from e on of the list that `relative` belongs to, with stiffnesses times s.
template <class Use>
auto LinkSprings::with_law(double s, const std::vector<double>& relative, Use&& use) const {
    const double k = s * k_, c = c_;
    if (c == 0) return use([r = relative.data(), k](int e) { return lanes::Linear<Lane>{k * lanes::load(r + e)}; });
    return use([r = relative.data(), k, c](int e) { return lanes::Stiffening<Lane>{k * lanes::load(r + e), c}; });
}

template <class Use>
auto LinkSprings::with_dashpots(double s, const std::vector<double>& relative, Use&& use) const {
    return use([r = relative.data(), c = s * tau_ * k_](int e) { return lanes::Dashpot<Lane>{c * lanes::load(r + e)}; });
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
    return with_law(1, relative_, [&](auto&& law) {
        return blocked_sum(*workers_, static_cast<int>(from_.size() / 4), [&](int begin, int end) {
            Lane sum = lanes::all(0);  // padding has k = 0
            const Arrays springs(*this);
            for (int e = 4 * begin; e < 4 * end; e += 4)
                sum += lanes::energy(law(e), springs.differences(q.data(), e), springs.rest_lengths(e));
            return lanes::total(sum);
        });
    });
}

// Subtracts from each particle i of the outputs the sum of values = per_four(e, d, l0, u) over the fours e of its springs. d: x_j - x_i of
// every input. done(i, u) follows, where u started with zero and is for what else is to be summed up.
template <std::size_t In, std::size_t Out, class PerFour, class Done>
void LinkSprings::subtract_sums(const std::array<const VecX*, In>& inputs, const std::array<VecX*, Out>& outputs, PerFour&& per_four,
                                Done&& done) const {
    workers_->run([&](int part) {
        const int *const begin = by_particle_.begin.data(), *const other = by_particle_.other.data();  // locals, as above
        const double* const rest = by_particle_.rest.data();
        std::array<const double*, In> from;
        std::array<double*, Out> to;
        for (std::size_t k = 0; k < In; ++k) from[k] = inputs[k]->data();
        for (std::size_t k = 0; k < Out; ++k) to[k] = outputs[k]->data();
        const int last = by_particle_.first(part + 1, workers_->count());
        for (int i = by_particle_.first(part, workers_->count()); i < last; ++i) {
            const std::size_t at = static_cast<std::size_t>(3) * i;
            std::array<Lane3, In> x, d;
            std::array<Lane3, Out> sums{};
            for (std::size_t k = 0; k < In; ++k) x[k] = lanes::all3(from[k] + at);
            Lane u = lanes::all(0);
            for (int e = 4 * begin[i]; e < 4 * begin[i + 1]; e += 4) {
                for (std::size_t k = 0; k < In; ++k) d[k] = lanes::gather(from[k], other + e) - x[k];
                const std::array<Lane3, Out> values = per_four(e, d, lanes::load(rest + e), u);
                for (std::size_t k = 0; k < Out; ++k) sums[k] = sums[k] + values[k];
            }
            for (std::size_t k = 0; k < Out; ++k) lanes::Vectors(sums[k]).subtract_all_from(to[k] + at);
            done(i, u);
        }
    });
}

void LinkSprings::add_force(const VecX& q, VecX& f) const {
    with_law(-1, by_particle_.relative, [&](auto&& law) {
        subtract_sums<1, 1>(
            {&q}, {&f},
            [law](int e, const std::array<Lane3, 1>& d, const Lane& l0, Lane&) {
                return std::array<Lane3, 1>{lanes::tension(law(e), d[0], l0)};
            },
            [](int, const Lane&) {});
    });
}

void LinkSprings::add_force_and_rate(const VecX& q, const VecX& u, double s, VecX& f, VecX& rate) const {
    with_law(-1, by_particle_.relative, [&](auto&& law) {
        subtract_sums<2, 2>(
            {&q, &u}, {&f, &rate},
            [law, s](int e, std::array<Lane3, 2> both, const Lane& l0, Lane&) {
                lanes::tension_and_rate(law(e), both[0], both[1], l0);
                both[1] = -s * both[1];
                return both;
            },
            [](int, const Lane&) {});
    });
}

// Each end has half of a spring's energy.
double LinkSprings::add_force_and_energy(const VecX& q, VecX& f) const {
    energies_.resize(by_particle_.begin.size() - 1);
    with_law(-1, by_particle_.relative, [&](auto&& law) {
        subtract_sums<1, 1>(
            {&q}, {&f},
            [law](int e, const std::array<Lane3, 1>& d, const Lane& l0, Lane& u) {
                return std::array<Lane3, 1>{lanes::tension(law(e), d[0], l0, u)};
            },
            [to = energies_.data()](int i, const Lane& u) { to[i] = -0.5 * lanes::total(u); });
    });
    return sum(*workers_, energies_);
}

// f_i -= sum of along(law, d, w, l0), w the differences of u.
template <class Law, class Along>
void LinkSprings::subtract_along(const VecX& q, const VecX& u, VecX& f, Law&& law, Along&& along) const {
    subtract_sums<2, 1>(
        {&q, &u}, {&f},
        [law, along](int e, const std::array<Lane3, 2>& d, const Lane& l0, Lane&) {
            return std::array<Lane3, 1>{along(law(e), d[0], d[1], l0)};
        },
        [](int, const Lane&) {});
}

void LinkSprings::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, by_particle_.relative, [&](auto&& law) {
        subtract_along(q, u, f, law, [](auto&& k, const Lane3& d, const Lane3& w, const Lane& l0) { return lanes::product(k, d, w, l0); });
    });
}

void LinkSprings::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, by_particle_.relative, [&](auto&& law) {
        subtract_along(q, u, f, law, [](auto&& k, const Lane3& d, const Lane3& w, const Lane& l0) { return lanes::rate(k, d, w, l0); });
    });
}

void LinkSprings::add_dashpot_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_dashpots(s, by_particle_.relative, [&](auto&& law) {
        subtract_along(q, u, f, law, [](auto&& k, const Lane3& d, const Lane3& w, const Lane& l0) { return lanes::product(k, d, w, l0); });
    });
}

void LinkSprings::add_dashpot_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_dashpots(s, by_particle_.relative, [&](auto&& law) {
        subtract_along(q, u, f, law, [](auto&& k, const Lane3& d, const Lane3& w, const Lane& l0) { return lanes::rate(k, d, w, l0); });
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
                else if (set) H.negated_to(lines[edge[e + t]].symmetric, t);
                else H.subtract_from(lines[edge[e + t]].symmetric, t);
        });
    });
}

void LinkSprings::add_stiffness(const VecX& q, EdgeTangent& K) const {
    with_law(1, relative_, [&](auto&& law) { add_tangent(q, K, law); });
}

void LinkSprings::set_stiffness(const VecX& q, EdgeTangent& K, Workers& workers) const {
    if (!one_per_edge_ || K.has_skew()) return ForceModel::set_stiffness(q, K, workers);
    with_law(1, relative_, [&](auto&& law) { add_tangent<true>(q, K, law); });
}

void LinkSprings::add_linear_stiffness(EdgeTangent& K) const {
    const double k = k_ * (1 + 3 * c_ * lanes::bound_strain * lanes::bound_strain);
    for (int e = 0; e < count(); ++e)
        for (int x : {0, 3, 5}) K.at(edge_[e])[x] -= k * relative_[e];
}

void LinkSprings::add_dashpot_matrix(const VecX& q, double s, EdgeTangent& D) const {
    with_dashpots(s, relative_, [&](auto&& law) { add_tangent(q, D, law); });
}

void LinkSprings::list_springs(std::vector<SpringRow>& rows) const {
    for (int e = 0; e < count(); ++e)
        rows.push_back({{ends_[e][0], ends_[e][1], -1, -1}, {-1, 1, 0, 0}, k_ * relative_[e], rest_[e], name(kind_[e])});
}

}  // namespace wobble
