// How a mesh file was opened is remembered per file, in lines that people may edit.
#include "app/scene/import_choices.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

TEST(ImportChoices, AreRememberedPerFileNewestFirst) {
    std::vector<std::string> lines;
    const ImportChoices chosen{0, LengthUnit::inch, UpAxis::z, Hold::painted, 800.0};
    for (int i = 0; i < 40; ++i) remember(lines, "/tmp/a " + std::to_string(i) + ".obj", {.size = 1.0 + i});
    remember(lines, "/tmp/a 39.obj", chosen);
    EXPECT_EQ(lines.size(), most_import_lines);
    EXPECT_EQ(remembered(lines, "/tmp/a 39.obj"), chosen);
    EXPECT_EQ(remembered(lines, "/tmp/a 38.obj"), (ImportChoices{.size = 39}));
    EXPECT_EQ(remembered(lines, "/tmp/a 1.obj"), std::nullopt) << "too long ago";
    EXPECT_EQ(remembered(lines, ""), std::nullopt);
    // What people may have written into the file.
    for (const char* line :
         {"", "/tmp/b.obj", "size=1 unit=m up=y hold=top /tmp/b.obj", "size=-1 unit=m up=y hold=top resolution=fit /tmp/b.obj",
          "size=1 unit=mile up=y hold=top resolution=fit /tmp/b.obj", "size=nan unit=m up=y hold=top resolution=fit /tmp/b.obj",
          "size=1 unit=m up=y hold=top resolution=1e99 /tmp/b.obj", "size=1 unit=m up=y hold=top resolution=fit"})
        EXPECT_EQ(remembered({line}, "/tmp/b.obj"), std::nullopt) << line;
    EXPECT_TRUE(remembered({import_line("/tmp/b.obj", {})}, "/tmp/b.obj"));
}

TEST(ImportChoices, AreThoseOfTheSceneTheyWereAppliedTo) {
    for (const HoldInfo& hold : holds()) {
        Scene scene;
        scene.body().source = FileSource{.file = "x.obj"};
        const ImportChoices chosen{0.2, LengthUnit::millimetre, UpAxis::x, hold.kind, 700.0};
        apply(chosen, scene);
        EXPECT_EQ(import_choices(scene, false), chosen);
        EXPECT_EQ(import_choices(scene, true).resolution, std::nullopt);
    }
    Scene painted;
    painted.settings.pins() = {PinRule::below(0, 0.2)};
    apply({.hold = Hold::painted}, painted);
    EXPECT_EQ(painted.settings.pins().size(), 1u);
}

}  // namespace
}  // namespace wobble
