#include "engine/model/forces/median_springs.h"

#include "engine/core/reduce.h"
#include "engine/model/forces/spring_lanes.h"
#include "engine/model/forces/tet_edges.h"

namespace wobble {

using lanes::Lane;
using lanes::Lane3;
using lanes::Lane6;

namespace {

constexpr int ahead = 4;  // fours whose edges are fetched before they are needed

struct Medians {
    Lane3 d[4];
    Medians() = default;
    // d_a = 4/3 (x_a - c) of the corners of four tets.
    [[gnu::always_inline]] Medians(const double* x, const int (&particles)[4][4])
        : d{lanes::gather(x, particles[0]), lanes::gather(x, particles[1]), lanes::gather(x, particles[2]),
            lanes::gather(x, particles[3])} {
        spread();
    }
    // T_a becomes 4/3 T_a - 1/3 sum_b T_b: with the sign of the header the same map takes corners to springs and tensions to corners.
    [[gnu::always_inline]] void spread() {
        const Lane3 third = 1.0 / 3 * (d[0] + d[1] + d[2] + d[3]);
        for (Lane3& a : d) a = 4.0 / 3 * a - third;
    }
};

}  // namespace

MedianSprings::MedianSprings(const TetMesh& rest, std::shared_ptr<Workers> workers, std::vector<double> factors)
    : tets_(rest.tets), factors_(std::move(factors)), workers_(std::move(workers)) {
    interleave(tets_);
    interleave(factors_);
    parts_ = split_rows(static_cast<int>(rest.vertices.size()), tets_, *workers_);
    const std::size_t count = tets_.size();
    fours_.resize((count + 3) / 4);
    edges_.resize(fours_.size() + ahead);
    for (std::size_t lane = 0; lane < 4 * fours_.size(); ++lane) {
        const std::size_t t = std::min(lane, count - 1);
        Vec3 centroid = Vec3::Zero();
        for (int i : tets_[t]) centroid += 0.25 * rest.vertices[i];
        Four& four = fours_[lane / 4];
        for (int a = 0; a < 4; ++a) {
            four.particles[a][lane % 4] = tets_[t][a];
            four.rest[a][lane % 4] = 4.0 / 3.0 * (rest.vertices[tets_[t][a]] - centroid).norm();
        }
    }
    if (!factors_.empty()) factors_.resize(4 * fours_.size(), 1.0);
}

void MedianSprings::pairs(std::vector<Edge>& pairs) const { append_pairs(tets_, pairs); }

void MedianSprings::bind(std::span<const int> edge_of_pair, int) {
    for (std::size_t lane = 0; lane < 4 * fours_.size(); ++lane)
        for (std::size_t e = 0; e < 6; ++e) edges_[lane / 4][e][lane % 4] = edge_of_pair[6 * std::min(lane, tets_.size() - 1) + e];
}

void MedianSprings::set_material(const Material& m) { k_ = m.stiffness, c_ = m.stiffening, tau_ = m.spring_damping; }

// use(law), where law(group) is make(stiffness of the springs of four tets times s).
template <class Make, class Use>
auto MedianSprings::with_factors(double s, Make&& make, Use&& use) const {
    const double k = s * k_;
    if (factors_.empty()) return use([law = make(k)](int) { return law; });
    return use([this, k, make](int g) { return make(k * lanes::load(&factors_[4 * static_cast<std::size_t>(g)])); });
}

template <class Use>
auto MedianSprings::with_law(double s, Use&& use) const {
    if (c_ == 0)
        return with_factors(
            s, [](auto k) { return lanes::Linear<decltype(k)>{k}; }, use);
    return with_factors(
        s,
        [c = c_](auto k) {
            return lanes::Stiffening<decltype(k)>{k, c};
        },
        use);
}

template <class Use>
auto MedianSprings::with_dashpots(double s, Use&& use) const {
    return with_factors(
        s * tau_, [](auto k) { return lanes::Dashpot<decltype(k)>{k}; }, use);
}

double MedianSprings::energy(const VecX& q) const {
    return with_law(1, [&](auto&& law) {
        return blocked_sum(*workers_, groups(), [&](int begin, int end) {
            double sum = 0;
            for (int g = begin; g < end; ++g) {
                const Medians medians(q.data(), fours_[g].particles);
                Lane u = lanes::all(0);
                for (int a = 0; a < 4; ++a) u += lanes::energy(law(g), medians.d[a], lanes::load(fours_[g].rest[a]));
                for (int t = 0; t < lanes_of(g); ++t) sum += u[t];
            }
            return sum;
        });
    });
}

// Adds 4/3 value_a - 1/3 sum_b value_b to every corner a of each output, where per_four(group, its Four, values, counted) turns the first's
// d_a into value_a and sets the others'; of the parts that visit a group one has `counted`.
template <std::size_t N, class PerFour>
void MedianSprings::scatter(const VecX& q, const std::array<double*, N>& outputs, PerFour&& per_four) const {
    workers_->run([&](int part) {
        const OwnedRange range = parts_[part];
        const Four* const fours = fours_.data();  // locals: writing lanes makes the compiler forget what it knew of the rest
        const double* const x = q.data();
        const std::array<double*, N> out = outputs;
        for_fours(range, static_cast<int>(tets_.size()), [=, this](int g, auto kind) {
            constexpr bool inner = kind.inner;
            const Four& four = fours[g];
            Medians values[N];
            values[0] = Medians(x, four.particles);
            per_four(g, four, values, inner || range.owns(four.particles[0][0]));
            const int n = kind.whole ? 4 : lanes_of(g);
            double waste[3] = {};
            for (std::size_t o = 0; o < N; ++o) {
                values[o].spread();
                for (int a = 0; a < 4; ++a) {
                    const lanes::Vectors corner(values[o].d[a]);
                    for (int t = 0; t < n; ++t) {
                        const int i = four.particles[a][t];
                        corner.add_to(inner ? out[o] + 3 * i : range.at(out[o], i, waste), t);
                    }
                }
            }
        });
    });
}

void MedianSprings::add_force(const VecX& q, VecX& f) const {
    with_law(-1, [&](auto&& law) {
        scatter<1>(q, {f.data()}, [law](int g, const Four& four, Medians(&m)[1], bool) {
            for (int a = 0; a < 4; ++a) m[0].d[a] = lanes::tension(law(g), m[0].d[a], lanes::load(four.rest[a]));
        });
    });
}

void MedianSprings::add_force_and_rate(const VecX& q, const VecX& u, double s, VecX& f, VecX& rate) const {
    with_law(-1, [&](auto&& law) {
        scatter<2>(q, {f.data(), rate.data()}, [law, s, from = u.data()](int g, const Four& four, Medians(&m)[2], bool) {
            m[1] = Medians(from, four.particles);
            for (int a = 0; a < 4; ++a) {
                lanes::tension_and_rate(law(g), m[0].d[a], m[1].d[a], lanes::load(four.rest[a]));
                m[1].d[a] = -s * m[1].d[a];
            }
        });
    });
}

double MedianSprings::add_force_and_energy(const VecX& q, VecX& f) const {
    energies_.resize(fours_.size());
    with_law(-1, [&](auto&& law) {
        scatter<1>(q, {f.data()}, [law, this, to = energies_.data()](int g, const Four& four, Medians(&m)[1], bool counted) {
            Lane u = lanes::all(0);
            for (int a = 0; a < 4; ++a) m[0].d[a] = lanes::tension(law(g), m[0].d[a], lanes::load(four.rest[a]), u);
            if (!counted) return;
            to[g] = -(u[0] + u[1] + u[2] + u[3]);
            if (const int n = lanes_of(g); n < 4) {
                to[g] = 0;
                for (int t = 0; t < n; ++t) to[g] -= u[t];
            }
        });
    });
    return sum(*workers_, energies_);
}

// along(law, d, w, l0) of every spring, w_a the medians of u.
template <class Law, class Along>
void MedianSprings::scatter_along(const VecX& q, const VecX& u, VecX& f, Law&& law, Along&& along) const {
    scatter<1>(q, {f.data()}, [law, along, from = u.data()](int g, const Four& four, Medians(&m)[1], bool) {
        const Medians w(from, four.particles);
        for (int a = 0; a < 4; ++a) m[0].d[a] = along(law(g), m[0].d[a], w.d[a], lanes::load(four.rest[a]));
    });
}

void MedianSprings::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, [&](auto&& law) {
        scatter_along(q, u, f, law, [](auto&& k, const Lane3& d, const Lane3& w, const Lane& l0) { return lanes::product(k, d, w, l0); });
    });
}

void MedianSprings::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_law(s, [&](auto&& law) {
        scatter_along(q, u, f, law, [](auto&& k, const Lane3& d, const Lane3& w, const Lane& l0) { return lanes::rate(k, d, w, l0); });
    });
}

void MedianSprings::add_dashpot_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_dashpots(s, [&](auto&& law) {
        scatter_along(q, u, f, law, [](auto&& k, const Lane3& d, const Lane3& w, const Lane& l0) { return lanes::product(k, d, w, l0); });
    });
}

void MedianSprings::add_dashpot_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    with_dashpots(s, [&](auto&& law) {
        scatter_along(q, u, f, law, [](auto&& k, const Lane3& d, const Lane3& w, const Lane& l0) { return lanes::rate(k, d, w, l0); });
    });
}

// An edge belongs to the part that owns its smaller particle. The law's stiffness is 4/9 of the springs'.
template <class Law>
void MedianSprings::add_tangent(const VecX& q, EdgeTangent& K, Law&& law) const {
    workers_->run([&](int part) {
        const OwnedRange range = parts_[part];
        const Four* const fours = fours_.data();  // locals, as above
        const auto* const edges = edges_.data();
        const double* const x = q.data();
        EdgeLine* const lines = K.lines();
        const bool far = K.matrix().bytes() > 6u << 20;  // larger than the caches of the cores themselves: half the time was waiting
        for_fours(range, static_cast<int>(tets_.size()), [=, this](int g, auto kind) {
            const Four& four = fours[g];
            if (kind.inner && far)
                for (const auto& edge : edges[g + ahead])
                    for (int at : edge) __builtin_prefetch(lines[at].symmetric);
            const Medians medians(x, four.particles);
            Lane6 H[4];  // 4/9 H_a
            for (int a = 0; a < 4; ++a) H[a] = lanes::tangent(law(g), medians.d[a], lanes::load(four.rest[a]));
            const Lane6 S = 0.125 * (H[0] + H[1] + H[2] + H[3]);  // S/18
            for (Lane6& h : H) h = S - h;                         // P_a, so that K_ab = P_a + P_b
#pragma GCC unroll 6
            for (int e = 0; e < 6; ++e) {
                const int a = tet_edges[e][0], b = tet_edges[e][1];
                const lanes::Sixes Kab(H[a] + H[b]);
                const int* const at = edges[g][e].data();
                if constexpr (kind.inner) {
                    Kab.add_to(lines[at[0]].symmetric, 0), Kab.add_to(lines[at[1]].symmetric, 1);
                    Kab.add_to(lines[at[2]].symmetric, 2), Kab.add_to(lines[at[3]].symmetric, 3);
                } else {
                    for (int t = 0; t < (kind.whole ? 4 : lanes_of(g)); ++t)
                        if (range.owns(std::min(four.particles[a][t], four.particles[b][t]))) Kab.add_to(lines[at[t]].symmetric, t);
                }
            }
        });
    });
}

void MedianSprings::add_stiffness(const VecX& q, EdgeTangent& K) const {
    with_law(4.0 / 9, [&](auto&& law) { add_tangent(q, K, law); });
}

// The tangent of the header with H_a = k I: K_ab = 4k/9 - 8k/9.
void MedianSprings::add_linear_stiffness(EdgeTangent& K) const {
    const double k = k_ * (1 + 3 * c_ * lanes::bound_strain * lanes::bound_strain);
    for (std::size_t t = 0; t < tets_.size(); ++t)
        for (const auto& edge : edges_[t / 4])
            for (int x : {0, 3, 5}) K.at(edge[t % 4])[x] -= 4.0 / 9 * k * factor(t);
}

void MedianSprings::add_dashpot_matrix(const VecX& q, double s, EdgeTangent& D) const {
    with_dashpots(4.0 / 9 * s, [&](auto&& law) { add_tangent(q, D, law); });
}

void MedianSprings::list_springs(std::vector<SpringRow>& rows) const {
    for (std::size_t t = 0; t < tets_.size(); ++t)
        for (int a = 0; a < 4; ++a) {
            std::array<double, 4> weights;
            weights.fill(-1.0 / 3);
            weights[a] = 1;
            rows.push_back({tets_[t], weights, k_ * factor(t), fours_[t / 4].rest[a][t % 4], "median"});
        }
}

}  // namespace wobble
