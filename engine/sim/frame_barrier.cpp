#include "engine/sim/frame_barrier.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wobble {

namespace {
constexpr std::size_t most_distances = 100000;  // kept for a display that does not fetch them
}

struct FrameBarrier::Gate final : FrameGate {
    std::shared_ptr<FrameBarrier> lock_step;
    int member;
    Gate(std::shared_ptr<FrameBarrier> l, int m) : lock_step(std::move(l)), member(m) {}
    bool pass(const std::shared_ptr<const Snapshot>& shot) override { return lock_step->pass(member, shot); }
};

std::shared_ptr<FrameBarrier> FrameBarrier::make(int members, Sink sink, int every) {
    return std::shared_ptr<FrameBarrier>(new FrameBarrier(members, std::move(sink), std::max(every, 1)));
}

std::shared_ptr<FrameGate> FrameBarrier::gate(int member) { return std::make_shared<Gate>(shared_from_this(), member); }

void FrameBarrier::leave(int member, std::shared_ptr<const Snapshot> last) {
    const std::lock_guard lock(mutex_);
    Member& m = members_[static_cast<std::size_t>(member)];
    m.left = true;
    if (last) m.shot = std::move(last);
}

bool FrameBarrier::pass(int member, const std::shared_ptr<const Snapshot>& shot) {
    const std::lock_guard lock(mutex_);
    members_[static_cast<std::size_t>(member)].shot = shot;
    const std::uint64_t frame = shot->frame;
    if (frame < finished_) return frame < limit_;
    const auto ahead = [&](const Member& m) { return !m.left && m.shot && m.shot->frame > frame; };
    if (std::any_of(members_.begin(), members_.end(), ahead)) return true;  // it catches up
    const bool all =
        std::all_of(members_.begin(), members_.end(), [&](const Member& m) { return m.left || (m.shot && m.shot->frame == frame); });
    if (!all) return false;
    Set set;
    for (const Member& m : members_) set.push_back(m.shot);
    if (sink_ && frame % every_ == 0 && !sink_(set)) return false;
    complete_ = std::move(set);
    finish(frame);
    return frame < limit_;
}

void FrameBarrier::hold() {
    const std::lock_guard lock(mutex_);
    limit_ = std::min(limit_, finished_);
}

void FrameBarrier::go() {
    const std::lock_guard lock(mutex_);
    limit_ = ~std::uint64_t{0};
}

// From frame f, at which they stand: f may be left, f + 1 may not.
void FrameBarrier::go_one_frame() {
    const std::lock_guard lock(mutex_);
    limit_ = finished_;
}

void FrameBarrier::finish(std::uint64_t frame) {
    finished_ = frame + 1;
    if (members_.front().left || !complete_.front()) return;
    for (std::size_t i = 1; i < complete_.size(); ++i)
        if (!members_[i].left && complete_[i] && distances_.size() < most_distances)
            distances_.push_back({static_cast<int>(i), complete_[i]->t, surface_distance(*complete_[i], *complete_.front())});
}

FrameBarrier::Set FrameBarrier::complete() const {
    const std::lock_guard lock(mutex_);
    return complete_;
}

std::vector<FrameBarrier::Distance> FrameBarrier::take_distances() {
    const std::lock_guard lock(mutex_);
    return std::exchange(distances_, {});
}

double surface_distance(const Snapshot& a, const Snapshot& b) {
    if (a.positions.size() != b.positions.size() || a.positions.empty()) return 0;
    double sum = 0;
    for (std::size_t i = 0; i < a.positions.size(); ++i) sum += static_cast<double>((a.positions[i] - b.positions[i]).squaredNorm());
    return std::sqrt(sum / static_cast<double>(a.positions.size()));
}

}  // namespace wobble
