#include "engine/sim/simulation.h"

#include "engine/core/thread_priority.h"
#include "engine/sim/surface_view.h"
#include "engine/sim/world.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace wobble {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds publish_interval{8};  // faster than any display
constexpr std::size_t longest_trace = 100000;             // energy samples kept for a display that does not fetch them
constexpr std::chrono::milliseconds gate_interval{1};     // between questions to a gate that is not ready for the next frame
constexpr std::chrono::milliseconds longest_debt{100};    // of wall time; a simulation that cannot keep up does not hurry afterwards

// Simulated time against wall time: when the next step is due, and how fast it really goes.
class Pace {
public:
    void restart(double t, double speed) {
        t0_ = t, wall0_ = Clock::now(), speed_ = speed, measured_t_ = t, measured_wall_ = wall0_, factor_ = 0;
    }

    Clock::time_point due(double t_next) {
        auto when = wall0_ + std::chrono::duration_cast<Clock::duration>(Seconds((t_next - t0_) / speed_));
        const auto earliest = Clock::now() - longest_debt;
        if (when < earliest) wall0_ += earliest - when, when = earliest;
        return when;
    }
    double factor(double t) {
        const double passed = Seconds(Clock::now() - measured_wall_).count();
        if (passed > 0.4) factor_ = (t - measured_t_) / passed, measured_t_ = t, measured_wall_ = Clock::now();
        return factor_;
    }

private:
    double t0_ = 0, speed_ = 1, measured_t_ = 0, factor_ = 0;
    Clock::time_point wall0_ = Clock::now(), measured_wall_ = wall0_;
};

}  // namespace

struct Simulation::Implementation {
    std::stop_source stop;
    const int threads;
    std::atomic<int> threads_at_work{1 << 20};  // of them, at most
    const bool keep_log;
    std::optional<World> world;                                           // made by the engine thread
    std::uint64_t steps = 0;                                              // taken since the start, for the log
    double step_seconds = 0;                                              // wall time of the last one
    std::uint64_t applied = 0;                                            // commands
    std::vector<std::shared_ptr<FrameGate>> waiting_gates, passed_gates;  // for the present state
    std::shared_ptr<const Snapshot> frame_shot;                           // what they are asked with

    mutable std::mutex mutex;  // guards what follows, and is never held while stepping
    std::condition_variable wake;
    struct Request {
        Command command;
        std::vector<std::shared_ptr<FrameGate>> gates = {};  // with SetFrameTimes
    };
    std::vector<Request> queue;
    std::uint64_t posted = 0;
    std::vector<EnergySample> trace;
    std::shared_ptr<const Snapshot> latest;
    std::uint64_t latest_steps = 0;   // taken before it
    std::size_t latest_commands = 0;  // of the log, applied before it
    bool quit = false;

    mutable std::mutex log_mutex;  // guards the log, which takes long to copy
    RunLog log;

    std::thread thread;

    Implementation(std::shared_ptr<const Snapshot> first, int wanted_threads, Log log_wanted)
        : threads(wanted_threads), keep_log(log_wanted == Log::on), latest(std::move(first)) {}

    // Makes the World, which takes long for a large body. False: there was not enough memory, which `latest` says.
    bool prepare(const std::shared_ptr<const LoadedScene>& scene) {
        try {
            if (keep_log) {
                const std::lock_guard lock(log_mutex);
                log = {};
                log.begin(*scene);
            }
            world.emplace(scene, threads, stop.get_token());
            world->keep_history();
            if (stop.stop_requested()) return true;  // its frequencies are no longer needed
            publish(0);
            note_energies();
            return true;
        } catch (const std::exception& failure) {
            world.reset();
            auto shot = std::make_shared<Snapshot>();
            try {
                *shot = first_snapshot(scene);
            } catch (const std::exception&) {  // not even for its picture
                shot->scene = scene;
            }
            shot->preparing = false;
            shot->commands = applied;
            shot->message = "\"" + scene->scene.name + "\" cannot be simulated (" + failure.what() + "); try a lower resolution.";
            const std::lock_guard lock(mutex);
            latest = std::move(shot);
            return false;
        }
    }

    // After prepare() has failed: commands are useless until one brings another scene, but for those that would hold for it, too. Null: the
    // end.
    std::shared_ptr<const LoadedScene> another_scene() {
        std::vector<Request> lasting;
        std::unique_lock lock(mutex);
        while (true) {
            wake.wait(lock, [&] { return quit || !queue.empty(); });
            if (quit) return nullptr;
            while (!queue.empty()) {
                Request wish = std::move(queue.front());
                queue.erase(queue.begin());
                if (std::holds_alternative<SetFrameTimes>(wish.command) || std::holds_alternative<Show>(wish.command) ||
                    std::holds_alternative<SetSpeed>(wish.command)) {
                    lasting.push_back(std::move(wish));
                    continue;
                }
                ++applied;
                if (const auto* load = std::get_if<Load>(&wish.command); load && load->scene) {
                    queue.insert(queue.begin(), std::make_move_iterator(lasting.begin()), std::make_move_iterator(lasting.end()));
                    return load->scene;
                }
            }
            auto shot = std::make_shared<Snapshot>(*latest);
            shot->commands = applied + lasting.size();  // heard, though they wait for a body
            latest = std::move(shot);
        }
    }

    void publish(double realtime_factor) {
        auto shot = std::make_shared<Snapshot>(world->snapshot());
        shot->realtime_factor = realtime_factor;
        shot->commands = applied;
        const std::lock_guard lock(mutex);
        latest = std::move(shot);
        latest_steps = steps;
        latest_commands = log.entries.size();  // only this thread changes it
    }

    void note_energies() {
        EnergySample sample = world->sample();
        sample.wall_seconds = step_seconds;
        const std::lock_guard lock(mutex);
        if (trace.size() < longest_trace) trace.push_back(sample);
    }

    // True if no gate waits for the present state any longer.
    bool pass_gates(double realtime_factor) {
        if (!world->on_frame() || waiting_gates.empty()) return true;
        if (!frame_shot) {
            auto shot = std::make_shared<Snapshot>(world->snapshot());
            shot->realtime_factor = realtime_factor;
            shot->commands = applied;
            frame_shot = std::move(shot);
        }
        std::erase_if(waiting_gates, [&](const std::shared_ptr<FrameGate>& gate) {
            const bool passed = gate->pass(frame_shot);
            if (passed) passed_gates.push_back(gate);
            return passed;
        });
        return waiting_gates.empty();
    }

    // A new state: all gates are to be passed again.
    void close_gates() {
        frame_shot.reset();
        for (auto& gate : passed_gates) waiting_gates.push_back(std::move(gate));
        passed_gates.clear();
    }

    void note(const std::vector<Request>& wishes) {
        const std::lock_guard lock(log_mutex);
        for (const Request& wish : wishes) log.note(steps, world->time(), wish.command);
    }

    std::uint64_t enqueue(Request wish) {
        std::uint64_t number;
        {
            const std::lock_guard lock(mutex);
            queue.push_back(std::move(wish));
            number = ++posted;
        }
        wake.notify_one();
        return number;
    }

    void apply(Request& wish) {
        world->apply(wish.command);
        ++applied;
        if (!std::holds_alternative<SetFrameTimes>(wish.command)) return;
        waiting_gates = std::move(wish.gates);
        passed_gates.clear();
        frame_shot.reset();
    }

    void run() {
        auto scene = latest->scene;
        while (scene && !prepare(scene)) scene = another_scene();
        if (scene) loop();
    }

    // The engine loop: commands, one step when it is due, a snapshot.
    void loop() {
        std::vector<Request> wishes;
        Pace pace;
        auto published = Clock::now();
        bool held_up = false;  // by a gate
        while (true) {
            // Outside the lock: the first look at a new step size measures a frequency.
            const bool playing = world->running();
            const auto due_at = playing ? pace.due(world->time() + world->next_step()) : Clock::time_point::max();
            {
                std::unique_lock lock(mutex);
                const auto something = [&] { return quit || !queue.empty(); };
                if (held_up) wake.wait_for(lock, gate_interval, something);
                else if (playing) wake.wait_until(lock, due_at, something);
                else if (!world->wants_step()) wake.wait(lock, something);
                if (quit) return;
                wishes.swap(queue);
            }
            if (keep_log) note(wishes);
            const bool edited = !wishes.empty();
            const double speed = world->speed(), t = world->time();
            world->use_threads(threads_at_work);
            for (Request& wish : wishes) apply(wish);
            wishes.clear();
            if (world->running() != playing || world->speed() != speed || world->time() != t) pace.restart(world->time(), world->speed());

            const bool due = !world->running() || Clock::now() >= pace.due(world->time() + world->next_step());
            held_up = !pass_gates(pace.factor(world->time()));
            const bool stepped = world->wants_step() && due && !held_up;
            if (stepped) {
                close_gates();
                const auto began = Clock::now();
                world->step();
                step_seconds = Seconds(Clock::now() - began).count();
                ++steps;
                held_up = !pass_gates(pace.factor(world->time()));
            }
            if (stepped || edited) note_energies();
            if (edited || (!world->running() && !held_up) || Clock::now() - published >= publish_interval) {
                publish(world->running() ? pace.factor(world->time()) : 0);
                published = Clock::now();
            }
        }
    }
};

Simulation::Simulation(std::shared_ptr<const LoadedScene> scene, int threads, Log log)
    : Simulation(std::make_shared<const Snapshot>(first_snapshot(std::move(scene))), threads, log) {}

Simulation::Simulation(std::shared_ptr<const Snapshot> first, int threads, Log log)
    : self_(std::make_unique<Implementation>(std::move(first), threads, log)) {
    self_->thread = std::thread([self = self_.get()] {
        give_way();  // the helpers of the World are started here, and inherit it
        self->run();
    });
}

Simulation::~Simulation() {
    request_stop();
    self_->thread.join();
}

void Simulation::request_stop() {
    {
        const std::lock_guard lock(self_->mutex);
        self_->quit = true;
    }
    self_->stop.request_stop();
    self_->wake.notify_one();
}

std::uint64_t Simulation::post(Command command) { return self_->enqueue({std::move(command)}); }

std::uint64_t Simulation::set_frames(double interval, std::vector<std::shared_ptr<FrameGate>> gates, double origin) {
    return self_->enqueue({SetFrameTimes{interval, origin}, std::move(gates)});
}

void Simulation::use_threads(int most) { self_->threads_at_work = most; }

std::shared_ptr<const Snapshot> Simulation::latest() const {
    const std::lock_guard lock(self_->mutex);
    return self_->latest;
}

std::vector<EnergySample> Simulation::take_trace() {
    const std::lock_guard lock(self_->mutex);
    return std::exchange(self_->trace, {});
}

std::vector<Simulation::Logged> Simulation::log() const {
    const std::lock_guard lock(self_->log_mutex);
    return {self_->log.entries.begin(), self_->log.entries.end()};
}

RunLog Simulation::run_log() const {
    std::shared_ptr<const Snapshot> end;
    std::uint64_t steps = 0;
    std::size_t commands = 0;
    {
        const std::lock_guard lock(self_->mutex);
        end = self_->latest, steps = self_->latest_steps, commands = self_->latest_commands;
    }
    RunLog log;
    {
        const std::lock_guard lock(self_->log_mutex);
        log = self_->log;
    }
    if (!log.start) log.begin(*end->scene);  // nothing has happened yet
    log.keep_first(commands);
    log.steps = steps, log.hash = end->state_hash, log.t = end->t;
    return log;
}

}  // namespace wobble
