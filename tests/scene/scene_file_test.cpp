#include "engine/scene/scene_file.h"
#include "engine/scene/loaded_scene.h"
#include "engine/sim/forces.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;

class SceneFile : public testing::Test {
protected:
    fs::path folder = fs::temp_directory_path() / ("wobble_scene_" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name, std::ios::binary) << text;
        return folder / name;
    }
};

std::string refusal(std::string_view toml) {
    const auto scene = parse_scene(toml, "dir/x.toml", "x");
    return scene ? "accepted" : scene.message();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void expect_same(const Scene& a, const Scene& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.title, b.title);
    EXPECT_EQ(a.settings.parameters(), b.settings.parameters());
    EXPECT_TRUE(a.body().model == b.body().model);
    EXPECT_TRUE(a.wind == b.wind);
    EXPECT_EQ(a.camera, b.camera);
    EXPECT_EQ(a.body().initial_velocity, b.body().initial_velocity);
    EXPECT_EQ(a.body().initial_shear, b.body().initial_shear);
    EXPECT_EQ(a.settings.method, b.settings.method);
    EXPECT_EQ(a.settings.step, b.settings.step);
    EXPECT_EQ(a.frame_step, b.frame_step);
    EXPECT_TRUE(a.settings.solver == b.settings.solver);
    EXPECT_EQ(a.settings.control, b.settings.control);
    EXPECT_EQ(a.settings.error_tolerance, b.settings.error_tolerance);
    EXPECT_TRUE(a.recording == b.recording);
    EXPECT_TRUE(a.view == b.view);
    ASSERT_EQ(a.settings.pins().size(), b.settings.pins().size());
    for (std::size_t i = 0; i < a.settings.pins().size(); ++i) {
        EXPECT_TRUE(a.settings.pins()[i] == b.settings.pins()[i]) << i;
    }
    ASSERT_EQ(a.stated.has_value(), b.stated.has_value());
    if (a.stated) {
        EXPECT_EQ(a.stated->mass, b.stated->mass);
        EXPECT_EQ(a.stated->omega_max, b.stated->omega_max);
        EXPECT_EQ(a.stated->lowest_frequency, b.stated->lowest_frequency);
    }
    ASSERT_EQ(a.body().source.index(), b.body().source.index());
    if (const auto* shape = std::get_if<ShapeSource>(&a.body().source)) {
        EXPECT_EQ(shape->shape, std::get<ShapeSource>(b.body().source).shape);
        EXPECT_EQ(shape->parameters, std::get<ShapeSource>(b.body().source).parameters);
    } else {
        EXPECT_EQ(std::get<FileSource>(a.body().source).file, std::get<FileSource>(b.body().source).file);
        EXPECT_EQ(std::get<FileSource>(a.body().source).size, std::get<FileSource>(b.body().source).size);
    }
}

// A scene in which nothing has its default value.
Scene unusual_scene() {
    Scene s;
    s.name = "odd";
    s.title = "A \"quoted\" title with a \\ backslash";
    s.body().source = ShapeSource{"beam", {{"length", 1.5}, {"width", 0.3}}};
    s.settings.parameters() = {{1.5e7, 0, 1.0 / 3e3, 0.1 + 0.2, 7850, -1.62, 0.7, 2e-3, 3e7, 1.0 / 3}, 12345, 6.5};
    s.body().model = {ElasticModel::Kind::corotational, 0.25, 1.0 / 7, 2e-3, {{{0, 0.1, 0.2}, {0.5, 1.0 / 3, 1}, 1e4}, {.factor = 0.5}}};
    s.wind = {{1, 0.5, -2}, 3.5, 0.125};
    s.settings.pins() = {PinRule::above(0, 0.95), PinRule::below(2, 1.0 / 3)};
    s.settings.pins().push_back({.low = {0.1, 0.2, 0.3}, .kind = PinRule::Kind::plane, .direction = {0, 0.6, 0.8}});
    s.settings.pins().push_back({.high = {0.5, 1, 1}, .kind = PinRule::Kind::line, .direction = {1, 0, 0}});
    s.settings.pins().push_back({.amplitude = {0.1, 0, -0.2}, .frequency = 2.5});
    s.settings.solver.nonlinear = NonlinearSolver::superlinear;
    s.settings.solver.linear = LinearSolver::cg_rest;
    s.settings.control = StepControl::error;
    s.settings.error_tolerance = 0.007;
    s.body().initial_velocity = {0.1, -2, 1e-3};
    s.body().initial_shear = {1.0 / 7, 0, 3};
    s.settings.method = "verlet";
    s.settings.step = 1.0 / 2400;
    s.frame_step = 1.0 / 240;
    s.settings.solver.tolerance = 3e-9;
    s.camera = {-10.5, 33, 1.75};
    s.recording = {60, 640, 480, 2.5, RecordFormat::vtu, true, true, true, false};
    s.view = ViewOptions{.wireframe = true,
                         .ground = false,
                         .shadow = false,
                         .highlight_pins = false,
                         .dark = true,
                         .colour = {0.1f, 0.7f, 1.0f / 3},
                         .look = Look::metal,
                         .field = Field::stress,
                         .field_high = 12345.678f,
                         .tets = true,
                         .cut = 0.3f,
                         .cut_axis = 2,
                         .cut_low_side = true};
    s.stated = Stated{12.5, 7900.25, 2.125};
    return s;
}

TEST_F(SceneFile, WhatIsWrittenReadsBackTheSame) {
    const Scene scene = unusual_scene();
    const auto again = parse_scene(to_toml(scene), {}, scene.name);
    ASSERT_TRUE(again) << again.message() << "\n" << to_toml(scene);
    expect_same(scene, again.value());
}

TEST_F(SceneFile, AMeshNameStaysRightWhenTheSceneIsSavedElsewhere) {
    fs::create_directories(folder / "meshes");
    fs::create_directories(folder / "scenes");
    Scene scene = unusual_scene();
    scene.body().source = FileSource{folder / "meshes/cow.obj", 0};
    const fs::path file = folder / "scenes/odd.toml";
    ASSERT_TRUE(save_scene(scene, file));
    const auto again = load_scene(file.string());
    ASSERT_TRUE(again) << again.message();
    EXPECT_EQ(fs::weakly_canonical(std::get<FileSource>(again.value().body().source).file),
              fs::weakly_canonical(folder / "meshes/cow.obj"));
    EXPECT_EQ(again.value().origin, file);
}

TEST_F(SceneFile, EveryBuiltInSceneLoadsCompleteAndRoundTrips) {
    const auto names = builtin_scene_names();
    ASSERT_FALSE(names.empty());
    EXPECT_EQ(names.front(), "bunny");
    for (const char* wanted : {"bunny", "beam", "coil", "torus"})
        EXPECT_NE(std::find(names.begin(), names.end(), wanted), names.end()) << wanted;
    for (const std::string& name : names) {
        const auto scene = load_scene(name);
        ASSERT_TRUE(scene) << scene.message();
        EXPECT_EQ(scene.value().name, name);
        EXPECT_NE(scene.value().title, name) << name << " has no title";
        EXPECT_TRUE(!scene.value().settings.pins().empty() || !scene.value().settings.obstacles.empty()) << name << " would fall for ever";
        const auto again = parse_scene(to_toml(scene.value()), {}, name);
        ASSERT_TRUE(again) << again.message();
        expect_same(scene.value(), again.value());
    }
}

TEST_F(SceneFile, MissingKeysTakeTheDefaults) {
    const auto scene = parse_scene("title = \"t\"", {}, "x");
    ASSERT_TRUE(scene) << scene.message();
    EXPECT_EQ(scene.value().settings.parameters(), Parameters{});
    EXPECT_EQ(scene.value().settings.method, Scene{}.settings.method);
    EXPECT_FALSE(scene.value().settings.step);
    EXPECT_FALSE(scene.value().stated);
}

TEST_F(SceneFile, UnknownKeysNameFileLineAndTheNearestKnownKey) {
    EXPECT_EQ(refusal("title = \"a\"\n\n[parameters]\nstifness = 1e4\n"),
              "dir/x.toml:4: Unknown key \"stifness\" in [parameters]; did you mean \"stiffness\"?");
    EXPECT_EQ(refusal("[camra]\nyaw = 3\n"), "dir/x.toml:1: Unknown key \"camra\" at the top level; did you mean \"camera\"?");
    EXPECT_TRUE(contains(refusal("[view]\nlook = \"rubbr\"\n"), "dir/x.toml:2: Unknown look \"rubbr\""));
    EXPECT_TRUE(contains(refusal("[view]\n\ncut_axis = \"w\"\n"), "dir/x.toml:3: Unknown axis \"w\""));
    EXPECT_TRUE(contains(refusal("[view]\ncut = 1.5\n"), "dir/x.toml:2: cut = 1.5 is out of range"));
    EXPECT_TRUE(contains(refusal("[view]\nwireframe = 1\n"), "dir/x.toml:2: wireframe must be true or false"));
    EXPECT_TRUE(contains(refusal("[view]\ncolour = [0, 2, 0]\n"), "dir/x.toml:2: colour = 2 is out of range"));
    EXPECT_TRUE(contains(refusal("[view]\nwirefame = true\n"), "dir/x.toml:2: Unknown key \"wirefame\" in [view]"));
    EXPECT_TRUE(contains(refusal("[recording]\nformat = \"abc\"\n"), "dir/x.toml:2: Unknown format \"abc\""));
    EXPECT_TRUE(contains(refusal("[recording]\npanels = \"yes\"\n"), "dir/x.toml:2: panels must be true or false"));
    EXPECT_TRUE(contains(refusal("[recording]\nquux = 3\n"), "dir/x.toml:2: Unknown key \"quux\" in [recording]; known ones: fps, width"));
    EXPECT_TRUE(contains(refusal("[[pins]]\nbelow = 0.1\n[[pins]]\nbellow = 0.1\n"), "dir/x.toml:4: Unknown key \"bellow\""));
}

TEST_F(SceneFile, WrongTypesNameTheLine) {
    EXPECT_EQ(refusal("[parameters]\nstiffness = \"high\""), "dir/x.toml:2: stiffness must be a number.");
    EXPECT_EQ(refusal("[parameters]\ndensity = true"), "dir/x.toml:2: density must be a number.");
    EXPECT_EQ(refusal("title = 7"), "dir/x.toml:1: title must be a text in quotes.");
    EXPECT_EQ(refusal("parameters = 7"), "dir/x.toml:1: parameters must be a table.");
    EXPECT_EQ(refusal("[recording]\nfps = 29.97"), "dir/x.toml:2: fps must be a whole number.");
    EXPECT_TRUE(contains(refusal("[initial]\nvelocity = [1, 2]"), "dir/x.toml:2: velocity must be three numbers"));
    EXPECT_TRUE(contains(refusal("[initial]\nvelocity = [1, 2, \"x\"]"), "dir/x.toml:2: velocity must be a number"));
    EXPECT_TRUE(contains(refusal("pins = 3"), "dir/x.toml:1: pins must be written as"));
    EXPECT_TRUE(contains(refusal("pins = [1, 2]"), "dir/x.toml:1: pins must be written as"));
    EXPECT_TRUE(contains(refusal("[[pins]]\naxis = \"w\""), "dir/x.toml:2: axis must be"));
    EXPECT_TRUE(contains(refusal("[[pins]]\nbelow = 0.1\nabove = 0.9"), "dir/x.toml:3: A pin rule has one of"));
    EXPECT_TRUE(contains(refusal("[source]\nshape = \"beam\"\nfile = \"x.obj\""), "dir/x.toml:2: [source] names both"));
}

TEST_F(SceneFile, UnknownShapesAndIntegratorsNameTheNearestAndTheLine) {
    EXPECT_EQ(refusal("[integrator]\nid = \"verlt\""), "dir/x.toml:2: Unknown integrator \"verlt\"; did you mean \"verlet\"?");
    EXPECT_TRUE(contains(refusal("[integrator]\nid = \"magic\""), "dir/x.toml:2: Unknown integrator \"magic\"; known ones: "));
    EXPECT_EQ(refusal("[source]\nshape = \"buny\""), "dir/x.toml:2: Unknown shape \"buny\"; did you mean \"bunny\"?");
    EXPECT_EQ(refusal("[source]\nshape = \"beam\"\n[source.parameters]\nlenght = 2.0"),
              "dir/x.toml:4: Unknown parameter of this shape \"lenght\"; did you mean \"length\"?");
    EXPECT_TRUE(
        contains(refusal("[source]\nshape = \"beam\"\nparameters = { length = -2 }"), "dir/x.toml:3: length must be a number from"));
}

TEST_F(SceneFile, ValuesOutOfRangeNameLineValueAndRange) {
    EXPECT_EQ(refusal("[parameters]\nstiffness = -1"), "dir/x.toml:2: stiffness = -1 is out of range; choose 100 to 1e+12 N/m.");
    EXPECT_TRUE(contains(refusal("[parameters]\ndensity = nan"), "dir/x.toml:2: density = nan is out of range"));
    EXPECT_TRUE(contains(refusal("[parameters]\ngravity = inf"), "dir/x.toml:2: gravity = inf is out of range"));
    EXPECT_TRUE(contains(refusal("[integrator]\nstep = nan"), "dir/x.toml:2: step = nan is out of range"));
    EXPECT_TRUE(contains(refusal("[integrator]\nstep = -0.1"), "dir/x.toml:2: step = -0.1 is out of range"));
    EXPECT_TRUE(contains(refusal("[recording]\nwidth = 9000000000000"), "dir/x.toml:2: width = 9e+12 is out of range"));
    EXPECT_TRUE(contains(refusal("[[pins]]\nbelow = 2"), "dir/x.toml:2: below = 2 is out of range"));
    EXPECT_TRUE(contains(refusal("[[pins]]\nlow = [0.5, 0, 0]\nhigh = [0.4, 1, 1]"), "dir/x.toml:2: The box of this pin rule is empty"));
    EXPECT_TRUE(contains(refusal("[[pins]]\nbelow = 0.1\nlow = [0, 0, 0]"), "dir/x.toml:3: A pin rule has either"));
    EXPECT_TRUE(contains(refusal("[[pins]]\nplane = [0, 0, 0]"), "dir/x.toml:2: The direction of a plane or line"));
    EXPECT_TRUE(contains(refusal("[[pins]]\nline = [0, 1, 0]\namplitude = [0.1, 0, 0]"), "dir/x.toml:3: Only held particles"));
    EXPECT_TRUE(contains(refusal("[[pins]]\nfrequency = 5000"), "dir/x.toml:2: frequency = 5000 is out of range"));
    EXPECT_TRUE(contains(refusal("[integrator]\nlinear_solver = \"choleski\""), "dir/x.toml:2: Unknown linear solver"));
    EXPECT_TRUE(contains(refusal("[integrator]\nstep_control = 3"), "dir/x.toml:2: step_control must be"));
    EXPECT_TRUE(contains(refusal("[initial]\nshear = [0, inf, 0]"), "dir/x.toml:2: shear = inf is out of range"));
    EXPECT_TRUE(contains(refusal("title = \"two\\nlines\""), "dir/x.toml:1: title must be one line"));
}

TEST_F(SceneFile, StiffRegionsAreReadInOrderAndBadOnesRefused) {
    const auto scene = parse_scene("[[regions]]\nhigh = [1, 0.5, 1]\nfactor = 1e4\n[[regions]]\nlow = [0.5, 0, 0]\nfactor = 2\n", {}, "x");
    ASSERT_TRUE(scene) << scene.message();
    const std::vector<StiffRegion> expected{{.high = {1, 0.5, 1}, .factor = 1e4}, {.low = {0.5, 0, 0}, .factor = 2}};
    EXPECT_TRUE(scene.value().body().model.regions == expected);
    EXPECT_TRUE(contains(refusal("regions = 3"), "dir/x.toml:1: regions must be written as up to 64 tables [[regions]]"));
    EXPECT_TRUE(contains(refusal("[[regions]]\nlow = [0, -0.1, 0]"), "dir/x.toml:2: low = -0.1 is out of range; choose 0 to 1."));
    EXPECT_TRUE(contains(refusal("[[regions]]\nhigh = [0, 1.1, 0]"), "dir/x.toml:2: high = 1.1 is out of range"));
    EXPECT_TRUE(contains(refusal("[[regions]]\nhigh = [0, 0.4, 0]\nlow = [0, 0.5, 0]"), "dir/x.toml:3: The box of this region is empty"));
    for (const char* bad : {"0", "-1", "nan", "inf", "1e13"})
        EXPECT_TRUE(contains(refusal(std::string("[[regions]]\nfactor = ") + bad), "dir/x.toml:2: factor = ")) << bad;
    EXPECT_TRUE(contains(refusal("[[regions]]\nfactr = 2"), "did you mean \"factor\""));
}

TEST_F(SceneFile, ARegionWithoutElementsIsRefused) {
    Scene scene;
    scene.name = "odd";
    scene.body().source = ShapeSource{"beam", {}};
    scene.settings.parameters().resolution = 100;
    scene.body().model.regions = {{.high = {0.5, 1, 1}, .factor = 10}};
    EXPECT_TRUE(build_scene(scene));
    scene.body().model.regions.push_back({.high = {0, 0, 0}, .factor = 10});  // a corner: a vertex, but no centroid
    const auto refused = build_scene(scene);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(contains(refused.message(), "Region 2 of scene \"odd\" catches no spring")) << refused.message();
}

TEST_F(SceneFile, TheFirstOfSeveralMistakesIsTold) {
    EXPECT_TRUE(contains(refusal("zebra = 1\n[camera]\nyaw = \"x\"\n[parameters]\nmass = 3\n"), "dir/x.toml:1: "));
    EXPECT_TRUE(contains(refusal("[camera]\nyaw = \"x\"\npitch = 1\n[parameters]\nmass = 3\n"), "dir/x.toml:2: "));
}

TEST_F(SceneFile, BrokenTomlNamesTheLine) {
    EXPECT_TRUE(contains(refusal("title = \"a\"\n[parameters\n"), "dir/x.toml:2: This is not TOML"));
    EXPECT_TRUE(contains(refusal("a = 1\na = 2\n"), "dir/x.toml:2: This is not TOML"));
    EXPECT_TRUE(contains(refusal(std::string("title = \"\xff\xfe\"\n", 13)), "This is not TOML"));
    EXPECT_TRUE(contains(refusal("x = " + std::string(5000, '[')), "This is not TOML"));
}

TEST_F(SceneFile, AMeshFileBecomesASceneHeldAtItsFoot) {
    const fs::path file = write("cube.OBJ", "v 0 0 0\n");
    const auto scene = load_scene(file.string());
    ASSERT_TRUE(scene) << scene.message();
    EXPECT_EQ(scene.value().name, "cube");
    EXPECT_EQ(std::get<FileSource>(scene.value().body().source).file, file);
    ASSERT_EQ(scene.value().settings.pins().size(), 1u);
    EXPECT_TRUE(scene.value().settings.pins()[0] == PinRule::below(1, 0.05));
}

TEST_F(SceneFile, UnknownNamesListWhatThereIs) {
    const auto scene = load_scene("buny");
    ASSERT_FALSE(scene);
    EXPECT_TRUE(contains(scene.message(), "\"buny\"")) << scene.message();
    EXPECT_TRUE(contains(scene.message(), "did you mean \"bunny\"?")) << scene.message();
    EXPECT_TRUE(
        contains(scene.message(), "bunny, beam, beams, bounce, cloth, coil, drape, drop, jelly, pile, spring_bunny, squeeze, torus"))
        << scene.message();
    EXPECT_FALSE(load_scene(""));
    EXPECT_FALSE(load_scene(std::string_view("a\0b.toml", 8)));
    EXPECT_FALSE(load_scene(std::string(100000, 'x')));
}

TEST_F(SceneFile, ThingsThatAreNoSceneAreRefusedAtOnce) {
    const auto expect_refused = [&](const fs::path& file, const std::string& why) {
        const auto scene = load_scene(file.string());
        ASSERT_FALSE(scene) << file;
        EXPECT_TRUE(contains(scene.message(), file.string())) << scene.message();
        EXPECT_TRUE(contains(scene.message(), why)) << scene.message();
    };
    expect_refused(folder, "is a folder");
    fs::create_directories(folder / "folder.toml");
    expect_refused(folder / "folder.toml", "is a folder");
    expect_refused(write("empty.toml", ""), "is empty");
    expect_refused(write("empty.obj", ""), "is empty");
    expect_refused(write("binary.toml", std::string("\x7f"
                                                    "ELF\0\1\2\3",
                                                    8)),
                   "not TOML");
    expect_refused(write("notes.txt", "hello"), "neither a scene (.toml) nor a mesh (.obj, .ply");
    expect_refused(folder / "missing.toml", "There is no file");
    for (const char* name : {"big.toml", "big.obj"}) {
        write(name, "x");
        fs::resize_file(folder / name, 300'000'000);  // sparse
        expect_refused(folder / name, "300 MB");
    }
    for (const char* name : {"pipe.toml", "pipe.obj"}) {
        ASSERT_EQ(::mkfifo((folder / name).c_str(), 0600), 0);
        expect_refused(folder / name, "pipe");
    }
}

TEST(Parameters, TheTableCoversEveryFieldOnceAndItsDefaults) {
    Parameters values;
    EXPECT_EQ(parameters().size() * sizeof(double), sizeof(Parameters));
    for (const Parameter& p : parameters()) {
        EXPECT_EQ(find_parameter(p.name), &p);
        const double fallback = values.*(p.field);
        EXPECT_TRUE(set_parameter(values, p.name, fallback)) << p.name << ": its default is refused";
        EXPECT_LT(p.low, p.high);
        EXPECT_TRUE(!p.logarithmic || p.low > 0) << p.name;
        ASSERT_TRUE(set_parameter(values, p.name, p.high));
        EXPECT_EQ(values.*(p.field), p.high);
    }
}

TEST(Parameters, EveryForceIsGovernedByOne) {
    for (const ForceInfo& force : forces()) EXPECT_NE(find_parameter(force.parameter), nullptr) << force.name;
}

TEST(Parameters, RefusalsNameWhatIsWrongAndChangeNothing) {
    Parameters values;
    for (const double bad : {-1.0, 1e300, std::nan(""), HUGE_VAL, -HUGE_VAL})
        for (const Parameter& p : parameters()) {
            if (bad == -1.0 && std::string(p.name) == "gravity") continue;
            const auto set = set_parameter(values, p.name, bad);
            ASSERT_FALSE(set) << p.name << " = " << bad;
            EXPECT_TRUE(contains(set.message(), p.name) && contains(set.message(), p.unit)) << set.message();
        }
    EXPECT_EQ(values, Parameters{});
    const auto unknown = set_parameter(values, "stifness", 1);
    ASSERT_FALSE(unknown);
    EXPECT_TRUE(contains(unknown.message(), "\"stifness\"") && contains(unknown.message(), "did you mean \"stiffness\""))
        << unknown.message();
    EXPECT_TRUE(contains(unknown.message(), "mass_damping")) << unknown.message();
    EXPECT_FALSE(set_parameter(values, "stiffness", 0));
    EXPECT_TRUE(set_parameter(values, "damping", 0));
}

}  // namespace
}  // namespace wobble
