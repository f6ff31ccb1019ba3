// [[obstacles]] of a scene file.
#include "engine/scene/scene_reader.h"

namespace wobble {

namespace {

void read_axis(Reader& reader, const char* key, Vec3& axis) {
    reader.vector(key, axis, {-1e3, 1e3});
    if (const toml::node* node = reader.find(key); node && axis.norm() < 1e-6) {
        reader.fail(*node, std::string(key) + " must not be zero; for instance [0, 1, 0].");
        axis = Vec3::UnitY();
    }
}

void read_key(Reader& reader, std::vector<ObstacleKey>& keys) {
    ObstacleKey key;
    reader.number("t", key.t, {0, limits::seconds.high});
    reader.vector("translation", key.translation, limits::position);
    read_axis(reader, "axis", key.axis);
    reader.number("angle", key.angle, limits::turns);
    const toml::node* time = reader.find("t");
    if (time && !keys.empty() && !(key.t > keys.back().t))
        reader.fail(*time, "The times of an obstacle's keys must increase; t = " + shortest(key.t) +
                               " follows t = " + shortest(keys.back().t) + ".");
    else keys.push_back(key);
    reader.finish();
}

void read_shape(Reader& reader, const std::filesystem::path& origin, Obstacle& o) {
    read_choice(reader, "kind", "kind of obstacle", obstacle_kinds(), o.kind);
    const std::string name = o.name;
    o = make_obstacle(o.kind);
    o.name = name;
    const ObstacleKind& info = obstacle_kinds()[static_cast<std::size_t>(o.kind)];
    const auto only_if = [&](const char* key, bool has) {
        if (const toml::node* node = reader.find(key); node && !has)
            reader.fail(*node, "An obstacle of kind \"" + std::string(info.id) + "\" has no " + key + "; leave it out.");
        return has;
    };
    if (only_if("radius", info.has_radius)) reader.number("radius", o.radius, limits::radius);
    if (only_if("length", info.has_length)) {
        if (o.kind == Obstacle::Kind::capsule) reader.zero_or_number("length", o.length, limits::radius);
        else reader.number("length", o.length, limits::radius);
    }
    if (only_if("size", info.has_size)) reader.vector("size", o.size, limits::radius);
    if (!only_if("file", o.kind == Obstacle::Kind::mesh)) return;
    std::string file;
    reader.text("file", file, 4096);
    if (const toml::node* kind = reader.find("kind"); file.empty() && kind && !reader.find("file"))
        reader.fail(*kind, "An obstacle of kind \"mesh\" needs a file; write file = \"x.obj\" below it.");
    o.file = file;
    if (o.file.is_relative() && !origin.empty()) o.file = origin.parent_path() / o.file;
}

}  // namespace

void read_obstacle(Reader& reader, const std::filesystem::path& origin, Obstacle& o) {
    reader.text("name", o.name, 64);
    read_shape(reader, origin, o);
    reader.vector("position", o.position, limits::position);
    read_axis(reader, "axis", o.axis);
    reader.number("angle", o.angle, limits::angle);
    reader.vector("amplitude", o.amplitude, limits::amplitude);
    reader.number("frequency", o.frequency, limits::frequency);
    read_axis(reader, "spin_axis", o.spin_axis);
    reader.number("spin", o.spin, limits::turns);
    if (reader.find("friction")) o.friction = 0;
    reader.number("friction", o.friction, limits::friction);
    reader.flag("visible", o.visible);
    reader.vector("colour", o.colour, {0, 1});
    reader.list("keys", [&](Reader& r) { read_key(r, o.keys); });
    reader.finish();
}

}  // namespace wobble
