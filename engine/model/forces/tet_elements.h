#pragma once
// Linear tetrahedra of a continuum, four at a time, one per SIMD lane: what all materials with an energy density Psi(F) have in common.
//     F = sum_a x_a g_a^T,   U = sum over tets of V Psi(F),
//     f_a = -V P g_a,   P = dPsi/dF,
//     K_ab = V (d2Psi/dF2 contracted with g_a and g_b) = S + [s],   [s] y = s cross y,
// x_a corners, g_a gradients of the linear shape functions at rest (g_0 = -g_1 - g_2 - g_3), V rest volume. Corners are sorted by their
// particles, so that an edge's blocks always stand as the tangent has them, S + [s] for the smaller particle's row.
#include "engine/core/reduce.h"
#include "engine/mesh/mesh.h"
#include "engine/model/edge_tangent.h"
#include "engine/model/forces/matrix_lanes.h"
#include "engine/model/forces/row_ownership.h"
#include "engine/model/forces/tet_edges.h"

#include <memory>
#include <span>

namespace wobble {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in spring_lanes.h

struct alignas(32) FourTets {   // missing ones repeat the last
    int particles[4][4];        // of corner a in lane t: particles[a][t], ascending in a
    double gradients[3][3][4];  // gradients[a - 1] is g_a, x, y, z
    double volume[4];           // V, times the factor of the stiffness, as the two occur only together
    double opposite[4];         // V / det [X_1 - X_0, X_2 - X_0, X_3 - X_0], a sixth with the sign of this order of corners
    lanes::Lane3 gradient(int a) const {
        return {lanes::load(gradients[a - 1][0]), lanes::load(gradients[a - 1][1]), lanes::load(gradients[a - 1][2])};
    }
};

// d_a = x_a - x_0, a = 1, 2, 3.
struct TetSides {
    lanes::Lane3 d[3];
    [[gnu::always_inline]] TetSides(const double* x, const int (&particles)[4][4]) {
        const lanes::Lane3 corner = lanes::gather(x, particles[0]);
        for (int a = 0; a < 3; ++a) d[a] = lanes::gather(x, particles[a + 1]) - corner;
    }
    // sum_a x_a g_a^T
    [[gnu::always_inline]] lanes::Lane33 deformation(const FourTets& four) const {
        const lanes::Lane3 g1 = four.gradient(1), g2 = four.gradient(2), g3 = four.gradient(3);
        return {g1.x * d[0] + g2.x * d[1] + g3.x * d[2], g1.y * d[0] + g2.y * d[1] + g3.y * d[2], g1.z * d[0] + g2.z * d[1] + g3.z * d[2]};
    }
};
[[gnu::always_inline]] inline lanes::Lane33 deformation(const double* x, const FourTets& four) {
    return TetSides(x, four.particles).deformation(four);
}

class TetElements {
public:
    // factors: of each tet's stiffness; none: all 1.
    TetElements(const TetMesh& rest, std::shared_ptr<Workers>, std::vector<double> factors);

    void pairs(std::vector<Edge>& pairs) const { append_pairs(tets_, pairs); }
    void bind(std::span<const int> edge_of_pair);
    int count() const { return static_cast<int>(tets_.size()); }

    // sum of V density(F).
    template <class Density>
    double energy(const VecX& q, Density&& density) const {
        return blocked_sum(*workers_, groups(), [&](int begin, int end) {
            double sum = 0;
            for (int g = begin; g < end; ++g) {
                const FourTets& four = fours_[g];
                const lanes::Lane u = lanes::load(four.volume) * density(deformation(q.data(), four));
                for (int t = 0; t < lanes_of(g); ++t) sum += u[t];
            }
            return sum;
        });
    }

    // out_a += s V P g_a of every output, where stresses(four, F, P) sets N stresses.
    template <std::size_t N, class Stresses>
    void scatter(const VecX& q, double s, const std::array<double*, N>& outputs, Stresses&& stresses) const {
        each_four<N>(q, s, outputs,
                     [stresses](int, const FourTets& four, const lanes::Lane33& F, lanes::Lane33(&P)[N], bool) { stresses(four, F, P); });
    }

    // out_a -= V P g_a, and the sum of V density, where law(F, P) sets P and returns the density.
    template <class Law>
    double scatter_with_energy(const VecX& q, VecX& out, Law&& law) const {
        energies_.resize(fours_.size());
        each_four<1>(
            q, -1, {out.data()},
            [law, this, to = energies_.data()](int g, const FourTets& four, const lanes::Lane33& F, lanes::Lane33(&P)[1], bool counted) {
                const lanes::Lane u = lanes::load(four.volume) * law(F, P[0]);
                if (!counted) return;
                to[g] = 0;
                for (int t = 0; t < lanes_of(g); ++t) to[g] += u[t];
            });
        return sum(*workers_, energies_);
    }

    // K_ab += S + [s], where blocks(four, sides, F) gives a function of a < b that gives V times them. An edge belongs to the part that
    // owns its smaller particle.
    struct Block {
        lanes::Lane6 symmetric;
        lanes::Lane3 skew;
    };
    template <class Blocks>
    void add_tangent(const VecX& q, EdgeTangent& K, Blocks&& blocks) const {
        workers_->run([&](int part) {
            const OwnedRange range = parts_[part];
            const FourTets* const fours = fours_.data();  // locals: writing lanes makes the compiler forget what it knew of the rest
            const auto* const edges = edges_.data();
            const double* const x = q.data();
            EdgeLine* const lines = K.lines();
            double* const skew = K.skew(0);
            const bool far = K.matrix().bytes() > 6u << 20;  // larger than the caches of the cores themselves: half the time was waiting
            for_fours(range, count(), [=, this](int g, auto kind) {
                const FourTets& four = fours[g];
                if (kind.inner && far)
                    for (const auto& edge : edges[g + ahead])
                        for (int at : edge)
                            __builtin_prefetch(lines[at].symmetric), __builtin_prefetch(skew + 3 * static_cast<std::size_t>(at));
                const TetSides sides(x, four.particles);
                const auto block = blocks(four, sides, sides.deformation(four));
#pragma GCC unroll 6
                for (int e = 0; e < 6; ++e) {
                    const Block Kab = block(tet_edges[e][0], tet_edges[e][1]);
                    const lanes::Sixes S(Kab.symmetric);
                    const lanes::Vectors s(Kab.skew);
                    const int* const at = edges[g][e].data();
                    const auto add = [&](int t) [[gnu::always_inline]] {
                        S.add_to(lines[at[t]].symmetric, t);
                        s.add_to(skew + 3 * static_cast<std::size_t>(at[t]), t);
                    };
                    if constexpr (kind.inner) add(0), add(1), add(2), add(3);
                    else
                        for (int t = 0; t < (kind.whole ? 4 : lanes_of(g)); ++t)
                            if (range.owns(four.particles[tet_edges[e][0]][t])) add(t);
                }
            });
        });
    }

    // The same one tet at a time, for what has no lanes: block(tet, F, gradients, V, a, b) of each edge that is owned.
    template <class Tangent>
    void add_tangent_of_each(const VecX& q, EdgeTangent& K, Tangent&& tangent) const {
        workers_->run([&](int part) {
            const OwnedRange& range = parts_[part];
            for (int k = range.element_begin; k < range.element_end; ++k) {
                const FourTets& four = fours_[k / 4];
                const int t = k % 4;
                Mat3 sides, g;
                for (int a = 0; a < 3; ++a) {
                    sides.col(a) = particle(q, four.particles[a + 1][t]) - particle(q, four.particles[0][t]);
                    for (int x = 0; x < 3; ++x) g(x, a) = four.gradients[a][x][t];
                }
                Eigen::Matrix<double, 3, 4> gradients;
                gradients << -g.rowwise().sum(), g;
                const auto block = tangent(Mat3(sides * g.transpose()), gradients);
                for (int e = 0; e < 6; ++e) {
                    if (!range.owns(four.particles[tet_edges[e][0]][t])) continue;
                    const Mat3 B = four.volume[t] * block(tet_edges[e][0], tet_edges[e][1]);
                    const int at = edges_[k / 4][e][t];
                    double *six = K.at(at), *skew = K.skew(at);
                    six[0] += B(0, 0), six[1] += 0.5 * (B(0, 1) + B(1, 0)), six[2] += 0.5 * (B(0, 2) + B(2, 0));
                    six[3] += B(1, 1), six[4] += 0.5 * (B(1, 2) + B(2, 1)), six[5] += B(2, 2);
                    skew[0] += 0.5 * (B(2, 1) - B(1, 2)), skew[1] += 0.5 * (B(0, 2) - B(2, 0)), skew[2] += 0.5 * (B(1, 0) - B(0, 1));
                }
            }
        });
    }

    // K_ab += V c g_a.g_b I
    void add_laplacian(double c, EdgeTangent& K) const;

private:
    static constexpr int ahead = 4;  // fours whose edges are fetched before they are needed
    int groups() const { return static_cast<int>(fours_.size()); }
    int lanes_of(int group) const { return std::min(4, count() - 4 * group); }

    // each(group, its four, F, P, counted); of the parts that visit a group one has `counted`.
    template <std::size_t N, class Each>
    void each_four(const VecX& q, double s, const std::array<double*, N>& outputs, Each&& each) const {
        workers_->run([&](int part) {
            const OwnedRange range = parts_[part];
            const FourTets* const fours = fours_.data();  // locals, as above
            const double* const x = q.data();
            const std::array<double*, N> out = outputs;
            for_fours(range, count(), [=, this](int g, auto kind) {
                constexpr bool inner = kind.inner;
                const FourTets& four = fours[g];
                lanes::Lane33 P[N];
                each(g, four, deformation(x, four), P, inner || range.owns(four.particles[0][0]));
                const lanes::Lane V = s * lanes::load(four.volume);
                const int n = kind.whole ? 4 : lanes_of(g);
                double waste[3] = {};
                for (std::size_t o = 0; o < N; ++o) {
                    lanes::Lane3 f[4];
                    P[o] = V * P[o];
                    for (int a = 1; a < 4; ++a) f[a] = P[o] * four.gradient(a);
                    f[0] = -(f[1] + f[2] + f[3]);
                    for (int a = 0; a < 4; ++a) {
                        const lanes::Vectors corner(f[a]);
                        for (int t = 0; t < n; ++t) {
                            const int i = four.particles[a][t];
                            corner.add_to(inner ? out[o] + 3 * static_cast<std::size_t>(i) : range.at(out[o], i, waste), t);
                        }
                    }
                }
            });
        });
    }

    std::vector<Tet> tets_;  // corners sorted
    std::vector<FourTets> fours_;
    std::vector<std::array<std::array<int, 4>, 6>> edges_;  // the system's, of each four, in the order of tet_edges; some zeros at the end
    std::shared_ptr<Workers> workers_;
    std::vector<OwnedRange> parts_;
    mutable std::vector<double> energies_;  // of each four: scratch of scatter_with_energy()
};

#pragma GCC diagnostic pop

}  // namespace wobble
