// TOML text -> Scene. Every table is read by one function that names each of its keys once; what remains is
// unknown and refused, with the line it stands in.
#include "engine/core/spelling.h"
#include "engine/integrate/methods.h"
#include "engine/mesh/volume/body_mesh.h"
#include "engine/scene/limits.h"
#include "engine/scene/scene_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

std::string shortest(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
}

// The topmost thing wrong in the file.
struct Mistake {
    std::uint32_t line = 0;  // 0: none
    std::string sentence;
};

// One table of the file. Reading goes on with defaults after a mistake.
class Reader {
public:
    Reader(const toml::table& table, std::string title, Mistake& mistake) : table_(table), title_(std::move(title)), mistake_(mistake) {}

    void number(const char* key, double& value, Range range) {
        if (const toml::node* node = find(key)) value = checked(*node, key, range, value);
    }
    void zero_or_number(const char* key, double& value, Range range) {
        const toml::node* node = find(key);
        if (node && node->value<double>() == 0.0) value = 0;
        else if (node) value = checked(*node, key, range, value);
    }
    void integer(const char* key, int& value, Range range) {
        const toml::node* node = find(key);
        if (!node) return;
        if (!node->is_integer()) return wrong(*node, key, "a whole number");
        value = static_cast<int>(checked(*node, key, range, value));
    }
    void text(const char* key, std::string& value, std::size_t longest = 200) {
        const toml::node* node = find(key);
        if (!node) return;
        const auto found = node->value<std::string>();
        if (!node->is_string() || !found) return wrong(*node, key, "a text in quotes");
        if (found->empty() || found->size() > longest || found->find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos)
            return fail(*node, std::string(key) + " must be one line of 1 to " + std::to_string(longest) + " characters.");
        value = *found;
    }
    void flag(const char* key, bool& value) {
        const toml::node* node = find(key);
        if (!node) return;
        if (!node->is_boolean()) return wrong(*node, key, "true or false");
        value = *node->value<bool>();
    }
    void vector(const char* key, Vec3& value, Range range) {
        const toml::node* node = find(key);
        if (!node) return;
        const toml::array* array = node->as_array();
        if (!array || array->size() != 3) return wrong(*node, key, "three numbers in brackets, [x, y, z]");
        for (int i = 0; i < 3; ++i) value[i] = checked((*array)[i], key, range, value[i]);
    }
    const toml::table* table(const char* key) {
        const toml::node* node = find(key);
        if (node && !node->is_table()) wrong(*node, key, "a table");
        return node ? node->as_table() : nullptr;
    }
    const toml::node* find(const char* key) {
        if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
        return table_.get(key);
    }

    void finish() {  // call after all keys have been named
        for (const auto& [key, node] : table_)
            if (std::find(known_.begin(), known_.end(), key.str()) == known_.end())
                fail(key.source().begin.line, "Unknown key " + in_quotes(key.str()) + " " + title_ +
                                                  (nearest_spelling(key.str(), known_).empty() ? "; known ones: " + join(known_) + "."
                                                                                               : did_you_mean(key.str(), known_)));
    }
    void fail(const toml::node& node, const std::string& sentence) { fail(node.source().begin.line, sentence); }
    void fail(std::uint32_t line, const std::string& sentence) {
        if (mistake_.line == 0 || line < mistake_.line) mistake_ = {line, sentence};
    }
    void unknown(const toml::node& node, const std::string& what, const std::string& name, const std::vector<std::string>& known) {
        const std::string near = did_you_mean(name, known);
        fail(node, "Unknown " + what + " " + in_quotes(name) + (near.empty() ? "; known ones: " + join(known) + "." : near));
    }
    void wrong(const toml::node& node, const char* key, const char* wanted) { fail(node, std::string(key) + " must be " + wanted + "."); }

private:
    double checked(const toml::node& node, const char* key, Range range, double fallback) {
        if (!node.is_number()) return wrong(node, key, "a number"), fallback;
        const double found = node.value<double>().value_or(NAN);
        if (range.contains(found)) return found;
        fail(node, std::string(key) + " = " + shortest(found) + " is out of range; choose " + shortest(range.low) + " to " +
                       shortest(range.high) + ".");
        return fallback;
    }

    const toml::table& table_;
    std::string title_;  // "in [camera]"
    Mistake& mistake_;
    std::vector<std::string> known_;
};

void read_integrator(Reader& reader, std::string& id) {
    reader.text("id", id, 64);
    const toml::node* node = reader.find("id");
    if (!node || !node->is_string() || find_method(id)) return;
    std::vector<std::string> known;
    for (const Method& method : methods()) known.emplace_back(method.info.id);
    reader.unknown(*node, "integrator", id, known);
}

void read_shape(Reader& source, ShapeSource& from) {
    source.text("shape", from.shape, 64);
    const toml::node* named = source.find("shape");
    const Shape* shape = find_shape(from.shape);
    std::vector<std::string> known;
    for (const Shape& s : shapes()) known.emplace_back(s.name);
    if (named && named->is_string() && !shape) source.unknown(*named, "shape", from.shape, known);

    const toml::table* values = source.table("parameters");
    if (!values || !shape) return;
    known.clear();
    for (const auto& [name, value] : shape->parameters) known.push_back(name);
    for (const auto& [key, node] : *values) {
        const double value = node.value<double>().value_or(NAN);
        const std::string name(key.str());
        if (!shape->parameters.contains(name)) source.unknown(node, "parameter of this shape", name, known);
        else if (!node.is_number() || !limits::shape.contains(value))
            source.fail(node, name + " must be a number from " + shortest(limits::shape.low) + " to " + shortest(limits::shape.high) + ".");
        else from.parameters[name] = value;
    }
}

void read_source(Reader& source, Scene& scene) {
    const bool file = source.find("file") != nullptr;
    const toml::node* shape = source.find("shape");
    if (file && shape) return source.fail(*shape, "[source] names both a shape and a file; keep one.");
    if (!file) {
        ShapeSource from{"bunny", {}};
        read_shape(source, from);
        scene.source = from;
    } else {
        FileSource from;
        std::string name;
        source.text("file", name, 4096);
        source.zero_or_number("size", from.size, limits::size);
        source.flag("repair", from.repair);
        source.flag("largest_part", from.largest_part);
        from.file = name;
        if (from.file.is_relative() && !scene.origin.empty()) from.file = scene.origin.parent_path() / from.file;
        scene.source = from;
    }
    source.finish();
}

void read_parameters(Reader& reader, Parameters& values) {
    for (const Parameter& p : parameters()) {
        const toml::node* node = reader.find(p.name);
        if (!node) continue;
        const auto value = node->is_number() ? node->value<double>() : std::nullopt;
        if (!value) reader.wrong(*node, p.name, "a number");
        else if (auto set = set_parameter(values, p.name, *value); !set) reader.fail(*node, set.message());
    }
    reader.finish();
}

// The box as low and high, or in short as axis with below or above.
void read_pin_box(Reader& reader, PinRule& pin) {
    std::string axis = "y";
    reader.text("axis", axis, 8);
    const std::string axes = "xyz";
    const toml::node *below = reader.find("below"), *above = reader.find("above"), *named = reader.find("axis");
    const toml::node *low = reader.find("low"), *high = reader.find("high");
    if (axis.size() != 1 || axes.find(axis) == std::string::npos)
        return reader.fail(*named, "axis must be \"x\", \"y\" or \"z\", not " + in_quotes(axis) + ".");
    if (below && above) return reader.fail(*above, "A pin rule has one of below and above; use two [[pins]] for both ends.");
    if ((low || high) && (below || above || named))
        return reader.fail(low ? *low : *high, "A pin rule has either low and high, or axis with below or above; keep one of the two.");
    if (low || high) {
        reader.vector("low", pin.low, {0, 1});
        reader.vector("high", pin.high, {0, 1});
        if ((pin.low.array() > pin.high.array()).any())
            reader.fail(low ? *low : *high, "The box of this pin rule is empty: every entry of low must be at most that of high.");
        return;
    }
    double share = 0.05;
    reader.number(above ? "above" : "below", share, {0, 1});
    const PinRule box =
        above ? PinRule::above(static_cast<int>(axes.find(axis)), share) : PinRule::below(static_cast<int>(axes.find(axis)), share);
    pin.low = box.low, pin.high = box.high;
}

void read_pin(Reader& reader, PinRule& pin) {
    read_pin_box(reader, pin);
    const toml::node *plane = reader.find("plane"), *line = reader.find("line"), *amplitude = reader.find("amplitude");
    bool free = false;
    reader.flag("free", free);
    if (plane && line) return reader.fail(*line, "A pin rule slides on a plane or on a line; keep one of the two.");
    if (free && (plane || line || amplitude))
        return reader.fail(plane  ? *plane
                           : line ? *line
                                  : *amplitude,
                           "What is let go cannot slide or be moved; leave out free, or the others.");
    pin.kind = free ? PinRule::Kind::free : plane ? PinRule::Kind::plane : line ? PinRule::Kind::line : PinRule::Kind::held;
    if (plane || line) {
        reader.vector(plane ? "plane" : "line", pin.direction, {-1e3, 1e3});
        if (pin.direction.norm() < 1e-6)
            return reader.fail(plane ? *plane : *line, "The direction of a plane or line must not be zero; for instance [0, 1, 0].");
        if (amplitude) return reader.fail(*amplitude, "Only held particles can be moved; leave out amplitude, or plane and line.");
    }
    reader.vector("amplitude", pin.amplitude, limits::amplitude);
    reader.number("frequency", pin.frequency, limits::frequency);
    reader.finish();
}

// One of a table's ids.
template <class List, class Value>
void read_choice(Reader& reader, const char* key, const char* what, const List& list, Value& value) {
    std::string id;
    reader.text(key, id, 64);
    const toml::node* node = reader.find(key);
    if (!node || !node->is_string()) return;
    std::vector<std::string> known;
    for (const auto& info : list) {
        if (id == info.id) return void(value = info.kind);
        known.emplace_back(info.id);
    }
    reader.unknown(*node, what, id, known);
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
    reader.flag("wireframe", view.wireframe);
    reader.flag("tetrahedra", view.tets);
    real("cut", view.cut, {0, 1});
    read_choice(reader, "cut_axis", "axis", view_axes(), view.cut_axis);
    reader.flag("cut_low_side", view.cut_low_side);
    reader.flag("ground", view.ground);
    reader.flag("shadow", view.shadow);
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

void read_model(Reader& reader, ElasticModel& model) {
    std::string kind = "springs";
    reader.text("kind", kind, 64);
    const toml::node* named = reader.find("kind");
    if (kind == "corotational") model.kind = ElasticModel::Kind::corotational;
    else if (named && named->is_string() && kind != "springs") reader.unknown(*named, "model", kind, {"springs", "corotational"});
    reader.zero_or_number("shear", model.shear, limits::share);
    reader.zero_or_number("bending", model.bending, limits::share);
    reader.number("thickness", model.thickness, limits::thickness);
    reader.finish();
}

void read_region(Reader& reader, StiffRegion& region) {
    reader.vector("low", region.low, {0, 1});
    reader.vector("high", region.high, {0, 1});
    const toml::node *low = reader.find("low"), *high = reader.find("high");
    if ((region.low.array() > region.high.array()).any())
        reader.fail(low ? *low : *high, "The box of this region is empty: every entry of low must be at most that of high.");
    reader.number("factor", region.factor, limits::stiffer);
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
    // section("camera", ...) reads [camera] if it is there.
    const auto section = [&](const char* key, auto&& read) {
        if (const toml::table* table = top.table(key)) {
            Reader reader(*table, std::string("in [") + key + "]", mistake);
            read(reader);
        }
    };
    // list("pins", ...) reads every table [[pins]].
    const auto list = [&](const char* key, auto&& read) {
        const toml::node* node = top.find(key);
        const toml::array* tables = node ? node->as_array() : nullptr;
        const std::string plural = key, brackets = "[[" + plural + "]]";
        if (node && (!tables || tables->size() > 64)) top.fail(*node, plural + " must be written as up to 64 tables " + brackets + ".");
        for (std::size_t i = 0; tables && i < tables->size(); ++i) {
            const toml::table* table = (*tables)[i].as_table();
            if (!table) return top.fail((*tables)[i], plural + " must be written as tables " + brackets + ".");
            Reader reader(*table, "in " + brackets, mistake);
            read(reader);
        }
    };

    top.text("title", scene.title);
    if (scene.title.empty()) scene.title = name;
    scene.source = ShapeSource{"bunny", {}};
    section("source", [&](Reader& r) { read_source(r, scene); });
    section("parameters", [&](Reader& r) { read_parameters(r, scene.parameters); });
    list("pins", [&](Reader& r) { read_pin(r, scene.pins.emplace_back()); });
    section("model", [&](Reader& r) { read_model(r, scene.model); });
    list("regions", [&](Reader& r) { read_region(r, scene.model.regions.emplace_back()); });
    section("wind", [&](Reader& r) { read_wind(r, scene.wind); });
    section("initial", [&](Reader& r) {
        r.vector("velocity", scene.initial_velocity, limits::velocity);
        r.vector("shear", scene.initial_shear, limits::shear);
        r.finish();
    });
    section("integrator", [&](Reader& r) {
        read_integrator(r, scene.integrator);
        double step = 0;
        r.zero_or_number("step", step, limits::step);
        if (step > 0) scene.step = step;
        r.number("frame_step", scene.frame_step, limits::step);
        r.number("solver_tolerance", scene.solver.tolerance, limits::solver_tolerance);
        read_choice(r, "nonlinear_solver", "nonlinear solver", nonlinear_solvers(), scene.solver.nonlinear);
        read_choice(r, "linear_solver", "linear solver", linear_solvers(), scene.solver.linear);
        read_choice(r, "phi", "phi evaluator", phi_methods(), scene.solver.phi);
        read_choice(r, "filter", "filter", gautschi_filters(), scene.solver.filter);
        read_choice(r, "step_control", "step control", step_controls(), scene.control);
        r.number("error_tolerance", scene.error_tolerance, limits::error_tolerance);
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
