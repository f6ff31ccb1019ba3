#include "app/viewer/split_surface.h"

#include <algorithm>
#include <numeric>

namespace wobble {

SplitSurface split(const std::vector<Triangle>& triangles, const SurfaceLook& look) {
    SplitSurface out;
    const auto image_of = [&](std::size_t t) {
        const int m = look.material[t];
        return m < 0 || look.uv.empty() ? -1 : look.materials[static_cast<std::size_t>(m)].image;
    };
    std::vector<std::size_t> order(triangles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return image_of(a) < image_of(b); });
    // The vertices a vertex of the surface has become, as lists: the last one of each, and the one before it.
    int vertices = 0;
    for (const Triangle& t : triangles) vertices = std::max(vertices, 1 + *std::max_element(t.begin(), t.end()));
    std::vector<int> last(static_cast<std::size_t>(vertices), -1), before;
    for (const std::size_t t : order) {
        const int m = look.material[t], image = image_of(t);
        Triangle split_triangle;
        for (std::size_t k = 0; k < 3; ++k) {
            const SurfaceLook::Uv uv = image < 0 ? SurfaceLook::Uv(0, 0) : look.uv[t][k];
            const Vec3f painted = look.colours.empty() ? Vec3f(Vec3f::Ones()) : look.colours[t][k];
            const Vec3f own =
                m < 0 ? Vec3f(Vec3f::Zero()) : Vec3f(look.materials[static_cast<std::size_t>(m)].colour.cwiseProduct(painted));
            const Eigen::Vector4f colour(own.x(), own.y(), own.z(), m < 0 ? 0.0f : 1.0f);
            int& newest = last[static_cast<std::size_t>(triangles[t][k])];
            int same = newest;
            while (same >= 0 && (out.colours[static_cast<std::size_t>(same)] != colour || out.uv[static_cast<std::size_t>(same)] != uv))
                same = before[static_cast<std::size_t>(same)];
            if (same < 0) {
                before.push_back(newest);
                newest = same = static_cast<int>(out.source.size());
                out.source.push_back(triangles[t][k]), out.colours.push_back(colour), out.uv.push_back(uv);
            }
            split_triangle[k] = same;
        }
        if (out.runs.empty() || out.runs.back().image != image) out.runs.push_back({static_cast<int>(out.triangles.size()), 0, image});
        ++out.runs.back().count;
        out.triangles.push_back(split_triangle);
    }
    return out;
}

}  // namespace wobble
