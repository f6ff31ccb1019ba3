#pragma once
// How many vertices this machine simulates in real time: one short measurement and a rule for how the cost grows.
#include "engine/core/progress.h"
#include "engine/scene/loaded_scene.h"

#include <stop_token>
#include <string>

namespace wobble {

// A resolution at which the body should just keep up with real time, with a quarter to spare: the cost of a second of motion grows
// about like particles^(4/3) (of each step like particles, of the number of steps like their cube root). `speed`: simulated
// seconds per second of computing at `particles`. At most a factor of 4 at a time, as the rule is rough; 0 while nothing is known.
double fitting_resolution(int particles, double speed);

// Simulated seconds per second of one processor, over some steps of the scene's integrator from its initial state, with whatever it
// touches then: the slowest of three stretches; 0: a step failed. The processor's time is counted, not the clock's, so that another
// simulation under way does not falsify it. Cancelled, it is 0 soon: `progress` is asked between steps, `stop` gives up a long one.
struct Pace {
    double speed = 0, step = 0;  // step: s, the longest
};
Pace measured_pace(const std::shared_ptr<const LoadedScene>&, const Progress& progress = {}, std::stop_token stop = {});

// What was chosen and how fast it is; empty when the speed is unknown.
std::string choice_sentence(int particles, const std::string& method, Pace);

struct FittedScene {
    std::shared_ptr<const LoadedScene> scene;  // states the chosen resolution: a log of its run repeats it without measuring
    std::string choice;                        // the sentence for people
};
// The scene with the resolution it was built with if that fits, else built anew with one that does. Where even a coarse body is too slow,
// the steps get longer, up to 1/30 s, so that 30 new states are seen per second.
Result<FittedScene> fit_to_real_time(std::shared_ptr<const LoadedScene>, const Progress&, std::stop_token = {});

}  // namespace wobble
