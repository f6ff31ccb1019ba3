#include "engine/sim/history.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace wobble {

namespace {

constexpr std::size_t most_spare = 4;

std::size_t bytes(const State& state) { return sizeof(KeptState) + sizeof(double) * static_cast<std::size_t>(state.q.size() + state.v.size()); }

auto later_than(double t) {
    return [t](const KeptState& kept) { return kept.state.t > t; };
}

}  // namespace

void History::clear() {
    states_.clear();
    spare_.clear();
}

void History::drop(std::size_t index) {
    if (spare_.size() < most_spare) spare_.push_back(std::move(states_[index]));
    states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(index));
}

void History::add(std::uint64_t step, int edits, bool frame, const State& state, const EnergyBook::Account& account) {
    while (!states_.empty() && states_.back().state.t >= state.t) drop(states_.size() - 1);
    // What leaves the dense part stays only if it is far enough from its predecessor.
    if (states_.size() > dense) {
        const std::size_t leaving = states_.size() - dense;
        const bool close = states_[leaving].state.t < states_[leaving - 1].state.t + spacing * (1 - 1e-9);
        if (close && !states_[leaving].frame) drop(leaving);
    }
    const std::size_t most = std::max<std::size_t>(2, most_bytes_ / bytes(state));
    while (states_.size() >= most) drop(0);

    KeptState kept;
    if (!spare_.empty()) kept = std::move(spare_.back()), spare_.pop_back();
    kept.step = step;
    kept.edits = edits;
    kept.frame = frame;
    kept.state = state;
    kept.account = account;
    states_.push_back(std::move(kept));
}

const KeptState* History::at(double t) const {
    if (states_.empty()) return nullptr;
    const auto later = std::partition_point(states_.begin(), states_.end(), std::not_fn(later_than(t)));
    return later == states_.begin() ? &states_.front() : &*(later - 1);
}

const KeptState* History::before(double t) const {
    const auto first = std::partition_point(states_.begin(), states_.end(), [t](const KeptState& kept) { return kept.state.t < t; });
    return first == states_.begin() ? nullptr : &*(first - 1);
}

}  // namespace wobble
