#include "engine/mesh/surface/nearest.h"

#include "engine/mesh/geometry.h"

#include <Eigen/Geometry>

namespace wobble {
namespace {

std::vector<Box> boxes_of(const TriMesh& mesh) {
    std::vector<Box> boxes(mesh.triangles.size());
    for (std::size_t t = 0; t < boxes.size(); ++t)
        for (int v : mesh.triangles[t])
            boxes[t].low = boxes[t].low.cwiseMin(mesh.vertices[v]), boxes[t].high = boxes[t].high.cwiseMax(mesh.vertices[v]);
    return boxes;
}

}  // namespace

NearestPoint::NearestPoint(const TriMesh& mesh) : tree_(boxes_of(mesh)) {
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3 &x = mesh.vertices[a], &y = mesh.vertices[b], &z = mesh.vertices[c];
        corners_.push_back({x, y, z});
        normals_.push_back((y - x).cross(z - x).normalized());
    }
}

Vec3 NearestPoint::operator()(const Vec3& p, int* triangle) const {
    Vec3 best = p;
    double nearest = 1e300;
    int which = -1;
    tree_.nearest(p, [&](int t) {
        const Vec3 q = closest_point_on_triangle(p, corners_[t][0], corners_[t][1], corners_[t][2]);
        if (const double d = (q - p).squaredNorm(); d < nearest) nearest = d, best = q, which = t;
        return nearest;
    });
    if (triangle) *triangle = which;
    return best;
}

Vec3 NearestPoint::facing(const Vec3& p, const Vec3& normal, double reach, int* triangle) const {
    Vec3 best = p;
    double nearest = reach * reach;
    int which = -1;
    tree_.nearest(p, [&](int t) {
        if (!(normals_[t].dot(normal) > 0)) return nearest;
        const Vec3 q = closest_point_on_triangle(p, corners_[t][0], corners_[t][1], corners_[t][2]);
        if (const double d = (q - p).squaredNorm(); d < nearest) nearest = d, best = q, which = t;
        return nearest;
    });
    if (which < 0) return (*this)(p, triangle);
    if (triangle) *triangle = which;
    return best;
}

}  // namespace wobble
