#include "engine/mesh/surface/fill_hole.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace wobble {

std::vector<std::vector<int>> hole_loops(const std::vector<EdgeUse>& uses) {
    std::multimap<int, int> next;  // along the hole, against the faces
    for_each_edge(uses, [&](const EdgeUse* begin, const EdgeUse* end) {
        if (end != begin + 1) return;
        if (begin->forward) next.emplace(begin->high, begin->low);
        else next.emplace(begin->low, begin->high);
    });
    std::vector<std::vector<int>> loops;
    while (!next.empty()) {
        // A walk over open edges; whenever it comes back to a vertex, the way since then is a loop.
        std::vector<int> path{next.begin()->first};
        std::map<int, std::size_t> place{{path[0], 0}};
        for (auto edge = next.begin(); edge != next.end(); edge = next.find(path.back())) {
            const int v = edge->second;
            next.erase(edge);
            const auto seen = place.find(v);
            if (seen == place.end()) {
                place[v] = path.size();
                path.push_back(v);
                continue;
            }
            const auto start = path.begin() + static_cast<std::ptrdiff_t>(seen->second);
            if (path.end() - start >= 3) loops.emplace_back(start, path.end());
            for (auto it = start + 1; it != path.end(); ++it) place.erase(*it);
            path.erase(start + 1, path.end());
        }
    }
    return loops;
}

namespace {

struct Weight {
    double bend = 0, area = 0;  // radians, the sharpest; m^2, all
    bool operator<(const Weight& o) const { return std::tie(bend, area) < std::tie(o.bend, o.area); }
};
constexpr double impossible = 1e9;

double angle(const Vec3& a, const Vec3& b) {
    const double length = a.norm() * b.norm();
    return length > 0 ? std::acos(std::clamp(a.dot(b) / length, -1.0, 1.0)) : M_PI;  // a flat triangle fits to nothing
}

class Filling {
public:
    Filling(const TriMesh& mesh, const std::vector<EdgeUse>& uses, const std::vector<int>& loop)
        : mesh_(mesh), loop_(loop), n_(static_cast<int>(loop.size())), best_(static_cast<std::size_t>(n_) * n_), middle_(best_.size(), -1) {
        for (int i = 0; i < n_; ++i) {
            const auto at = find(uses, i, (i + 1) % n_);
            const Triangle& t = mesh.triangles[at->face];
            outer_.push_back((mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]));
        }
        doubled_.resize(best_.size(), 0);
        for (int i = 0; i < n_; ++i)
            for (int k = i + 2; k < n_; ++k) doubled_[slot(i, k)] = !(i == 0 && k == n_ - 1) && find(uses, i, k) != nullptr;
    }

    std::vector<Triangle> run() {
        for (int span = 2; span < n_; ++span)
            for (int i = 0; i + span < n_; ++i) choose(i, i + span);
        std::vector<Triangle> out;
        if (best_[slot(0, n_ - 1)].bend < impossible) collect(0, n_ - 1, out);
        return out;
    }

private:
    std::size_t slot(int i, int k) const { return static_cast<std::size_t>(i) * n_ + k; }
    const Vec3& point(int i) const { return mesh_.vertices[loop_[i]]; }
    Vec3 normal(int i, int m, int k) const { return (point(m) - point(i)).cross(point(k) - point(i)); }

    const EdgeUse* find(const std::vector<EdgeUse>& uses, int i, int k) const {
        const auto [low, high] = std::minmax(loop_[i], loop_[k]);
        const auto at = std::lower_bound(uses.begin(), uses.end(), std::pair(low, high),
                                         [](const EdgeUse& u, const std::pair<int, int>& e) { return std::pair(u.low, u.high) < e; });
        return at != uses.end() && at->low == low && at->high == high ? &*at : nullptr;
    }

    // How sharply a triangle with this normal bends at its side (i, k), whose other face is known already.
    double bend(int i, int k, const Vec3& n) const {
        if (k == i + 1) return angle(n, outer_[i]);
        return angle(n, normal(i, middle_[slot(i, k)], k));
    }

    void choose(int i, int k) {
        Weight& best = best_[slot(i, k)];
        best = {impossible, 0};
        if (doubled_[slot(i, k)]) return;
        for (int m = i + 1; m < k; ++m) {
            const Weight &left = best_[slot(i, m)], &right = best_[slot(m, k)];
            if (left.bend >= impossible || right.bend >= impossible) continue;
            const Vec3 n = normal(i, m, k);
            double sharpest = std::max({left.bend, right.bend, bend(i, m, n), bend(m, k, n)});
            if (i == 0 && k == n_ - 1) sharpest = std::max(sharpest, angle(n, outer_[n_ - 1]));
            const Weight weight{sharpest, left.area + right.area + 0.5 * n.norm()};
            if (weight < best) best = weight, middle_[slot(i, k)] = m;
        }
    }

    void collect(int i, int k, std::vector<Triangle>& out) const {
        if (k < i + 2) return;
        const int m = middle_[slot(i, k)];
        out.push_back({loop_[i], loop_[m], loop_[k]});
        collect(i, m, out);
        collect(m, k, out);
    }

    const TriMesh& mesh_;
    const std::vector<int>& loop_;
    int n_;
    std::vector<Weight> best_;  // of the part of the hole between loop corners i and k, without the triangle beyond
    std::vector<int> middle_;
    std::vector<char> doubled_;  // the surface has this edge already
    std::vector<Vec3> outer_;    // of the faces around the hole
};

}  // namespace

std::vector<Triangle> fill_hole(const TriMesh& mesh, const std::vector<EdgeUse>& uses, const std::vector<int>& loop) {
    return loop.size() < 3 ? std::vector<Triangle>{} : Filling(mesh, uses, loop).run();
}

}  // namespace wobble
