#include "engine/scene/file_vertices.h"

#include "engine/mesh/surface/nearest.h"
#include "engine/mesh/surface/weld.h"

#include <algorithm>
#include <unordered_map>

namespace wobble {

namespace {

struct TriangleHash {
    std::size_t operator()(const Triangle& t) const {
        return static_cast<std::size_t>(t[0]) * 73856093u ^ static_cast<std::size_t>(t[1]) * 19349663u ^
               static_cast<std::size_t>(t[2]) * 83492791u;
    }
};

Triangle sorted(Triangle t) {
    std::sort(t.begin(), t.end());
    return t;
}

// Weights of the corners of a triangle at the point of its plane that is nearest to p, none negative.
Vec3 weights_at(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
    const Vec3 u = b - a, v = c - a, w = p - a;
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), wu = w.dot(u), wv = w.dot(v), det = uu * vv - uv * uv;
    if (!(det > 0)) return Vec3::Constant(1.0 / 3);
    const double s = (vv * wu - uv * wv) / det, t = (uu * wv - uv * wu) / det;
    const Vec3 weights = Vec3(1 - s - t, s, t).cwiseMax(0);
    return weights / weights.sum();
}

}  // namespace

std::vector<int> nearest_drawn(const std::vector<Vec3>& moved, const TriMesh& drawn) {
    // The drawn ones first: so the first equal one of a file's vertex is a drawn one, if there is any.
    std::vector<Vec3> all = drawn.vertices;
    all.insert(all.end(), moved.begin(), moved.end());
    const std::vector<int> first = first_equal(all);
    const int count = static_cast<int>(drawn.vertices.size());
    std::vector<int> follows(moved.size());
    std::optional<NearestPoint> nearest;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        follows[i] = first[static_cast<std::size_t>(count) + i];
        if (follows[i] < count) continue;
        if (drawn.triangles.empty()) {
            follows[i] = 0;
            continue;
        }
        if (!nearest) nearest.emplace(drawn);
        int triangle = 0;
        const Vec3 at = (*nearest)(moved[i], &triangle);
        const Triangle& t = drawn.triangles[static_cast<std::size_t>(triangle)];
        follows[i] = *std::min_element(t.begin(), t.end(), [&](int a, int b) {
            return (drawn.vertices[static_cast<std::size_t>(a)] - at).squaredNorm() <
                   (drawn.vertices[static_cast<std::size_t>(b)] - at).squaredNorm();
        });
    }
    return follows;
}

std::vector<Vec3f> in_file_coordinates(const FileVertices& file, std::span<const Vec3f> rest, std::span<const Vec3f> now) {
    const Mat3 back = file.to_scene.linear.inverse();
    std::vector<Vec3f> out;
    out.reserve(file.vertices.size());
    for (std::size_t i = 0; i < file.vertices.size(); ++i) {
        const auto v = static_cast<std::size_t>(file.follows[i]);
        out.push_back((file.vertices[i] + back * (now[v] - rest[v]).cast<double>()).cast<float>());
    }
    return out;
}

std::shared_ptr<const SurfaceLook> look_on(const SurfaceLook& look, const TriMesh& file_surface, const std::vector<int>& follows,
                                           const TriMesh& drawn) {
    if (!look.fits(file_surface.triangles.size()) || file_surface.triangles.empty()) return nullptr;
    auto out = std::make_shared<SurfaceLook>();
    out->materials = look.materials;
    out->images = look.images;
    std::unordered_map<Triangle, int, TriangleHash> place;
    const auto followed = [&](const Triangle& t) {
        return Triangle{follows[static_cast<std::size_t>(t[0])], follows[static_cast<std::size_t>(t[1])],
                        follows[static_cast<std::size_t>(t[2])]};
    };
    for (std::size_t f = 0; f < file_surface.triangles.size(); ++f)
        place.emplace(sorted(followed(file_surface.triangles[f])), static_cast<int>(f));
    std::optional<NearestPoint> nearest;
    for (const Triangle& t : drawn.triangles) {
        std::array<Vec3, 3> weights;  // of the file's triangle, per corner
        int parent = 0;
        if (const auto found = place.find(sorted(t)); found != place.end()) {
            parent = found->second;
            const Triangle own = followed(file_surface.triangles[static_cast<std::size_t>(parent)]);
            for (std::size_t k = 0; k < 3; ++k) {
                weights[k] = Vec3::Zero();
                weights[k][std::find(own.begin(), own.end(), t[k]) - own.begin()] = 1;
            }
        } else {
            if (!nearest) nearest.emplace(file_surface);
            const auto at = [&](int k) { return drawn.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])]; };
            const Vec3 a = at(0), b = at(1), c = at(2), normal = (b - a).cross(c - a);
            if (normal.norm() > 0) nearest->facing((a + b + c) / 3, normal.normalized(), (b - a).norm() + (c - a).norm(), &parent);
            else (*nearest)((a + b + c) / 3, &parent);
            const Triangle& p = file_surface.triangles[static_cast<std::size_t>(parent)];
            for (int k = 0; k < 3; ++k)
                weights[static_cast<std::size_t>(k)] =
                    weights_at(file_surface.vertices[static_cast<std::size_t>(p[0])], file_surface.vertices[static_cast<std::size_t>(p[1])],
                               file_surface.vertices[static_cast<std::size_t>(p[2])], at(k));
        }
        const auto f = static_cast<std::size_t>(parent);
        out->material.push_back(look.material[f]);
        const auto blend = [&](const auto& values) {
            auto blended = values;
            for (std::size_t k = 0; k < 3; ++k)
                blended[k] = static_cast<float>(weights[k][0]) * values[0] + static_cast<float>(weights[k][1]) * values[1] +
                             static_cast<float>(weights[k][2]) * values[2];
            return blended;
        };
        if (!look.uv.empty()) out->uv.push_back(blend(look.uv[f]));
        if (!look.colours.empty()) out->colours.push_back(blend(look.colours[f]));
    }
    return out;
}

void append_look(std::shared_ptr<const SurfaceLook>& all, std::size_t triangles_before, const std::shared_ptr<const SurfaceLook>& one,
                 std::size_t triangles) {
    if (!all && !one) return;
    if (triangles_before == 0 && one) return void(all = one);
    auto joined = all ? std::make_shared<SurfaceLook>(*all) : std::make_shared<SurfaceLook>();
    joined->material.resize(triangles_before, -1);
    const std::size_t count = triangles_before + triangles;
    const bool uv = !joined->uv.empty() || (one && !one->uv.empty()), colours = !joined->colours.empty() || (one && !one->colours.empty());
    const std::array<SurfaceLook::Uv, 3> no_uv{SurfaceLook::Uv(0, 0), SurfaceLook::Uv(0, 0), SurfaceLook::Uv(0, 0)};
    const std::array<Vec3f, 3> white{Vec3f::Ones(), Vec3f::Ones(), Vec3f::Ones()};
    if (uv) joined->uv.resize(triangles_before, no_uv);
    if (colours) joined->colours.resize(triangles_before, white);
    if (one) {
        const int first = static_cast<int>(joined->materials.size()), first_image = static_cast<int>(joined->images.size());
        for (SurfaceLook::Material m : one->materials) {
            if (m.image >= 0) m.image += first_image;
            joined->materials.push_back(m);
        }
        joined->images.insert(joined->images.end(), one->images.begin(), one->images.end());
        for (const int m : one->material) joined->material.push_back(m < 0 ? m : m + first);
        joined->uv.insert(joined->uv.end(), one->uv.begin(), one->uv.end());
        joined->colours.insert(joined->colours.end(), one->colours.begin(), one->colours.end());
    }
    joined->material.resize(count, -1);
    if (uv) joined->uv.resize(count, no_uv);
    if (colours) joined->colours.resize(count, white);
    all = std::move(joined);
}

}  // namespace wobble
