// How bodies look: colours of a field, tetrahedra and their cut, materials, wireframe.
#include "app/viewer/colour_map.h"
#include "tests/app/picture_fixture.h"

#include <cmath>

namespace wobble {
namespace {

using Looks = Picture;

// A torus that carries a field, the same value everywhere.
Snapshot with_field(float value) {
    Snapshot torus = wobbling_torus(0);
    torus.field = Field::speed;
    torus.values.assign(torus.positions.size(), value);
    return torus;
}

TEST_F(Looks, LargerValuesAreBrighter) {
    const Snapshot plain = wobbling_torus(0);
    const Camera camera = camera_for(plain);
    ViewOptions options;
    options.field = Field::speed;
    options.field_high = 2;
    options.highlight_pins = false;
    const Image without = draw(without_body(plain), camera, options), uncoloured = draw(plain, camera, options);
    EXPECT_EQ(renderer_->colour_scale().field, Field::none);  // this snapshot came without values
    double before = 0;
    for (const float value : {0.0f, 0.5f, 1.0f, 1.5f, 2.0f}) {
        const Image image = draw(with_field(value), camera, options);
        EXPECT_EQ(renderer_->colour_scale().high, 2);
        double sum = 0;
        int count = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                if (difference(uncoloured, without, x, y) > 150) sum += brightness(image, x, y), ++count;
        ASSERT_GT(count, 1000);
        EXPECT_GT(sum / count, before + 5) << "for the value " << value;
        before = sum / count;
    }
    EXPECT_EQ(different_pixels(draw(with_field(5), camera, options), draw(with_field(2), camera, options), 4), 0);  // beyond the end
}

TEST(ColourScale, RisesAtOnceAndSinksSlowly) {
    Snapshot torus = wobbling_torus(0);
    torus.field = Field::speed;
    torus.values.assign(1000, 1.0f);
    torus.values[3] = 500;  // a spike does not count
    ViewOptions options;
    options.field = Field::speed;
    ScaleChooser chooser;
    const Snapshot* const shown[] = {&torus};
    chooser.update(shown, options);
    EXPECT_EQ(chooser.scale().high, 1);
    EXPECT_EQ(chooser.scale().low, 0);
    torus.values.assign(1000, 3.0f);
    torus.t = 0.1;
    chooser.update(shown, options);
    EXPECT_EQ(chooser.scale().high, 3);
    torus.values.assign(1000, 0.0f);  // the turning point of a swing
    torus.t = 0.2;
    chooser.update(shown, options);
    EXPECT_GT(chooser.scale().high, 2.8f);
    EXPECT_LT(chooser.scale().high, 3);
    EXPECT_EQ(chooser.scale().histogram.front(), 1);
    for (int i = 0; i < 100; ++i) torus.t += 0.5, chooser.update(shown, options);
    EXPECT_LT(chooser.scale().high, 0.01f);
    EXPECT_GT(chooser.scale().high, 0);
    options.field_high = 7;
    chooser.update(shown, options);
    EXPECT_EQ(chooser.scale().high, 7);
    options.field = Field::strain;  // asked for, but not there yet
    chooser.update(shown, options);
    EXPECT_EQ(chooser.scale().field, Field::none);
}

TEST(ColourMap, GrowsEvenlyInLightness) {
    const auto lightness = [](const Vec3f& c) {  // of OKLab, grey part of it is enough for the order
        const Vec3f linear = c.array().pow(2.2f).matrix();
        return std::cbrt(0.2126f * linear.x() + 0.7152f * linear.y() + 0.0722f * linear.z());
    };
    for (int i = 0; i < 50; ++i)
        EXPECT_LT(lightness(colour_map(static_cast<float>(i) / 50)), lightness(colour_map(static_cast<float>(i + 1) / 50)));
    EXPECT_TRUE(colour_map(-1) == colour_map(0));
    EXPECT_TRUE(colour_map(2) == colour_map(1));
    EXPECT_TRUE(colour_map(std::nanf("")) == colour_map(0));
}

TEST(DataRequest, AsksOnceForWhatIsMissing) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->scene = std::make_shared<LoadedScene>();
    const std::shared_ptr<const Snapshot> shown[] = {snapshot};
    ViewOptions options;
    DataRequest request;
    EXPECT_FALSE(request.next(shown, wanted_data(options), 0));
    options.field = Field::strain;
    const auto asked = request.next(shown, wanted_data(options), 0.1);
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->field, Field::strain);
    EXPECT_FALSE(request.next(shown, wanted_data(options), 0.2));  // the engine may be in a long step
    EXPECT_TRUE(request.next(shown, wanted_data(options), 2));     // but it may also be another one by now
    snapshot->field = Field::strain;
    EXPECT_FALSE(request.next(shown, wanted_data(options), 4));
    options.tets = true;
    ASSERT_TRUE(request.next(shown, wanted_data(options), 4.1));
    snapshot->particle_positions.resize(1);
    EXPECT_FALSE(request.next(shown, wanted_data(options), 6));
    options.tets = false;
    EXPECT_TRUE(request.next(shown, wanted_data(options), 6.1));  // no longer wanted
}

// A block of 0.6 m made of 6 tets per cell, with its particles in the snapshot.
Snapshot block_of_tets(int cells_per_side) {
    auto scene = std::make_shared<LoadedScene>();
    TetMesh& mesh = scene->body.tets;
    const int n = cells_per_side + 1;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) mesh.vertices.push_back(Vec3(i, j, k) * (0.6 / cells_per_side));
    const auto id = [&](const Eigen::Vector3i& p) { return (p.x() * n + p.y()) * n + p.z(); };
    for (int i = 0; i + 1 < n; ++i)
        for (int j = 0; j + 1 < n; ++j)
            for (int k = 0; k + 1 < n; ++k)
                for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}}) {  // along a, then b, then the last
                    Eigen::Vector3i p(i, j, k);
                    Tet tet{id(p), 0, 0, 0};
                    ++p[a], tet[1] = id(p), ++p[b], tet[2] = id(p), ++p[3 - a - b], tet[3] = id(p);
                    if (volume(mesh, tet) < 0) std::swap(tet[2], tet[3]);
                    mesh.tets.push_back(tet);
                }
    Snapshot snapshot = wobbling_torus(0);
    snapshot.scene = scene;
    for (const Vec3& x : mesh.vertices) snapshot.particle_positions.push_back(x.cast<float>());
    snapshot.field = Field::strain;
    for (const Vec3& x : mesh.vertices) snapshot.particle_values.push_back(static_cast<float>(x.y()));
    snapshot.tets = static_cast<int>(mesh.tets.size());
    return snapshot;
}

TEST_F(Looks, ADeeperCutLeavesFewerTets) {
    const Snapshot block = block_of_tets(6);
    Camera camera = camera_for(block);
    camera.target = Vec3f::Constant(0.3f);
    camera.distance = 4;
    ViewOptions options;
    options.ground = options.shadow = false;
    const Image room = draw(without_body(wobbling_torus(0)), camera, options);
    options.tets = true;
    for (const int axis : {0, 1, 2})
        for (const bool low_side : {false, true}) {
            options.cut_axis = axis;
            options.cut_low_side = low_side;
            int before = width * height;
            for (const float cut : {0.0f, 0.3f, 0.6f, 0.9f, 1.0f}) {
                options.cut = cut;
                const int covered = different_pixels(draw(block, camera, options), room, 12);
                EXPECT_LT(covered, before) << "axis " << axis << ", cut " << cut;
                before = covered;
            }
            EXPECT_EQ(before, 0);
        }
    options.cut = 0.5f;
    const Image grey = draw(block, camera, options);
    options.field = Field::strain;
    EXPECT_GT(different_pixels(draw(block, camera, options), grey), 1000);
    Snapshot surface_only = block;  // what comes before the engine has answered
    surface_only.particle_positions.clear();
    EXPECT_GT(different_pixels(draw(surface_only, camera, options), room), 1000);
}

TEST_F(Looks, EveryLookAndRoomIsDifferent) {
    const Snapshot torus = wobbling_torus(0);
    const Camera camera = camera_for(torus);
    std::vector<Image> pictures;
    for (const LookInfo& look : looks())
        for (const bool dark : {false, true}) {
            ViewOptions options;
            options.look = look.kind;
            options.dark = dark;
            pictures.push_back(draw(torus, camera, options));
            for (std::size_t i = 0; i + 1 < pictures.size(); ++i)
                EXPECT_GT(different_pixels(pictures[i], pictures.back(), 12), 1500) << look.id << ", dark " << dark << ", as " << i;
        }
}

// Lines closer than a pixel would make everything dark.
TEST_F(Looks, AFineWireframeDoesNotBlackenTheBody) {
    ViewOptions plain, wire;
    wire.wireframe = true;
    const auto darkening = [&](const Snapshot& torus) {
        const Image a = draw(torus, camera_for(torus), plain), b = draw(torus, camera_for(torus), wire);
        double sum = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) sum += std::abs(brightness(a, x, y) - brightness(b, x, y));
        return sum;
    };
    EXPECT_LT(darkening(wobbling_torus(0, 500, 300)), 0.3 * darkening(wobbling_torus(0, 48, 24)));
}

}  // namespace
}  // namespace wobble
