#include "engine/model/contact/pair_friction.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr int sweeps = 8;

}  // namespace

bool PairFriction::make_row(const ContactSurface& s, const ContactValues& values, const Contact& c, const State& before, const State& after,
                            Row& row) const {
    const double z0 = c.depth(before.q), z1 = c.depth(after.q), h = after.t - before.t;
    const int other_body = c.edges ? s.edge_body[c.second] : s.triangle_body[c.second];
    const int body = c.edges ? s.edge_body[c.first] : s.vertex_body[c.first];
    const double lambda = 0.5 * (ContactLaw::force(c.k, c.d, z0) + ContactLaw::force(c.k, c.d, z1));
    row.normal_impulse = values.friction(body, other_body) * lambda * h;
    row.stop = z1 > 0.9 * c.d;
    if (row.normal_impulse <= 0 && !row.stop) return false;
    row.n = c.n;
    row.taken.setZero();
    // The triangle that the other side is, and where on it, extended, the first side's point is.
    const int triangle = c.edges ? s.edge_triangles[c.second][0] : c.second;
    const auto& [i, j, k] = s.triangles[triangle];
    const Vec3 a = particle(after.q, i), u = particle(after.q, j) - a, v = particle(after.q, k) - a, area = u.cross(v);
    const double n2 = area.squaredNorm();
    if (n2 < 1e-20 * std::pow(u.squaredNorm() + v.squaredNorm(), 2)) return false;
    Vec3 x = Vec3::Zero();
    const int own = c.edges ? 2 : 1;
    for (int k1 = 0; k1 < 2; ++k1) {
        row.particle[k1] = k1 < own ? c.particle[k1] : -1;
        row.jacobian[k1] = (k1 < own ? c.weight[k1] : 0) * Mat3::Identity();
        if (k1 < own) x += c.weight[k1] * particle(after.q, c.particle[k1]);
    }
    const Vec3 w = x - a, n = area / std::sqrt(n2);
    const double g = n.dot(w);
    const Vec3 slope[3] = {(v - u).cross(area) / -n2, v.cross(area) / n2, area.cross(u) / n2};  // grad b_i
    const double share[3] = {1 + slope[0].dot(w), slope[1].dot(w), slope[2].dot(w)};
    for (int m = 0; m < 3; ++m) {
        row.particle[2 + m] = s.triangles[triangle][m];
        row.jacobian[2 + m] = -share[m] * Mat3::Identity() + g * slope[m] * n.transpose();
    }
    return true;
}

void PairFriction::apply(const ContactSurface& s, const ContactValues& values, const std::vector<Contact>& contacts,
                         const std::vector<std::uint8_t>& fixed, const State& before, State& after, StepBooks& books) {
    rows_.clear();
    Row row;
    for (const Contact& c : contacts)
        if (make_row(s, values, c, before, after, row)) rows_.push_back(row);
    if (rows_.empty()) return;
    contacts_of_.resize(fixed.size(), 0);
    if (change_.size() != after.v.size()) change_.setZero(after.v.size());
    touched_.clear();
    for (const Row& r : rows_)
        for (int p : r.particle)
            if (p >= 0 && !fixed[p] && contacts_of_[p]++ == 0) touched_.push_back(p);
    const auto kinetic = [&] {
        double sum = 0;
        for (int p : touched_) sum += 0.5 * values.mass[p] * particle(after.v, p).squaredNorm();
        return sum;
    };
    const double begun = kinetic();
    double stopped = 0;
    const auto sweep = [&](bool normal) {
        for (Row& r : rows_) {
            if (normal && !r.stop) continue;
            Vec3 v = Vec3::Zero();
            for (int a = 0; a < 5; ++a)
                if (r.particle[a] >= 0) v += r.jacobian[a] * particle(after.v, r.particle[a]);
            Vec3 along = normal ? r.n : Vec3(v - v.dot(r.n) * r.n);
            const double speed = normal ? -v.dot(r.n) : along.norm();
            if (!(speed > 0)) continue;
            if (!normal) along /= -speed;  // against the motion
            double inverse = 0;
            for (int a = 0; a < 5; ++a)
                if (const int p = r.particle[a]; p >= 0 && !fixed[p])
                    inverse += contacts_of_[p] / values.mass[p] * (r.jacobian[a].transpose() * along).squaredNorm();
            if (inverse <= 0) continue;
            double size = speed / inverse;
            if (!normal) {  // what all sweeps take together stays in Coulomb's disc
                const double left = r.normal_impulse - r.taken.norm();
                size = std::min(size, left);
                if (size <= 0) continue;
                r.taken += size * along;
            }
            for (int a = 0; a < 5; ++a)
                if (const int p = r.particle[a]; p >= 0 && !fixed[p])
                    particle(change_, p) += size / values.mass[p] * (r.jacobian[a].transpose() * along);
        }
        for (int p : touched_) particle(after.v, p) += particle(change_, p), particle(change_, p).setZero();
    };
    if (std::any_of(rows_.begin(), rows_.end(), [](const Row& r) { return r.stop; })) {
        for (int n = 0; n < sweeps; ++n) sweep(true);
        stopped = begun - kinetic();
    }
    for (int n = 0; n < sweeps; ++n) sweep(false);
    const double taken = begun - kinetic();
    for (int p : touched_) contacts_of_[p] = 0;
    if (taken == 0) return;
    books.dissipated += std::max(taken, 0.0);
    books.impact += std::max(stopped, 0.0);
    books.friction += std::max(taken - stopped, 0.0);
    books.changed = true;
}

}  // namespace wobble
