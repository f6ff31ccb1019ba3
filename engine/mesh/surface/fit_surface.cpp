// Least squares: with samples q_s of the fine surface (normal n_s, area a_s) and the point sum_i w_si x_i of the coarse one nearest to
// each,
//     sum_s a_s (n_s . (sum_i w_si x_i - q_s))^2
// becomes smaller by moving one vertex after the other to where it is smallest, all else fixed.
#include "engine/mesh/surface/fit_surface.h"

#include "engine/mesh/surface/nearest.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace wobble {
namespace {

constexpr int outer_rounds = 3, inner_rounds = 3;
constexpr double spacing = 0.4;               // of samples, in edges
constexpr double hold = 0.03;                 // share of a vertex' weights that keeps it where it is, where the samples leave it free
constexpr double farthest = 0.3;              // edges that a vertex may move in a round
constexpr std::size_t enough_triangles = 16;  // of the fine surface for each of the coarse one
constexpr std::size_t poll_interval = 4096;

struct Sample {
    Vec3 point, normal;
    double area;
};

// Halves the longest edge until the triangle is short, or too small to matter.
void sample(const Vec3& a, const Vec3& b, const Vec3& c, double distance, std::vector<Sample>& samples) {
    const Vec3 area = 0.5 * (b - a).cross(c - a);
    const double ab = (b - a).squaredNorm(), bc = (c - b).squaredNorm(), ca = (a - c).squaredNorm(), longest = std::max({ab, bc, ca});
    if (longest <= distance * distance || area.norm() < 0.1 * distance * distance) {
        if (area.norm() > 0) samples.push_back({(a + b + c) / 3, area.normalized(), area.norm()});
        return;
    }
    if (longest > ab) return sample(b, c, a, distance, samples);
    const Vec3 middle = 0.5 * (a + b);
    sample(a, middle, c, distance, samples);
    sample(middle, b, c, distance, samples);
}

// Of every `stride`-th triangle, which then stands for the ones left out.
std::vector<Sample> samples_of(const TriMesh& mesh, double distance, std::size_t stride) {
    std::vector<Sample> samples;
    for (std::size_t f = 0; f < mesh.triangles.size(); f += stride) {
        const auto& [a, b, c] = mesh.triangles[f];
        sample(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], distance, samples);
    }
    return samples;
}

// A sample and the triangle it pulls at.
struct Pull {
    int triangle;
    std::array<double, 3> weight;
};

class Fit {
public:
    Fit(TriMesh& coarse, const std::vector<Sample>& samples, double edge)
        : mesh_(coarse), samples_(samples), edge_(edge), faces_of_(coarse.vertices.size()) {
        for (int f = 0; f < static_cast<int>(coarse.triangles.size()); ++f)
            for (int v : coarse.triangles[f]) faces_of_[v].push_back(f);
    }

    bool round(const std::function<bool(double)>& keep_going) {
        if (!find_pulls(keep_going)) return false;
        for (int k = 0; k < inner_rounds; ++k)
            for (int v = 0; v < static_cast<int>(faces_of_.size()); ++v) improve(v);
        return true;
    }

private:
    bool find_pulls(const std::function<bool(double)>& keep_going) {
        const NearestPoint nearest(mesh_);
        pulls_.clear();
        pulls_of_.assign(mesh_.triangles.size(), {});
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            if (keep_going && s % poll_interval == 0 && !keep_going(static_cast<double>(s) / static_cast<double>(samples_.size())))
                return false;
            int triangle = -1;
            const Vec3 q = nearest.facing(samples_[s].point, samples_[s].normal, 2 * edge_, &triangle);
            pulls_.push_back({triangle, triangle < 0 ? std::array<double, 3>{} : weights(mesh_.triangles[triangle], q)});
            if (triangle >= 0) pulls_of_[triangle].push_back(static_cast<int>(s));
        }
        return true;
    }

    std::array<double, 3> weights(const Triangle& t, const Vec3& q) const {
        const Vec3 &a = mesh_.vertices[t[0]], &b = mesh_.vertices[t[1]], &c = mesh_.vertices[t[2]], n = (b - a).cross(c - a);
        const double square = n.squaredNorm();
        if (!(square > 0)) return {1.0 / 3, 1.0 / 3, 1.0 / 3};
        const double v = n.dot((q - a).cross(c - a)) / square, w = n.dot((b - a).cross(q - a)) / square;
        return {1 - v - w, v, w};
    }

    void improve(int v) {
        Mat3 A = Mat3::Zero();
        Vec3 r = Vec3::Zero();
        for (int f : faces_of_[v]) {
            const Triangle& t = mesh_.triangles[f];
            const int own = t[0] == v ? 0 : t[1] == v ? 1 : 2;
            for (int s : pulls_of_[f]) {
                const Sample& sample = samples_[s];
                const std::array<double, 3>& w = pulls_[s].weight;
                const Vec3 now = w[0] * mesh_.vertices[t[0]] + w[1] * mesh_.vertices[t[1]] + w[2] * mesh_.vertices[t[2]];
                A += sample.area * w[own] * w[own] * sample.normal * sample.normal.transpose();
                r += sample.area * w[own] * sample.normal.dot(sample.point - now) * sample.normal;
            }
        }
        const double trace = A.trace();
        if (!(trace > 0)) return;
        A += hold * trace * Mat3::Identity();
        Vec3 step = A.llt().solve(r);
        if (const double length = step.norm(); length > farthest * edge_) step *= farthest * edge_ / length;
        move(v, step);
    }

    // Unless that would fold or flatten a triangle.
    void move(int v, const Vec3& step) {
        const auto area_vector = [&](int f) {
            const auto& [a, b, c] = mesh_.triangles[f];
            return Vec3((mesh_.vertices[b] - mesh_.vertices[a]).cross(mesh_.vertices[c] - mesh_.vertices[a]));
        };
        std::vector<Vec3> before;
        for (int f : faces_of_[v]) before.push_back(area_vector(f));
        mesh_.vertices[v] += step;
        for (std::size_t k = 0; k < before.size(); ++k) {
            const Vec3 after = area_vector(faces_of_[v][k]);
            if (after.dot(before[k]) > 0.5 * after.norm() * before[k].norm() && after.norm() > 0.5 * before[k].norm()) continue;
            mesh_.vertices[v] -= step;
            return;
        }
    }

    TriMesh& mesh_;
    const std::vector<Sample>& samples_;
    const double edge_;
    std::vector<std::vector<int>> faces_of_;
    std::vector<Pull> pulls_;                 // of each sample
    std::vector<std::vector<int>> pulls_of_;  // samples of each triangle
};

}  // namespace

bool fit_surface(TriMesh& coarse, const TriMesh& fine, double edge, const std::function<bool(double)>& keep_going) {
    const std::vector<Sample> samples =
        samples_of(fine, spacing * edge, fine.triangles.size() / (enough_triangles * coarse.triangles.size()) + 1);
    Fit fit(coarse, samples, edge);
    for (int k = 0; k < outer_rounds; ++k)
        if (!fit.round([&](double done) { return !keep_going || keep_going((k + done) / outer_rounds); })) return false;
    return true;
}

}  // namespace wobble
