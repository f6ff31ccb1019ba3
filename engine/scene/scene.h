#pragma once
// A scene: everything a run starts from, as plain values with defaults and units. Made by load_scene (scene_file.h).
#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/material.h"
#include "engine/solve/solver_options.h"
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

// What every body scene answers to: `--set name=value`, sliders, TOML [parameters]. See parameters() for ranges and units.
struct Parameters : Material {
    double resolution = 1500;  // simulated vertices, approximately; 0: what the surface gives
    double wind = 0;           // m/s
    bool operator==(const Parameters&) const = default;
};

// What a scene's body is made of, as bits of Parameter::acts_on.
enum BodyKind : unsigned { spring_solid = 1, corotational_solid = 2, spring_sheet = 4, any_body = 7 };

struct Parameter {
    const char* name;  // as in Parameters
    const char* unit;
    const char* meaning;  // what it does physically, for tooltips
    double low, high;     // slider range; `low` is also the smallest accepted value, `high` the largest
    bool logarithmic;     // slider scale; a logarithmic parameter with `zero_allowed` may also be 0
    bool zero_allowed;
    bool rebuilds_body;  // takes effect by loading the scene again
    double Parameters::*field;
    unsigned acts_on;  // the kinds of body it means something to
};
std::span<const Parameter> parameters();
const Parameter* find_parameter(std::string_view name);
Result<void> set_parameter(Parameters&, std::string_view name, double value);  // refuses unknown names, values out of range

struct ShapeSource {
    std::string shape;
    std::map<std::string, double> parameters;
};
struct FileSource {
    std::filesystem::path file;
    double size = 1.0;          // m, largest extent after scaling; 0: as in the file
    bool repair = false;        // simple faults of the surface are repaired first, see mesh/repair.h
    bool largest_part = false;  // of a surface in several parts only the largest is kept
};

// Particles whose rest position lies in a box, and what they are kept from.
struct PinRule {
    enum class Kind { held, plane, line, free };   // free: lets go what earlier rules hold
    Vec3 low = Vec3::Zero(), high = Vec3::Ones();  // the box, in shares of the body's extents, 0 to 1
    Kind kind = Kind::held;
    Vec3 direction = Vec3::UnitY();  // plane: its normal; line: along it
    Vec3 amplitude = Vec3::Zero();   // m; held ones move by amplitude * sin(2 pi frequency t)
    double frequency = 1;            // Hz
    static PinRule below(int axis, double share) {
        PinRule rule;
        rule.high[axis] = share;
        return rule;
    }
    static PinRule above(int axis, double share) {
        PinRule rule;
        rule.low[axis] = share;
        return rule;
    }
    bool operator==(const PinRule&) const = default;
};

// Who decides how long a step is. `fixed`: the step asked for, or the method's own. `newton`: implicit methods take shorter steps when
// Newton needs many iterations (Hauth 2004, section 3.4). `error`: the method's error estimate is kept below error_tolerance.
enum class StepControl { fixed, newton, error };
struct StepControlInfo {
    StepControl kind;
    const char* id;
    const char* label;
    const char* advice;
};
std::span<const StepControlInfo> step_controls();  // the one list

// How the wind blows, but for its speed, which is a parameter. Formula in wind.h.
struct WindOptions {
    Vec3 direction = Vec3::UnitZ();
    double drag = 2;     // N s/m^3: force per area and speed across a triangle
    double gusts = 0.3;  // how much it swells and turns; 0: steady
    bool operator==(const WindOptions&) const = default;
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

struct Scene {
    std::string name;              // "bunny", or the file's stem
    std::string title;             // one line for lists
    std::filesystem::path origin;  // file it came from; empty for built-in ones
    std::variant<ShapeSource, FileSource> source;
    ElasticModel model;
    Parameters parameters;
    std::vector<PinRule> pins;
    WindOptions wind;
    Vec3 initial_velocity = Vec3::Zero();  // m/s, of every free particle
    Vec3 initial_shear = Vec3::Zero();     // 1/s: adds shear * (y - y_low) to the velocity: a sideways kick
    std::string integrator = "exprb2";
    std::optional<double> step;     // s; none: the method's own choice (see default_step)
    double frame_step = 1.0 / 120;  // s; the step of methods that are not limited by stability
    SolverOptions solver{.nonlinear = NonlinearSolver::superlinear, .linear = LinearSolver::automatic};  // implicit, exponential methods
    StepControl control = StepControl::fixed;
    double error_tolerance = 0.01;  // of one step, relative to its displacement; for StepControl::error
    CameraView camera;
    std::optional<ViewOptions> view;  // none: as the viewer is set up, or plain
    RecordingOptions recording;
    std::optional<Stated> stated;
};

BodyKind body_kind(const Scene&);

}  // namespace wobble
