#include "engine/sim/state_history.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace wobble {

namespace {

constexpr std::size_t most_spare = 4;

std::size_t bytes(const State& state, const ControllerState& controller_state) {
    const std::size_t numbers =
        static_cast<std::size_t>(state.q.size() + state.v.size() + state.internal.size()) + controller_state.stepper.solver_state.size();
    return sizeof(KeptState) + sizeof(double) * numbers;
}

auto later_than(double t) {
    return [t](const KeptState& kept) { return kept.state.t > t; };
}

}  // namespace

void StateHistory::clear() {
    states_.clear();
    spare_.clear();
}

void StateHistory::drop(std::size_t index) {
    if (spare_.size() < most_spare) spare_.push_back(std::move(states_[index]));
    states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(index));
}

bool StateHistory::supports_others(std::size_t index) const {
    for (std::size_t j = 1; j <= most_support && index + j < states_.size(); ++j)
        if (!states_[index + j].support && states_[index + j].controller_state.stepper.states() >= static_cast<int>(j)) return true;
    return false;
}

// What leaves the dense part can be gone to only if it is far enough from its predecessor, and stays as long as others may need it.
void StateHistory::thin() {
    if (states_.size() <= dense) return;
    const std::size_t leaving = states_.size() - dense;
    KeptState& kept = states_[leaving];
    if (!std::exchange(kept.decided, true)) {
        std::size_t last = leaving - 1;
        while (last > 0 && states_[last].support) --last;
        const bool short_steps = kept.state.t < states_[leaving - 1].state.t + spacing * (1 - 1e-9);
        const double apart = short_steps && kept.controller_state.stepper.states() > 0 ? 4 * spacing : spacing;
        kept.support = !kept.frame && kept.state.t < states_[last].state.t + apart * (1 - 1e-9);
    }
    if (leaving < most_support) return;
    const std::size_t decided = leaving - most_support;
    if (states_[decided].support && !supports_others(decided)) drop(decided);
}

void StateHistory::add(std::uint64_t step, int edits, bool frame, const State& state, const EnergyBook::Account& account,
                       ControllerState controller_state) {
    // A future that was given up begins where this one does: at this step, however much longer it is than it was then.
    while (!states_.empty() && (states_.back().state.t >= state.t || states_.back().step >= step)) drop(states_.size() - 1);
    thin();
    const std::size_t most = std::max<std::size_t>(2, most_bytes_ / bytes(state, controller_state));
    while (states_.size() >= most)
        for (bool support = true; support && !states_.empty(); drop(0)) support = states_.front().support;  // with whom it supports

    KeptState kept;
    if (!spare_.empty()) kept = std::move(spare_.back()), spare_.pop_back();
    kept.step = step;
    kept.edits = edits;
    kept.frame = frame;
    kept.state = state;
    kept.account = account;
    kept.controller_state = std::move(controller_state);
    kept.support = kept.decided = false;
    states_.push_back(std::move(kept));
}

const KeptState& StateHistory::first() const {
    return *std::find_if(states_.begin(), states_.end() - 1, [](const KeptState& kept) { return !kept.support; });
}

const KeptState* StateHistory::reachable(std::deque<KeptState>::const_iterator end) const {
    while (end != states_.begin())
        if (!(--end)->support) return &*end;
    return nullptr;
}

const KeptState* StateHistory::at(double t) const {
    if (states_.empty()) return nullptr;
    const KeptState* found = reachable(std::partition_point(states_.begin(), states_.end(), std::not_fn(later_than(t))));
    return found ? found : &first();
}

const KeptState* StateHistory::before(double t) const {
    return reachable(std::partition_point(states_.begin(), states_.end(), [t](const KeptState& kept) { return kept.state.t < t; }));
}

std::vector<const State*> StateHistory::states_before(const KeptState& kept) const {
    std::vector<const State*> before;
    auto at = std::partition_point(states_.begin(), states_.end(), [&](const KeptState& k) { return k.state.t < kept.state.t; });
    for (std::uint64_t step = kept.step; at != states_.begin() && static_cast<int>(before.size()) < kept.controller_state.stepper.states();
         --step) {
        if ((--at)->step + 1 != step) break;
        before.insert(before.begin(), &at->state);
    }
    return before;
}

}  // namespace wobble
