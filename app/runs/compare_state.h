#pragma once
// Comparison of integrators: the same scene with two to four of them, locked to simulated time; see runs.h.
#include "app/viewer/layout.h"
#include "engine/sim/snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace wobble {

struct CompareState {
    bool on = false;
    Layout layout = Layout::side_by_side;
    std::vector<std::string> methods = {"verlet", "exprb42"};  // two to four: wanted, or running
    bool same_step = false;                                    // all take the same step; else each its own choice
    double step = 1.0 / 120;                                   // s, if so
    int active = 0;                                            // the run whose values the panels show and change
    struct Run {
        std::string method;
        bool preparing = false;              // the engine is being set up for it
        bool out = false;                    // it failed and waits for a reset
        bool brake = false;                  // it is so slow that the others wait for it most of the time
        std::string message;                 // why it failed
        double difference = 0;               // m, RMS distance of the drawn surface from that of the first run
        double simulated = 0, computed = 0;  // s, of its steps and what these took, since the start or the last reset

        double cost() const { return simulated > 0 ? computed / simulated : 0; }  // s of computing per simulated second; 0: not known yet
        void add(const EnergySample& s) {
            if (s.t == 0) simulated = computed = difference = 0;
            else if (s.wall_seconds > 0) simulated += s.h, computed += s.wall_seconds;
        }
    };
    std::vector<Run> runs;  // as they are

    // Wishes, taken by the window once per frame.
    bool start = false, stop = false, new_step = false;
};

}  // namespace wobble
