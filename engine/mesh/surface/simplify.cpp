// Quadric edge collapse (Garland, Heckbert 1997): each vertex knows the planes it stands for as a quadratic form
//   Q(x) = x'Ax - 2 b'x + c,  A = sum area n n', b = sum area (n.p) n, c = sum area (n.p)^2,
// and the edge whose merged vertex is nearest to all of its planes goes first. A little of the vertices' own distance is added, which
// spreads vertices evenly where the surface is flat.
#include "engine/mesh/surface/simplify.h"

#include "engine/mesh/surface/editable_surface.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <cmath>
#include <queue>

namespace wobble {
namespace {

struct Quadric {
    Mat3 A = Mat3::Zero();
    Vec3 b = Vec3::Zero();
    double c = 0;

    void operator+=(const Quadric& o) { A += o.A, b += o.b, c += o.c; }
    double operator()(const Vec3& x) const { return x.dot(A * x) - 2 * b.dot(x) + c; }
};

Quadric plane(const Vec3& n, const Vec3& p, double weight) {
    const double d = n.dot(p);
    return {weight * n * n.transpose(), weight * d * n, weight * d * d};
}
Quadric place(const Vec3& p, double weight) { return {weight * Mat3::Identity(), weight * p, weight * p.squaredNorm()}; }

struct Candidate {
    double cost;
    int u, v, age_u, age_v;
    Vec3 p;
    bool operator<(const Candidate& o) const { return std::tie(o.cost, o.u, o.v) < std::tie(cost, u, v); }  // cheapest on top
};

class Simplifier {
public:
    // keep_going(0) is asked now and then; when it says no, what is there is of no use.
    Simplifier(const TriMesh& mesh, const std::function<bool(double)>& keep_going)
        : surface_(mesh), quadrics_(mesh.vertices.size()), age_(mesh.vertices.size(), 0) {
        for (int v = 0; v < surface_.vertex_slots(); ++v)
            for (int f : surface_.faces_of(v)) {
                const Vec3 area = surface_.area_vector(f);
                if (!(area.norm() > 0)) continue;
                quadrics_[v] += plane(area.normalized(), surface_.point(v), area.norm());
                quadrics_[v] += place(surface_.point(v), 1e-3 * area.norm());
            }
        for (int v = 0; v < surface_.vertex_slots(); ++v) {
            if (v % 8192 == 0 && !keep_going(0)) return;
            push_edges(v, true);
        }
    }

    TriMesh run(int vertices, const std::function<bool(double)>& keep_going) {
        const int first = surface_.vertex_count();
        for (unsigned turn = 0; surface_.vertex_count() > std::max(vertices, 4) && !queue_.empty(); ++turn) {
            if (keep_going && turn % 4096 == 0 &&
                !keep_going(static_cast<double>(first - surface_.vertex_count()) / std::max(first - vertices, 1)))
                break;
            const Candidate next = queue_.top();
            queue_.pop();
            if (age_[next.u] != next.age_u || age_[next.v] != next.age_v) continue;
            if (!surface_.collapse(next.u, next.v, next.p, 0.3)) continue;
            quadrics_[next.u] += quadrics_[next.v];
            ++age_[next.u], ++age_[next.v];
            push_edges(next.u, false);
        }
        return surface_.mesh();
    }

private:
    void push_edges(int v, bool upward_only) {
        surface_.neighbours(v, near_);
        for (int w : near_)
            if (!upward_only || v < w) push(v, w);
    }

    void push(int u, int v) {
        Quadric sum = quadrics_[u];
        sum += quadrics_[v];
        const Vec3 middle = 0.5 * (surface_.point(u) + surface_.point(v));
        // Solved around the middle, where the numbers are small; far away means an ill-posed optimum.
        Vec3 best = middle + sum.A.ldlt().solve(sum.b - sum.A * middle);
        const double length = (surface_.point(u) - surface_.point(v)).norm();
        if (!best.allFinite() || (best - middle).norm() > length) best = middle;
        queue_.push({std::max(sum(best), 0.0), u, v, age_[u], age_[v], best});
    }

    EditableSurface surface_;
    std::vector<Quadric> quadrics_;
    std::vector<int> age_, near_;
    std::priority_queue<Candidate> queue_;
};

}  // namespace

TriMesh simplify(const TriMesh& mesh, int vertices, const std::function<bool(double)>& keep_going) {
    // Around the origin, where the quadrics lose no digits.
    const Vec3 centre = bounding_box(mesh.vertices).centre();
    TriMesh result = mesh;
    for (Vec3& p : result.vertices) p -= centre;
    // A collapse refused once may be possible after its surroundings changed: start again while that helps.
    bool wanted = true;
    const auto asked = [&](double done) { return wanted = wanted && (!keep_going || keep_going(done)); };
    for (std::size_t before = result.vertices.size() + 1;
         wanted && result.vertices.size() < before && static_cast<int>(result.vertices.size()) > vertices;) {
        before = result.vertices.size();
        result = Simplifier(result, asked).run(vertices, asked);
    }
    for (Vec3& p : result.vertices) p += centre;
    return result;
}

}  // namespace wobble
