// Incremental isotropic remeshing (Botsch, Kobbelt 2004): split edges over 4/3 L, collapse those under 4/5 L, flip towards valence 6,
// slide vertices in their tangent plane towards the centre of their neighbours, project. Vertices on creases only move and merge along
// them, corners not at all.
#include "engine/mesh/surface/remesh.h"

#include "engine/mesh/geometry.h"
#include "engine/mesh/surface/editable_surface.h"

#include <algorithm>
#include <unordered_map>

namespace wobble {
namespace {

using Edge = std::pair<int, int>;

class Remesher {
public:
    Remesher(const TriMesh& mesh, double edge, const RemeshGuide& guide)
        : surface_(mesh), guide_(guide), longest_(4.0 / 3 * edge), shortest_(4.0 / 5 * edge), kind_(mesh.vertices.size(), Kind::free) {
        const std::vector<char> corner = crease_corners(mesh, guide.creases);
        for (const CreaseEdge& e : guide.creases) {
            line_of_.emplace(key(e.a, e.b), e.line);
            for (int v : {e.a, e.b}) kind_[v] = corner[v] ? Kind::corner : Kind::crease;
        }
        for (int v : guide.fixed) kind_[v] = Kind::corner;
    }

    TriMesh run(int rounds) {
        const int all = rounds + 3;
        for (int round = 0; round < all; ++round) {
            const auto wanted = [&](double part) { return !guide_.keep_going || guide_.keep_going((round + part) / all); };
            if (!wanted(0)) break;
            if (round < rounds) {
                split_long();
                if (!wanted(0.2)) break;
                collapse_short();
            }
            if (!wanted(0.4)) break;
            flip_towards_valence_six();
            if (guide_.strong && round + 3 >= all) strengthen();
            if (!slide([&](double done) { return wanted(0.6 + 0.4 * done); })) break;
        }
        return surface_.mesh();
    }

private:
    enum class Kind : char { free, crease, corner };

    static std::uint64_t key(int a, int b) {
        return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint32_t>(std::max(a, b));
    }
    bool on_line(int a, int b) const { return !line_of_.empty() && line_of_.contains(key(a, b)); }

    std::vector<Edge> edges() const {
        std::vector<Edge> all;
        std::vector<int> near;
        for (int v = 0; v < surface_.vertex_slots(); ++v) {
            surface_.neighbours(v, near);
            for (int w : near)
                if (v < w) all.emplace_back(v, w);
        }
        return all;
    }

    bool is_edge(const Edge& e) const {
        int l, r;
        return surface_.alive(e.first) && surface_.alive(e.second) && surface_.opposite(e.first, e.second, l, r);
    }

    double length(const Edge& e) const { return (surface_.point(e.first) - surface_.point(e.second)).norm(); }

    void split_long() {
        for (const auto& [a, b] : edges()) {
            if (!(length({a, b}) > longest_)) continue;
            const int middle = surface_.split(a, b, 0.5 * (surface_.point(a) + surface_.point(b)));
            kind_.push_back(Kind::free);
            if (const auto line = line_of_.find(key(a, b)); line != line_of_.end()) {
                const int number = line->second;
                line_of_.erase(line);
                line_of_.emplace(key(a, middle), number);
                line_of_.emplace(key(middle, b), number);
                kind_[middle] = Kind::crease;
            }
        }
    }

    void collapse_short() {
        std::vector<int> near;
        for (const Edge& e : edges()) {
            if (!is_edge(e) || length(e) >= shortest_) continue;
            auto [stays, goes] = e;
            if (kind_[goes] > kind_[stays]) std::swap(stays, goes);
            if (kind_[goes] == Kind::corner) continue;
            if (kind_[goes] == Kind::crease && !may_merge_along_line(stays, goes)) continue;
            const bool midway = kind_[stays] == kind_[goes];
            const Vec3 place = midway ? Vec3(0.5 * (surface_.point(stays) + surface_.point(goes))) : surface_.point(stays);
            bool too_long = false;  // or it would be split again in the next round
            for (int end : {stays, goes}) {
                surface_.neighbours(end, near);
                for (int w : near) too_long |= (surface_.point(w) - place).norm() > longest_;
            }
            if (too_long) continue;
            merge(stays, goes, place, 0.2);
        }
    }

    // Collapses the edge, if the surface allows it, and keeps account of the lines.
    bool merge(int stays, int goes, const Vec3& place, double worst_quality) {
        const int before = kind_[goes] == Kind::crease ? other_on_line(goes, stays) : -1;
        if (!surface_.collapse(stays, goes, place, worst_quality)) return false;
        if (before < 0) return true;
        const auto line = line_of_.find(key(goes, before));
        const int number = line->second;
        line_of_.erase(line);
        line_of_.erase(key(stays, goes));
        line_of_.emplace(key(stays, before), number);
        return true;
    }

    // Along their common line, and not so far that the line becomes a single edge there and back.
    bool may_merge_along_line(int stays, int goes) const {
        if (!on_line(stays, goes)) return false;
        const int before = other_on_line(goes, stays);
        return before >= 0 && !on_line(before, stays);
    }

    int other_on_line(int v, int besides) const {
        std::vector<int> near;
        surface_.neighbours(v, near);
        for (int w : near)
            if (w != besides && on_line(v, w)) return w;
        return -1;
    }

    void flip_towards_valence_six() {
        for (const Edge& e : edges()) {
            int l, r;
            if (!surface_.opposite(e.first, e.second, l, r) || on_line(e.first, e.second)) continue;
            const auto off = [&](int v, int change) {
                const int d = surface_.valence(v) + change - 6;
                return d * d;
            };
            const int now = off(e.first, 0) + off(e.second, 0) + off(l, 0) + off(r, 0);
            const int then = off(e.first, -1) + off(e.second, -1) + off(l, 1) + off(r, 1);
            const Vec3 &a = surface_.point(e.first), &b = surface_.point(e.second), &c = surface_.point(l), &d = surface_.point(r);
            const double shape_now = std::min(triangle_quality(a, b, c), triangle_quality(b, a, d));
            const double shape_then = std::min(triangle_quality(c, d, b), triangle_quality(d, c, a));
            if ((then < now && shape_then > 0.5 * shape_now) || (shape_now < 0.3 && shape_then > 2 * shape_now))
                surface_.flip(e.first, e.second);
        }
    }

    // Vertices with three or four triangles, like tips of something, get more by flips, or by taking in a neighbour.
    void strengthen() {
        for (int v = 0; v < surface_.vertex_slots(); ++v) {
            if (!surface_.alive(v)) continue;
            while (surface_.valence(v) < enough_ && (flip_towards(v) || absorb_neighbour(v))) {
            }
        }
    }

    bool flip_towards(int v) {
        for (int f : surface_.faces_of(v)) {
            const Triangle& t = surface_.face(f);
            const int k = t[0] == v ? 0 : t[1] == v ? 1 : 2, a = t[(k + 1) % 3], b = t[(k + 2) % 3];
            int l, r;
            if (!surface_.opposite(a, b, l, r) || on_line(a, b) || surface_.valence(a) <= enough_ || surface_.valence(b) <= enough_)
                continue;
            const Vec3 &x = surface_.point(l), &y = surface_.point(r);
            if (std::min(triangle_quality(x, y, surface_.point(b)), triangle_quality(y, x, surface_.point(a))) < 0.4) continue;
            if (surface_.flip(a, b)) return true;
        }
        return false;
    }

    bool absorb_neighbour(int v) {
        std::vector<int> near;
        surface_.neighbours(v, near);
        for (int w : near) {
            int l, r;
            if (kind_[w] == Kind::corner || (kind_[w] == Kind::crease && !may_merge_along_line(v, w))) continue;
            if (!surface_.opposite(w, v, l, r) || surface_.valence(l) <= enough_ || surface_.valence(r) <= enough_) continue;
            if (surface_.valence(w) > 4 && merge(v, w, surface_.point(v), 0.3)) return true;
        }
        return false;
    }

    // Where a vertex would like to be.
    Vec3 place_for(int v) const {
        std::vector<int> near;
        surface_.neighbours(v, near);
        const Vec3 n = surface_.normal(v), p = surface_.point(v);
        Vec3 centre = Vec3::Zero();
        if (kind_[v] == Kind::crease) {
            int line = -1;
            for (int w : near)
                if (on_line(v, w)) line = line_of_.at(key(v, w)), centre += 0.5 * surface_.point(w);
            return guide_.project_to_line(p + 0.8 * (centre - p), line);
        }
        for (int w : near) centre += surface_.point(w);
        centre /= static_cast<double>(near.size());
        const Vec3 towards = centre - p;
        return guide_.project(p + 0.8 * (towards - n.dot(towards) * n), n);
    }

    template <class KeepGoing>
    bool slide(KeepGoing&& keep_going) {
        for (int v = 0; v < surface_.vertex_slots(); ++v) {
            if (v % 4096 == 0 && !keep_going(static_cast<double>(v) / surface_.vertex_slots())) return false;
            if (!surface_.alive(v) || kind_[v] == Kind::corner) continue;
            const Vec3 p = surface_.point(v), target = place_for(v);
            std::vector<Vec3> before;
            for (int f : surface_.faces_of(v)) before.push_back(surface_.area_vector(f));
            surface_.move(v, target);
            for (std::size_t k = 0; k < before.size(); ++k) {
                const Vec3 after = surface_.area_vector(surface_.faces_of(v)[k]);
                if (!(after.dot(before[k]) > 0.3 * after.norm() * before[k].norm())) {  // would fold: stay
                    surface_.move(v, p);
                    break;
                }
            }
        }
        return true;
    }

    static constexpr int enough_ = 5;  // triangles around a vertex
    EditableSurface surface_;
    const RemeshGuide& guide_;
    const double longest_, shortest_;
    std::vector<Kind> kind_;
    std::unordered_map<std::uint64_t, int> line_of_;  // edges on lines; never walked through, so its order does not matter
};

}  // namespace

TriMesh remesh(const TriMesh& mesh, double edge, int rounds, const RemeshGuide& guide) { return Remesher(mesh, edge, guide).run(rounds); }

TriMesh remesh(const TriMesh& mesh, double edge, int rounds, const std::function<Vec3(const Vec3&)>& project) {
    return remesh(mesh, edge, rounds, RemeshGuide{.project = [&](const Vec3& p, const Vec3&) { return project(p); }});
}

}  // namespace wobble
