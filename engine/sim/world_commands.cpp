// What a user does to a World.
#include "engine/model/drivers/hand.h"
#include "engine/model/drivers/moving_pins.h"
#include "engine/model/drivers/wind.h"
#include "engine/scene/limits.h"
#include "engine/scene/pin_rules.h"
#include "engine/sim/surface_view.h"
#include "engine/sim/world_implementation.h"

#include <algorithm>
#include <cmath>

namespace wobble {

void World::Implementation::set_parameter_value(const SetParameter& c) {
    RunSettings edited = settings;
    if (const auto set = wobble::set_parameter(edited, c.body, c.name, c.value); !set) return void(message = set.message());
    if (find_parameter(c.name)->rebuilds_body) return void(message = c.name + " takes effect when the scene is loaded again.");
    if (!fulfil(c.body, edited)) return;
    for (int i = 0; i < static_cast<int>(settings.bodies.size()); ++i) {
        const Parameters &before = settings.parameters(i), &after = edited.parameters(i);
        if (after.stiffness != before.stiffness || after.edge_stiffness != before.edge_stiffness || after.density != before.density ||
            after.young != before.young || after.poisson != before.poisson)
            omega_max.reset();
    }
    settings = std::move(edited);
    set_materials(*system, settings);
    set_contact(*system, *loaded, settings);
    drivers.find<Wind>()->set_speed(settings.parameters().wind);
    ++edits;
    book.rebase(*system, state);
    forget();
    message.clear();
}

void World::Implementation::go_back_to(const KeptState* kept) {
    running = false, steps_asked = 0, pause_at.reset();
    if (!kept)
        return void(message =
                        "There is no earlier state to go back to; the history goes back to the start or to the last change of the body.");
    message.clear();
    state = kept->state;
    steps = kept->step;
    book.restore(kept->account);
    drivers.let_go(*system);
    system->prepare(state);
    if (kept->edits != edits) {  // what is held now was perhaps moving then
        system->constraints().project(state.v);
        book.rebase(*system, state);
    }
    follow(*kept);
    stepper.clear_report();
    frames.jump_to(state.t);
}

bool World::Implementation::fulfil(int body, RunSettings& edited) {
    for (int b = std::max(body, 0); b < (body < 0 ? loaded->scene.count() : body + 1); ++b) {
        if (!(edited.parameters(b).wobble > 0) && !(edited.parameters(b).damping_ratio > 0)) continue;
        std::optional<double> hertz = measured.of(loaded, edited, b);
        if (!hertz) measured = MeasuredWobble(loaded, edited, b), hertz = measured.of(loaded, edited, b);
        if (auto done = fulfil_wishes(*loaded, edited, b, hertz); !done) return message = done.message(), false;
    }
    return true;
}

void World::Implementation::operator()(const SetModel& c) {
    RunSettings edited = settings;
    if (auto changed = change_model(*loaded, edited, c.body, c.kind); !changed) return void(message = changed.message());
    if (edited == settings) return message.clear();
    probe.reset();
    take_settings(std::move(edited));
}

void World::Implementation::change_pins(int body, std::vector<PinRule> wanted) {
    RunSettings edited = settings;
    edited.pins(body) = std::move(wanted);
    if (constraints(*loaded, edited).degrees_of_freedom() == 0)
        return void(message = "Something must be left that can move; this would hold the whole body.");
    take_settings(std::move(edited));
}

void World::Implementation::take_settings(RunSettings edited) {
    settings = std::move(edited);
    drivers.let_go(*system);
    system = make_system(*loaded, settings, constraints(*loaded, settings), workers);
    system->prepare(state);
    *drivers.find<MovingPins>() = moving_pins(*loaded, settings);
    surface = surface_topology(loaded->body, system->pinned(), surface);
    system->constraints().project(state.v);
    next = state;
    ++edits;
    omega_max.reset();
    book.rebase(*system, state);
    set_method(method->info.id);
    forget();
    message.clear();
}

void World::Implementation::operator()(const Play&) { running = true, pause_at.reset(), message.clear(); }
void World::Implementation::operator()(const Pause&) { running = false, pause_at.reset(); }
void World::Implementation::operator()(const StepOnce&) { running = false, pause_at.reset(), ++steps_asked, message.clear(); }
void World::Implementation::operator()(const PlayTo& c) {
    if (std::isfinite(c.t) && c.t > state.t) running = true, pause_at = c.t, message.clear();
}
void World::Implementation::operator()(const StepBack&) { go_back_to(history.before(state.t)); }
void World::Implementation::operator()(const GoTo& c) { go_back_to(std::isfinite(c.t) ? history.at(c.t) : nullptr); }
void World::Implementation::operator()(const Reset&) { reset(); }
void World::Implementation::operator()(const SetSpeed& c) {
    if (c.factor > 0 && std::isfinite(c.factor)) speed = std::clamp(c.factor, 1e-3, 1e3);
    else message = "The speed must be a positive number.";
}

void World::Implementation::operator()(const SetMethod& c) { message.clear(), set_method(c.id); }
void World::Implementation::operator()(const SetStep& c) {
    if (c.h != 0 && !limits::step.contains(c.h))
        return void(message = "The step must be between 1e-8 and 1 second, or 0 for the method's own choice.");
    settings.step = c.h;
    ++choices;
    stepper.ladder().choose_step();
    frame_end = 0;
    restart_control();
    message.clear();
}

void World::Implementation::operator()(const SetSolver& c) {
    if (!limits::solver_tolerance.contains(c.solver.tolerance))
        return void(message = "The solver tolerance must be between 1e-14 and 0.1.");
    settings.solver = c.solver;
    message.clear();
    set_method(method->info.id);
}

void World::Implementation::operator()(const SetStepControl& c) {
    if (!limits::error_tolerance.contains(c.error_tolerance)) return void(message = "The error tolerance must be between 1e-8 and 1.");
    settings.control = c.control, settings.error_tolerance = c.error_tolerance;
    message.clear();
    set_method(method->info.id);
}

void World::Implementation::operator()(const SetParameter& c) { set_parameter_value(c); }
void World::Implementation::operator()(const SetDivergencePolicy& c) { settings.policy = c.policy, ++choices; }
void World::Implementation::operator()(const Grab& c) {
    if (drivers.find<Hand>()->take(loaded->body, *system, state.q, {c.triangle, c.barycentric, c.target})) message.clear();
    else message = "There is nothing to grab here: no free particle is near.";
}

void World::Implementation::operator()(const MoveGrab& c) {
    if (c.target.allFinite()) drivers.find<Hand>()->move_to(c.target);
}

void World::Implementation::operator()(const Release&) { drivers.let_go(*system); }
void World::Implementation::operator()(const TogglePin& c) {
    const TriMesh& drawn = loaded->body.surface;
    if (c.triangle < 0 || c.triangle >= static_cast<int>(drawn.triangles.size()) || !c.barycentric.allFinite()) return;
    Vec3 rest_point = Vec3::Zero();
    int corner = 0;
    for (int k = 0; k < 3; ++k) rest_point += c.barycentric[k] * drawn.vertices[drawn.triangles[c.triangle][k]];
    c.barycentric.maxCoeff(&corner);
    const int body = loaded->body_of_triangle(c.triangle);
    PinRule patch = patch_around(rest_point, loaded->rest_of(body));
    if (surface->pinned[drawn.triangles[c.triangle][corner]]) patch.kind = PinRule::Kind::free;
    auto wanted = settings.pins(body);
    wanted.push_back(patch);
    change_pins(body, std::move(wanted));
}

void World::Implementation::operator()(const SetPins& c) {
    const bool sensible = std::all_of(c.pins.begin(), c.pins.end(), [](const PinRule& p) {
        return p.low.allFinite() && p.high.allFinite() && p.direction.allFinite() && p.direction.norm() > 1e-6 && p.amplitude.allFinite() &&
               limits::frequency.contains(p.frequency);
    });
    if (c.body < 0 || c.body >= loaded->scene.count()) message = "There is no such body in this scene; nothing was changed.";
    else if (sensible) change_pins(c.body, c.pins);
    else message = "These pins are not finite, or slide along nothing; nothing was changed.";
}
void World::Implementation::operator()(const SetFrameTimes& c) {
    const bool sensible = c.interval >= 1e-6 && c.interval <= 100 && std::isfinite(c.origin) && c.origin <= 1e6;
    frames.begin(state.t, sensible ? c.interval : 0, c.origin);
}
void World::Implementation::operator()(const Show& c) { shown = c; }
void World::Implementation::operator()(const Load& c) {
    if (!c.scene) return;
    const auto before = loaded;
    try {
        load(c.scene);
    } catch (const std::exception& failure) {
        load(before);
        message = "\"" + c.scene->scene.name + "\" could not be loaded (" + failure.what() + "); try a lower resolution.";
    }
}

}  // namespace wobble
