#pragma once
// Snapshots of a body that moves by a formula, for tests of pictures without an engine.
#include "engine/sim/snapshot.h"
#include "engine/view/pin_highlight.h"

#include <cmath>
#include <memory>
#include <numbers>

namespace wobble {

// A torus of 0.7 m across standing on y = 0, its foot held, swaying in x with a period of one second.
inline Snapshot wobbling_torus(double t, int around = 96, int across = 48) {
    constexpr double pi = std::numbers::pi, ring = 0.25, tube = 0.1;
    auto surface = std::make_shared<SurfaceTopology>();
    Snapshot snapshot;
    snapshot.t = t;
    Box& box = surface->rest_box;
    TriMesh rest;
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            const double a = 2 * pi * i / around, b = 2 * pi * j / across;
            Vec3 x((ring + tube * std::cos(b)) * std::cos(a), ring + tube + (ring + tube * std::cos(b)) * std::sin(a), tube * std::sin(b));
            box.low = box.low.cwiseMin(x);
            box.high = box.high.cwiseMax(x);
            rest.vertices.push_back(x);
            surface->pinned.push_back(x.y() < 0.05);
            x.x() += 0.5 * x.y() * x.y() * std::sin(2 * pi * t);
            snapshot.positions.push_back(x.cast<float>());
            const auto id = [&](int p, int q) { return (p % around) * across + q % across; };
            surface->triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
            surface->triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
        }
    rest.triangles = surface->triangles;
    surface->tint = pin_highlight(rest, surface->pinned);
    snapshot.surface = surface;
    return snapshot;
}

}  // namespace wobble
