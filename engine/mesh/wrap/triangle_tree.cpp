// Generalised winding number (Jacobson, Kavan, Sorkine-Hornung 2013): the sum of the signed solid angles Omega of all triangles, seen from
// p, over 4 pi. With r_i from p to the corners (van Oosterom, Strackee 1983)
//     tan(Omega / 2) = r_1 . (r_2 x r_3) / (|r_1||r_2||r_3| + r_1.r_2 |r_3| + r_2.r_3 |r_1| + r_3.r_1 |r_2|).
// Triangles of area a, normal n and centre c that are far away are taken together (Barill, Dickson, Schmidt, Levin, Jacobson 2018): with
// p~ their mean centre, r = p~ - p and G the potential of a point, 4 pi grad G = r / |r|^3,
//     w ~ sum(a n) . grad G + sum((c - p~) (a n)^T) : grad grad G.
#include "engine/mesh/wrap/triangle_tree.h"

#include "engine/mesh/geometry.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace wobble {
namespace {

constexpr int leaf = 8;
constexpr double far = 3;    // radii away
constexpr int deepest = 64;  // halved by count: 2^31 triangles need 31

double solid_angle(const Vec3& r1, const Vec3& r2, const Vec3& r3) {
    const double l1 = r1.norm(), l2 = r2.norm(), l3 = r3.norm();
    const double below = l1 * l2 * l3 + r1.dot(r2) * l3 + r2.dot(r3) * l1 + r3.dot(r1) * l2;
    const double above = r1.dot(r2.cross(r3));
    return above == 0 ? 0 : 2 * std::atan2(above, below);  // in the plane of the triangle: neither side
}

double squared_distance(const Box& box, const Vec3& p) { return (box.low - p).cwiseMax(p - box.high).cwiseMax(0.0).squaredNorm(); }

}  // namespace

TriangleTree::TriangleTree(const TriMesh& mesh) {
    std::vector<int> order(mesh.triangles.size());
    std::iota(order.begin(), order.end(), 0);
    nodes_.reserve(order.size() / 2 + 1);
    if (!order.empty()) build(order, mesh, 0, static_cast<int>(order.size()));
    corners_.reserve(order.size());
    for (int t : order) {
        const auto& [a, b, c] = mesh.triangles[t];
        corners_.push_back({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]});
    }
    for (Node& node : nodes_) expand(node);
}

void TriangleTree::build(std::vector<int>& order, const TriMesh& mesh, int first, int count) {
    const int index = static_cast<int>(nodes_.size());
    nodes_.push_back({});
    const auto centre = [&](int t) {
        const auto& [a, b, c] = mesh.triangles[t];
        return Vec3((mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3);
    };
    Box box, centres;
    for (int i = first; i < first + count; ++i) {
        const Vec3 m = centre(order[i]);
        centres.low = centres.low.cwiseMin(m), centres.high = centres.high.cwiseMax(m);
        for (int v : mesh.triangles[order[i]]) box.low = box.low.cwiseMin(mesh.vertices[v]), box.high = box.high.cwiseMax(mesh.vertices[v]);
    }
    nodes_[index].box = box, nodes_[index].first = first, nodes_[index].count = count;
    if (count <= leaf) return;
    int axis = 0;
    centres.size().maxCoeff(&axis);
    const auto begin = order.begin() + first;
    std::nth_element(begin, begin + count / 2, begin + count, [&](int a, int b) {
        const double x = centre(a)[axis], y = centre(b)[axis];
        return x < y || (x == y && a < b);
    });
    build(order, mesh, first, count / 2);
    nodes_[index].right = static_cast<int>(nodes_.size());
    build(order, mesh, first + count / 2, count - count / 2);
}

void TriangleTree::expand(Node& node) const {
    double area = 0;
    const auto for_all = [&](auto&& visit) {
        for (int i = node.first; i < node.first + node.count; ++i) {
            const Corners& t = corners_[i];
            visit(t, Vec3((t.a + t.b + t.c) / 3), Vec3(0.5 * (t.b - t.a).cross(t.c - t.a)));
        }
    };
    for_all([&](const Corners&, const Vec3& c, const Vec3& an) {
        const double a = an.norm();
        area += a, node.centre += a * c, node.dipole += an;
    });
    node.centre = area > 0 ? Vec3(node.centre / area) : node.box.centre();
    double farthest = 0;
    for_all([&](const Corners& t, const Vec3& c, const Vec3& an) {
        node.moment += (c - node.centre) * an.transpose();
        for (const Vec3* corner : {&t.a, &t.b, &t.c}) farthest = std::max(farthest, (*corner - node.centre).squaredNorm());
    });
    node.radius = std::sqrt(farthest);
}

double TriangleTree::winding(const Vec3& p) const {
    if (nodes_.empty()) return 0;
    int stack[deepest], top = 0;
    stack[top++] = 0;
    double sum = 0;  // 4 pi w
    while (top > 0) {
        const int index = stack[--top];
        const Node& node = nodes_[index];
        const Vec3 r = node.centre - p;
        const double r2 = r.squaredNorm();
        if (r2 > far * far * node.radius * node.radius) {
            const double r3 = r2 * std::sqrt(r2);
            sum += node.dipole.dot(r) / r3 + node.moment.trace() / r3 - 3 * r.dot(node.moment * r) / (r3 * r2);
        } else if (node.right > 0) {
            stack[top++] = node.right;
            stack[top++] = index + 1;
        } else {
            for (int i = node.first; i < node.first + node.count; ++i) {
                const Corners& t = corners_[i];
                sum += solid_angle(t.a - p, t.b - p, t.c - p);
            }
        }
    }
    return sum / (4 * std::numbers::pi);
}

double TriangleTree::winding_exact(const Vec3& p) const {
    double sum = 0;
    for (const Corners& t : corners_) sum += solid_angle(t.a - p, t.b - p, t.c - p);
    return sum / (4 * std::numbers::pi);
}

double TriangleTree::distance(const Vec3& p, double farthest) const {
    if (nodes_.empty()) return farthest;
    double nearest = farthest * farthest;
    struct Ahead {
        int node;
        double distance;
    } stack[deepest];
    int top = 0;
    stack[top++] = {0, squared_distance(nodes_[0].box, p)};
    while (top > 0) {
        const Ahead ahead = stack[--top];
        if (ahead.distance >= nearest) continue;
        const Node& node = nodes_[ahead.node];
        if (node.right > 0) {
            Ahead near{ahead.node + 1, squared_distance(nodes_[ahead.node + 1].box, p)};
            Ahead other{node.right, squared_distance(nodes_[node.right].box, p)};
            if (near.distance > other.distance) std::swap(near, other);
            stack[top++] = other;
            stack[top++] = near;
            continue;
        }
        for (int i = node.first; i < node.first + node.count; ++i) {
            const Corners& t = corners_[i];
            nearest = std::min(nearest, (closest_point_on_triangle(p, t.a, t.b, t.c) - p).squaredNorm());
        }
    }
    return std::sqrt(nearest);
}

}  // namespace wobble
