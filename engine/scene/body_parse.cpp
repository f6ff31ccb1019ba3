// The tables of a scene file that describe a body.
#include "engine/mesh/volume/body_mesh.h"
#include "engine/model/elastic_models.h"
#include "engine/scene/import.h"
#include "engine/scene/scene_reader.h"

namespace wobble {

namespace {

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

void read_source(Reader& source, const std::filesystem::path& origin, BodySource& body) {
    const bool file = source.find("file") != nullptr;
    const toml::node* shape = source.find("shape");
    if (file && shape) return source.fail(*shape, "[source] names both a shape and a file; keep one.");
    if (!file) {
        ShapeSource from{"bunny", {}};
        read_shape(source, from);
        body.source = from;
    } else {
        FileSource from;
        std::string name;
        source.text("file", name, 4096);
        source.zero_or_number("size", from.size, limits::size);
        read_choice(source, "unit", "unit", length_units(), from.unit);
        read_choice(source, "up", "axis", up_axes(), from.up);
        source.flag("repair", from.repair);
        source.flag("largest_part", from.largest_part);
        read_choice(source, "as", "use of a surface", surface_uses(), from.as);
        from.file = name;
        if (from.file.is_relative() && !origin.empty()) from.file = origin.parent_path() / from.file;
        body.source = from;
    }
    source.finish();
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

void read_model(Reader& reader, ElasticModel& model) {
    read_choice(reader, "kind", "model", elastic_models(), model.kind);
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

void read_place(Reader& reader, Place& place) {
    reader.vector("translation", place.translation, limits::translation);
    reader.vector("axis", place.axis, {-1e3, 1e3});
    if (const toml::node* axis = reader.find("axis"); axis && place.axis.norm() < 1e-6) {
        reader.fail(*axis, "The axis of a rotation must not be zero; for instance [0, 1, 0].");
        place.axis = Vec3::UnitY();
    }
    reader.number("angle", place.angle, limits::angle);
    reader.number("size", place.size, limits::scale);
    reader.finish();
}

}  // namespace

void read_parameters(Reader& reader, Parameters& values, bool of_body) {
    for (const Parameter& p : parameters()) {
        const toml::node* node = reader.find(p.name);
        if (!node) continue;
        const auto value = node->is_number() ? node->value<double>() : std::nullopt;
        if (of_body && p.of_scene)
            reader.fail(*node, std::string(p.name) + " is the same for all bodies; write it in [parameters] at the top level.");
        else if (!value) reader.wrong(*node, p.name, "a number");
        else if (auto set = set_parameter(values, p.name, *value); !set) reader.fail(*node, set.message());
    }
    reader.finish();
}

void read_body(Reader& reader, const std::filesystem::path& origin, BodySource& body, BodySettings& settings, bool one_of_several) {
    if (one_of_several) {
        reader.text("name", body.name, 64);
        reader.section("place", [&](Reader& r) { read_place(r, body.place); });
    }
    body.source = ShapeSource{"bunny", {}};
    reader.section("source", [&](Reader& r) { read_source(r, origin, body); });
    reader.section("parameters", [&](Reader& r) { read_parameters(r, settings.parameters, one_of_several); });
    reader.list("pins", [&](Reader& r) { read_pin(r, settings.pins.emplace_back()); });
    reader.section("model", [&](Reader& r) { read_model(r, body.model); });
    reader.list("regions", [&](Reader& r) { read_region(r, body.model.regions.emplace_back()); });
    reader.section("initial", [&](Reader& r) {
        r.vector("velocity", body.initial_velocity, limits::velocity);
        r.vector("shear", body.initial_shear, limits::shear);
        r.finish();
    });
    if (one_of_several) reader.finish();
}

}  // namespace wobble
