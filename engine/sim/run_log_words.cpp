#include "engine/sim/run_log_words.h"

#include "engine/integrate/methods.h"
#include "engine/scene/limits.h"
#include "engine/sim/snapshot.h"

#include <cstdio>

namespace wobble {

namespace {

constexpr int most_pins = 10000;

std::string word(double x) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}
std::string word(int x) { return std::to_string(x); }
std::string word(const Vec3& v) { return word(v.x()) + " " + word(v.y()) + " " + word(v.z()); }

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

template <class List, class Kind>
std::string id_word(const List& list, Kind kind) {
    for (const auto& info : list)
        if (info.kind == kind) return info.id;
    return "%";
}

constexpr std::pair<PinRule::Kind, const char*> pin_kinds[] = {
    {PinRule::Kind::held, "held"}, {PinRule::Kind::plane, "plane"}, {PinRule::Kind::line, "line"}, {PinRule::Kind::free, "free"}};

// Meshes by absolute paths: a log is independent of the folder we are in.
std::string obstacle_words(const Obstacle& o) {
    std::error_code error;
    const std::filesystem::path file = o.file.empty() ? o.file : std::filesystem::absolute(o.file, error);
    std::string out = id_word(obstacle_kinds(), o.kind) + " " + name_word(o.name) + " " + name_word(file.string());
    for (const double x : {o.radius, o.length, o.angle, o.frequency, o.spin, o.friction}) out += " " + word(x);
    for (const Vec3& x : {o.size, o.position, o.axis, o.amplitude, o.spin_axis, o.colour}) out += " " + word(x);
    out += " " + word(o.automatic) + " " + word(o.visible) + " " + std::to_string(o.keys.size());
    for (const ObstacleKey& key : o.keys)
        out += " " + word(key.t) + " " + word(key.translation) + " " + word(key.axis) + " " + word(key.angle);
    return out;
}

bool read_flag(LineReader& in) {
    const int flag = in.number<int>();
    if (flag != 0 && flag != 1) in.fail();
    return flag == 1;
}

Obstacle read_obstacle_words(LineReader& in) {
    Obstacle o;
    o.kind = in.id(obstacle_kinds()), o.name = in.name(), o.file = in.name();
    for (double* x : {&o.radius, &o.length, &o.angle, &o.frequency, &o.spin, &o.friction}) *x = in.real();
    for (Vec3* x : {&o.size, &o.position, &o.axis, &o.amplitude, &o.spin_axis, &o.colour}) *x = in.vector();
    o.automatic = read_flag(in), o.visible = read_flag(in);
    const int count = in.number<int>();
    if (count < 0 || count > limits::obstacle_keys) return in.fail(), o;
    for (int k = 0; k < count; ++k) {
        ObstacleKey& key = o.keys.emplace_back();
        key.t = in.real(), key.translation = in.vector(), key.axis = in.vector(), key.angle = in.real();
    }
    return o;
}

struct CommandText {
    std::string operator()(const Play&) const { return "play"; }
    std::string operator()(const Pause&) const { return "pause"; }
    std::string operator()(const StepOnce&) const { return "step"; }
    std::string operator()(const PlayTo& c) const { return "play-to " + word(c.t); }
    std::string operator()(const StepBack&) const { return "step-back"; }
    std::string operator()(const GoTo& c) const { return "go-to " + word(c.t); }
    std::string operator()(const Reset&) const { return "reset"; }
    std::string operator()(const SetSpeed& c) const { return "speed " + word(c.factor); }
    std::string operator()(const SetMethod& c) const { return "method " + name_word(c.id); }
    std::string operator()(const SetStep& c) const { return "step-size " + word(c.h); }
    std::string operator()(const SetSolver& c) const {
        const SolverOptions& s = c.solver;
        return "solver " + word(s.tolerance) + " " + id_word(nonlinear_solvers(), s.nonlinear) + " " + id_word(linear_solvers(), s.linear) +
               " " + id_word(phi_methods(), s.phi) + " " + id_word(gautschi_filters(), s.filter);
    }
    std::string operator()(const SetStepControl& c) const {
        return "step-control " + id_word(step_controls(), c.control) + " " + word(c.error_tolerance);
    }
    std::string operator()(const SetParameter& c) const {
        return "parameter " + name_word(c.name) + " " + word(c.value) + (c.body < 0 ? "" : " " + word(c.body));
    }
    std::string operator()(const SetDivergencePolicy& c) const {
        return std::string("divergence ") + (c.policy == DivergencePolicy::halve_step ? "halve-step" : "pause");
    }
    std::string operator()(const Grab& c) const { return "grab " + word(c.triangle) + " " + word(c.barycentric) + " " + word(c.target); }
    std::string operator()(const MoveGrab& c) const { return "move-grab " + word(c.target); }
    std::string operator()(const Release&) const { return "release"; }
    std::string operator()(const TogglePin& c) const { return "toggle-pin " + word(c.triangle) + " " + word(c.barycentric); }
    std::string operator()(const SetPins& c) const {
        std::string out = "pins " + std::to_string(c.pins.size());
        for (const PinRule& pin : c.pins) {
            for (const auto& [kind, id] : pin_kinds)
                if (kind == pin.kind) out += std::string(" ") + id;
            out += " " + word(pin.low) + " " + word(pin.high) + " " + word(pin.direction) + " " + word(pin.amplitude) + " " +
                   word(pin.frequency);
        }
        return c.body == 0 ? out : out + " " + word(c.body);
    }
    std::string operator()(const SetContact& c) const {
        return "contact " + word(c.rules.floor) + " " + word(c.rules.bodies) + " " + word(c.rules.self);
    }
    std::string operator()(const AddObstacle& c) const { return "add-obstacle " + obstacle_words(c.obstacle); }
    std::string operator()(const SetObstacle& c) const { return "obstacle " + word(c.index) + " " + obstacle_words(c.obstacle); }
    std::string operator()(const RemoveObstacle& c) const { return "remove-obstacle " + word(c.index); }
    std::string operator()(const DragObstacle& c) const { return "drag-obstacle " + word(c.index) + " " + word(c.position); }
    std::string operator()(const ReleaseObstacle&) const { return "release-obstacle"; }
    std::string operator()(const Drop& c) const { return "drop " + word(c.height); }
    std::string operator()(const SetFrameTimes& c) const { return "frame-times " + word(c.interval) + " " + word(c.origin); }
    std::string operator()(const Show& c) const { return "show " + id_word(fields(), c.field) + " " + (c.particles ? "1" : "0"); }
    std::string operator()(const Load&) const { return "load"; }
};

std::vector<PinRule> read_pins(LineReader& in) {
    const int count = in.number<int>();
    std::vector<PinRule> pins;
    if (count < 0 || count > most_pins) return in.fail(), pins;
    for (int i = 0; i < count; ++i) {
        PinRule& pin = pins.emplace_back();
        const std::string_view kind = in.next();
        bool known = false;
        for (const auto& [value, id] : pin_kinds)
            if (kind == id) pin.kind = value, known = true;
        if (!known) return in.fail(), pins;
        pin.low = in.vector(), pin.high = in.vector(), pin.direction = in.vector(), pin.amplitude = in.vector(), pin.frequency = in.real();
    }
    return pins;
}

}  // namespace

std::string name_word(std::string_view name) {
    std::string out;
    for (const char c : name) {
        char code[4] = {c, 0, 0, 0};
        if (!plain(c)) std::snprintf(code, sizeof code, "%%%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += code;
    }
    return out.empty() ? "%" : out;
}

std::string hash_word(std::uint64_t hash) {
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::string command_words(const Command& command) { return std::visit(CommandText{}, command); }

std::optional<Command> read_command(std::string_view name, LineReader& in) {
    if (name == "play") return Play{};
    if (name == "pause") return Pause{};
    if (name == "step") return StepOnce{};
    if (name == "play-to") return PlayTo{in.real()};
    if (name == "step-back") return StepBack{};
    if (name == "go-to") return GoTo{in.real()};
    if (name == "reset") return Reset{};
    if (name == "speed") return SetSpeed{in.real()};
    if (name == "method") return SetMethod{in.name()};
    if (name == "step-size") return SetStep{in.real()};
    if (name == "solver") {
        SolverOptions s;
        s.tolerance = in.real(), s.nonlinear = in.id(nonlinear_solvers()), s.linear = in.id(linear_solvers());
        s.phi = in.id(phi_methods()), s.filter = in.id(gautschi_filters());
        return SetSolver{s};
    }
    if (name == "step-control") {
        const StepControl control = in.id(step_controls());
        return SetStepControl{control, in.real()};
    }
    if (name == "parameter") {
        const std::string parameter = in.name();
        const double value = in.real();
        return SetParameter{parameter, value, in.body(-1)};
    }
    if (name == "divergence") {
        const std::string_view policy = in.next();
        if (policy != "pause" && policy != "halve-step") in.fail();
        return SetDivergencePolicy{policy == "pause" ? DivergencePolicy::pause : DivergencePolicy::halve_step};
    }
    if (name == "grab") {
        const int triangle = in.number<int>();
        const Vec3 at = in.vector();
        return Grab{triangle, at, in.vector()};
    }
    if (name == "move-grab") return MoveGrab{in.vector()};
    if (name == "release") return Release{};
    if (name == "toggle-pin") {
        const int triangle = in.number<int>();
        return TogglePin{triangle, in.vector()};
    }
    if (name == "pins") {
        std::vector<PinRule> pins = read_pins(in);
        return SetPins{std::move(pins), in.body(0)};
    }
    if (name == "contact") {
        const bool floor = read_flag(in), bodies = read_flag(in);
        return SetContact{{floor, bodies, read_flag(in)}};
    }
    if (name == "add-obstacle") return AddObstacle{read_obstacle_words(in)};
    if (name == "obstacle") {
        const int index = in.number<int>();
        return SetObstacle{index, read_obstacle_words(in)};
    }
    if (name == "remove-obstacle") return RemoveObstacle{in.number<int>()};
    if (name == "drag-obstacle") {
        const int index = in.number<int>();
        return DragObstacle{index, in.vector()};
    }
    if (name == "release-obstacle") return ReleaseObstacle{};
    if (name == "drop") return Drop{in.real()};
    if (name == "frame-times") {
        const double interval = in.real();
        return SetFrameTimes{interval, in.real()};
    }
    if (name == "show") {
        const Field field = in.id(fields());
        const int particles = in.number<int>();
        if (particles != 0 && particles != 1) in.fail();
        return Show{field, particles == 1};
    }
    return std::nullopt;
}

}  // namespace wobble
