// Run logs as text; see run_log.h.
#include "engine/core/file.h"
#include "engine/core/spelling.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/run_log.h"
#include "engine/sim/run_log_words.h"

namespace wobble {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view first_line = "wobble run log 1";
constexpr std::size_t largest_file = 1'000'000'000;
constexpr std::uint64_t most_steps = 1'000'000'000'000;

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
    for (Obstacle& o : moved.settings.obstacles) {
        std::error_code error;
        const fs::path absolute = o.file.empty() ? o.file : fs::absolute(o.file, error);
        if (!error) o.file = absolute;
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
        std::string line = std::to_string(entry.step) + " " + command_words(entry.command);
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
