#include "app/scene/fit_resolution.h"

#include "engine/sim/world.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace wobble {

namespace {

constexpr double long_enough = 0.08;  // s of the processor
constexpr int enough_steps = 100;
constexpr int stretches = 3, rounds = 2;
constexpr const char* stage = "measuring its speed";
constexpr double near_enough = 0.25;  // logarithm of the ratio: the rule is not better than that

double processor_seconds() {  // of this thread
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double fitting_resolution(int particles, double speed) {
    if (particles <= 0 || !(speed > 0) || !std::isfinite(speed)) return 0;
    const double factor = std::clamp(std::pow(speed / 1.25, 0.75), 0.25, 4.0);
    const double wanted = std::clamp(factor * particles, 60.0, 100000.0);
    const double unit = std::pow(10, std::floor(std::log10(wanted)) - 1);
    return std::round(wanted / unit) * unit;  // two digits: it is a rough rule
}

Pace measured_pace(const std::shared_ptr<const LoadedScene>& scene, const Progress& progress, std::stop_token stop) {
    World world(scene, 1, stop);
    world.apply(Play{});
    world.step();  // the first one prepares factors and frequencies that the others share
    Pace slowest;
    for (int stretch = 0; stretch < stretches; ++stretch) {
        const double t = world.time(), began = processor_seconds();
        double computed = 0;
        for (int i = 0; i < enough_steps && world.running() && computed < long_enough; ++i) {
            const double done = std::max(double(i) / enough_steps, computed / long_enough);
            if (!keep_going(progress, stage, (stretch + std::min(done, 1.0)) / stretches) || stop.stop_requested()) return {};
            const double before = world.time();
            world.step();
            slowest.step = std::max(slowest.step, world.time() - before);
            computed = processor_seconds() - began;
        }
        if (!world.running() || computed <= 0) return {};
        const double speed = (world.time() - t) / computed;
        slowest.speed = stretch == 0 ? speed : std::min(slowest.speed, speed);
    }
    return slowest;
}

std::string choice_sentence(int particles, const std::string& method, Pace pace) {
    if (!(pace.speed > 0)) return "";
    char text[300];
    const char* verdict = pace.speed >= 1 ? "chosen to fit real time" : "as near to real time as a few guesses come";
    std::snprintf(text, sizeof text, "%d vertices, %s: one processor computes %.2g s of motion per second by %s in steps of %.2g ms.",
                  particles, verdict, pace.speed, method.c_str(), 1000 * pace.step);
    return text;
}

Result<FittedScene> fit_to_real_time(std::shared_ptr<const LoadedScene> scene, const Progress& progress, std::stop_token stop) {
    const Error cancelled{"Building the body was cancelled."};
    const auto wanted_still = [&](double fraction) { return keep_going(progress, stage, fraction) && !stop.stop_requested(); };
    const auto particles = [&] { return static_cast<int>(scene->body.tets.vertices.size()); };
    if (!wanted_still(0)) return cancelled;
    Pace pace = measured_pace(scene, progress, stop);
    if (!wanted_still(1)) return cancelled;
    if (fitting_resolution(particles(), pace.speed) <= 0) return FittedScene{std::move(scene), ""};
    for (int round = 0; round < rounds; ++round) {  // the second only makes it faster
        const double wanted = fitting_resolution(particles(), pace.speed), change = std::log(wanted / particles());
        if (wanted <= 0 || std::abs(change) <= near_enough || (round > 0 && (pace.speed >= 1 || change > 0))) break;
        Scene anew = scene->scene;
        anew.settings.parameters().resolution = wanted;
        auto built = build_scene(std::move(anew), progress);
        if (!wanted_still(0)) return cancelled;
        if (!built) break;  // the body there is serves as well
        const Pace next = measured_pace(built.value(), progress, stop);
        if (!wanted_still(1)) return cancelled;
        if (round > 0 && next.speed <= pace.speed) break;
        scene = std::move(built).value(), pace = next;
    }
    for (const double frame_step : {1.0 / 60, 1.0 / 30}) {
        if (pace.speed <= 0 || pace.speed >= 1 || frame_step <= scene->scene.frame_step) continue;
        auto longer = std::make_shared<LoadedScene>(*scene);
        longer->scene.frame_step = frame_step;
        const Pace next = measured_pace(longer, progress, stop);
        if (!wanted_still(1)) return cancelled;
        if (next.speed > 1.2 * pace.speed) scene = std::move(longer), pace = next;
    }
    std::string choice = choice_sentence(particles(), scene->scene.settings.method, pace);
    return FittedScene{std::move(scene), std::move(choice)};
}

}  // namespace wobble
