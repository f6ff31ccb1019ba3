// TOML text -> Scene.
#include "engine/integrate/methods.h"
#include "engine/scene/scene_file.h"
#include "engine/scene/scene_reader.h"

namespace wobble {

namespace {

void read_integrator(Reader& reader, std::string& id) {
    reader.text("id", id, 64);
    const toml::node* node = reader.find("id");
    if (!node || !node->is_string() || find_method(id)) return;
    std::vector<std::string> known;
    for (const Method& method : methods()) known.emplace_back(method.info.id);
    reader.unknown(*node, "integrator", id, known);
}

void read_view(Reader& reader, ViewOptions& view) {
    const auto real = [&](const char* key, float& value, Range range) {
        double wide = value;
        reader.number(key, wide, range);
        value = static_cast<float>(wide);
    };
    read_choice(reader, "field", "field", fields(), view.field);
    real("field_high", view.field_high, limits::field_high);
    read_choice(reader, "look", "look", looks(), view.look);
    Vec3 colour = view.colour.cast<double>();
    reader.vector("colour", colour, {0, 1});
    view.colour = colour.cast<float>();
    reader.flag("file_colours", view.file_colours);
    reader.flag("wireframe", view.wireframe);
    reader.flag("tetrahedra", view.tets);
    real("cut", view.cut, {0, 1});
    read_choice(reader, "cut_axis", "axis", view_axes(), view.cut_axis);
    reader.flag("cut_low_side", view.cut_low_side);
    reader.flag("ground", view.ground);
    reader.flag("shadow", view.shadow);
    reader.flag("contacts", view.contacts);
    reader.flag("held_parts", view.highlight_pins);
    reader.flag("dark_room", view.dark);
    reader.finish();
}

void read_recording(Reader& reader, RecordingOptions& recording) {
    reader.integer("fps", recording.fps, limits::fps);
    reader.integer("width", recording.width, limits::pixels);
    reader.integer("height", recording.height, limits::pixels);
    reader.number("seconds", recording.seconds, limits::seconds);
    read_choice(reader, "format", "format", record_format_names(), recording.format);
    reader.flag("until_stopped", recording.until_stopped);
    reader.flag("window_size", recording.window_size);
    reader.flag("panels", recording.panels);
    reader.flag("legends", recording.legends);
    reader.finish();
}

void read_wind(Reader& reader, WindOptions& wind) {
    reader.vector("direction", wind.direction, {-1e3, 1e3});
    const toml::node* named = reader.find("direction");
    if (named && wind.direction.norm() < 1e-6) {
        reader.fail(*named, "The direction of the wind must not be zero; for no wind write wind = 0.0 in [parameters].");
        wind.direction = Vec3::UnitZ();
    }
    reader.number("drag", wind.drag, limits::drag);
    reader.number("gusts", wind.gusts, limits::gusts);
    reader.finish();
}

void read_obstacles(Reader& top, Scene& scene) {
    std::vector<Obstacle>& all = scene.settings.obstacles;
    top.list("obstacles", [&](Reader& r) {
        read_obstacle(r, scene.origin, all.emplace_back());
        const int last = static_cast<int>(all.size()) - 1;
        all.back().name = obstacle_name(all, last);
        for (int i = 0; i < last; ++i)
            if (const toml::node* node = r.find("name"); node && obstacle_name(all, i) == obstacle_name(all, last))
                r.fail(*node, "Two obstacles are called " + in_quotes(obstacle_name(all, last)) + "; give each a name of its own.");
    });
}

// [parameters] holds for all bodies, what stands in a body's own table for that one.
void read_bodies(Reader& top, Scene& scene) {
    Parameters shared;
    top.section("parameters", [&](Reader& r) { read_parameters(r, shared, false); });
    scene.bodies.clear(), scene.settings.bodies.clear();
    top.list("bodies", [&](Reader& r) {
        BodySettings settings{shared, {}};
        read_body(r, scene.origin, scene.bodies.emplace_back(), settings, true);
        scene.settings.bodies.push_back(std::move(settings));
        const std::string name = scene.body_name(scene.count() - 1);
        for (int i = 0; i + 1 < scene.count(); ++i)
            if (const toml::node* node = r.find("name"); node && scene.body_name(i) == name)
                r.fail(*node, "Two bodies are called " + in_quotes(name) + "; give each a name of its own.");
    });
    if (const toml::node* node = top.find("bodies"); node && scene.bodies.empty())
        top.fail(*node, "bodies must be written as one or more tables [[bodies]].");
    for (const char* key : {"source", "pins", "model", "regions", "initial"})
        if (const toml::node* node = top.find(key))
            top.fail(*node, std::string("In a scene with [[bodies]], ") + key + " belongs to one of them: write [bodies." + key +
                                "] below its [[bodies]].");
    if (scene.bodies.empty()) scene.bodies.resize(1), scene.settings.bodies.resize(1);
}

}  // namespace

Result<Scene> parse_scene(std::string_view toml, const std::filesystem::path& origin, const std::string& name) {
    const std::string file = origin.empty() ? "scene " + name : origin.string();
    toml::table root;
    try {
        root = toml::parse(toml, file);
    } catch (const toml::parse_error& error) {
        return Error{file + ":" + std::to_string(error.source().begin.line) + ": This is not TOML: " + std::string(error.description()) +
                     "."};
    }
    Scene scene;
    scene.name = name;
    scene.origin = origin;
    Mistake mistake;
    Reader top(root, "at the top level", mistake);
    const auto section = [&](const char* key, auto&& read) { top.section(key, read); };

    top.text("title", scene.title);
    if (scene.title.empty()) scene.title = name;
    if (root.contains("bodies")) read_bodies(top, scene);
    else read_body(top, origin, scene.body(), scene.settings.bodies.front(), false);
    section("contact", [&](Reader& r) {
        r.flag("floor", scene.settings.contact.floor);
        r.flag("bodies", scene.settings.contact.bodies);
        r.flag("self", scene.settings.contact.self);
        r.number("drop_height", scene.settings.drop_height, limits::drop_height);
        r.finish();
    });
    read_obstacles(top, scene);
    section("wind", [&](Reader& r) { read_wind(r, scene.wind); });
    section("integrator", [&](Reader& r) {
        read_integrator(r, scene.settings.method);
        r.zero_or_number("step", scene.settings.step, limits::step);
        r.number("frame_step", scene.frame_step, limits::step);
        r.number("solver_tolerance", scene.settings.solver.tolerance, limits::solver_tolerance);
        read_choice(r, "nonlinear_solver", "nonlinear solver", nonlinear_solvers(), scene.settings.solver.nonlinear);
        read_choice(r, "linear_solver", "linear solver", linear_solvers(), scene.settings.solver.linear);
        read_choice(r, "phi", "phi evaluator", phi_methods(), scene.settings.solver.phi);
        read_choice(r, "filter", "filter", gautschi_filters(), scene.settings.solver.filter);
        read_choice(r, "step_control", "step control", step_controls(), scene.settings.control);
        r.number("error_tolerance", scene.settings.error_tolerance, limits::error_tolerance);
        r.finish();
    });
    section("camera", [&](Reader& r) {
        r.number("yaw", scene.camera.yaw, limits::yaw);
        r.number("pitch", scene.camera.pitch, limits::pitch);
        r.number("distance", scene.camera.distance, limits::distance);
        r.finish();
    });
    section("view", [&](Reader& r) { read_view(r, scene.view.emplace()); });
    section("recording", [&](Reader& r) { read_recording(r, scene.recording); });
    section("stated", [&](Reader& r) {
        Stated stated;
        r.number("mass", stated.mass, limits::stated);
        r.number("omega_max", stated.omega_max, limits::stated);
        r.number("lowest_frequency", stated.lowest_frequency, limits::stated);
        scene.stated = stated;
        r.finish();
    });
    top.finish();
    if (mistake.line > 0) return Error{file + ":" + std::to_string(mistake.line) + ": " + mistake.sentence};
    return scene;
}

}  // namespace wobble
