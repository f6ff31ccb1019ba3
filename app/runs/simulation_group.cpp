#include "app/runs/simulation_group.h"

#include "engine/core/workers.h"
#include "engine/sim/surface_view.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace wobble {

namespace {

// Commands about an integrator rather than about the body or the time.
bool about_method(const Command& c) {
    return std::holds_alternative<SetMethod>(c) || std::holds_alternative<SetStep>(c) || std::holds_alternative<SetSolver>(c) ||
           std::holds_alternative<SetStepControl>(c) || std::holds_alternative<SetDivergencePolicy>(c);
}

// Commands after which time goes on from somewhere else.
bool moves_in_time(const Command& c) {
    return std::holds_alternative<Reset>(c) || std::holds_alternative<GoTo>(c) || std::holds_alternative<StepBack>(c) ||
           std::holds_alternative<Load>(c);
}

// Commands of a hand that moves: one who waits for a reset has no use for them.
bool about_grab(const Command& c) {
    return std::holds_alternative<Grab>(c) || std::holds_alternative<MoveGrab>(c) || std::holds_alternative<Release>(c);
}

std::optional<bool> wanted_running(const Command& c) {
    if (std::holds_alternative<Play>(c) || std::holds_alternative<PlayTo>(c)) return true;
    if (std::holds_alternative<Pause>(c) || std::holds_alternative<StepOnce>(c) || std::holds_alternative<StepBack>(c) ||
        std::holds_alternative<GoTo>(c))
        return false;
    return std::nullopt;
}

// The values of a running simulation, given to another one of the same scene.
void copy_settings(const Snapshot& from, Simulation& to) {
    for (int b = 0; from.scene && b < from.scene->scene.count(); ++b) {
        const RunSettings& loaded = from.scene->scene.settings;
        const auto model = from.settings.bodies[static_cast<std::size_t>(b)].model;
        if (model) to.post(SetModel{*model, b});  // which scales a stiffness
        for (const Parameter& p : parameters())
            if (!p.rebuilds_body && (model || from.settings.parameters(b).*(p.field) != loaded.parameters(b).*(p.field)))
                to.post(SetParameter{p.name, from.settings.parameters(b).*(p.field), b});
        if (from.settings.pins(b) != loaded.pins(b)) to.post(SetPins{from.settings.pins(b), b});
    }
    to.post(SetSolver{from.settings.solver});
    to.post(SetStepControl{from.settings.control, from.settings.error_tolerance});
    to.post(SetSpeed{from.speed});
    to.post(SetDivergencePolicy{from.settings.policy});
    to.post(Show{from.field, !from.particle_positions.empty()});
}

}  // namespace

SimulationGroup::SimulationGroup(std::shared_ptr<const LoadedScene> scene, int threads)
    : threads_(threads > 0 ? threads : cores()), left_(1, false), altered_(1) {
    runs_.push_back(std::make_unique<Simulation>(std::move(scene), threads_, Simulation::Log::on));
}

SimulationGroup::~SimulationGroup() {
    for (auto& run : runs_) leaving_.add(std::move(run));
}

void SimulationGroup::drop_all_but_first() {
    for (std::size_t i = 1; i < runs_.size(); ++i) leaving_.add(std::move(runs_[i]));
    runs_.resize(1);
}

void SimulationGroup::post(Command command, int active) {
    if (!comparing()) {
        posted_ = runs_.front()->post(command);
        if (const auto running = wanted_running(command)) asked_ = {posted_, *running};
        if (moves_in_time(command) && sink_) lock();
        return;
    }
    if (about_method(command)) {
        const auto run = static_cast<std::size_t>(active);
        if (const auto* method = std::get_if<SetMethod>(&command)) methods_[run] = method->id;
        if (const auto* step = std::get_if<SetStep>(&command); step && step_ > 0) {
            if (step->h > 0) return set_step_of_all(step->h);
            step_ = 0;  // its own choice: they are no longer equal
        }
        const auto number = runs_[run]->post(std::move(command));
        if (run == 0) posted_ = number;
        return;
    }
    // All go on and stop together, at frames: the lock decides, the simulations themselves never pause.
    if (const auto running = wanted_running(command)) paused_ = !*running;
    if (std::holds_alternative<Play>(command)) {
        revive(static_cast<std::size_t>(active));
        return lock_->go();
    }
    if (std::holds_alternative<Pause>(command)) return lock_->hold();
    if (std::holds_alternative<StepOnce>(command)) return lock_->go_one_frame();
    if (std::holds_alternative<StepBack>(command)) command = GoTo{shown().front()->t - 1 / rate_};
    // States are kept at frame times: all go back to the same one.
    if (auto* go = std::get_if<GoTo>(&command)) go->t = std::max(0.0, std::round(go->t * rate_) / rate_) + 1e-9;
    const bool jump = moves_in_time(command);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (left_[i] && about_grab(command)) continue;
        const auto number = runs_[i]->post(command);
        if (i == 0) posted_ = number;
        if (!std::holds_alternative<Load>(command)) continue;  // a scene brings its own
        runs_[i]->post(SetMethod{methods_[i]});
        runs_[i]->post(SetStep{step_});
    }
    if (jump) begin_again();
}

// One that failed tries again from where it stopped, with what has been changed since, and catches up. Not in a film, which has its frames.
void SimulationGroup::revive(std::size_t run) {
    if (!left_[run] || sink_) return;
    left_[run] = false;
    revived_[run] = ~std::uint64_t{0};
    lock();
    revived_[run] = runs_[run]->post(Play{});
}

bool SimulationGroup::compare(const std::vector<std::string>& methods, double step) {
    const auto now = latest(0);
    if (now->commands < posted_) return false;  // another body, or an edit, is still on its way
    if (!now->scene || methods.size() < 2) return true;
    end_film();
    drop_all_but_first();
    step_ = step;
    methods_.assign(methods.begin(), methods.begin() + std::min<std::ptrdiff_t>(most, std::ssize(methods)));
    const auto first = std::make_shared<const Snapshot>(first_snapshot(now->scene, now->surface));
    while (runs_.size() < methods_.size()) {
        runs_.push_back(std::make_unique<Simulation>(first, threads_, Simulation::Log::on));
        copy_settings(*now, *runs_.back());
    }
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        runs_[i]->post(Pause{});
        runs_[i]->post(SetMethod{methods_[i]});
        runs_[i]->post(SetStep{step});
        runs_[i]->post(Reset{});
        (void)runs_[i]->take_trace();
    }
    share_threads();
    paused_ = false;
    asked_ = {};
    begin_again();
    return true;
}

void SimulationGroup::set_step_of_all(double step) {
    step_ = step;
    for (auto& run : runs_) run->post(SetStep{step});
}

// All alike, so that their times can be compared; a single run has them all.
void SimulationGroup::share_threads() {
    for (auto& run : runs_) run->use_threads(std::max(1, threads_ / count()));
}

// The simulations themselves always run; what they did before is not held against them.
void SimulationGroup::begin_again() {
    left_.clear();
    revived_.clear();
    lock();
    for (std::size_t i = 0; i < runs_.size(); ++i) revived_[i] = runs_[i]->post(Play{});
}

void SimulationGroup::end_comparison(int keep) {
    if (!comparing()) return;
    end_film();
    std::swap(runs_.front(), runs_[static_cast<std::size_t>(std::clamp(keep, 0, count() - 1))]);
    drop_all_but_first();
    share_threads();
    methods_.clear();
    left_.clear();
    asked_ = {};
    posted_ = 0;  // of another run
    lock();
    if (paused_) post(Pause{});
}

FrameBarrier::Set SimulationGroup::shown() const {
    if (!comparing()) {
        auto newest = latest(0);
        const bool done = newest->commands >= asked_.command;
        return {done ? newest : saying(newest, asked_.running, 0)};
    }
    FrameBarrier::Set all = lock_->complete();
    all.resize(runs_.size());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        // What happens at a frame (an edit, a message) is to be seen as well, unless time has gone on since.
        auto newest = runs_[i]->latest();
        if (!all[i] || newest->t == all[i]->t || left_[i]) all[i] = std::move(newest);
        if (!left_[i]) all[i] = saying(all[i], !paused_, i);
    }
    return all;
}

std::shared_ptr<const Snapshot> SimulationGroup::saying(const std::shared_ptr<const Snapshot>& snapshot, bool running,
                                                        std::size_t run) const {
    if (snapshot->running == running) return snapshot;
    Altered& a = altered_[run];
    if (a.from != snapshot) {
        auto altered = std::make_shared<Snapshot>(*snapshot);
        altered->running = running;
        a = {snapshot, std::move(altered)};
    }
    return a.to;
}

std::vector<FrameBarrier::Distance> SimulationGroup::take_distances() {
    return lock_ ? lock_->take_distances() : std::vector<FrameBarrier::Distance>();
}

void SimulationGroup::begin_film(int fps, FrameBarrier::Sink sink) {
    fps_ = fps;
    sink_ = std::move(sink);
    lock();
}

void SimulationGroup::end_film() {
    if (!sink_) return;
    sink_ = nullptr;
    lock();
}

void SimulationGroup::lock() {
    left_.resize(runs_.size(), false);
    altered_.assign(runs_.size(), {});
    revived_.resize(runs_.size(), ~std::uint64_t{0});
    if (!comparing() && !sink_) {
        lock_.reset();
        runs_.front()->set_frames(0);
        return;
    }
    // Several frames of the lock between two of the film, where the film is slower.
    const int between = sink_ && comparing() ? std::max(1, static_cast<int>(std::ceil(lock_rate / fps_))) : 1;
    rate_ = sink_ ? static_cast<double>(fps_) * between : lock_rate;
    lock_ = FrameBarrier::make(count(), sink_, between);
    if (comparing() && paused_) lock_->hold();
    for (int i = 0; i < count(); ++i)
        if (left_[static_cast<std::size_t>(i)]) lock_->leave(i, latest(i));
    for (int i = 0; i < count(); ++i) runs_[static_cast<std::size_t>(i)]->set_frames(1 / rate_, {lock_->gate(i)}, comparing() ? 0.0 : -1.0);
}

bool SimulationGroup::leave_failed_behind() {
    if (!comparing()) return false;
    bool found = false;
    for (int i = 0; i < count(); ++i) {
        const auto now = latest(i);
        if (left_[static_cast<std::size_t>(i)] || now->commands < revived_[static_cast<std::size_t>(i)] || now->running) continue;
        lock_->leave(i, now);
        left_[static_cast<std::size_t>(i)] = found = true;
    }
    return found;
}

}  // namespace wobble
