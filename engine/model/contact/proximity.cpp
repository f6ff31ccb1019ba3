#include "engine/model/contact/proximity.h"

#include <algorithm>

namespace wobble {

OnSegment closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 u = b - a;
    const double l2 = u.squaredNorm(), t = l2 > 0 ? std::clamp((p - a).dot(u) / l2, 0.0, 1.0) : 0;
    return {(p - (t < 1 ? Vec3(a + t * u) : b)).norm(), t};
}

OnTriangle closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    // Inside where the projection on the plane is: barycentric coordinates by areas.
    const Vec3 u = b - a, v = c - a, w = p - a, n = u.cross(v);
    const double n2 = n.squaredNorm(), longest2 = std::max({u.squaredNorm(), v.squaredNorm(), (c - b).squaredNorm()});
    if (n2 > 1e-20 * longest2 * longest2) {
        const double beta = w.cross(v).dot(n) / n2, gamma = u.cross(w).dot(n) / n2;
        if (beta > 0 && gamma > 0 && beta + gamma < 1) return {std::abs(w.dot(n)) / std::sqrt(n2), {1 - beta - gamma, beta, gamma}, 6};
    }
    // Otherwise on the nearest edge.
    const Vec3* const corner[3] = {&a, &b, &c};
    OnTriangle best{1e300, Vec3::Zero(), 0};
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const OnSegment on = closest_on_segment(p, *corner[i], *corner[j]);
        if (on.distance >= best.distance) continue;
        best = {on.distance, Vec3::Zero(), on.t == 0 ? i : on.t == 1 ? j : 3 + k};
        best.weights[i] = 1 - on.t, best.weights[j] = on.t;
    }
    return best;
}

OnEdges closest_on_edges(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 u = b - a, v = d - c, w = a - c;
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
    const double det = uu * vv - uv * uv;
    if (det > 1e-14 * uu * vv) {
        const double s = (uv * vw - vv * uw) / det, t = (uu * vw - uv * uw) / det;
        if (s > 0 && s < 1 && t > 0 && t < 1) return {(w + s * u - t * v).norm(), s, t, true};
    }
    // At an end of one of them.
    OnEdges best{1e300, 0, 0, false};
    const auto take = [&](const OnSegment& on, double s, double t) {
        if (on.distance < best.distance) best = {on.distance, s, t, false};
    };
    OnSegment on = closest_on_segment(a, c, d);
    take(on, 0, on.t);
    on = closest_on_segment(b, c, d);
    take(on, 1, on.t);
    on = closest_on_segment(c, a, b);
    take(on, on.t, 0);
    on = closest_on_segment(d, a, b);
    take(on, on.t, 1);
    return best;
}

}  // namespace wobble
