// What each picture of a large surface costs, apart from drawing pixels: draw calls, bytes sent to the card and storage are counted and
// follow from the surface alone. Times are printed, not asserted: the processor's time of a thread, which does not count what others do.
#include "app/viewer/gl/body_buffers.h"
#include "app/viewer/normals.h"
#include "engine/mesh/volume/embedding.h"
#include "tests/app/picture_fixture.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <ostream>
#include <random>
#include <utility>

namespace wobble {
namespace {

constexpr int rounds = 21;

double thread_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// The median over rounds of what work(i) takes.
template <class Work>
double cost(Work&& work) {
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
        const double began = thread_milliseconds();
        work(static_cast<std::size_t>(i));
        times.push_back(thread_milliseconds() - began);
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[rounds / 2];
}

struct GlCounts {
    long draws = 0, indices = 0, sent = 0, bytes = 0;
    bool operator==(const GlCounts&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const GlCounts& c) {
        return out << c.draws << " draw calls of " << c.indices << " indices, " << c.sent << " buffers of " << c.bytes << " bytes";
    }
};

// Draw calls and bytes sent to buffers while it lives: the loader's pointers lead here meanwhile.
class GlCount {
public:
    GlCount() {
        counts_ = {};
        real_ = {glad_glDrawArrays, glad_glDrawElements, glad_glBufferData};
        glad_glDrawArrays = [](GLenum mode, GLint first, GLsizei count) { ++counts_.draws, real_.arrays(mode, first, count); };
        glad_glDrawElements = [](GLenum mode, GLsizei count, GLenum type, const void* at) {
            ++counts_.draws, counts_.indices += count, real_.elements(mode, count, type, at);
        };
        glad_glBufferData = [](GLenum target, GLsizeiptr bytes, const void* data, GLenum usage) {
            ++counts_.sent, counts_.bytes += bytes, real_.data(target, bytes, data, usage);
        };
    }
    ~GlCount() { glad_glDrawArrays = real_.arrays, glad_glDrawElements = real_.elements, glad_glBufferData = real_.data; }
    GlCount(const GlCount&) = delete;
    GlCount& operator=(const GlCount&) = delete;

    static GlCounts take() { return std::exchange(counts_, {}); }

private:
    struct Real {
        PFNGLDRAWARRAYSPROC arrays;
        PFNGLDRAWELEMENTSPROC elements;
        PFNGLBUFFERDATAPROC data;
    };
    static inline GlCounts counts_;
    static inline Real real_;
};

using Motion = std::vector<std::shared_ptr<const Snapshot>>;

// 100 000 triangles with field values. Shuffled: vertices and triangles in no order at all, as the worst file has them.
Motion large_torus(bool shuffled) {
    std::vector<int> place(50000);
    std::iota(place.begin(), place.end(), 0);
    std::mt19937 random(3);
    if (shuffled) std::shuffle(place.begin(), place.end(), random);
    std::shared_ptr<SurfaceTopology> topology;
    Motion motion;
    for (int i = 0; i < rounds; ++i) {
        const Snapshot in_order = wobbling_torus(i / 60.0, 250, 200);
        if (!topology) {
            topology = std::make_shared<SurfaceTopology>(*in_order.surface);
            for (Triangle& t : topology->triangles)
                for (int& vertex : t) vertex = place[static_cast<std::size_t>(vertex)];
            if (shuffled) std::shuffle(topology->triangles.begin(), topology->triangles.end(), random);
            for (std::size_t v = 0; v < place.size(); ++v)
                topology->pinned[static_cast<std::size_t>(place[v])] = in_order.surface->pinned[v];
        }
        auto snapshot = std::make_shared<Snapshot>(in_order);
        for (std::size_t v = 0; v < place.size(); ++v) snapshot->positions[static_cast<std::size_t>(place[v])] = in_order.positions[v];
        snapshot->surface = topology;
        snapshot->field = Field::strain;
        snapshot->values.assign(place.size(), 0.1f);
        motion.push_back(snapshot);
    }
    return motion;
}

class FrameCost : public Picture, public ::testing::WithParamInterface<bool> {};

TEST_P(FrameCost, EveryStateIsSentOnceAndTheSurfaceOncePerBody) {
    const Motion motion = large_torus(GetParam());
    const SurfaceTopology& surface = *motion[0]->surface;
    const long vertices = static_cast<long>(motion[0]->positions.size()), triangles = static_cast<long>(surface.triangles.size());
    const long moving = vertices * (3 + 3 + 1) * 4;  // position, normal and field value in single precision
    const long standing = static_cast<long>(surface.tint.size()) + 3 * 4 * triangles;

    BodyBuffers buffers;
    const GlCount count;
    buffers.update(motion[0]);
    EXPECT_EQ(GlCount::take(), (GlCounts{.sent = 5, .bytes = moving + standing}));
    for (std::size_t i = 1; i < 4; ++i) {
        buffers.update(motion[i]);
        EXPECT_EQ(GlCount::take(), (GlCounts{.sent = 3, .bytes = moving})) << "state " << i;
        buffers.update(motion[i]);
        EXPECT_EQ(GlCount::take(), GlCounts{}) << "state " << i << " again";
    }

    // A picture: the body into the shadow map and into the room, the softened shadow, ground, background.
    ViewOptions options;
    options.samples = 1;
    options.shadow_side = 16;
    options.field = Field::strain;
    const Camera camera = camera_for(*motion[0]);
    for (std::size_t i = 0; i < 3; ++i) {
        for (const bool again : {false, true}) {
            ASSERT_TRUE(renderer_->draw(std::vector{BodyView{motion[i]}}, {}, camera, options, 16, 16));
            EXPECT_EQ(GlCount::take(), (GlCounts{.draws = 5,
                                                 .indices = 2 * 3 * triangles,
                                                 .sent = again    ? 0
                                                         : i == 0 ? 5
                                                                  : 3,
                                                 .bytes = again    ? 0
                                                          : i == 0 ? moving + standing
                                                                   : moving}))
                << "picture of state " << i << (again ? " again" : "");
        }
    }
}

TEST_P(FrameCost, OfAHundredThousandTriangles) {
    const Motion motion = large_torus(GetParam());
    ASSERT_EQ(motion[0]->surface->triangles.size(), 100000u);
    std::vector<Vec3f> normals, moved;

    Embedding embedding;
    VecX q(3 * 1500);
    q.setLinSpaced(0, 1);
    std::mt19937 random(5);
    for (std::size_t i = 0; i < motion[0]->positions.size(); ++i) {
        const int first = static_cast<int>(random() % 1490);
        embedding.particle.push_back({first, first + 3, first + 5, first + 9});
        embedding.weight.push_back({0.25, 0.25, 0.25, 0.25});
    }
    deform(embedding, q, moved);
    vertex_normals(motion[0]->positions, motion[0]->surface->triangles, normals);
    const Vec3f *const moved_storage = moved.data(), *const normal_storage = normals.data();
    const double embedded = cost([&](std::size_t) { deform(embedding, q, moved); });
    const double normal = cost([&](std::size_t i) { vertex_normals(motion[i]->positions, motion[i]->surface->triangles, normals); });
    EXPECT_EQ(moved.data(), moved_storage) << "allocated anew for every state";
    EXPECT_EQ(normals.data(), normal_storage) << "allocated anew for every state";

    BodyBuffers buffers;
    const double first = thread_milliseconds();
    buffers.update(motion.back());  // the surface itself is sent once
    const double sent = thread_milliseconds() - first;
    const double update = cost([&](std::size_t i) { buffers.update(motion[i]); });
    const double again = cost([&](std::size_t) { buffers.update(motion.back()); });

    // The calls alone: all passes of a picture, with nothing in them for a processor that plays the graphics card.
    ViewOptions options;
    options.samples = 1;
    options.shadow_side = 16;
    options.field = Field::strain;
    const Camera camera = camera_for(*motion[0]);
    Motion empty;
    for (const auto& snapshot : motion) empty.push_back(std::make_shared<Snapshot>(without_body(*snapshot)));
    for (const auto& snapshot : empty) ASSERT_TRUE(renderer_->draw(std::vector{BodyView{snapshot}}, {}, camera, options, 16, 16));
    const double calls =
        cost([&](std::size_t) { (void)renderer_->draw(std::vector{BodyView{empty.back()}}, {}, camera, options, 16, 16); });

    std::printf(
        "%s: engine's thread: embedding %.2f ms; UI thread, once per body or pin: %.1f; per new state: normals %.2f, all buffers with "
        "them %.2f; per frame: unchanged buffers %.3f, the calls of a picture %.2f; of a moving body together %.2f ms\n",
        GetParam() ? "in no order" : "in order", embedded, sent, normal, update, again, calls, update + calls);

    ASSERT_EQ(normals.size(), motion.back()->positions.size());
    for (std::size_t i = 0; i < normals.size(); i += 997) EXPECT_NEAR(normals[i].norm(), 1, 1e-5);
    const Image body = draw(*motion.back(), camera), room = draw(without_body(*motion.back()), camera);
    EXPECT_GT(different_pixels(body, room), 5000) << "there is nothing to be seen";
}

INSTANTIATE_TEST_SUITE_P(Vertices, FrameCost, ::testing::Values(false, true),
                         [](const auto& run) { return run.param ? std::string("InNoOrder") : std::string("InOrder"); });

}  // namespace
}  // namespace wobble
