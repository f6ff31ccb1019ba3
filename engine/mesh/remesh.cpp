// Incremental isotropic remeshing (Botsch, Kobbelt 2004): split edges over 4/3 L, collapse those under 4/5 L, flip towards valence 6,
// slide vertices in their tangent plane towards the centre of their neighbours, project.
#include "engine/mesh/remesh.h"

#include "engine/mesh/editable_surface.h"
#include "engine/mesh/geometry.h"

#include <algorithm>

namespace wobble {
namespace {

using Edge = std::pair<int, int>;

std::vector<Edge> edges(const EditableSurface& surface) {
    std::vector<Edge> all;
    std::vector<int> near;
    for (int v = 0; v < surface.vertex_slots(); ++v) {
        surface.neighbours(v, near);
        for (int w : near)
            if (v < w) all.emplace_back(v, w);
    }
    return all;
}

bool is_edge(const EditableSurface& surface, const Edge& e) {
    int l, r;
    return surface.alive(e.first) && surface.alive(e.second) && surface.opposite(e.first, e.second, l, r);
}

double length(const EditableSurface& s, const Edge& e) { return (s.point(e.first) - s.point(e.second)).norm(); }

void split_long(EditableSurface& surface, double longest) {
    for (const Edge& e : edges(surface))
        if (length(surface, e) > longest) surface.split(e.first, e.second, 0.5 * (surface.point(e.first) + surface.point(e.second)));
}

void collapse_short(EditableSurface& surface, double shortest, double longest) {
    std::vector<int> near;
    for (const Edge& e : edges(surface)) {
        if (!is_edge(surface, e) || length(surface, e) >= shortest) continue;
        const Vec3 middle = 0.5 * (surface.point(e.first) + surface.point(e.second));
        bool too_long = false;  // or it would be split again in the next round
        for (int end : {e.first, e.second}) {
            surface.neighbours(end, near);
            for (int w : near) too_long |= (surface.point(w) - middle).norm() > longest;
        }
        if (!too_long) surface.collapse(e.first, e.second, middle, 0.2);
    }
}

void flip_towards_valence_six(EditableSurface& surface) {
    for (const Edge& e : edges(surface)) {
        int l, r;
        if (!surface.opposite(e.first, e.second, l, r)) continue;
        const auto off = [&](int v, int change) {
            const int d = surface.valence(v) + change - 6;
            return d * d;
        };
        const int now = off(e.first, 0) + off(e.second, 0) + off(l, 0) + off(r, 0);
        const int then = off(e.first, -1) + off(e.second, -1) + off(l, 1) + off(r, 1);
        const Vec3 &a = surface.point(e.first), &b = surface.point(e.second), &c = surface.point(l), &d = surface.point(r);
        const double shape_now = std::min(triangle_quality(a, b, c), triangle_quality(b, a, d));
        const double shape_then = std::min(triangle_quality(c, d, b), triangle_quality(d, c, a));
        if ((then < now && shape_then > 0.5 * shape_now) || (shape_now < 0.3 && shape_then > 2 * shape_now))
            surface.flip(e.first, e.second);
    }
}

void slide(EditableSurface& surface, const std::function<Vec3(const Vec3&)>& project) {
    std::vector<int> near;
    for (int v = 0; v < surface.vertex_slots(); ++v) {
        if (!surface.alive(v)) continue;
        surface.neighbours(v, near);
        Vec3 centre = Vec3::Zero();
        for (int w : near) centre += surface.point(w);
        centre /= static_cast<double>(near.size());
        const Vec3 n = surface.normal(v), p = surface.point(v), towards = centre - p;
        const Vec3 target = project(p + 0.8 * (towards - n.dot(towards) * n));
        std::vector<Vec3> before;
        for (int f : surface.faces_of(v)) before.push_back(surface.area_vector(f));
        surface.move(v, target);
        for (std::size_t k = 0; k < before.size(); ++k) {
            const Vec3 after = surface.area_vector(surface.faces_of(v)[k]);
            if (!(after.dot(before[k]) > 0.3 * after.norm() * before[k].norm())) {  // would fold: stay
                surface.move(v, p);
                break;
            }
        }
    }
}

}  // namespace

TriMesh remesh(const TriMesh& mesh, double edge, int rounds, const std::function<Vec3(const Vec3&)>& project) {
    EditableSurface surface(mesh);
    for (int round = 0; round < rounds; ++round) {
        split_long(surface, 4.0 / 3 * edge);
        collapse_short(surface, 4.0 / 5 * edge, 4.0 / 3 * edge);
        flip_towards_valence_six(surface);
        slide(surface, project);
    }
    for (int round = 0; round < 3; ++round) flip_towards_valence_six(surface), slide(surface, project);
    return surface.mesh();
}

}  // namespace wobble
