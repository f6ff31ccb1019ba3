#pragma once
// The settings of a run: the one value behind scene files, the running World, its snapshots, saved scenes and compared runs. All of it
// can be changed while bodies move (command.h).
#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/contact/obstacle.h"
#include "engine/model/material.h"
#include "engine/solve/solver_options.h"

#include <span>
#include <string>
#include <string_view>
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
    unsigned acts_on;       // the kinds of body it means something to
    bool of_scene = false;  // the same for all bodies: gravity, wind, Rayleigh damping
};
std::span<const Parameter> parameters();
const Parameter* find_parameter(std::string_view name);
Result<void> set_parameter(Parameters&, std::string_view name, double value);  // refuses unknown names, values out of range

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

// What happens to a step that diverges and may not be replaced by shorter ones.
enum class DivergencePolicy { pause, halve_step };

// What touches what, besides obstacles, which everything touches.
struct ContactRules {
    bool floor = true;   // a plane under the bodies, where it is drawn, besides the obstacles of the scene
    bool bodies = true;  // one body with another
    bool self = false;   // a body with itself
    bool operator==(const ContactRules&) const = default;
};

struct BodySettings {
    Parameters parameters;
    std::vector<PinRule> pins;
    bool operator==(const BodySettings&) const = default;
};

struct RunSettings {
    std::string method = "exprb2";  // id, see integrate/methods.h
    double step = 0;                // s; 0: the method's own choice (see default_step)
    SolverOptions solver{.nonlinear = NonlinearSolver::superlinear, .linear = LinearSolver::automatic};  // implicit, exponential methods
    StepControl control = StepControl::fixed;
    double error_tolerance = 0.01;  // of one step, relative to its displacement; for StepControl::error
    DivergencePolicy policy = DivergencePolicy::pause;
    std::vector<BodySettings> bodies{BodySettings{}};  // one per body of the scene
    ContactRules contact;
    double drop_height = 0;                // m; the bodies begin that much above where the scene puts them
    std::vector<Obstacle> obstacles = {};  // with the floor as the first, once the scene is loaded
    bool operator==(const RunSettings&) const = default;

    Parameters& parameters(int body = 0) { return bodies[static_cast<std::size_t>(body)].parameters; }
    const Parameters& parameters(int body = 0) const { return bodies[static_cast<std::size_t>(body)].parameters; }
    std::vector<PinRule>& pins(int body = 0) { return bodies[static_cast<std::size_t>(body)].pins; }
    const std::vector<PinRule>& pins(int body = 0) const { return bodies[static_cast<std::size_t>(body)].pins; }
};

// Sets a parameter of one body, or of all (body -1); one of the whole scene is always set in all. Refuses unknown names, values out of
// range and bodies that are not there.
Result<void> set_parameter(RunSettings&, int body, std::string_view name, double value);

}  // namespace wobble
