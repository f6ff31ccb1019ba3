// Two triangles in space meet iff an edge of one meets the other, or they lie in one plane and overlap there. All decisions rest on the
// sign of one determinant (geometry.h: orientation) that says 0 within rounding. Neighbours share corners, so only the rest is tested:
//   one common corner: the edge opposite to it against the other triangle, both ways; in one plane: do the angles at the corner overlap;
//   a common edge: only folded flat onto each other.
#include "engine/mesh/surface/self_intersection.h"

#include "engine/mesh/geometry.h"
#include "engine/mesh/surface/box_tree.h"

#include <Eigen/Geometry>

namespace wobble {
namespace {

// An even surface has about 10 pairs and 100 boxes per triangle; a pair takes about 0.1 us, a box a tenth of that.
constexpr std::size_t base_pairs = 20'000'000, pairs_per_triangle = 30, boxes_per_pair = 10;
constexpr std::size_t poll_interval = 1 << 18;  // boxes

using Corners = std::array<Vec3, 3>;
using Flat = std::array<Eigen::Vector2d, 3>;

int turn(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
    const Eigen::Vector2d u = b - a, v = c - a;
    const double left = u.x() * v.y(), right = u.y() * v.x(), bound = 1e-15 * (std::abs(left) + std::abs(right));
    return left - right > bound ? 1 : left - right < -bound ? -1 : 0;
}

// The plane without the axis the normal points along most.
Flat flatten(const Corners& t, int dropped) {
    Flat flat;
    for (int k = 0; k < 3; ++k) flat[k] = {t[k][(dropped + 1) % 3], t[k][(dropped + 2) % 3]};
    return flat;
}

bool in_triangle(const Eigen::Vector2d& p, const Flat& t) {
    const int a = turn(t[0], t[1], p), b = turn(t[1], t[2], p), c = turn(t[2], t[0], p);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

bool on_segment(const Eigen::Vector2d& p, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return (p.array() >= a.array().min(b.array())).all() && (p.array() <= a.array().max(b.array())).all();
}

bool segments_meet(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c, const Eigen::Vector2d& d) {
    const int ab_c = turn(a, b, c), ab_d = turn(a, b, d), cd_a = turn(c, d, a), cd_b = turn(c, d, b);
    if (ab_c * ab_d < 0 && cd_a * cd_b < 0) return true;
    return (ab_c == 0 && on_segment(c, a, b)) || (ab_d == 0 && on_segment(d, a, b)) || (cd_a == 0 && on_segment(a, c, d)) ||
           (cd_b == 0 && on_segment(b, c, d));
}

bool segment_meets_flat_triangle(const Eigen::Vector2d& p, const Eigen::Vector2d& q, const Flat& t) {
    if (in_triangle(p, t) || in_triangle(q, t)) return true;
    for (int k = 0; k < 3; ++k)
        if (segments_meet(p, q, t[k], t[(k + 1) % 3])) return true;
    return false;
}

int main_axis(const Corners& t) {
    int axis = 0;
    (t[1] - t[0]).cross(t[2] - t[0]).cwiseAbs().maxCoeff(&axis);
    return axis;
}

bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Corners& t) {
    const int side_p = orientation(t[0], t[1], t[2], p), side_q = orientation(t[0], t[1], t[2], q);
    if (side_p * side_q > 0) return false;
    if (side_p == 0 && side_q == 0) {
        const int axis = main_axis(t);
        const Eigen::Vector2d a(p[(axis + 1) % 3], p[(axis + 2) % 3]), b(q[(axis + 1) % 3], q[(axis + 2) % 3]);
        return segment_meets_flat_triangle(a, b, flatten(t, axis));
    }
    // The line through p and q passes the triangle's edges all on the same side.
    const int a = orientation(p, q, t[0], t[1]), b = orientation(p, q, t[1], t[2]), c = orientation(p, q, t[2], t[0]);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

bool strangers_meet(const Corners& a, const Corners& b) {
    for (int k = 0; k < 3; ++k)
        if (segment_meets_triangle(a[k], a[(k + 1) % 3], b) || segment_meets_triangle(b[k], b[(k + 1) % 3], a)) return true;
    return false;
}

// a[0] and b[0] are the common corner.
bool corner_neighbours_meet(const Corners& a, const Corners& b) {
    const bool one_plane = orientation(a[0], a[1], a[2], b[1]) == 0 && orientation(a[0], a[1], a[2], b[2]) == 0;
    if (!one_plane) return segment_meets_triangle(a[1], a[2], b) || segment_meets_triangle(b[1], b[2], a);
    const int axis = main_axis(a);
    const Flat s = flatten(a, axis), t = flatten(b, axis);
    const auto within = [](const Eigen::Vector2d& p, const Flat& angle) {  // strictly inside the angle at angle[0]
        const int first = turn(angle[0], angle[1], p), last = turn(angle[0], p, angle[2]), whole = turn(angle[0], angle[1], angle[2]);
        return first == whole && last == whole;
    };
    const auto middle = [](const Flat& angle) {  // a direction inside the angle, for two equal angles
        return Eigen::Vector2d(angle[0] + (angle[1] - angle[0]).normalized() + (angle[2] - angle[0]).normalized());
    };
    return within(s[1], t) || within(s[2], t) || within(t[1], s) || within(t[2], s) || within(middle(s), t) || within(middle(t), s);
}

// a[0], a[1] are the common edge, a[2] and other the third corners.
bool folded_flat(const Corners& a, const Vec3& other) {
    if (orientation(a[0], a[1], a[2], other) != 0) return false;
    const Vec3 edge = a[1] - a[0];
    return edge.cross(a[2] - a[0]).dot(edge.cross(other - a[0])) > 0;
}

bool meet(const TriMesh& mesh, const Triangle& s, const Triangle& t) {
    int common = 0;
    for (int v : s) common += v == t[0] || v == t[1] || v == t[2];
    const auto rotated = [&](const Triangle& x, const Triangle& y, bool shared_first) {  // corner k first, for the k that is (not) shared
        for (int k = 0; k < 3; ++k) {
            const bool shared = x[k] == y[0] || x[k] == y[1] || x[k] == y[2];
            if (shared == shared_first) return Corners{mesh.vertices[x[k]], mesh.vertices[x[(k + 1) % 3]], mesh.vertices[x[(k + 2) % 3]]};
        }
        return Corners{};
    };
    if (common == 0) {
        const auto corners = [&](const Triangle& x) { return Corners{mesh.vertices[x[0]], mesh.vertices[x[1]], mesh.vertices[x[2]]}; };
        return strangers_meet(corners(s), corners(t));
    }
    if (common == 1) return corner_neighbours_meet(rotated(s, t, true), rotated(t, s, true));
    if (common == 2) {
        const Corners a = rotated(s, t, false), b = rotated(t, s, false);
        return folded_flat({a[1], a[2], a[0]}, b[0]);
    }
    return true;  // the same triangle twice
}

}  // namespace

SelfIntersections self_intersections(const TriMesh& mesh, std::size_t enough, const std::function<bool(double)>& keep_going) {
    using End = SelfIntersections::End;
    const int count = static_cast<int>(mesh.triangles.size());
    std::vector<Box> boxes(count);
    for (int t = 0; t < count; ++t)
        for (int v : mesh.triangles[t])
            boxes[t].low = boxes[t].low.cwiseMin(mesh.vertices[v]), boxes[t].high = boxes[t].high.cwiseMax(mesh.vertices[v]);
    const BoxTree tree(boxes);
    std::vector<char> bad(count, 0);
    const auto is_edge = [&](int t) {
        const auto& [a, b, c] = mesh.triangles[t];
        return a == b || b == c || c == a;
    };
    SelfIntersections result;
    const std::size_t most_pairs = base_pairs + pairs_per_triangle * static_cast<std::size_t>(count);
    std::size_t found = 0, pairs = 0, looked_at = 0, next_poll = 0, most = 0;
    for (int t = 0; t < count && result.end == End::complete; ++t) {
        const std::size_t before = pairs;
        looked_at += tree.overlapping(boxes[t], [&](int other) {
            if (other <= t || (bad[t] && bad[other]) || is_edge(t) || is_edge(other)) return;
            ++pairs;
            if (!meet(mesh, mesh.triangles[t], mesh.triangles[other])) return;
            found += !bad[t] + !bad[other];
            bad[t] = bad[other] = 1;
        });
        if (pairs - before > most) most = pairs - before, result.busiest = t;
        if (t + 1 == count) break;
        if (found >= enough) result.end = End::enough_found;
        else if (pairs > most_pairs || looked_at > boxes_per_pair * most_pairs) result.end = End::too_much_work;
        else if (keep_going && looked_at >= next_poll) {
            next_poll = looked_at + poll_interval;
            if (!keep_going(static_cast<double>(t) / count)) result.end = End::cancelled;
        }
    }
    for (int t = 0; t < count; ++t)
        if (bad[t]) result.faces.push_back(t);
    return result;
}

}  // namespace wobble
