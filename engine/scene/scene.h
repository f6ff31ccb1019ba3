#pragma once
// A scene: everything a run starts from, as plain values with defaults and units. Made by load_scene (scene_file.h).
#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/mesh/wrap/surface_use.h"
#include "engine/model/drivers/wind_options.h"
#include "engine/model/material.h"
#include "engine/scene/run_settings.h"
#include "engine/view/view_options.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wobble {

struct ShapeSource {
    std::string shape;
    std::map<std::string, double> parameters;
};
enum class LengthUnit { metre, centimetre, millimetre, inch, foot };
enum class UpAxis { y, z, x, guessed };  // guessed: from the file, when it is loaded
struct FileSource {
    std::filesystem::path file;
    double size = 1.0;                      // m, largest extent after scaling; 0: as in the file
    LengthUnit unit = LengthUnit::metre;    // of the file's numbers: how large the body is where its size is the file's
    UpAxis up = UpAxis::y;                  // the file's axis that points upwards
    bool repair = false;                    // simple faults of the surface are repaired first, see mesh/repair.h
    bool largest_part = false;              // of a surface in several parts only the largest is kept
    SurfaceUse as = SurfaceUse::automatic;  // what is made of it
};

struct CameraView {               // orbit camera, relative to the body's bounding box at rest
    double yaw = 35, pitch = 18;  // degrees
    double distance = 2.4;        // in units of the box's diagonal
    bool operator==(const CameraView&) const = default;
};

// Measured values the scene file states, so that h * omega is known; a test measures them again.
struct Stated {
    double mass = 0, omega_max = 0, lowest_frequency = 0;
};  // kg, rad/s, Hz

// Where a body stands: x = translation + size R (X - c) + c, X the rest position its source gives, c the foot of its box (the middle of
// x and z, the lowest y), R the rotation about the axis by the angle. Boxes of pins and regions are shares of the box of the body as it
// stands then.
struct Place {
    Vec3 translation = Vec3::Zero();  // m
    Vec3 axis = Vec3::UnitY();
    double angle = 0;  // degrees
    double size = 1;   // times as large
    bool operator==(const Place&) const = default;
};

// A body as a scene describes it, but for what can be changed while it moves (BodySettings).
struct BodySource {
    std::string name;  // unique in its scene; empty: "body 1", "body 2" ...
    std::variant<ShapeSource, FileSource> source;
    ElasticModel model;
    Place place;
    Vec3 initial_velocity = Vec3::Zero();  // m/s, of every free particle
    Vec3 initial_shear = Vec3::Zero();     // 1/s: adds shear * (y - y_low) to the velocity: a sideways kick
};

struct Scene {
    std::string name;                              // "bunny", or the file's stem
    std::string title;                             // one line for lists
    std::filesystem::path origin;                  // file it came from; empty for built-in ones
    std::vector<BodySource> bodies{BodySource{}};  // at least one
    RunSettings settings;                          // what a run begins with; as many bodies as above
    std::string compared_with;                     // id of another method: the viewer opens both side by side, at the scene's step
    WindOptions wind;
    double frame_step = 1.0 / 120;  // s; the step of methods that are not limited by stability
    CameraView camera;
    std::optional<ViewOptions> view;  // none: as the viewer is set up, or plain
    RecordingOptions recording;
    std::optional<Stated> stated;

    int count() const { return static_cast<int>(bodies.size()); }
    BodySource& body(int i = 0) { return bodies[static_cast<std::size_t>(i)]; }
    const BodySource& body(int i = 0) const { return bodies[static_cast<std::size_t>(i)]; }
    std::string body_name(int i) const { return body(i).name.empty() ? "body " + std::to_string(i + 1) : body(i).name; }
};

// What a body is made of: as its source says, or what it was switched to.
ElasticModel body_model(const Scene&, const RunSettings&, int body);
BodyKind body_kind(const Scene&, const RunSettings&, int body);
unsigned body_kinds(const Scene&, const RunSettings&);  // bits of all its bodies
inline BodyKind body_kind(const Scene& scene, int body = 0) { return body_kind(scene, scene.settings, body); }
inline unsigned body_kinds(const Scene& scene) { return body_kinds(scene, scene.settings); }

// --set name=value: of all bodies, or as BODY.name of the one that is called so. Refuses what set_parameter(RunSettings&, ...) refuses.
Result<const Parameter*> set_parameter(Scene&, std::string_view name, double value);

// All solids made of something else. A stiffness that is stated in `set`, names and values as of --set, is meant for the new model;
// otherwise the body's own is matched once it is built.
void choose_model(Scene&, ElasticModel::Kind, const std::vector<std::pair<std::string, double>>& set);

}  // namespace wobble
