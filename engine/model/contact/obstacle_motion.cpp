// Where an obstacle is:
//     x = p(t) + S(t) R(t) R0 X,   p(t) = p0 + a sin(2 pi f t) + d(t),
// R0 how it stands at first, S the steady turn by omega_S t, R = exp(w(t)) and d what the keys say: piecewise cubic in every component of
// the rotation vector w and of d, with slopes of Fritsch, Butland 1984, which never overshoot a key, and slope zero at both ends. With
// the left Jacobian J(w) of the exponential map (Sola, Deray, Atchuthan 2018, equation 145)
//     J(w) = I + (1 - cos|w|)/|w|^2 [w] + (|w| - sin|w|)/|w|^3 [w]^2,   Omega = omega_S + S J(w) dw/dt,
//     dx/dt = dp/dt + Omega x (x - p).
#include "engine/model/contact/obstacle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wobble {

namespace {

constexpr double radians = std::numbers::pi / 180;

Vec3 rotation_vector(const Vec3& axis, double degrees) { return degrees * radians * axis.normalized(); }

Eigen::Quaterniond turn(const Vec3& w) {
    const double angle = w.norm();
    return angle > 0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, w / angle)) : Eigen::Quaterniond::Identity();
}

using Vec6 = Eigen::Matrix<double, 6, 1>;  // d, w

Vec6 values(const ObstacleKey& key) {
    Vec6 x;
    x << key.translation, rotation_vector(key.axis, key.angle);
    return x;
}

// At an inner key between slopes s0 over h0 and s1 over h1.
double slope(double s0, double s1, double h0, double h1) {
    if (s0 * s1 <= 0) return 0;  // a turning point, or at rest on one side
    const double share = (h0 + 2 * h1) / (3 * (h0 + h1));
    return s0 * s1 / (share * s1 + (1 - share) * s0);
}

Vec6 slopes(const std::vector<ObstacleKey>& keys, std::size_t k) {
    Vec6 m = Vec6::Zero();
    if (k == 0 || k + 1 == keys.size()) return m;
    const double h0 = keys[k].t - keys[k - 1].t, h1 = keys[k + 1].t - keys[k].t;
    if (!(h0 > 0 && h1 > 0)) return m;
    const Vec6 s0 = (values(keys[k]) - values(keys[k - 1])) / h0, s1 = (values(keys[k + 1]) - values(keys[k])) / h1;
    for (int i = 0; i < 6; ++i) m[i] = slope(s0[i], s1[i], h0, h1);
    return m;
}

// What the keys say at t, and how fast it changes.
struct Keyed {
    Vec6 x = Vec6::Zero(), rate = Vec6::Zero();
    Vec3 d() const { return x.head<3>(); }
    Vec3 w() const { return x.tail<3>(); }
};

Keyed keyed(const std::vector<ObstacleKey>& keys, double t) {
    if (keys.empty()) return {};
    const auto later = std::upper_bound(keys.begin(), keys.end(), t, [](double time, const ObstacleKey& key) { return time < key.t; });
    if (later == keys.begin()) return {values(keys.front()), Vec6::Zero()};
    if (later == keys.end()) return {values(keys.back()), Vec6::Zero()};
    const auto k = static_cast<std::size_t>(later - keys.begin());
    const double h = keys[k].t - keys[k - 1].t, s = (t - keys[k - 1].t) / h;
    const Vec6 a = values(keys[k - 1]), b = values(keys[k]), ma = slopes(keys, k - 1), mb = slopes(keys, k);
    const double s2 = s * s, s3 = s2 * s;  // Hermite's cubics
    return {(2 * s3 - 3 * s2 + 1) * a + (3 * s2 - 2 * s3) * b + h * ((s3 - 2 * s2 + s) * ma + (s3 - s2) * mb),
            6 * (s2 - s) / h * (a - b) + (3 * s2 - 4 * s + 1) * ma + (3 * s2 - 2 * s) * mb};
}

Vec3 left_jacobian(const Vec3& w, const Vec3& x) {
    const double a2 = w.squaredNorm(), a = std::sqrt(a2);
    const bool small = a < 1e-2;  // the next terms of the series are below rounding
    const double first = small ? 0.5 - a2 / 24 + a2 * a2 / 720 : (1 - std::cos(a)) / a2;
    const double second = small ? 1.0 / 6 - a2 / 120 + a2 * a2 / 5040 : (a - std::sin(a)) / (a2 * a);
    const Vec3 wx = w.cross(x);
    return x + first * wx + second * w.cross(wx);
}

}  // namespace

Pose pose(const Obstacle& o, double t) {
    Pose p{o.position, turn(rotation_vector(o.axis, o.angle))};
    if (!o.moves()) return p;
    const Keyed key = keyed(o.keys, t);
    p.position += o.amplitude * std::sin(2 * std::numbers::pi * o.frequency * t) + key.d();
    if (!o.keys.empty()) p.turn = turn(key.w()) * p.turn;
    if (o.spin != 0) p.turn = turn(rotation_vector(o.spin_axis, o.spin * t)) * p.turn;
    return p;
}

Vec3 velocity(const Obstacle& o, double t, const Vec3& x) {
    if (!o.moves()) return Vec3::Zero();
    const double omega = 2 * std::numbers::pi * o.frequency;
    const Keyed key = keyed(o.keys, t);
    const Vec3 p = o.position + o.amplitude * std::sin(omega * t) + key.d();
    Vec3 rate = o.amplitude * omega * std::cos(omega * t) + key.rate.head<3>();
    Vec3 turning = Vec3::Zero();
    if (!o.keys.empty()) turning = left_jacobian(key.w(), key.rate.tail<3>());
    if (o.spin != 0) turning = turn(rotation_vector(o.spin_axis, o.spin * t)) * turning + rotation_vector(o.spin_axis, o.spin);
    return rate + turning.cross(x - p);
}

}  // namespace wobble
