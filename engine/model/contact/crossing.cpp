#include "engine/model/contact/crossing.h"

#include "engine/model/contact/proximity.h"

#include <algorithm>

namespace wobble {

namespace {

double distance(const Corners& x, bool edges) {
    return edges ? closest_on_edges(x[0], x[1], x[2], x[3]).distance : closest_on_triangle(x[0], x[1], x[2], x[3]).distance;
}

bool meets(Corners x, Corners u, bool edges) {
    const Vec3 mean = (u[0] + u[1] + u[2] + u[3]) / 4;
    for (Vec3& w : u) w -= mean;
    const int split = edges ? 2 : 1;
    double l[2] = {0, 0};
    for (int a = 0; a < 4; ++a) l[a >= split] = std::max(l[a >= split], u[a].norm());
    const double fastest = l[0] + l[1], d0 = distance(x, edges);
    if (fastest < d0) return false;
    if (d0 == 0) return true;
    double t = 0, d = d0;
    for (int tries = 0; tries < 200; ++tries) {
        t += 0.9 * d / fastest;
        if (t >= 1) return false;
        Corners now;
        for (int a = 0; a < 4; ++a) now[a] = x[a] + t * u[a];
        d = distance(now, edges);
        if (d < 0.01 * d0) return true;
    }
    return true;
}

}  // namespace

bool vertex_meets_triangle(const Corners& x, const Corners& displacement) { return meets(x, displacement, false); }
bool edge_meets_edge(const Corners& x, const Corners& displacement) { return meets(x, displacement, true); }

bool edge_cuts_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto volume = [](const Vec3& o, const Vec3& x, const Vec3& y, const Vec3& z) { return (x - o).cross(y - o).dot(z - o); };
    const double from = volume(p, a, b, c), to = volume(q, a, b, c);
    if (from * to > 0 || (from == 0 && to == 0)) return false;
    const double s[3] = {volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)};
    return (s[0] >= 0 && s[1] >= 0 && s[2] >= 0) || (s[0] <= 0 && s[1] <= 0 && s[2] <= 0);
}

}  // namespace wobble
