// Marching tetrahedra on cubes cut into six tetrahedra along the main diagonal (Kuhn). Unlike marching cubes there is no ambiguity: the
// result is always a closed manifold, whatever the field does between the grid points.
#include "engine/mesh/shapes/marching.h"

#include <Eigen/Geometry>

#include <cmath>
#include <unordered_map>

namespace wobble {
namespace {

class March {
public:
    explicit March(const SampledField& field) : field_(field) {}

    TriMesh run() {
        constexpr int paths[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};  // the corners between 000 and 111
        const std::array<int, 3>& n = field_.n;
        for (int z = 0; z + 1 < n[2]; ++z)
            for (int y = 0; y + 1 < n[1]; ++y)
                for (int x = 0; x + 1 < n[0]; ++x) {
                    int corners[8], inside = 0;
                    for (int bits = 0; bits < 8; ++bits) {
                        corners[bits] = field_.index(x + (bits & 1), y + (bits >> 1 & 1), z + (bits >> 2));
                        inside += field_.value[corners[bits]] < 0;
                    }
                    if (inside == 0 || inside == 8) continue;
                    for (const auto& path : paths) tet({corners[0], corners[path[0]], corners[path[1]], corners[7]});
                }
        return std::move(mesh_);
    }

private:
    // Never exactly on a grid point: that would give triangles without area.
    double value(int i) const {
        const double f = field_.value[i], least = 1e-3 * field_.cell;
        return std::abs(f) < least ? (f < 0 ? -least : least) : f;
    }

    int crossing(int a, int b) {
        if (a > b) std::swap(a, b);
        const long key = static_cast<long>(a) * static_cast<long>(field_.value.size()) + b;
        const auto [found, is_new] = vertex_.try_emplace(key, static_cast<int>(mesh_.vertices.size()));
        if (is_new) {
            const double s = value(a) / (value(a) - value(b));
            mesh_.vertices.push_back((1 - s) * field_.point(a) + s * field_.point(b));
        }
        return found->second;
    }

    void add(int a, int b, int c, const Vec3& outward) {
        const Vec3 n = (mesh_.vertices[b] - mesh_.vertices[a]).cross(mesh_.vertices[c] - mesh_.vertices[a]);
        if (n.dot(outward) < 0) std::swap(b, c);
        mesh_.triangles.push_back({a, b, c});
    }

    void tet(const Tet& t) {
        int in[4], out[4], inside = 0, outside = 0;
        for (int v : t) (field_.value[v] < 0 ? in[inside++] : out[outside++]) = v;
        if (inside == 0 || outside == 0) return;
        Vec3 outward = Vec3::Zero();
        for (int k = 0; k < inside; ++k) outward -= field_.point(in[k]) / inside;
        for (int k = 0; k < outside; ++k) outward += field_.point(out[k]) / outside;
        if (inside == 1) add(crossing(in[0], out[0]), crossing(in[0], out[1]), crossing(in[0], out[2]), outward);
        else if (outside == 1) add(crossing(in[0], out[0]), crossing(in[1], out[0]), crossing(in[2], out[0]), outward);
        else {
            const int a = crossing(in[0], out[0]), b = crossing(in[0], out[1]), c = crossing(in[1], out[1]), d = crossing(in[1], out[0]);
            add(a, b, c, outward);
            add(a, c, d, outward);
        }
    }

    const SampledField& field_;
    std::unordered_map<long, int> vertex_;
    TriMesh mesh_;
};

}  // namespace

TriMesh polygonise(const SampledField& field) { return March(field).run(); }

TriMesh polygonise(const Field& field, const Box& box, double cell) {
    SampledField sampled{.low = box.low, .cell = cell};
    for (int k = 0; k < 3; ++k) sampled.n[k] = static_cast<int>(std::ceil(box.size()[k] / cell)) + 1;
    const int count = sampled.n[0] * sampled.n[1] * sampled.n[2];
    sampled.value.reserve(count);
    for (int i = 0; i < count; ++i) sampled.value.push_back(field(sampled.point(i)));
    return polygonise(sampled);
}

Vec3 project(const Field& field, const Vec3& start, double reach) {
    Vec3 p = start;
    const double h = 1e-5;
    for (int step = 0; step < 6; ++step) {
        const double f = field(p);
        if (std::abs(f) < 1e-4 * reach) break;
        Vec3 gradient;
        for (int k = 0; k < 3; ++k) gradient[k] = (field(p + h * Vec3::Unit(k)) - field(p - h * Vec3::Unit(k))) / (2 * h);
        const double g = gradient.squaredNorm();
        if (!(g > 1e-6)) break;
        p -= f / g * gradient;
        if ((p - start).norm() > reach) return start;
    }
    return p;
}

}  // namespace wobble
