// Pictures of one body and of several: where things are in them.
#include "tests/app/picture_fixture.h"

#include <cmath>

namespace wobble {
namespace {

TEST_F(Picture, HasTheSizeAskedFor) {
    const Snapshot torus = wobbling_torus(0);
    for (const auto& [w, h] : {std::pair{640, 360}, {33, 257}, {640, 360}}) {
        ASSERT_TRUE(renderer_->draw(torus, camera_for(torus), {}, w, h));
        const Image image = renderer_->picture();
        EXPECT_EQ(image.width, w);
        EXPECT_EQ(image.height, h);
        EXPECT_EQ(image.rgb.size(), std::size_t(3 * w * h));
    }
    const auto refused = renderer_->draw(torus, camera_for(torus), {}, 100000, 10);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.message().find("100000x10"), std::string::npos);
}

// Every surface point that looks at the camera is drawn where the camera matrix puts it; far from the body nothing changes.
TEST_F(Picture, TheBodyIsWhereTheSnapshotSays) {
    for (const double t : {0.0, 0.25, 0.75}) {
        const Snapshot torus = wobbling_torus(t);
        const Camera camera = camera_for(torus);
        const Image with = draw(torus, camera), without = draw(without_body(torus), camera);
        int checked = 0, seen = 0;
        for (std::size_t i = 0; i < torus.positions.size(); i += 37) {
            const auto place = camera.project(torus.positions[i], width, height);
            ASSERT_TRUE(place);
            const int x = int(place->x()), y = int(place->y());
            ASSERT_TRUE(x > 0 && y > 0 && x < width - 1 && y < height - 1);
            ++checked;
            seen += difference(with, without, x, y) > 24;
        }
        EXPECT_GE(seen, 0.98 * checked) << "at t = " << t;  // silhouettes may fall half a pixel outside
        for (const auto& [x, y] : {std::pair{5, 5}, {width - 6, 5}, {5, height / 2}, {width - 6, height / 2}})
            EXPECT_LE(difference(with, without, x, y), 6) << x << ", " << y;
    }
}

TEST_F(Picture, ChangesWhileTheBodyMovesAndOnlyThen) {
    const Snapshot still = wobbling_torus(0), swayed = wobbling_torus(0.25);
    const Camera camera = camera_for(still);
    const Image first = draw(still, camera);
    EXPECT_EQ(draw(still, camera).rgb, first.rgb);
    EXPECT_GT(different_pixels(first, draw(swayed, camera)), width * height / 50);
}

TEST_F(Picture, OptionsAndGrabAreSeen) {
    Snapshot torus = wobbling_torus(0);
    const Camera camera = camera_for(torus);
    const Image plain = draw(torus, camera);
    ViewOptions wire, bare, unpinned, unlit;
    wire.wireframe = true;
    bare.ground = false;
    unpinned.highlight_pins = false;
    unlit.shadow = false;
    EXPECT_GT(different_pixels(plain, draw(torus, camera, wire)), 1000);
    EXPECT_GT(different_pixels(plain, draw(torus, camera, bare)), 500);
    EXPECT_GT(different_pixels(plain, draw(torus, camera, unlit)), 500);
    EXPECT_GT(different_pixels(plain, draw(torus, camera, unpinned), 6), 20);
    torus.grab = GrabView{torus.positions[0], torus.positions[0] + Vec3f(0.1f, 0.3f, 0)};
    const Image grabbed = draw(torus, camera);
    const auto middle = camera.project(torus.positions[0] + Vec3f(0.05f, 0.15f, 0), width, height);
    ASSERT_TRUE(middle);
    int changed = 0;
    for (int dx = -3; dx <= 3; ++dx) changed += difference(plain, grabbed, int(middle->x()) + dx, int(middle->y())) > 24;
    EXPECT_GT(changed, 0);
}

TEST_F(Picture, AnEmptySnapshotIsAnEmptyRoom) {
    const Image image = draw(Snapshot{}, Camera{});
    EXPECT_GT(int(image.pixel(width / 2, 4)[0]), 150);
}

class SeveralBodies : public Picture {
protected:
    Image draw_all(std::initializer_list<Snapshot> snapshots, Layout layout, const Camera& camera, const ViewOptions& options = {}) {
        std::vector<BodyView> views;
        const Vec3f colours[] = {{0.7f, 0.1f, 0.05f}, {0.05f, 0.2f, 0.7f}, {0.05f, 0.5f, 0.1f}, {0.5f, 0.4f, 0.05f}};
        for (const Snapshot& one : snapshots) views.push_back({std::make_shared<const Snapshot>(one), colours[views.size() % 4], 0.45f});
        const auto drawn = renderer_->draw(views, layout, camera, options, width, height);
        EXPECT_TRUE(drawn) << drawn.message();
        return renderer_->picture();
    }
    static Snapshot moved(Snapshot snapshot, const Vec3f& by) {
        for (Vec3f& x : snapshot.positions) x += by;
        return snapshot;
    }
};

TEST_F(SeveralBodies, OverlaidAllAreSeenAndGhostsLetThroughWhatIsBehind) {
    const Snapshot torus = wobbling_torus(0), left = moved(torus, {-0.25f, 0, -0.1f}), right = moved(torus, {0.25f, 0, -0.2f});
    Camera camera = camera_for(torus);
    camera.yaw = 0;
    ViewOptions options;
    options.shadow = false;
    const Image one = draw_all({torus}, Layout::overlaid, camera, options);
    const Image two = draw_all({torus, left}, Layout::overlaid, camera, options);
    const Image three = draw_all({torus, left, right}, Layout::overlaid, camera, options);
    const Image solid_left = draw_all({left}, Layout::overlaid, camera, options);
    const Image room = draw(without_body(torus), camera, options);
    int ghost = 0, thinner = 0, kept = 0, solid = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool first = difference(one, room, x, y) > 60, second = difference(solid_left, room, x, y) > 60;
            const bool thin = difference(two, room, x, y) > 24 && brightness(two, x, y) > brightness(solid_left, x, y);
            if (second && !first) ++ghost, thinner += thin;
            if (first) ++solid, kept += difference(one, two, x, y) < 24;
        }
    ASSERT_GT(ghost, 1000);
    EXPECT_GT(thinner, 0.9 * ghost);
    EXPECT_GT(kept, 0.85 * solid);  // the ghost is behind it but for a few places
    EXPECT_GT(different_pixels(two, three), 1000);
    // A ghost that coincides with the solid body is not seen.
    EXPECT_LT(different_pixels(one, draw_all({torus, torus}, Layout::overlaid, camera, options)), 60);
}

TEST_F(SeveralBodies, SideBySideEachKeepsToItsCell) {
    const Snapshot still = wobbling_torus(0), swayed = wobbling_torus(0.25);
    Camera camera = camera_for(still);
    camera.distance *= 0.4f;  // larger than a cell
    for (const int changed : {0, 1, 2, 3}) {
        std::vector<Snapshot> bodies(4, still);
        const Image before = draw_all({bodies[0], bodies[1], bodies[2], bodies[3]}, Layout::side_by_side, camera);
        bodies[static_cast<std::size_t>(changed)] = swayed;
        const Image after = draw_all({bodies[0], bodies[1], bodies[2], bodies[3]}, Layout::side_by_side, camera);
        const ViewRect cell = cells(Layout::side_by_side, 4, {0, 0, width, height})[static_cast<std::size_t>(changed)];
        int inside = 0, outside = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const bool in = x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height;
                (in ? inside : outside) += difference(before, after, x, y) > 0;
            }
        EXPECT_GT(inside, 1000) << changed;
        EXPECT_EQ(outside, 0) << changed;
    }
}

TEST_F(SeveralBodies, AnEmptyComparisonIsAnEmptyRoom) {
    EXPECT_TRUE(renderer_->draw({}, Layout::side_by_side, Camera{}, {}, width, height));
    EXPECT_GT(int(renderer_->picture().pixel(width / 2, 4)[0]), 150);
    const BodyView nothing[2];
    EXPECT_TRUE(renderer_->draw(nothing, Layout::overlaid, Camera{}, {}, width, height));
    EXPECT_GT(int(renderer_->picture().pixel(width / 2, 4)[0]), 150);
}

TEST_F(Picture, MarkedFacesAreSeen) {
    const Snapshot torus = wobbling_torus(0, 24, 12);
    const Camera camera = camera_for(torus);
    TriMesh mesh;
    for (const Vec3f& x : torus.positions) mesh.vertices.push_back(x.cast<double>());
    mesh.triangles = torus.surface->triangles;
    std::vector<std::uint8_t> marks(mesh.triangles.size(), 0);
    const auto reds = [&] {
        EXPECT_TRUE(renderer_->draw_surface(mesh, marks, camera, {}, width, height));
        const Image image = renderer_->picture();
        int count = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) count += image.pixel(x, y)[0] > 150 && image.pixel(x, y)[1] < 100;
        return count;
    };
    EXPECT_EQ(reds(), 0);
    std::fill(marks.begin(), marks.end(), 1);
    const int all = reds();
    EXPECT_GT(all, 5000);
    for (auto& [a, b, c] : mesh.triangles) std::swap(b, c);  // the other side is seen as well
    EXPECT_GT(reds(), 0.98 * all);
    std::fill(marks.begin(), marks.begin() + static_cast<std::ptrdiff_t>(marks.size() / 2), 0);
    const int half = reds();
    EXPECT_GT(half, 0.2 * all);
    EXPECT_LT(half, 0.8 * all);

    // A face without an area is shown by a ring; what cannot be drawn is left out.
    std::fill(marks.begin(), marks.end(), 0);
    mesh.triangles.push_back({5, 5, 5});
    marks.push_back(1);
    EXPECT_GT(reds(), 20);
    mesh.vertices.push_back(Vec3::Constant(std::nan("")));
    mesh.triangles.push_back({-3, 1, 1 << 30});
    mesh.triangles.push_back({0, 1, static_cast<int>(mesh.vertices.size()) - 1});
    marks.resize(mesh.triangles.size(), 1);
    EXPECT_GT(reds(), 20);
    mesh = {};
    EXPECT_EQ(reds(), 0);
}

TEST(Headless, ContextsComeAndGo) {
    for (int i = 0; i < 3; ++i) {
        const auto context = HeadlessContext::make();
        ASSERT_TRUE(context) << context.message();
        EXPECT_TRUE(Renderer::make());
    }
}

TEST_F(Picture, SizesBeyondTheGraphicsCardAreSaidAndTheNextPictureIsDrawn) {
    const Snapshot torus = wobbling_torus(0, 24, 12);
    for (const auto& [wide, high] : {std::pair{200000, 64}, {64, 200000}, {0, 64}, {64, -1}}) {
        const auto refused = renderer_->draw(torus, camera_for(torus), {}, wide, high);
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.message().find(std::to_string(wide) + "x" + std::to_string(high)), std::string::npos) << refused.message();
    }
    const Image empty = draw(without_body(torus), camera_for(torus)), body = draw(torus, camera_for(torus));
    EXPECT_GT(different_pixels(empty, body), 1000);
}

}  // namespace
}  // namespace wobble
