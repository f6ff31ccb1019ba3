#include "app/scene/fit_resolution.h"

#include "engine/sim/world.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace wobble {

namespace {

constexpr double long_enough = 0.15;  // s of the processor
constexpr int enough_steps = 200;
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

double measured_speed(const std::shared_ptr<const LoadedScene>& scene, const Progress& progress, std::stop_token stop) {
    World world(scene, 1, stop);
    world.apply(Play{});
    world.step();  // the first one prepares factors and frequencies that the others share
    const double t = world.time(), began = processor_seconds();
    double computed = 0;
    for (int i = 0; i < enough_steps && world.running() && computed < long_enough; ++i) {
        if (!keep_going(progress, stage, std::max(double(i) / enough_steps, computed / long_enough)) || stop.stop_requested()) return 0;
        world.step();
        computed = processor_seconds() - began;
    }
    return world.running() && computed > 0 ? (world.time() - t) / computed : 0;
}

std::string choice_sentence(int particles, double speed) {
    if (!(speed > 0)) return "";
    char text[200];
    const char* verdict = speed >= 1 ? "chosen to fit real time" : "as near to real time as one guess comes";
    std::snprintf(text, sizeof text, "%d vertices, %s: one processor computes %.2g s of motion per second.", particles, verdict, speed);
    return text;
}

Result<FittedScene> fit_to_real_time(std::shared_ptr<const LoadedScene> scene, const Progress& progress, std::stop_token stop) {
    const Error cancelled{"Building the body was cancelled."};
    const auto wanted_still = [&](double fraction) { return keep_going(progress, stage, fraction) && !stop.stop_requested(); };
    const auto particles = [&] { return static_cast<int>(scene->body.tets.vertices.size()); };
    if (!wanted_still(0)) return cancelled;
    double speed = measured_speed(scene, progress, stop);
    if (!wanted_still(1)) return cancelled;
    const double wanted = fitting_resolution(particles(), speed);
    if (wanted <= 0) return FittedScene{std::move(scene), ""};
    if (std::abs(std::log(wanted / particles())) > near_enough) {
        Scene anew = scene->scene;
        anew.settings.parameters().resolution = wanted;
        auto built = build_scene(std::move(anew), progress);
        if (!wanted_still(0)) return cancelled;
        if (!built) return FittedScene{std::move(scene), ""};  // the body there is serves as well
        scene = std::move(built).value();
        speed = measured_speed(scene, progress, stop);
        if (!wanted_still(1)) return cancelled;
    }
    std::string choice = choice_sentence(particles(), speed);
    return FittedScene{std::move(scene), std::move(choice)};
}

}  // namespace wobble
