// A hanging rectangle of cloth: a grid of particles with springs along the threads (structural), across the cells (shear) and from each
// particle to the next but one along a thread (bending). Numbered along its shorter side, which keeps matrices banded.
#include "engine/mesh/shapes/shapes.h"
#include "engine/mesh/volume/embedding.h"

#include <algorithm>
#include <cmath>

namespace wobble {

BodyMesh make_cloth(const ShapeParameters& p, int resolution) {
    const double width = p.at("width"), height = p.at("height");
    const double cell = std::sqrt(width * height / std::max(4, resolution > 0 ? resolution : 900));
    const bool tall = height > width;
    const double extent[2] = {tall ? height : width, tall ? width : height};  // slow and fast direction of the numbering
    int n[2];
    for (int k = 0; k < 2; ++k) n[k] = std::max(3, static_cast<int>(std::lround(extent[k] / cell)));  // particles
    const auto index = [&](int s, int f) { return s * n[1] + f; };

    BodyMesh body;
    for (int s = 0; s < n[0]; ++s)
        for (int f = 0; f < n[1]; ++f) {
            const double a = extent[0] * s / (n[0] - 1), b = extent[1] * f / (n[1] - 1);
            body.tets.vertices.push_back(tall ? Vec3(b - 0.5 * width, a, 0) : Vec3(a - 0.5 * width, b, 0));
        }
    const auto link = [&](int s, int f, int ds, int df, LinkKind kind) {
        if (s + ds >= n[0] || f + df < 0 || f + df >= n[1]) return;
        body.links.push_back({index(s, f), index(s + ds, f + df), kind});
    };
    for (int s = 0; s < n[0]; ++s)
        for (int f = 0; f < n[1]; ++f) {
            link(s, f, 0, 1, LinkKind::structural), link(s, f, 1, 0, LinkKind::structural);
            link(s, f, 1, 1, LinkKind::shear), link(s, f, 1, -1, LinkKind::shear);
            link(s, f, 0, 2, LinkKind::bending), link(s, f, 2, 0, LinkKind::bending);
        }
    for (int s = 0; s + 1 < n[0]; ++s)
        for (int f = 0; f + 1 < n[1]; ++f) {
            const int a = index(s, f), b = index(s + 1, f), c = index(s + 1, f + 1), d = index(s, f + 1);
            // The diagonals alternate like a chess board, so that no direction is preferred.
            std::array<Triangle, 2> two =
                (s + f) % 2 ? std::array<Triangle, 2>{{{a, b, d}, {b, c, d}}} : std::array<Triangle, 2>{{{a, b, c}, {a, c, d}}};
            for (Triangle t : two) {
                if (tall) std::swap(t[1], t[2]);  // the front looks along +z
                body.tets.boundary.push_back(t);
            }
        }
    body.surface = {body.tets.vertices, body.tets.boundary};
    body.embedding = embed_identically(static_cast<int>(body.tets.vertices.size()));
    return body;
}

}  // namespace wobble
