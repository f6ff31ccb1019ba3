// What a long step makes of an impact. A body falls through half its height on a floor; the centre of mass x(t) of every method and step is
// compared with x*(t) of Verlet at a quarter of its own step under the same law of contact, until the centre of mass is highest after the
// first bounce:
//     error = max |x - x*|,   as a share of the height it fell through.
// Then the same body in random positions, turned and thrown: what total energy ever was above that of the beginning, as a share of the
// energy that there was to lose. At last what contact costs: its wall time as a share of the steps'.
#include "engine/study/contact.h"

#include "engine/integrate/methods.h"
#include "engine/sim/system_factory.h"
#include "engine/sim/world.h"
#include "engine/study/output/format_text.h"
#include "engine/study/study_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace wobble {

namespace {

constexpr const char* default_scene = "bunny";
constexpr double default_seconds = 1;  // the first bounce is over
constexpr double frame = 1.0 / 60;     // s, between samples
constexpr double reference_share = 0.25;
constexpr int random_drops = 20;
constexpr double drop_seconds = 0.7;

struct Fall {
    std::string status = "ok";
    std::vector<Vec3> centre;  // at frames
    double gain = 0;           // J, the largest total energy above the first
    double seconds = 0, contact_seconds = 0, penetration = 0;
    std::uint64_t tries = 0;
    Energies energies;
};

struct Bodies {
    std::shared_ptr<const LoadedScene> scene;
    VecX mass;
    double height = 0;   // m, of the fall
    double to_lose = 0;  // J
};

Vec3 centre_of(const VecX& q, const VecX& mass) {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index i = 0; i < mass.size(); i += 3) sum += mass[i] * q.segment<3>(i);
    return sum / (mass.sum() / 3);
}

Obstacle floor_at(double y) {
    Obstacle floor;
    floor.name = "floor";
    floor.position.y() = y;
    return floor;
}

// The body let go, turned about its centre, at `height` above a floor.
Bodies above_floor(const LoadedScene& built, double height, const Eigen::AngleAxisd& turn, const Vec3& speed) {
    auto scene = std::make_shared<LoadedScene>(built);
    scene->held.reset();
    for (BodySettings& body : scene->scene.settings.bodies) body.pins.clear();
    for (BodySource& body : scene->scene.bodies) body.initial_shear.setZero(), body.initial_velocity = speed;
    const Vec3 middle = bounding_box(scene->body.tets.vertices).centre();
    double low = 1e300;
    for (Vec3& x : scene->body.tets.vertices) x = turn * (x - middle), low = std::min(low, x.y());
    for (Vec3& x : scene->body.surface.vertices) x = turn * (x - middle);
    scene->scene.settings.obstacles = {floor_at(low - height)};
    scene->scene.settings.policy = DivergencePolicy::halve_step;
    Bodies bodies{scene, make_system(*scene, std::make_shared<Workers>(1))->mass(), height, 0};
    const double m = bodies.mass.sum() / 3;
    bodies.to_lose = m * (9.81 * height + 0.5 * speed.squaredNorm());
    return bodies;
}

Fall fall(const Bodies& bodies, const std::string& method, double h, double T, int threads) {
    World world(bodies.scene, threads);
    world.apply(SetDivergencePolicy{DivergencePolicy::halve_step});
    world.apply(SetMethod{method});
    if (h > 0) world.apply(SetStep{h});
    Fall run;
    const double start = world.energies().total();
    for (int k = 1; k * frame <= T + 1e-9 && run.status == "ok"; ++k) {
        while (world.time() < k * frame - 1e-12) {
            if (!world.step_towards(k * frame)) {
                run.status = "diverged";
                break;
            }
            run.seconds += world.report().seconds;
            run.gain = std::max(run.gain, world.energies().total() - world.energies().supplied - start);
        }
        run.centre.push_back(centre_of(world.positions(), bodies.mass));
        run.penetration = std::max(run.penetration, world.snapshot().penetration);
    }
    run.tries = world.totals().tries;
    run.energies = world.energies();
    run.contact_seconds = world.snapshot().contact_seconds;
    return run;
}

// Frames until the centre is highest after it was lowest.
std::size_t first_bounce(const std::vector<Vec3>& centre) {
    const auto lower = [](const Vec3& a, const Vec3& b) { return a.y() < b.y(); };
    auto lowest = centre.begin();
    while (lowest + 1 != centre.end() && lower(*(lowest + 1), *lowest)) ++lowest;
    auto highest = lowest;
    while (highest + 1 != centre.end() && lower(*highest, *(highest + 1))) ++highest;
    return static_cast<std::size_t>(highest - centre.begin()) + 1;
}

double largest_error(const Fall& run, const Fall& reference, std::size_t frames) {
    double error = 0;
    for (std::size_t k = 0; k < frames; ++k)
        error = std::max(error, k < run.centre.size() ? (run.centre[k] - reference.centre[k]).norm() : INFINITY);
    return error;
}

}  // namespace

Result<StudyResult> contact(const StudyOptions& asked, const Progress& progress) {
    StudyOptions options = asked;
    if (auto known = check_integrators(options.integrators); !known) return known.error();
    const bool all = options.integrators.empty();
    if (all) options.integrators = {"verlet", "exprb2", "exprb42", "epi3-leapfrog", "implicit-midpoint", "tr-bdf2", "implicit-euler"};
    auto scene = study_scene(options, default_scene);
    if (!scene) return scene.error();
    Scene values = std::move(scene).value();
    values.settings.contact.floor = false;
    if (!is_set(options, "damping")) values.settings.parameters().damping = 0;
    auto built = build_scene(std::move(values), progress);
    if (!built) return built.error();
    const double size = bounding_box(built.value()->body.tets.vertices).size().y(), T = options.seconds.value_or(default_seconds);
    const std::vector<double> steps = options.steps.empty() ? std::vector<double>{1.0 / 240, 1.0 / 120, 1.0 / 60} : options.steps;
    const int drops = std::max(1, static_cast<int>(random_drops * options.detail));
    const double total = 2 + count_chosen(options) * static_cast<double>(steps.size() + static_cast<std::size_t>(drops));
    double done = 0;
    const auto go_on = [&](const char* stage) { return keep_going(progress, stage, std::min(1.0, ++done / total)); };

    const Bodies straight = above_floor(*built.value(), 0.5 * size, Eigen::AngleAxisd::Identity(), Vec3::Zero());
    double own = 0;
    {
        World world(straight.scene, 1);
        world.apply(SetMethod{"verlet"});
        own = world.next_step();
    }
    const Fall reference = fall(straight, "verlet", reference_share * own, T, options.threads);
    if (!go_on("reference")) return stopped_on_request();
    const Fall coarser = fall(straight, "verlet", 2 * reference_share * own, T, options.threads);
    if (!go_on("reference")) return stopped_on_request();
    const std::size_t frames = first_bounce(reference.centre);

    StudyResult result;
    Table errors{"contact",
                 {"integrator", "h", "error", "error_share", "largest_gain", "impact", "friction", "penetration", "seconds",
                  "contact_share", "tries", "status"},
                 {}};
    Plot plot{"contact",
              "A body falls on the floor: height of its centre of mass",
              {"time, s", Scale::linear, {}, {}},
              {"height, m", Scale::linear, {}, {}},
              {},
              {}};
    const auto add_curve = [&](const std::string& label, const Fall& run) {
        Series series{label, {}, static_cast<int>(plot.series.size()), false};
        for (std::size_t k = 0; k < run.centre.size(); ++k)
            series.points.emplace_back((static_cast<double>(k) + 1) * frame, run.centre[k].y());
        plot.series.push_back(std::move(series));
    };
    add_curve("verlet, a quarter of its step", reference);
    for (const Method& method : methods()) {
        if (!chosen(options, method.info.id)) continue;
        std::vector<double> own_steps = steps;
        if (method.info.family == Family::explicit_classical && options.steps.empty()) own_steps = {0};
        for (const double h : own_steps) {
            const Fall run = fall(straight, method.info.id, h, T, options.threads);
            if (!go_on(method.info.id)) return stopped_on_request();
            const double error = largest_error(run, reference, frames);
            errors.rows.push_back({std::string(method.info.id), h > 0 ? h : own, error, error / straight.height,
                                   run.gain / straight.to_lose, run.energies.impact, run.energies.friction, run.penetration, run.seconds,
                                   run.contact_seconds / std::max(run.seconds, 1e-9), static_cast<long>(run.tries), run.status});
            if (h == own_steps.back()) add_curve(method.info.id + (h > 0 ? format(", h %.4g", h) : std::string()), run);
        }
    }
    result.tables.push_back(std::move(errors));
    result.plots.push_back(std::move(plot));

    Table gains{"contact-drops", {"integrator", "drops", "largest_gain", "diverged"}, {}};
    for (const Method& method : methods()) {
        if (!chosen(options, method.info.id)) continue;
        std::mt19937 random(11);  // the same drops for every method
        std::uniform_real_distribution<double> unit(-1, 1);
        double gain = 0;
        long diverged = 0;
        for (int k = 0; k < drops; ++k) {
            const Vec3 axis(unit(random), unit(random), unit(random));
            const Eigen::AngleAxisd turn(std::numbers::pi * unit(random), axis.normalized());
            const Vec3 speed(2 * unit(random), unit(random), 2 * unit(random));
            const double height = size * (0.3 + 0.2 * unit(random));
            const Bodies bodies = above_floor(*built.value(), height, turn, speed);
            const double h = method.info.family == Family::explicit_classical ? 0 : steps[static_cast<std::size_t>(k) % steps.size()];
            const Fall run = fall(bodies, method.info.id, h, drop_seconds, options.threads);
            gain = std::max(gain, run.gain / bodies.to_lose);
            diverged += run.status != "ok";
            if (!go_on(method.info.id)) return stopped_on_request();
        }
        gains.rows.push_back({std::string(method.info.id), static_cast<long>(drops), gain, diverged});
    }
    result.tables.push_back(std::move(gains));
    result.notes.push_back(
        format("%s, %ld particles, falls through %.3g m; errors until %.3g s, shares of that height. Reference: Verlet at "
               "%.3g ms, from which Verlet at twice that differs by %.2g m.",
               built.value()->scene.name.c_str(), static_cast<long>(straight.mass.size() / 3), straight.height,
               static_cast<double>(frames) * frame, 1000 * reference_share * own, largest_error(coarser, reference, frames)));
    result.notes.push_back(
        "largest_gain: of kinetic, elastic and gravity energy above that of the beginning, as a share of the energy there "
        "is to lose. Steps that gain energy at an impact are redone shorter; tries counts them.");
    return result;
}

}  // namespace wobble
