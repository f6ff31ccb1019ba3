#include "engine/scene/obstacles.h"

#include "engine/core/spelling.h"
#include "engine/model/contact/obstacle_mesh.h"
#include "engine/scene/limits.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr const char* floor_name = "floor";
constexpr double room_to_swing = 0.45;      // below what hangs or is clamped, in diagonals of the bodies' box
constexpr double foot = 0.05, waist = 0.5;  // heights, in shares of that box

// How far a shape reaches in its own frame in direction n, of unit length.
double reach(const Obstacle& o, const Vec3& n) {
    const double across = std::hypot(n.x(), n.z()), along = std::abs(n.y());
    switch (o.kind) {
        case Obstacle::Kind::plane:
            return -1e300;
        case Obstacle::Kind::sphere:
            return o.radius;
        case Obstacle::Kind::box:
            return 0.5 * n.cwiseAbs().dot(o.size);
        case Obstacle::Kind::capsule:
            return 0.5 * o.length * along + o.radius;
        case Obstacle::Kind::cylinder:
            return 0.5 * o.length * along + o.radius * across;
        case Obstacle::Kind::mesh: {
            double most = -1e300;
            if (o.mesh)
                for (const Vec3& X : o.mesh->surface().vertices) most = std::max(most, X.dot(n));
            return most;
        }
    }
    return -1e300;
}

bool within(const Vec3& v, Range range) {
    return std::all_of(v.begin(), v.end(), [&](double x) { return range.contains(x); });
}

}  // namespace

Result<void> load_obstacles(std::vector<Obstacle>& all) {
    for (Obstacle& o : all)
        if (o.kind == Obstacle::Kind::mesh && !o.mesh)
            if (auto read = load_mesh(o); !read) return read;
    return {};
}

double ground_under(const LoadedScene& loaded, const RunSettings& settings) {
    const std::vector<Vec3>& rest = loaded.body.tets.vertices;
    Box box = bounding_box(loaded.body.surface.vertices);
    for (const Vec3& x : rest) box.low = box.low.cwiseMin(x), box.high = box.high.cwiseMax(x);
    const Constraints held = constraints(loaded, settings);
    double lowest_pin = 1e300, highest_pin = -1e300;
    for (std::size_t i = 0; i < rest.size(); ++i)
        if (held.held()[i]) lowest_pin = std::min(lowest_pin, rest[i].y()), highest_pin = std::max(highest_pin, rest[i].y());
    const double low = box.low.y(), tall = box.size().y();
    const bool is_held = lowest_pin <= highest_pin, by_its_foot = lowest_pin < low + foot * tall && highest_pin < low + waist * tall;
    double ground = is_held && !by_its_foot ? low - room_to_swing * box.diagonal() : low;
    for (const Obstacle& o : settings.obstacles) {
        const Pose p = pose(o, 0);
        if (const double down = reach(o, p.turn.conjugate() * -Vec3::UnitY()); down > -1e299)
            ground = std::min(ground, p.position.y() - down);
    }
    return ground;
}

void put_floor(RunSettings& settings, double height) {
    std::vector<Obstacle>& all = settings.obstacles;
    std::erase_if(all, [](const Obstacle& o) { return o.automatic; });
    const bool there = std::any_of(all.begin(), all.end(), [](const Obstacle& o) { return o.name == floor_name; });
    if (!settings.contact.floor || there) return;
    Obstacle floor = make_obstacle(Obstacle::Kind::plane);
    floor.name = floor_name, floor.automatic = true, floor.position.y() = height;
    all.insert(all.begin(), std::move(floor));
}

int floor_of(const RunSettings& settings) {
    for (std::size_t i = 0; i < settings.obstacles.size(); ++i) {
        const Obstacle& o = settings.obstacles[i];
        if (o.kind == Obstacle::Kind::plane && o.name == floor_name && (pose(o, 0).turn * Vec3::UnitY() - Vec3::UnitY()).norm() < 1e-9)
            return static_cast<int>(i);
    }
    return -1;
}

Result<void> check_obstacle(const Obstacle& o) {
    const ObstacleKind& info = obstacle_kinds()[static_cast<std::size_t>(o.kind)];
    const std::string named = "The obstacle " + in_quotes(o.name.empty() ? info.id : o.name) + " ";
    if (o.name.size() > 64) return Error{"The name of an obstacle has at most 64 characters."};
    const auto sizes = [&] {
        if (info.has_radius && !limits::radius.contains(o.radius)) return false;
        if (info.has_length && !limits::radius.contains(o.length) && !(o.kind == Obstacle::Kind::capsule && o.length == 0)) return false;
        return !info.has_size || within(o.size, limits::radius);
    };
    if (!sizes()) return Error{named + "has a size out of range; choose 0.0001 to 1000 m."};
    if (!within(o.position, limits::position)) return Error{named + "stands out of range; choose -1000 to 1000 m."};
    const auto is_axis = [](const Vec3& axis) { return within(axis, {-1e3, 1e3}) && axis.norm() >= 1e-6; };
    if (!is_axis(o.axis) || !is_axis(o.spin_axis)) return Error{named + "turns about no axis; an axis must not be zero."};
    if (!limits::angle.contains(o.angle)) return Error{named + "is turned out of range; choose -360 to 360 degrees."};
    if (!within(o.amplitude, limits::amplitude) || !limits::frequency.contains(o.frequency) || !limits::turns.contains(o.spin))
        return Error{named + "moves out of range; choose a smaller amplitude, frequency or spin."};
    if (o.keys.size() > limits::obstacle_keys) return Error{named + "has more than 64 keys."};
    for (std::size_t k = 0; k < o.keys.size(); ++k) {
        const ObstacleKey& key = o.keys[k];
        const bool later = k == 0 ? key.t >= 0 && key.t <= limits::seconds.high : key.t > o.keys[k - 1].t && key.t <= limits::seconds.high;
        if (!later || !within(key.translation, limits::position) || !is_axis(key.axis) || !limits::turns.contains(key.angle))
            return Error{named + "has a key out of range; times must increase, translations stay within 1000 m."};
    }
    if (!(o.friction < 0) && !limits::friction.contains(o.friction)) return Error{named + "has a friction out of range; choose 0 to 2."};
    if (!within(o.colour, {0, 1})) return Error{named + "has a colour out of range; choose 0 to 1."};
    return {};
}

}  // namespace wobble
