#include "engine/mesh/volume/quality.h"

#include "engine/mesh/geometry.h"
#include "engine/mesh/surface/smooth.h"
#include "engine/mesh/volume/tet_adjacency.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace wobble {
namespace {

double tet_quality(const TetMesh& mesh, const Tet& t) {
    return wobble::tet_quality(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]);
}

double smallest_dihedral(const TetMesh& mesh, const Tet& tet) {
    Vec3 normals[4];
    for (int k = 0; k < 4; ++k) {
        const Vec3 &a = mesh.vertices[tet[tet_faces[k][0]]], &b = mesh.vertices[tet[tet_faces[k][1]]],
                   &c = mesh.vertices[tet[tet_faces[k][2]]];
        normals[k] = (b - a).cross(c - a).normalized();
    }
    double smallest = 180;
    for (int k = 0; k < 4; ++k)
        for (int l = 0; l < k; ++l)
            smallest = std::min(smallest, 180 - std::acos(std::clamp(normals[k].dot(normals[l]), -1.0, 1.0)) * 180 / M_PI);
    return smallest;
}

constexpr double good_flip = 0.15, poor_flip = 0.04;  // quality of the worst tet: welcome, and still better than a split

// The two ways out for a weak vertex at corner `top` of tet `t`.
struct Repair {
    int tet = -1, neighbour = -1;  // neighbour < 0: split at the centroid
    int top = 0, beyond = -1;
    double worst = -1;
};

// A flip, if its tets are of better shape than `acceptable`, else a split.
Repair best_repair(const TetMesh& mesh, const Rows& around, int v, double acceptable) {
    Repair best;
    for (const int* t = around.begin(v); t != around.end(v); ++t) {
        const Tet& tet = mesh.tets[*t];
        const int top = static_cast<int>(std::find(tet.begin(), tet.end(), v) - tet.begin());
        const auto& f = tet_faces[top];
        const int a = tet[f[0]], b = tet[f[1]], c = tet[f[2]];
        for (const int* n = around.begin(a); n != around.end(a); ++n) {
            const Tet& other = mesh.tets[*n];
            if (*n == *t || std::count_if(other.begin(), other.end(), [&](int w) { return w == a || w == b || w == c; }) != 3) continue;
            const int d = *std::find_if(other.begin(), other.end(), [&](int w) { return w != a && w != b && w != c; });
            // (v, abc) and (abc, d) become three tets around the new edge vd.
            const double worst =
                std::min({tet_quality(mesh, {v, d, b, a}), tet_quality(mesh, {v, d, c, b}), tet_quality(mesh, {v, d, a, c})});
            if (worst > best.worst) best = {*t, *n, top, d, worst};
        }
    }
    if (best.worst > acceptable) return best;
    Repair split;
    for (const int* t = around.begin(v); t != around.end(v); ++t)
        if (const double q = tet_quality(mesh, mesh.tets[*t]); split.tet < 0 || q > split.worst) split = {*t, -1, 0, -1, q};
    return split;
}

void apply(TetMesh& mesh, int v, const Repair& repair) {
    const Tet old = mesh.tets[repair.tet];
    if (repair.neighbour < 0) {
        const int centre = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back((mesh.vertices[old[0]] + mesh.vertices[old[1]] + mesh.vertices[old[2]] + mesh.vertices[old[3]]) / 4);
        for (int k = 0; k < 4; ++k) {
            Tet part = old;
            part[k] = centre;
            if (k == 0) mesh.tets[repair.tet] = part;
            else mesh.tets.push_back(part);
        }
        return;
    }
    const auto& f = tet_faces[repair.top];
    const int a = old[f[0]], b = old[f[1]], c = old[f[2]], d = repair.beyond;
    mesh.tets[repair.tet] = {v, d, b, a};
    mesh.tets[repair.neighbour] = {v, d, c, b};
    mesh.tets.push_back({v, d, a, c});
}

// Takes away pointed corners of the body: weak vertices with little volume around them that no flip would help. Only what was weak from
// the beginning, or a thin part would be peeled off from its rim.
class Trimmer {
public:
    explicit Trimmer(TetMesh& mesh)
        : mesh_(mesh),
          around_(tets_of_vertices(mesh.tets, static_cast<int>(mesh.vertices.size()))),
          mean_(volume(mesh) / static_cast<double>(mesh.tets.size())),
          touched_(mesh.vertices.size(), 0) {}

    void run(const std::vector<int>& weak) {
        for (int v : weak)
            if (touched_[v]) continue;  // its tets are not what they were
            else if (around_.count(v) == 1) trim_single(v);
            else if (around_.count(v) == 2) trim_pair(v);
        std::erase_if(mesh_.tets, [](const Tet& tet) { return tet[0] < 0; });
    }

private:
    static constexpr Tet gone_{-1, -1, -1, -1};

    // Whether the corner can do without one of its tets.
    bool can_spare(int w) const { return !touched_[w] && around_.count(w) > 3; }
    bool adjacent(int a, int b) const {
        return std::any_of(around_.begin(a), around_.end(a),
                           [&](int t) { return std::count(mesh_.tets[t].begin(), mesh_.tets[t].end(), b) > 0; });
    }

    void trim_single(int v) {
        Tet& tet = mesh_.tets[*around_.begin(v)];
        if (!(volume(mesh_, tet) < mean_)) return;
        for (int w : tet)
            if (w != v && !can_spare(w)) return;
        if (best_repair(mesh_, around_, v, good_flip).neighbour >= 0) return;
        for (int w : tet) touched_[w] = 1;
        tet = gone_;
    }

    // The tets vabc and vbad become cabd: v merges with c.
    void trim_pair(int v) {
        Tet &first = mesh_.tets[around_.begin(v)[0]], &second = mesh_.tets[around_.begin(v)[1]];
        const double before = volume(mesh_, first) + volume(mesh_, second);
        if (!(before < 2 * mean_)) return;
        const auto in = [](const Tet& tet, int w) { return std::count(tet.begin(), tet.end(), w) > 0; };
        const auto not_in = [&](const Tet& tet, const Tet& other) {
            return *std::find_if(tet.begin(), tet.end(), [&](int w) { return !in(other, w); });
        };
        const int c = not_in(first, second), d = not_in(second, first);
        for (int w : first)
            if (w != v && w != c && !can_spare(w)) return;
        if (touched_[c] || touched_[d] || adjacent(c, d) || best_repair(mesh_, around_, v, good_flip).neighbour >= 0) return;
        Tet merged = second;
        *std::find(merged.begin(), merged.end(), v) = c;
        if (!(volume(mesh_, merged) <= before * (1 + 1e-12))) return;  // v lies in a dimple: filling it may meet another wall
        if (tet_quality(mesh_, merged) < std::min({poor_flip, tet_quality(mesh_, first), tet_quality(mesh_, second)})) return;
        for (int w : first) touched_[w] = 1;
        touched_[d] = 1;
        first = gone_, second = merged;
    }

    TetMesh& mesh_;
    const Rows around_;
    const double mean_;  // volume of a tet
    std::vector<char> touched_;
};

void trim_weak_vertices(TetMesh& mesh) {
    const Rows around = tets_of_vertices(mesh.tets, static_cast<int>(mesh.vertices.size()));
    std::vector<int> weak;
    for (int v = 0; v + 1 < static_cast<int>(around.start.size()); ++v)
        if (around.count(v) < 3) weak.push_back(v);
    for (int round = 0; round < 3; ++round) Trimmer(mesh).run(weak);  // neighbours wait for the next one
}

}  // namespace

TetQuality quality(const TetMesh& mesh) {
    TetQuality result;
    double sum = 0;
    for (const Tet& tet : mesh.tets) {
        const double q = tet_quality(mesh, tet);
        result.worst = std::min(result.worst, q);
        result.smallest_dihedral = std::min(result.smallest_dihedral, smallest_dihedral(mesh, tet));
        sum += q;
    }
    result.mean = mesh.tets.empty() ? 0 : sum / static_cast<double>(mesh.tets.size());
    const Rows around = tets_of_vertices(mesh.tets, static_cast<int>(mesh.vertices.size()));
    result.fewest_tets = static_cast<int>(mesh.tets.size());
    for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v) {
        result.fewest_tets = std::min(result.fewest_tets, around.count(v));
        result.weak_vertices += around.count(v) < 3;
    }
    return result;
}

void strengthen_weak_vertices(TetMesh& mesh, bool trim) {
    if (trim) trim_weak_vertices(mesh);
    // A flip keeps the number of tets at the ends of the flipped edge and adds some at the opposite vertices, so a few rounds settle; each
    // round repairs independent places.
    for (int round = 0; round < 20; ++round) {
        const Rows around = tets_of_vertices(mesh.tets, static_cast<int>(mesh.vertices.size()));
        std::vector<char> touched(mesh.tets.size(), 0);
        bool any = false;
        for (int v = 0; v + 1 < static_cast<int>(around.start.size()); ++v) {
            if (around.count(v) >= 3 || around.count(v) == 0) continue;
            any = true;
            const auto is_touched = [&](int t) { return touched[t] != 0; };
            if (std::any_of(around.begin(v), around.end(v), is_touched)) continue;  // next round
            const Repair repair = best_repair(mesh, around, v, trim ? poor_flip : good_flip);
            if (repair.neighbour >= 0 && is_touched(repair.neighbour)) continue;
            touched[repair.tet] = 1;
            if (repair.neighbour >= 0) touched[repair.neighbour] = 1;
            apply(mesh, v, repair);
        }
        if (!any) return;
    }
}

void smooth_inside(TetMesh& mesh) { smooth_inside(mesh, {}); }

}  // namespace wobble
