// A sitting rabbit, one metre high, facing +x, modelled from ellipsoids: smooth minimum joins them, smooth maximum cuts the ground flat.
// smooth_min(a, b; k) = min(a, b) - k/4 max(0, 1 - |a - b| / k)^2, so k is the width of the blend in metres.
#include "engine/mesh/geometry.h"
#include "engine/mesh/implicit.h"
#include "engine/mesh/remesh.h"
#include "engine/mesh/shapes.h"

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
    double pitch;       // degrees about z: positive lifts the front
    double blend;       // metres
    double roll = 0;    // degrees about x, then
    double yaw = 0;     // degrees about y, last
    bool both = false;  // also mirrored to the other side (z -> -z)
};

// Near the surface about the distance: k0 (k0 - 1) / k1 with k0 = |p / r|, k1 = |p / r^2|.
double ellipsoid(const Vec3& p, const Vec3& r) {
    const double k0 = p.cwiseQuotient(r).norm(), k1 = p.cwiseQuotient(r.cwiseProduct(r)).norm();
    return k1 > 0 ? k0 * (k0 - 1) / k1 : -r.minCoeff();
}

const std::array<Blob, 14>& blobs() {
    static const std::array<Blob, 14> list = {{
        // centre, radii, pitch, blend, roll, yaw, both
        {{-0.11, 0.25, 0.00}, {0.27, 0.235, 0.205}, 18, 0.02},                 // body
        {{0.07, 0.31, 0.00}, {0.15, 0.20, 0.145}, -14, 0.12},                  // chest
        {{-0.17, 0.17, 0.145}, {0.175, 0.165, 0.085}, 10, 0.05, 0, 0, true},   // haunches
        {{-0.03, 0.035, 0.175}, {0.165, 0.055, 0.062}, 0, 0.04, 0, -6, true},  // hind feet
        {{0.16, 0.15, 0.085}, {0.055, 0.15, 0.055}, 8, 0.06, 0, 0, true},      // fore legs
        {{0.205, 0.03, 0.088}, {0.085, 0.05, 0.052}, 0, 0.04, 0, 0, true},     // fore paws
        {{0.17, 0.575, 0.00}, {0.155, 0.135, 0.125}, -8, 0.10},                // head
        {{0.285, 0.535, 0.00}, {0.085, 0.075, 0.078}, -10, 0.07},              // muzzle
        {{0.235, 0.525, 0.06}, {0.085, 0.075, 0.065}, 0, 0.05, 0, 0, true},    // cheeks
        {{0.055, 0.82, 0.085}, {0.042, 0.20, 0.074}, 20, 0.05, 12, 0, true},   // ears
        {{-0.40, 0.20, 0.00}, {0.085, 0.085, 0.085}, 0, 0.03},                 // tail
        {{0.368, 0.560, 0.00}, {0.022, 0.018, 0.026}, 0, 0.02},                // nose
        {{0.262, 0.618, 0.096}, {0.028, 0.030, 0.024}, 0, 0.008, 0, 0, true},  // eyes
        {{-0.10, 0.04, 0.00}, {0.24, 0.07, 0.16}, 0, 0.05},                    // seat
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

    double operator()(const Vec3& world) const {
        const Vec3 p(world.x(), world.y(), std::abs(world.z()));
        double d = 1e3;
        for (std::size_t i = 0; i < inverse_.size(); ++i) {
            const Blob& b = blobs()[i];
            d = smooth_min(d, ellipsoid(inverse_[i] * (p - b.centre), b.radii), b.blend);
            if (b.both) {
                const Vec3 mirrored(p.x(), p.y(), -p.z());
                d = smooth_min(d, ellipsoid(inverse_[i] * (mirrored - b.centre), b.radii), b.blend);
            }
        }
        return smooth_max(d, -p.y(), 0.03);
    }

private:
    std::vector<Mat3> inverse_;
};

}  // namespace

TriMesh make_bunny(const ShapeParameters& parameters, double edge) {
    const double height = parameters.at("height");
    const double unit_edge = std::max(edge / height, 0.004);  // finer than this nobody sees, and memory is finite
    const Field field = Bunny();
    Box box;
    box.low = Vec3(-0.6, -0.1, -0.4), box.high = Vec3(0.5, 1.15, 0.4);
    const TriMesh raw = polygonise(field, box, std::clamp(unit_edge, 0.012, 0.03));
    TriMesh mesh = remesh(raw, unit_edge, 8, [&](const Vec3& p) { return project(field, p, unit_edge); });
    const Box got = bounding_box(mesh.vertices);
    const double scale = height / got.size().y();
    for (Vec3& v : mesh.vertices) v = scale * (v - Vec3(0, got.low.y(), 0));
    return mesh;
}

}  // namespace wobble
