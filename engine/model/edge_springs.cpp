#include "engine/model/edge_springs.h"

#include "engine/core/reduce.h"
#include "engine/model/spring_lanes.h"

namespace wobble {

using lanes::Lane;
using lanes::Lane3;

namespace {

// x_j - x_i of up to four edges; the lanes beyond `count` repeat the first edge and are not used.
[[gnu::always_inline]] inline Lane3 differences(const VecX& x, const Edge* edges, int count) {
    const double *from[4], *to[4];
    for (int lane = 0; lane < 4; ++lane) {
        const auto [i, j] = edges[lane < count ? lane : 0];
        from[lane] = x.data() + 3 * i, to[lane] = x.data() + 3 * j;
    }
    return lanes::difference(lanes::gather(to), lanes::gather(from));
}

}  // namespace

EdgeSprings::EdgeSprings(const TetMesh& rest, double stiffness, std::shared_ptr<Workers> workers)
    : k_(stiffness),
      edges_(unique_edges(rest)),
      workers_(std::move(workers)),
      parts_(split_rows(static_cast<int>(rest.vertices.size()), edges_, *workers_)) {
    for (const auto& [i, j] : edges_) rest_.push_back((rest.vertices[j] - rest.vertices[i]).norm());
    rest_.resize(rest_.size() + 4, 1.0);
}

double EdgeSprings::energy(const VecX& q) const {
    return blocked_sum(*workers_, count(), [&](int begin, int end) {
        double sum = 0;
        for (int e = begin; e < end; e += 4) {
            const int n = std::min(4, end - e);
            const Lane u = lanes::energy(differences(q, &edges_[e], n), k_, Eigen::Map<const Lane>(&rest_[e]));
            for (int lane = 0; lane < n; ++lane) sum += u[lane];
        }
        return sum;
    });
}

// Adds +value to particle j and -value to particle i, where value = per_spring(edges, count, d, l0).
template <class PerSpring>
void EdgeSprings::scatter(const VecX& q, VecX& f, PerSpring&& per_spring) const {
    workers_->run([&](int part) {
        const OwnedRange& range = parts_[part];
        for (int e = range.element_begin; e < range.element_end; e += 4) {
            const int n = std::min(4, range.element_end - e);
            const Lane3 value = per_spring(&edges_[e], n, differences(q, &edges_[e], n), Eigen::Map<const Lane>(&rest_[e]));
            for (int lane = 0; lane < n; ++lane) {
                const auto [i, j] = edges_[e + lane];
                if (range.owns(i))
                    for (int c = 0; c < 3; ++c) f[3 * i + c] -= value[c][lane];
                if (range.owns(j))
                    for (int c = 0; c < 3; ++c) f[3 * j + c] += value[c][lane];
            }
        }
    });
}

void EdgeSprings::add_force(const VecX& q, VecX& f) const {
    scatter(q, f, [&](const Edge*, int, const Lane3& d, const Lane& l0) { return lanes::tension(d, -k_, l0); });
}

void EdgeSprings::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    scatter(q, f, [&](const Edge* edges, int n, const Lane3& d, const Lane& l0) {
        return lanes::product(d, differences(u, edges, n), s * k_, l0);
    });
}

void EdgeSprings::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    scatter(q, f,
            [&](const Edge* edges, int n, const Lane3& d, const Lane& l0) { return lanes::rate(d, differences(u, edges, n), s * k_, l0); });
}

// K_ij -= H
void EdgeSprings::add_stiffness(const VecX& q, EdgeTangent& K) const {
    workers_->ranges(count(), [&](int begin, int end) {
        for (int e = begin; e < end; e += 4) {
            const int n = std::min(4, end - e);
            const auto H = lanes::tangent(differences(q, &edges_[e], n), k_, Eigen::Map<const Lane>(&rest_[e]));
            for (int lane = 0; lane < n; ++lane)
                for (int k = 0; k < 6; ++k) K.at(e + lane)[k] -= H[k][lane];
        }
    });
}

// H <= k I whatever the spring's length and direction.
void EdgeSprings::add_linear_stiffness(EdgeTangent& K) const {
    for (int e = 0; e < count(); ++e)
        for (int k : {0, 3, 5}) K.at(e)[k] -= k_;
}

}  // namespace wobble
