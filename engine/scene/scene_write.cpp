// Scene -> TOML text, complete and commented: what is written is what a newcomer would want to edit.
#include "engine/model/elastic_models.h"
#include "engine/scene/import.h"
#include "engine/scene/scene_file.h"

#include <charconv>

namespace wobble {

namespace {

// The shortest text that reads back as the same number, always recognisable as a TOML float.
template <class Real>
std::string number(Real x) {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, x).ptr;
    std::string s(text, end);
    if (s.find_first_of(".en") == std::string::npos) s += ".0";
    return s;
}

template <class Vector>
std::string vector(const Vector& v) {
    return "[" + number(v.x()) + ", " + number(v.y()) + ", " + number(v.z()) + "]";
}

// A TOML basic string.
std::string text(const std::string& s) {
    std::string out = "\"";
    for (const char c : s) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) out += ' ';
        else out += c;
    }
    return out + '"';
}

// A line of the file has room for what a parameter is, not for all that can be said about it.
std::string first_sentence(const std::string& text) { return text.substr(0, text.find(". ")); }

std::string line(const std::string& key, const std::string& value, const std::string& comment = "") {
    std::string s = key + " = " + value;
    if (!comment.empty()) s += std::string(s.size() < 30 ? 30 - s.size() : 2, ' ') + "# " + comment;
    return s + "\n";
}

template <class List, class Kind>
std::string id_of(const List& list, Kind kind) {
    for (const auto& info : list)
        if (info.kind == kind) return text(info.id);
    return text("");
}

std::string flag(bool on) { return on ? "true" : "false"; }

std::string source(const BodySource& body, const std::string& in) {
    std::string out = "\n[" + in + "source]\n";
    if (const auto* shape = std::get_if<ShapeSource>(&body.source)) {
        out += line("shape", text(shape->shape), "procedural; or: file = \"mesh.obj\", relative to this file");
        if (!shape->parameters.empty()) out += "\n[" + in + "source.parameters]           # metres, or counts\n";
        for (const auto& [key, value] : shape->parameters) out += line(text(key), number(value));
    } else {
        const auto& file = std::get<FileSource>(body.source);
        out += line("file", text(file.file.string()), "relative names start at this file");
        out += line("size", number(file.size), "m, largest extent after scaling; 0: as in the file, in this unit");
        out += line("unit", id_of(length_units(), file.unit), "of the file's numbers: m, cm, mm, inch, ft");
        out += line("up", id_of(up_axes(), file.up), "the file's axis that points upwards: y, z, x, or guess");
        out += line("as", id_of(surface_uses(), file.as), "auto, solid, wrap (in a closed cage) or sheet");
        out += line("repair", flag(file.repair), "repairs simple faults of the surface, see: wobble check --help");
        out += line("largest_part", flag(file.largest_part), "keeps only the largest of several parts");
    }
    return out;
}

std::string pins(const BodySettings& settings, const std::string& in) {
    std::string out;
    for (const PinRule& pin : settings.pins) {
        out += "\n[[" + in + "pins]]                      # particles with rest positions in this box of shares of the extents, 0 to 1\n";
        out += line("low", vector(pin.low)) + line("high", vector(pin.high), "or in short: axis = \"y\", below = 0.05");
        if (pin.kind == PinRule::Kind::free) out += line("free", "true", "lets go what earlier pins hold");
        else if (pin.kind == PinRule::Kind::plane) out += line("plane", vector(pin.direction), "slide on a plane with this normal");
        else if (pin.kind == PinRule::Kind::line) out += line("line", vector(pin.direction), "slide along a line of this direction");
        else {
            out += line("amplitude", vector(pin.amplitude), "m; held, and moved by amplitude * sin(2 pi frequency t)");
            out += line("frequency", number(pin.frequency), "Hz");
        }
    }
    return out;
}

std::string regions(const ElasticModel& model, const std::string& in) {
    std::string out;
    for (const StiffRegion& region : model.regions) {
        out += "\n[[" + in +
               "regions]]                   # springs and tets with centroids at rest in this box of shares of the extents, 0 to 1\n";
        out += line("low", vector(region.low)) + line("high", vector(region.high));
        out += line("factor", number(region.factor), "times as stiff as [parameters] says; a later region wins");
    }
    return out;
}

// `which`: those it writes.
template <class Which>
std::string parameter_table(const Parameters& values, const std::string& in, Which&& which) {
    std::string out = "\n[" + in + "parameters]                  # change them live: sliders, or --set name=value\n";
    for (const Parameter& p : parameters())
        if (which(p)) out += line(p.name, number(values.*(p.field)), std::string(p.unit) + ": " + first_sentence(p.meaning));
    return out;
}

std::string model(const ElasticModel& model, const std::string& in) {
    std::string out =
        "\n[" + in + "model]\n" + line("kind", id_of(elastic_models(), model.kind), "of a solid: springs, corotational or neo-hookean");
    out += line("shear", number(model.shear), "cloth: stiffness of its shear springs, share of stiffness");
    out += line("bending", number(model.bending), "cloth: stiffness of its bending springs, share of stiffness");
    return out + line("thickness", number(model.thickness), "m, cloth: mass per area is density * thickness");
}

std::string initial(const BodySource& body, const std::string& in) {
    std::string out = "\n[" + in + "initial]\n" + line("velocity", vector(body.initial_velocity), "m/s, of every free particle");
    return out + line("shear", vector(body.initial_shear), "1/s, adds shear * height: a sideways kick");
}

std::string place(const Place& place) {
    std::string out = "\n[bodies.place]\n" + line("translation", vector(place.translation), "m");
    out += line("axis", vector(place.axis), "of a rotation about the middle of its foot") + line("angle", number(place.angle), "degrees");
    return out + line("size", number(place.size), "times as large");
}

// The only body of a scene at the top level, several as [[bodies]].
std::string bodies(const Scene& scene) {
    const BodySettings& first = scene.settings.bodies.front();
    if (scene.count() == 1 && scene.body().place == Place{} && scene.body().name.empty())
        return source(scene.body(), "") + parameter_table(first.parameters, "", [](const Parameter&) { return true; }) +
               model(body_model(scene, scene.settings, 0), "") + regions(scene.body().model, "") + pins(first, "") +
               initial(scene.body(), "");
    std::string out = parameter_table(first.parameters, "", [](const Parameter& p) { return p.of_scene; });
    for (int b = 0; b < scene.count(); ++b) {
        const BodySource& body = scene.body(b);
        const BodySettings& settings = scene.settings.bodies[static_cast<std::size_t>(b)];
        const std::string in = "bodies.";
        out += "\n[[bodies]]\n" + line("name", text(scene.body_name(b))) + place(body.place) + source(body, in);
        out += parameter_table(settings.parameters, in, [](const Parameter& p) { return !p.of_scene; }) +
               model(body_model(scene, scene.settings, b), in);
        out += regions(body.model, in) + pins(settings, in) + initial(body, in);
    }
    return out;
}

std::string contact(const RunSettings& settings) {
    const ContactRules& rules = settings.contact;
    std::string out = "\n[contact]                     # what touches what, besides the obstacles, which everything touches\n";
    out += line("floor", flag(rules.floor), "a plane under the bodies, where it is drawn; [[obstacles]] may have their own \"floor\"");
    out += line("bodies", flag(rules.bodies), "one with another") + line("self", flag(rules.self), "each with itself");
    return out + line("drop_height", number(settings.drop_height), "m; the bodies begin that much higher");
}

std::string obstacle(const Obstacle& o, const std::string& name) {
    const ObstacleKind& info = obstacle_kinds()[static_cast<std::size_t>(o.kind)];
    std::string out =
        "\n[[obstacles]]\n" + line("name", text(name)) + line("kind", text(info.id), "plane, sphere, box, capsule, cylinder, mesh");
    if (o.kind == Obstacle::Kind::mesh) out += line("file", text(o.file.string()), "relative names start at this file");
    if (info.has_radius) out += line("radius", number(o.radius), "m");
    if (info.has_length) out += line("length", number(o.length), "m, along its y axis; of a capsule without its round ends");
    if (info.has_size)
        out += line("size", vector(o.size),
                    o.kind == Obstacle::Kind::mesh    ? "times as large as in the file"
                    : o.kind == Obstacle::Kind::plane ? "m, x and z of the part that is drawn"
                                                      : "m");
    out += line("position", vector(o.position), "m, where it stands at first") + line("axis", vector(o.axis), "turned about it");
    out += line("angle", number(o.angle), "degrees");
    if (o.amplitude != Vec3::Zero()) {
        out += line("amplitude", vector(o.amplitude), "m; moved by amplitude * sin(2 pi frequency t)");
        out += line("frequency", number(o.frequency), "Hz");
    }
    if (o.spin != 0) out += line("spin_axis", vector(o.spin_axis)) + line("spin", number(o.spin), "degrees per second");
    if (o.friction >= 0) out += line("friction", number(o.friction), "instead of the bodies' own");
    if (!o.visible) out += line("visible", flag(false));
    out += line("colour", vector(o.colour), "linear red, green, blue, 0 to 1");
    for (const ObstacleKey& key : o.keys) {
        out += "\n[[obstacles.keys]]            # where it has moved by then; smoothly in between, at rest at the ends\n";
        out += line("t", number(key.t), "s") + line("translation", vector(key.translation), "m") + line("axis", vector(key.axis));
        out += line("angle", number(key.angle), "degrees, about its own position");
    }
    return out;
}

std::string obstacles(const std::vector<Obstacle>& all) {
    std::string out;
    for (int i = 0; i < static_cast<int>(all.size()); ++i)
        if (const Obstacle& o = all[static_cast<std::size_t>(i)]; !o.automatic) out += obstacle(o, obstacle_name(all, i));
    return out;
}

std::string view(const ViewOptions& v) {
    std::string out = "\n[view]                        # what pictures show; without this table the viewer stays as it is\n";
    out += line("field", id_of(fields(), v.field), "colours the body: none, speed, strain, stress");
    out += line("field_high", number(v.field_high), "SI, the upper end of its colours; 0: follows the motion");
    out += line("look", id_of(looks(), v.look), "rubber, clay, porcelain, metal, jelly");
    out += line("colour", vector(v.colour), "of the body, linear red, green, blue, 0 to 1");
    out += line("file_colours", flag(v.file_colours), "those of the body's file instead, if it has some");
    out += line("wireframe", flag(v.wireframe)) + line("tetrahedra", flag(v.tets), "instead of the surface, cut open");
    out += line("cut", number(v.cut), "share of them that is cut away") + line("cut_axis", id_of(view_axes(), v.cut_axis));
    out += line("cut_low_side", flag(v.cut_low_side), "from the low end of the axis") + line("ground", flag(v.ground));
    out += line("contacts", flag(v.contacts), "where bodies are touched, and the forces there");
    out += line("shadow", flag(v.shadow)) + line("held_parts", flag(v.highlight_pins), "darker") + line("dark_room", flag(v.dark));
    return out;
}

std::string recording(const RecordingOptions& r) {
    std::string out = "\n[recording]\n" + line("fps", std::to_string(r.fps)) + line("width", std::to_string(r.width), "pixels");
    out += line("height", std::to_string(r.height), "pixels") + line("seconds", number(r.seconds), "of simulated time");
    if (r.format) out += line("format", id_of(record_format_names(), *r.format), "with it the viewer sets itself to this table");
    out += line("until_stopped", flag(r.until_stopped), "viewer: whatever seconds says");
    out += line("window_size", flag(r.window_size), "viewer: as large as its 3D view");
    out += line("panels", flag(r.panels), "viewer: pictures of the whole window");
    return out + line("legends", flag(r.legends), "scale of the colours, names of compared runs");
}

}  // namespace

std::string to_toml(const Scene& scene) {
    std::string out = line("title", text(scene.title)) + bodies(scene);
    out += contact(scene.settings) + obstacles(scene.settings.obstacles);
    out += "\n[wind]                        # its speed is the parameter wind\n";
    out += line("direction", vector(scene.wind.direction));
    out += line("drag", number(scene.wind.drag), "N s/m^3, force per area and speed");
    out += line("gusts", number(scene.wind.gusts), "0 steady, 1 strong");
    out += "\n[integrator]\n" + line("id", text(scene.settings.method), "see: wobble list integrators");
    if (!scene.compared_with.empty())
        out += line("compared_with", text(scene.compared_with), "the viewer opens both side by side, at the step below");
    out += line("step", number(scene.settings.step), "s; 0: the method's own choice");
    out += line("frame_step", number(scene.frame_step), "s, for methods that stability does not limit");
    out += line("solver_tolerance", number(scene.settings.solver.tolerance), "relative, of Newton, CG and Krylov");
    out += line("nonlinear_solver", id_of(nonlinear_solvers(), scene.settings.solver.nonlinear), "behind implicit methods");
    out += line("linear_solver", id_of(linear_solvers(), scene.settings.solver.linear), "behind implicit methods");
    out += line("phi", id_of(phi_methods(), scene.settings.solver.phi), "how exponential methods evaluate phi-functions");
    out += line("filter", id_of(gautschi_filters(), scene.settings.solver.filter), "filter pair of gautschi");
    out += line("step_control", id_of(step_controls(), scene.settings.control), "who decides how long a step is");
    out += line("error_tolerance", number(scene.settings.error_tolerance),
                "of one step relative to its displacement, for step_control = \"error\"");
    out += "\n[camera]\n" + line("yaw", number(scene.camera.yaw), "degrees") + line("pitch", number(scene.camera.pitch), "degrees");
    out += line("distance", number(scene.camera.distance), "in diagonals of the body's box");
    if (scene.view) out += view(*scene.view);
    out += recording(scene.recording);
    if (scene.stated) {
        out += "\n[stated]                      # measured at the initial state; a test measures again\n";
        out += line("mass", number(scene.stated->mass), "kg");
        out += line("omega_max", number(scene.stated->omega_max), "rad/s, the highest natural frequency");
        out += line("lowest_frequency", number(scene.stated->lowest_frequency), "Hz, the lowest natural frequency");
    }
    return out;
}

}  // namespace wobble
