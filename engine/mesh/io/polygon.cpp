// Ear clipping in the plane of the polygon's area vector (Newell): an ear is a convex corner whose triangle holds no other corner.
#include "engine/mesh/io/polygon.h"

#include <Eigen/Geometry>

namespace wobble {
namespace {

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

bool inside(const Eigen::Vector2d& p, const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
    return cross(b - a, p - a) >= 0 && cross(c - b, p - b) >= 0 && cross(a - c, p - c) >= 0;
}

}  // namespace

void triangulate_polygon(const std::vector<Vec3>& points, std::span<const int> loop, std::vector<Triangle>& out) {
    const int n = static_cast<int>(loop.size());
    if (n < 3) return;
    if (n == 3) return out.push_back({loop[0], loop[1], loop[2]});

    Vec3 normal = Vec3::Zero();
    for (int i = 1; i + 1 < n; ++i) normal += (points[loop[i]] - points[loop[0]]).cross(points[loop[i + 1]] - points[loop[0]]);
    Vec3 u = normal.unitOrthogonal();
    if (!(normal.norm() > 0)) normal = Vec3::UnitZ(), u = Vec3::UnitX();
    const Vec3 v = normal.normalized().cross(u);
    std::vector<Eigen::Vector2d> flat(n);
    for (int i = 0; i < n; ++i) flat[i] = {u.dot(points[loop[i]] - points[loop[0]]), v.dot(points[loop[i]] - points[loop[0]])};

    std::vector<int> left(n);  // corners not yet cut off
    for (int i = 0; i < n; ++i) left[i] = i;
    const auto is_ear = [&](int k) {
        const int m = static_cast<int>(left.size());
        const int a = left[(k + m - 1) % m], b = left[k], c = left[(k + 1) % m];
        if (!(cross(flat[b] - flat[a], flat[c] - flat[b]) > 0)) return false;
        for (int other : left)
            if (other != a && other != b && other != c && inside(flat[other], flat[a], flat[b], flat[c])) return false;
        return true;
    };
    int start = 0;
    if (n == 4 && (flat[0] - flat[2]).squaredNorm() < (flat[1] - flat[3]).squaredNorm()) start = 1;  // cut quads along the shorter diagonal
    while (left.size() > 3) {
        const int m = static_cast<int>(left.size());
        int ear = start % m;
        for (int tried = 0; tried < m; ++tried)
            if (is_ear((start + tried) % m)) {
                ear = (start + tried) % m;
                break;
            }
        out.push_back({loop[left[(ear + m - 1) % m]], loop[left[ear]], loop[left[(ear + 1) % m]]});
        left.erase(left.begin() + ear);
        start = ear;  // go around rather than fanning from one corner
    }
    out.push_back({loop[left[0]], loop[left[1]], loop[left[2]]});
}

}  // namespace wobble
