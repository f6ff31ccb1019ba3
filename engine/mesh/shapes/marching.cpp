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
    March(const Field& field, const Box& box, double cell) : low_(box.low), cell_(cell) {
        for (int k = 0; k < 3; ++k) n_[k] = static_cast<int>(std::ceil(box.size()[k] / cell)) + 1;
        value_.resize(static_cast<std::size_t>(n_[0]) * n_[1] * n_[2]);
        for (int z = 0; z < n_[2]; ++z)
            for (int y = 0; y < n_[1]; ++y)
                for (int x = 0; x < n_[0]; ++x) {
                    const double f = field(point(index(x, y, z)));
                    // Never exactly on a grid point: that would give triangles without area.
                    value_[index(x, y, z)] = std::abs(f) < 1e-3 * cell ? (f < 0 ? -1e-3 : 1e-3) * cell : f;
                }
    }

    TriMesh run() {
        constexpr int paths[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};  // the corners between 000 and 111
        for (int z = 0; z + 1 < n_[2]; ++z)
            for (int y = 0; y + 1 < n_[1]; ++y)
                for (int x = 0; x + 1 < n_[0]; ++x)
                    for (const auto& path : paths) {
                        const auto corner = [&](int bits) { return index(x + (bits & 1), y + (bits >> 1 & 1), z + (bits >> 2)); };
                        tet({corner(0), corner(path[0]), corner(path[1]), corner(7)});
                    }
        return std::move(mesh_);
    }

private:
    int index(int x, int y, int z) const { return (z * n_[1] + y) * n_[0] + x; }
    Vec3 point(int i) const { return low_ + cell_ * Vec3(i % n_[0], i / n_[0] % n_[1], i / (n_[0] * n_[1])); }

    int crossing(int a, int b) {
        if (a > b) std::swap(a, b);
        const long key = static_cast<long>(a) * static_cast<long>(value_.size()) + b;
        const auto [found, is_new] = vertex_.try_emplace(key, static_cast<int>(mesh_.vertices.size()));
        if (is_new) {
            const double s = value_[a] / (value_[a] - value_[b]);
            mesh_.vertices.push_back((1 - s) * point(a) + s * point(b));
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
        for (int v : t) (value_[v] < 0 ? in[inside++] : out[outside++]) = v;
        if (inside == 0 || outside == 0) return;
        Vec3 outward = Vec3::Zero();
        for (int k = 0; k < inside; ++k) outward -= point(in[k]) / inside;
        for (int k = 0; k < outside; ++k) outward += point(out[k]) / outside;
        if (inside == 1) add(crossing(in[0], out[0]), crossing(in[0], out[1]), crossing(in[0], out[2]), outward);
        else if (outside == 1) add(crossing(in[0], out[0]), crossing(in[1], out[0]), crossing(in[2], out[0]), outward);
        else {
            const int a = crossing(in[0], out[0]), b = crossing(in[0], out[1]), c = crossing(in[1], out[1]), d = crossing(in[1], out[0]);
            add(a, b, c, outward);
            add(a, c, d, outward);
        }
    }

    Vec3 low_;
    double cell_;
    int n_[3];
    std::vector<double> value_;
    std::unordered_map<long, int> vertex_;
    TriMesh mesh_;
};

}  // namespace

TriMesh polygonise(const Field& field, const Box& box, double cell) { return March(field, box, cell).run(); }

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
