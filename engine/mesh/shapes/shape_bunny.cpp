// A sitting rabbit facing +x, modelled from ellipsoids: smooth minimum joins them, smooth maximum cuts the ground flat.
// smooth_min(a, b; k) = min(a, b) - k/4 max(0, 1 - |a - b| / k)^2, so k is the width of the blend in metres.
#include "engine/mesh/geometry.h"
#include "engine/mesh/shapes/marching.h"
#include "engine/mesh/shapes/shapes.h"
#include "engine/mesh/surface/remesh.h"
#include "engine/mesh/surface/self_intersection.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace wobble {
namespace {

double smooth_min(double a, double b, double k) {
    const double h = std::max(0.0, 1 - std::abs(a - b) / k);
    return std::min(a, b) - 0.25 * k * h * h;
}
double smooth_max(double a, double b, double k) { return -smooth_min(-a, -b, k); }

struct Blob {
    Vec3 centre, radii;
    double pitch;         // degrees about z: positive lifts the front
    double blend;         // metres
    double roll = 0;      // degrees about x, then
    double yaw = 0;       // degrees about y, last
    bool both = false;    // also mirrored to the other side (z -> -z)
    bool hollow = false;  // taken away instead of added
};

// Near the surface about the distance: k0 (k0 - 1) / k1 with k0 = |p / r|, k1 = |p / r^2|.
double ellipsoid(const Vec3& p, const Vec3& r) {
    const double k0 = p.cwiseQuotient(r).norm(), k1 = p.cwiseQuotient(r.cwiseProduct(r)).norm();
    return k1 > 0 ? k0 * (k0 - 1) / k1 : -r.minCoeff();
}

// Where positive never more than the above, and quick: then 1 < |p| / r_max <= k0, and k1 <= k0 / r_min.
double at_least(double distance, const Vec3& r) { return r.minCoeff() * (distance / r.maxCoeff() - 1); }

constexpr double tip_of_ears = 1.04736;  // the height of what follows; the mesh's own height would depend on its edges
constexpr int blob_count = 17;
const std::array<Blob, blob_count>& blobs() {
    static const std::array<Blob, blob_count> list = {{
        // centre, radii, pitch, blend, roll, yaw, both, hollow
        {{-0.11, 0.245, 0.00}, {0.265, 0.235, 0.195}, 18, 0.02},                // body
        {{0.07, 0.30, 0.00}, {0.15, 0.20, 0.15}, -14, 0.13},                    // chest
        {{-0.15, 0.165, 0.150}, {0.170, 0.160, 0.085}, 14, 0.035, 0, 0, true},  // haunches
        {{-0.01, 0.035, 0.180}, {0.170, 0.058, 0.064}, 0, 0.03, 0, -6, true},   // hind feet
        {{0.165, 0.15, 0.085}, {0.056, 0.16, 0.056}, 8, 0.06, 0, 0, true},      // fore legs
        {{0.215, 0.03, 0.088}, {0.088, 0.052, 0.056}, 0, 0.04, 0, 0, true},     // fore paws
        {{0.165, 0.575, 0.00}, {0.168, 0.150, 0.145}, -8, 0.10},                // head
        {{0.280, 0.530, 0.00}, {0.088, 0.082, 0.088}, -6, 0.06},                // muzzle
        {{0.235, 0.512, 0.066}, {0.090, 0.080, 0.078}, 0, 0.05, 0, 12, true},   // cheeks
        {{0.065, 0.845, 0.102}, {0.045, 0.215, 0.073}, 16, 0.05, 14, -12},      // left ear
        {{0.035, 0.835, -0.108}, {0.045, 0.215, 0.073}, 26, 0.05, -19, 14},     // right ear, a little more at ease
        {{0.113, 0.870, 0.106}, {0.034, 0.150, 0.044}, 16, 0.02, 14, -12, false, true},
        {{0.082, 0.865, -0.114}, {0.034, 0.150, 0.044}, 26, 0.02, -19, 14, false, true},
        {{-0.385, 0.19, 0.00}, {0.088, 0.088, 0.088}, 0, 0.03},                 // tail
        {{0.352, 0.566, 0.00}, {0.026, 0.020, 0.032}, -25, 0.020},              // nose
        {{0.255, 0.622, 0.098}, {0.032, 0.036, 0.026}, 0, 0.010, 0, 20, true},  // eyes
        {{-0.07, 0.04, 0.00}, {0.23, 0.08, 0.17}, 0, 0.07},                     // seat
    }};
    return list;
}

class Bunny {
public:
    Bunny() {
        for (const Blob& b : blobs()) {
            const double radian = M_PI / 180;
            const Mat3 turn = (Eigen::AngleAxisd(b.yaw * radian, Vec3::UnitY()) * Eigen::AngleAxisd(b.roll * radian, Vec3::UnitX()) *
                               Eigen::AngleAxisd(b.pitch * radian, Vec3::UnitZ()))
                                  .toRotationMatrix();
            inverse_.push_back(turn.transpose());
        }
    }

    double operator()(const Vec3& p) const {
        double d = 1e3;
        for (std::size_t i = 0; i < inverse_.size(); ++i) {
            const Blob& b = blobs()[i];
            const auto blend_in = [&](const Vec3& from_centre) {
                const double reach = std::max(0.0, b.blend + (b.hollow ? -d : d));
                if (at_least(from_centre.norm(), b.radii) > reach) return;  // too far away to change a bit of d
                const double e = ellipsoid(inverse_[i] * from_centre, b.radii);
                d = b.hollow ? smooth_max(d, -e, b.blend) : smooth_min(d, e, b.blend);
            };
            blend_in(p - b.centre);
            if (b.both) blend_in(Vec3(p.x(), p.y(), -p.z()) - b.centre);
        }
        return smooth_max(d, -p.y(), 0.03);
    }

private:
    std::vector<Mat3> inverse_;
};

}  // namespace

TriMesh make_bunny(const ShapeParameters& parameters, double edge) {
    const double height = parameters.at("height"), scale = height / tip_of_ears;
    const Field field = Bunny();
    Box box;
    box.low = Vec3(-0.6, -0.1, -0.4), box.high = Vec3(0.5, 1.15, 0.4);
    TriMesh mesh;
    double unit_edge = std::clamp(edge / scale, 0.004, 0.05);           // finer is not visible, coarser folds the ears
    for (int attempt = 0; attempt < 5; ++attempt, unit_edge *= 0.85) {  // a coarse mesh may cut itself between the ears: then a finer one
        const TriMesh raw = polygonise(field, box, std::clamp(unit_edge, 0.012, 0.03));
        mesh = remesh(raw, unit_edge, 8, [&](const Vec3& p) { return project(field, p, unit_edge); });
        if (unit_edge < 0.02 || self_intersections(mesh, 1).none()) break;
    }
    for (Vec3& v : mesh.vertices) v *= scale;
    return mesh;
}

}  // namespace wobble
