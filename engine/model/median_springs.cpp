#include "engine/model/median_springs.h"

#include "engine/core/reduce.h"
#include "engine/model/spring_lanes.h"

namespace wobble {

using lanes::Lane;
using lanes::Lane3;

namespace {

// d_a = 4/3 (x_a - c) of the four vertices of a tet.
Lane3 medians(const VecX& x, const Tet& tet) {
    Lane3 d;
    for (int c = 0; c < 3; ++c) {
        for (int a = 0; a < 4; ++a) d[c][a] = x[3 * tet[a] + c];
        d[c] = (4.0 / 3.0) * (d[c] - 0.25 * d[c].sum());
    }
    return d;
}

}  // namespace

MedianSprings::MedianSprings(const TetMesh& rest, double stiffness, std::shared_ptr<Workers> workers, const BlockPattern& pattern)
    : k_(stiffness),
      tets_(rest.tets),
      workers_(std::move(workers)),
      parts_(split_rows(static_cast<int>(rest.vertices.size()), tets_, *workers_)) {
    for (const Tet& t : tets_) {
        Vec3 centroid = Vec3::Zero();
        for (int a : t) centroid += 0.25 * rest.vertices[a];
        auto& l0 = rest_.emplace_back();
        auto& blocks = blocks_.emplace_back();
        for (int a = 0; a < 4; ++a) {
            l0[a] = 4.0 / 3.0 * (rest.vertices[t[a]] - centroid).norm();
            for (int b = 0; b < 4; ++b) blocks[4 * a + b] = pattern.find(t[a], t[b]);
        }
    }
}

double MedianSprings::energy(const VecX& q) const {
    return blocked_sum(*workers_, static_cast<int>(tets_.size()), [&](int begin, int end) {
        double sum = 0;
        for (int t = begin; t < end; ++t) sum += lanes::energy(medians(q, tets_[t]), k_, Eigen::Map<const Lane>(rest_[t].data())).sum();
        return sum;
    });
}

// Adds 4/3 value_a - 1/3 sum_b value_b to every vertex a, where value = per_spring(tet, d, l0).
template <class PerSpring>
void MedianSprings::scatter(const VecX& q, VecX& f, PerSpring&& per_spring) const {
    workers_->run([&](int part) {
        const OwnedRange& range = parts_[part];
        for (int t = range.element_begin; t < range.element_end; ++t) {
            const Tet& tet = tets_[t];
            Lane3 value = per_spring(tet, medians(q, tet), Eigen::Map<const Lane>(rest_[t].data()));
            for (int c = 0; c < 3; ++c) value[c] = (4.0 / 3.0) * value[c] - value[c].sum() / 3.0;
            for (int a = 0; a < 4; ++a)
                if (range.owns(tet[a]))
                    for (int c = 0; c < 3; ++c) f[3 * tet[a] + c] += value[c][a];
        }
    });
}

void MedianSprings::add_force(const VecX& q, VecX& f) const {
    scatter(q, f, [&](const Tet&, const Lane3& d, const Lane& l0) { return lanes::tension(d, -k_, l0); });
}

void MedianSprings::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    scatter(q, f, [&](const Tet& tet, const Lane3& d, const Lane& l0) { return lanes::product(d, medians(u, tet), s * k_, l0); });
}

void MedianSprings::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    scatter(q, f, [&](const Tet& tet, const Lane3& d, const Lane& l0) { return lanes::rate(d, medians(u, tet), s * k_, l0); });
}

void MedianSprings::add_stiffness(const VecX& q, BlockMatrix& K) const {
    workers_->run([&](int part) {
        const OwnedRange& range = parts_[part];
        for (int t = range.element_begin; t < range.element_end; ++t) {
            const Tet& tet = tets_[t];
            const auto H = lanes::tangent(medians(q, tet), k_, Eigen::Map<const Lane>(rest_[t].data()));
            double S[9], H4[4][9];  // S/9, and 4/9 H_a
            for (int k = 0; k < 9; ++k) {
                const Lane& h = H[lanes::symmetric_entry[k]];
                S[k] = h.sum() / 9;
                for (int a = 0; a < 4; ++a) H4[a][k] = 4.0 / 9.0 * h[a];
            }
            for (int a = 0; a < 4; ++a) {
                if (!range.owns(tet[a])) continue;
                for (int b = 0; b < 4; ++b) {
                    double* block = K.block(blocks_[t][4 * a + b]);
                    if (a == b)
                        for (int k = 0; k < 9; ++k) block[k] += S[k] + 2 * H4[a][k];
                    else
                        for (int k = 0; k < 9; ++k) block[k] += S[k] - H4[a][k] - H4[b][k];
                }
            }
        }
    });
}

}  // namespace wobble
