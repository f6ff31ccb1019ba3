// Candidate search of contact on two wavy sheets that lie on each other, 10^4 to 10^6 features (vertices, edges and triangles): seconds per
// feature, how they grow, and the time of Embree's rtcCollide for the same surfaces, tree included, which lists pairs of overlapping
// boxes of triangles only. Both take turns and count the best of several rounds.
#include "engine/model/contact/feature_grid.h"

#include <chrono>
#include <cmath>
#include <cstdio>

#include <embree3/rtcore.h>

#include <atomic>

namespace wobble {
namespace {

double seconds(const auto& act) {
    const auto start = std::chrono::steady_clock::now();
    act();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Sheets {
    TetMesh mesh;
    std::vector<BodyRange> ranges;

    explicit Sheets(int n) {
        BodyMesh all;
        for (int layer = 0; layer < 2; ++layer) {
            BodyMesh one;
            const auto index = [&](int i, int j) { return i * (n + 1) + j; };
            for (int i = 0; i <= n; ++i)
                for (int j = 0; j <= n; ++j)
                    one.tets.vertices.push_back(
                        {i + 0.37 * layer, 0.3 * layer + 2 * std::sin(0.11 * i) * std::cos(0.07 * j), j + 0.21 * layer});
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    one.tets.boundary.push_back({index(i, j), index(i, j + 1), index(i + 1, j)});
                    one.tets.boundary.push_back({index(i + 1, j), index(i, j + 1), index(i + 1, j + 1)});
                }
            ranges.push_back(append(all, one));
        }
        mesh = std::move(all.tets);
    }
};

struct Tree {
    const TetMesh& mesh;
    BodyRange range;
    double margin;
    RTCDevice device;
    RTCScene scene = rtcNewScene(device);

    Tree(const TetMesh& m, const BodyRange& r, double reach, RTCDevice d) : mesh(m), range(r), margin(reach / 2), device(d) {
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(range.boundary.size()));
        rtcSetGeometryUserData(geometry, this);
        rtcSetGeometryBoundsFunction(
            geometry,
            [](const RTCBoundsFunctionArguments* a) {
                const Tree& self = *static_cast<const Tree*>(a->geometryUserPtr);
                const Triangle& t = self.mesh.boundary[self.range.boundary.begin + static_cast<int>(a->primID)];
                const auto& x = self.mesh.vertices;
                const Vec3 low = x[t[0]].cwiseMin(x[t[1]]).cwiseMin(x[t[2]]).array() - self.margin,
                           high = x[t[0]].cwiseMax(x[t[1]]).cwiseMax(x[t[2]]).array() + self.margin;
                RTCBounds& b = *a->bounds_o;
                b.lower_x = static_cast<float>(low.x()), b.lower_y = static_cast<float>(low.y()), b.lower_z = static_cast<float>(low.z());
                b.upper_x = static_cast<float>(high.x()), b.upper_y = static_cast<float>(high.y()),
                b.upper_z = static_cast<float>(high.z());
            },
            nullptr);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene);
    }
    ~Tree() { rtcReleaseScene(scene); }
    Tree(const Tree&) = delete;
};

struct Rtc {
    RTCDevice device = rtcNewDevice("threads=2");
    std::atomic<long> pairs = 0;
    void collide(const Sheets& s, double reach) {
        pairs = 0;
        const Tree one(s.mesh, s.ranges[0], reach, device), other(s.mesh, s.ranges[1], reach, device);
        rtcCollide(
            one.scene, other.scene, [](void* self, RTCCollision*, unsigned n) { static_cast<Rtc*>(self)->pairs += n; }, this);
    }
};

void compare() {
    const auto workers = std::make_shared<Workers>(2);
    const double reach = 0.4;
    double last = 0, last_features = 0, first = 0, first_features = 0;
    std::printf("%10s %12s %12s %10s %12s %12s\n", "features", "ms", "ns/feature", "exponent", "pairs", "Embree ms");
    for (int n : {29, 50, 91, 160, 289}) {
        const Sheets sheets(n);
        const auto surface = std::make_shared<ContactSurface>(contact_surface(sheets.mesh, sheets.ranges));
        const double features = static_cast<double>(surface->vertices.size() + surface->edges.size() + surface->triangles.size());
        VecX q(3 * static_cast<Eigen::Index>(sheets.mesh.vertices.size()));
        for (int i = 0; i < q.size() / 3; ++i) particle(q, i) = sheets.mesh.vertices[i];
        FeatureGrid grid(surface, workers);
        PerBodies<std::uint8_t> may_touch(2);
        may_touch.set(0, 1, 1);
        double ours = 1e300;
        double theirs = 1e300;
        Rtc rtc;
        for (int round = 0; round < 7; ++round) {
            ours = std::min(ours, seconds([&] { grid.find(q, reach, may_touch, {0, 0}); }));
            theirs = std::min(theirs, seconds([&] { rtc.collide(sheets, reach); }));
        }
        if (first == 0) first = ours, first_features = features;
        std::printf("%10.0f %12.3f %12.1f %10.2f %12zu", features, 1e3 * ours, 1e9 * ours / features,
                    last > 0 ? std::log(ours / last) / std::log(features / last_features) : 0.0,
                    grid.vertex_triangle().size() + grid.edge_edge().size());
        std::printf(" %12.3f", 1e3 * theirs);
        rtcReleaseDevice(rtc.device);
        std::printf("\n");
        last = ours, last_features = features;
    }
    std::printf("exponent over all: %.3f\n", std::log(last / first) / std::log(last_features / first_features));
}

}  // namespace
}  // namespace wobble

int main() { wobble::compare(); }
