#include "engine/sim/run_log.h"

#include "engine/core/spelling.h"

#include <bit>
#include <utility>

namespace wobble {

namespace {

// Only its values and forces: a log must not keep every mesh alive.
std::shared_ptr<const LoadedScene> without_body(const LoadedScene& loaded) {
    auto light = std::make_shared<LoadedScene>();
    light->scene = loaded.scene;
    light->add_forces = loaded.add_forces;
    return light;
}

class Hash {
public:
    void add(std::uint64_t word) {
        value_ ^= word;
        value_ *= 0x9e3779b97f4a7c15u;
        value_ ^= value_ >> 29;
    }
    void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
    void add(int x) { add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(x))); }
    void add(const Vec3& x) {
        for (int k = 0; k < 3; ++k) add(x[k]);
    }
    template <class T, std::size_t N>
    void add(const std::array<T, N>& values) {
        for (const T& x : values) add(x);
    }
    void add(const Link& link) { add(link.i), add(link.j), add(static_cast<int>(link.kind)); }
    template <class T>
    void add(const std::vector<T>& values) {
        add(static_cast<std::uint64_t>(values.size()));
        for (const T& x : values) add(x);
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

// Builds what a log names, once while the same is named again.
class Bodies {
public:
    Result<std::shared_ptr<const LoadedScene>> build(const std::shared_ptr<const LoadedScene>& named, std::uint64_t body,
                                                     const Progress& progress) {
        if (built_ && named == named_) return built_;
        const auto as_replayed = [&](std::string_view, double fraction) { return keep_going(progress, "building the body", fraction); };
        auto built = build_scene(named->scene, as_replayed);
        if (!built) return built.error();
        if (fingerprint(built.value()->body) != body) return Error{changed(named->scene)};
        named_ = named, built_ = std::move(built).value();
        if (named->add_forces) {  // no part of the scene's text: they are what the log was given
            auto forced = std::make_shared<LoadedScene>(*built_);
            forced->add_forces = named->add_forces;
            built_ = std::move(forced);
        }
        return built_;
    }

private:
    static std::string changed(const Scene& scene) {
        if (const auto* file = std::get_if<FileSource>(&scene.body().source))
            return "The mesh " + in_quotes(file->file.string()) +
                   " is not the one of this run any more; bring the old file back to replay it.";
        return "The body of scene " + in_quotes(scene.name) +
               " is built differently from when this run was logged; use the version of Wobble that wrote the log.";
    }
    std::shared_ptr<const LoadedScene> named_, built_;
};

}  // namespace

std::uint64_t fingerprint(const BodyMesh& body) {
    Hash hash;
    hash.add(body.tets.vertices), hash.add(body.tets.tets), hash.add(body.tets.boundary), hash.add(body.links);
    hash.add(body.surface.vertices), hash.add(body.surface.triangles);
    hash.add(body.embedding.particle), hash.add(body.embedding.weight);
    return hash.value();
}

void RunLog::begin(const LoadedScene& loaded) {
    start = without_body(loaded);
    bodies = {fingerprint(loaded.body)};
}

void RunLog::note(std::uint64_t step, double now, const Command& command) {
    if (entries.size() >= most) return void(complete = false);
    const Load* load = std::get_if<Load>(&command);
    if (load && !load->scene) return;
    entries.push_back({step, now, load ? Command{Load{without_body(*load->scene)}} : command});
    if (load) bodies.push_back(fingerprint(load->scene->body));
}

void RunLog::keep_first(std::size_t commands) {
    while (entries.size() > commands) {
        if (std::holds_alternative<Load>(entries.back().command)) bodies.pop_back();
        entries.pop_back();
    }
}

Result<Replayed> replay(const RunLog& log, int threads, const Progress& progress) {
    if (!log.start || log.bodies.empty()) return Error{"The run log names no scene to begin with."};
    Bodies bodies;
    auto first = bodies.build(log.start, log.bodies.front(), progress);
    if (!first) return first.error();
    Replayed again{World(std::move(first).value(), threads)};
    again.world.keep_history();
    const auto step_to = [&](std::uint64_t step) {
        for (; again.steps < step; ++again.steps) {
            if (!keep_going(progress, "replaying", static_cast<double>(again.steps) / static_cast<double>(log.steps))) return false;
            again.world.step();
        }
        return true;
    };
    std::size_t loads = 0;
    for (const RunLog::Entry& entry : log.entries) {
        if (!step_to(entry.step)) return Error{"Stopped on request."};
        const Load* load = std::get_if<Load>(&entry.command);
        if (!load) {
            again.world.apply(entry.command);
            continue;
        }
        auto built = bodies.build(load->scene, log.bodies.at(++loads), progress);
        if (!built) return built.error();
        again.world.apply(Load{std::move(built).value()});
    }
    if (!step_to(log.steps)) return Error{"Stopped on request."};
    again.hash = again.world.state_hash();
    again.same = again.hash == log.hash;
    return again;
}

}  // namespace wobble
