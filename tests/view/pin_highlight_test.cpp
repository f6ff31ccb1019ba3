// Where a body is held, as it is drawn: soft edges, made once per set of pins and never by the thread that draws.
#include "engine/view/pin_highlight.h"
#include "engine/mesh/shapes/shapes.h"
#include "engine/sim/world.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

TEST(HeldTint, TonguesFadeAndPatchesStay) {
    const TriMesh torus = make_torus({{"radius", 0.25}, {"tube", 0.1}}, 0.015);
    std::size_t lowest = 0, highest = 0;
    for (std::size_t i = 0; i < torus.vertices.size(); ++i) {
        if (torus.vertices[i].y() < torus.vertices[lowest].y()) lowest = i;
        if (torus.vertices[i].y() > torus.vertices[highest].y()) highest = i;
    }
    const double size = bounding_box(torus.vertices).diagonal();
    std::size_t tip = lowest;
    std::vector<std::uint8_t> held(torus.vertices.size(), 0);
    for (std::size_t i = 0; i < torus.vertices.size(); ++i) held[i] = (torus.vertices[i] - torus.vertices[lowest]).norm() < 0.2 * size;
    for (const Triangle& t : torus.triangles)  // one vertex more, beside the patch
        for (int k = 0; k < 3; ++k)
            if (held[t[k]] && !held[t[(k + 1) % 3]]) tip = static_cast<std::size_t>(t[(k + 1) % 3]);
    ASSERT_NE(tip, lowest);
    held[tip] = held[highest] = 1;
    const auto tint = pin_highlight(torus, held);
    ASSERT_EQ(tint.size(), torus.vertices.size());
    EXPECT_GT(tint[lowest], 200);
    EXPECT_LT(tint[tip], 128) << "a tongue of the patch";
    EXPECT_EQ(tint[highest], 255) << "pinned by itself";
}

TEST(HeldTint, IsOfTheBodyAtRestAndMadeAnewOnlyForOtherPins) {
    World world(support::small_scene(), 1);
    const auto first = world.snapshot().surface;
    ASSERT_EQ(first->tint.size(), first->pinned.size());
    EXPECT_EQ(first->tint, pin_highlight(world.snapshot().scene->body.surface, first->pinned));
    world.apply(SetPins{{PinRule::below(0, 0.011)}});  // the same particles
    EXPECT_EQ(world.snapshot().surface, first);
    for (int k = 0; k < 20; ++k) world.step();
    world.apply(SetPins{{PinRule::below(0, 0.4)}});
    const auto other = world.snapshot().surface;
    ASSERT_NE(other, first);
    EXPECT_EQ(other->tint, pin_highlight(world.snapshot().scene->body.surface, other->pinned)) << "whatever shape it has now";
}

}  // namespace
}  // namespace wobble
