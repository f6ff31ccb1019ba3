// Run logs as text; see run_log.h.
#include "engine/core/file.h"
#include "engine/core/spelling.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/run_log.h"

#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>

namespace wobble {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view first_line = "wobble run log 1";
constexpr std::size_t largest_file = 1'000'000'000;
constexpr std::uint64_t most_steps = 1'000'000'000'000;
constexpr int most_pins = 10000;

// ---- values as words ----

std::string word(double x) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}
std::string word(int x) { return std::to_string(x); }
std::string word(const Vec3& v) { return word(v.x()) + " " + word(v.y()) + " " + word(v.z()); }

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

// A name as one word: what is not a plain letter becomes %XX; nothing at all becomes %.
std::string name_word(std::string_view name) {
    std::string out;
    for (const char c : name) {
        char code[4] = {c, 0, 0, 0};
        if (!plain(c)) std::snprintf(code, sizeof code, "%%%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += code;
    }
    return out.empty() ? "%" : out;
}

template <class List, class Kind>
std::string id_word(const List& list, Kind kind) {
    for (const auto& info : list)
        if (info.kind == kind) return info.id;
    return "%";
}

std::string hash_word(std::uint64_t hash) {
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

constexpr std::pair<PinRule::Kind, const char*> pin_kinds[] = {
    {PinRule::Kind::held, "held"}, {PinRule::Kind::plane, "plane"}, {PinRule::Kind::line, "line"}, {PinRule::Kind::free, "free"}};

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
    std::string operator()(const SetFrameTimes& c) const { return "frame-times " + word(c.interval) + " " + word(c.origin); }
    std::string operator()(const Show& c) const { return "show " + id_word(fields(), c.field) + " " + (c.particles ? "1" : "0"); }
    std::string operator()(const Load&) const { return "load"; }
};

// The scene behind bars, made independent of the folder we are in.
Result<std::string> scene_text(const Scene& scene, std::uint64_t body) {
    Scene moved = scene;
    moved.stated.reset();
    moved.title = name_word(scene.name).substr(0, 200);  // a title may hold anything, and replaying does not need it
    for (BodySource& body_source : moved.bodies)
        if (auto* from = std::get_if<FileSource>(&body_source.source)) {
            std::error_code error;
            const fs::path absolute = fs::absolute(from->file, error);
            if (!error) from->file = absolute;
        }
    const std::string toml = to_toml(moved);
    if (auto again = parse_scene(toml, {}, scene.name); !again)
        return Error{"The scene " + in_quotes(scene.name) + " cannot be written to a run log: " + again.message()};
    std::string out = " " + name_word(scene.name) + " " + hash_word(body) + "\n| ";
    for (const char c : toml) {
        out += c;
        if (c == '\n') out += "| ";
    }
    return out + "\n";
}

// ---- words back to values ----

class LineReader {
public:
    explicit LineReader(std::string_view line) : rest_(line) {}
    std::string_view next() {
        const std::size_t begin = rest_.find_first_not_of(' ');
        if (begin == std::string_view::npos) return rest_ = {}, ok_ = false, rest_;
        rest_.remove_prefix(begin);
        const std::string_view found = rest_.substr(0, rest_.find(' '));
        rest_.remove_prefix(found.size());
        return found;
    }
    template <class Number>
    Number number() {
        const std::string_view text = next();
        Number value{};
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) ok_ = false;
        return value;
    }
    std::uint64_t hash() {
        const std::string_view text = next();
        std::uint64_t value = 0;
        if (text.size() != 16 || std::from_chars(text.data(), text.data() + 16, value, 16).ptr != text.data() + 16) ok_ = false;
        return value;
    }
    double real() { return number<double>(); }
    Vec3 vector() {
        Vec3 v;
        for (int k = 0; k < 3; ++k) v[k] = real();
        return v;
    }
    std::string name() {
        const std::string_view text = next();
        std::string out;
        if (text == "%") return out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '%') {
                out += text[i];
                continue;
            }
            unsigned code = 0;
            const bool good =
                i + 2 < text.size() && std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr == text.data() + i + 3;
            if (!good) return ok_ = false, out;
            out += static_cast<char>(code);
            i += 2;
        }
        return out;
    }
    template <class List>
    auto id(const List& list) {
        const std::string_view text = next();
        for (const auto& info : list)
            if (text == info.id) return info.kind;
        ok_ = false;
        return list.front().kind;
    }
    // The number of a body, if one follows: logs of scenes with one body name none.
    int body(int otherwise) {
        if (rest_.find_first_not_of(' ') == std::string_view::npos) return otherwise;
        const int body = number<int>();
        if (body < 0) ok_ = false;
        return body;
    }
    void fail() { ok_ = false; }
    bool done() const { return ok_ && rest_.find_first_not_of(' ') == std::string_view::npos; }

private:
    std::string_view rest_;
    bool ok_ = true;
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

// None: there is no such command. What is wrong with its values the reader knows.
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

class LogReader {
public:
    LogReader(const fs::path& file, std::string_view text) : file_(file.string()), rest_(text) {}

    Result<RunLog> read() {
        if (!next() || line_ != first_line)
            return wrong("This is not a run log of Wobble: it must begin with the line \"" + std::string(first_line) + "\".");
        while (next() && (line_.empty() || line_.starts_with('#'))) {
        }
        LineReader head(line_);
        if (at_end_ || head.next() != "scene") return wrong("Here must be the scene that the run began with: scene NAME BODY.");
        RunLog log;
        if (auto scene = read_scene(head, log); !scene) return scene.error();
        else log.start = std::move(scene).value();
        for (bool more = !at_end_; more; more = !at_end_) {
            LineReader in(line_);
            if (line_.starts_with("end")) return read_end(in, std::move(log));
            if (auto read = read_entry(in, log); !read) return read.error();
        }
        return wrong("The log breaks off: its last line must be: end STEPS HASH.");
    }

private:
    // line_ is always the line to be read next, once the first has been.
    bool next() {
        if (rest_.empty()) return at_end_ = true, false;
        const std::size_t end = rest_.find('\n');
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        ++number_;
        return true;
    }
    Error wrong(const std::string& sentence) const { return {file_ + ":" + std::to_string(std::max(1, number_)) + ": " + sentence}; }

    Result<std::shared_ptr<const LoadedScene>> read_scene(LineReader& in, RunLog& log) {
        const std::string name = in.name();
        log.bodies.push_back(in.hash());
        if (!in.done()) return wrong("A scene's name and the 16 hexadecimal digits of its body must follow here.");
        const int began = number_;
        std::string toml;
        while (next() && line_.starts_with("|")) {
            toml += line_.substr(line_.starts_with("| ") ? 2 : 1);
            toml += '\n';
        }
        auto scene = parse_scene(toml, {}, name);
        if (!scene) return Error{file_ + ":" + std::to_string(began) + ": The scene after this line is wrong: " + scene.message()};
        auto loaded = std::make_shared<LoadedScene>();
        loaded->scene = std::move(scene).value();
        return std::shared_ptr<const LoadedScene>(std::move(loaded));
    }

    Result<void> read_entry(LineReader& in, RunLog& log) {
        const auto step = in.number<std::uint64_t>();
        const std::string_view name = in.next();
        if (name.empty()) return wrong("A line must be: STEP COMMAND VALUES, or: end STEPS HASH.");
        if (step > most_steps || (!log.entries.empty() && step < log.entries.back().step))
            return wrong("The step of a command must not be less than that of the one before it, and at most " +
                         std::to_string(most_steps) + ".");
        if (log.entries.size() >= RunLog::most)
            return wrong("The log has more than " + std::to_string(RunLog::most) + " commands; none so long is ever written.");
        if (name == "load") {
            auto scene = read_scene(in, log);
            if (!scene) return scene.error();
            log.entries.push_back({step, 0, Load{std::move(scene).value()}});
            return {};
        }
        auto command = read_command(name, in);
        if (!command) return wrong("There is no command " + in_quotes(name) + ".");
        if (!in.done()) return wrong("The values of " + in_quotes(name) + " are not what they should be.");
        log.entries.push_back({step, 0, std::move(*command)});
        next();
        return {};
    }

    Result<RunLog> read_end(LineReader& in, RunLog log) {
        in.next();
        log.steps = in.number<std::uint64_t>();
        log.hash = in.hash();
        if (!in.done() || log.steps > most_steps) return wrong("The last line must be: end STEPS HASH.");
        if (!log.entries.empty() && log.steps < log.entries.back().step) return wrong("The end comes before the last command.");
        while (next())
            if (!line_.empty()) return wrong("Nothing may follow the line that begins with \"end\".");
        return log;
    }

    std::string file_;
    std::string_view rest_, line_;
    int number_ = 0;
    bool at_end_ = false;
};

}  // namespace

Result<void> write_run_log(const RunLog& log, const fs::path& path) {
    if (!log.complete)
        return Error{"More than " + std::to_string(RunLog::most) +
                     " things were done in this session, more than a run log keeps; it was given up. Start anew to log again."};
    if (!log.start || log.bodies.empty()) return Error{"This run was not logged."};
    auto file = OutputFile::create(path);
    if (!file) return file.error();
    OutputFile& out = file.value();
    out.write(std::string(first_line) +
              "\n# A session of Wobble, to be had again with: wobble replay FILE\n"
              "# A line is STEP COMMAND VALUES: what was done after so many steps were tried. Scenes are TOML behind bars.\n"
              "# The last line says where it ended: end STEPS HASH (of time, positions and velocities).\nscene");
    auto scene = scene_text(log.start->scene, log.bodies.front());
    if (!scene) return scene.error();
    out.write(scene.value());
    std::size_t loads = 0;
    for (const RunLog::Entry& entry : log.entries) {
        std::string line = std::to_string(entry.step) + " " + std::visit(CommandText{}, entry.command);
        if (const Load* load = std::get_if<Load>(&entry.command)) {
            auto loaded = scene_text(load->scene->scene, log.bodies.at(++loads));
            if (!loaded) return loaded.error();
            line += loaded.value();
        } else line += "\n";
        out.write(line);
    }
    out.write("end " + std::to_string(log.steps) + " " + hash_word(log.hash) + "\n");
    return out.commit();
}

Result<RunLog> read_run_log(const fs::path& path) {
    auto text = read_file(path, largest_file);
    if (!text) return text.error();
    return LogReader(path, text.value()).read();
}

}  // namespace wobble
