#pragma once
// Keeps several simulations at the same simulated time: none goes on from a frame time before all have reached it and the
// consumer of frames (a film) has taken it. Frame k of all of them is one set of states of the same time, and the distances between them
// are measured. Frames have the same numbers in all of them (SetFrameTimes with an origin); a member that is behind catches up. A member
// that failed is left behind; the others go on without it.
//     distance of member i from member 0 at a frame = sqrt( mean over drawn vertices of |x_i - x_0|^2 ),   m
#include "engine/sim/simulation.h"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace wobble {

class FrameBarrier : public std::enable_shared_from_this<FrameBarrier> {
public:
    using Set = std::vector<std::shared_ptr<const Snapshot>>;  // one per member, the newest it has where it was left behind
    // Offered every `every`-th complete set, the first included; false: not yet, offer it again soon. Called on engine threads; never
    // blocks.
    using Sink = std::function<bool(const Set&)>;

    static std::shared_ptr<FrameBarrier> make(int members, Sink sink = {}, int every = 1);
    std::shared_ptr<FrameGate> gate(int member);  // to be given to the member's Simulation
    // It is not waited for any longer; `last`: what the sets show of it from now on.
    void leave(int member, std::shared_ptr<const Snapshot> last = nullptr);
    void hold();          // all stop at the next frame they reach together
    void go();            // and go on
    void go_one_frame();  // to the next frame, and stop there

    Set complete() const;  // the newest set all have reached; empty before the first

    struct Distance {
        int member;
        double t;       // s
        double metres;  // from member 0
    };
    std::vector<Distance> take_distances();  // since the last call

private:
    struct Gate;
    struct Member {
        std::shared_ptr<const Snapshot> shot;  // at the newest frame it reached
        bool left = false;
    };
    FrameBarrier(int members, Sink sink, int every) : members_(static_cast<std::size_t>(members)), sink_(std::move(sink)), every_(every) {}
    bool pass(int member, const std::shared_ptr<const Snapshot>&);
    void finish(std::uint64_t frame);

    mutable std::mutex mutex_;
    std::vector<Member> members_;
    Sink sink_;
    std::uint64_t every_;
    std::uint64_t finished_ = 0;               // frames that all have reached and the sink has taken
    std::uint64_t limit_ = ~std::uint64_t{0};  // frames from this number on are held
    Set complete_;
    std::vector<Distance> distances_;
};

// The distance above; zero where the surfaces do not belong to the same body.
double surface_distance(const Snapshot&, const Snapshot&);

}  // namespace wobble
