#pragma once
// Energies, solver work and timings of the runs, for the plots: up to four at once (a comparison), and for a single run also what it was
// before it was reset or continued from an earlier state. Going back in time loses nothing; only going on from there makes the old future
// an earlier run. Bounded in memory, see sample_track.h.
#include "app/plots/sample_track.h"
#include "engine/sim/snapshot.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace wobble {

enum class Channel {  // of the steps; J, counts per step, s
    kinetic,
    elastic,
    gravity,
    dissipated,
    supplied,
    total,
    error,          // total + dissipated - supplied - initial
    largest_error,  // the largest |error| so far
    newton,
    linear,
    krylov,
    refused,
    redone,
    step,  // simulated
    wall,  // clock
    count
};

class RunHistory {
public:
    static constexpr int most_runs = 4, most_earlier = 4;
    static constexpr std::size_t earlier_rows = 4096;
    static constexpr std::size_t most_held = std::size_t{1} << 16;  // samples per run, while the plots stand still

    struct Run {
        explicit Run(std::size_t rows);
        SampleTrack steps;                             // one channel per Channel
        SampleTrack differences;                       // m, RMS distance from the first run
        std::string method;                            // id; with others before it if it was changed on the way
        double step = 0;                               // s, asked for
        double largest_kinetic = 0;                    // J; what errors are compared with
        double present = 0;                            // s, of the last sample given
        std::string label() const;                     // "verlet 0.5 ms"
        double percent() const;                        // of an error of one joule
        double last(Channel channel, double t) const;  // at or before t; 0 without samples
    };

    explicit RunHistory(std::size_t rows = SampleTrack::usual_rows);

    void set_runs(int count);  // another number than before: starts anew
    void add(int run, const EnergySample&);
    void add(const EnergySample& sample) { add(0, sample); }
    void add_difference(int run, double t, double metres);
    void describe(int run, const std::string& method, double step);  // what takes the steps from now on
    void new_body();                                                 // another scene: what was before it cannot be compared

    // While held, nothing changes; what comes meanwhile is added afterwards. Beyond most_held it changes all the same. Other runs or
    // another body end it.
    void hold(bool);
    bool held() const { return held_; }

    const std::vector<Run>& runs() const { return runs_; }
    const std::deque<Run>& earlier() const { return earlier_; }  // newest last
    void clear_earlier() { earlier_.clear(); }
    std::size_t bytes() const;

private:
    struct Book {                          // of a run, besides what is shown
        std::optional<EnergySample> back;  // time has gone back to here
        std::optional<double> difference_back;
        EnergySample before{};  // the sample before the next one
        std::string described;
        double described_step = 0;
        std::vector<EnergySample> held;
        std::vector<std::pair<double, double>> held_differences;
    };
    void take(std::size_t run, const EnergySample&);
    void take_difference(std::size_t run, double t, double metres);
    void append(std::size_t run, const EnergySample&);
    void fork(std::size_t run);  // goes on from Book::back
    void release(std::size_t run);

    std::size_t rows_;
    bool held_ = false;
    std::vector<Run> runs_;
    std::vector<Book> books_;
    std::deque<Run> earlier_;
};

}  // namespace wobble
