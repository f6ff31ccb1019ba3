// What a user does to a World.
#include "engine/core/spelling.h"
#include "engine/model/contact/obstacle_mesh.h"
#include "engine/model/drivers/hand.h"
#include "engine/model/drivers/moving_pins.h"
#include "engine/model/drivers/wind.h"
#include "engine/scene/limits.h"
#include "engine/scene/obstacles.h"
#include "engine/scene/pin_rules.h"
#include "engine/sim/surface_view.h"
#include "engine/sim/world_implementation.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {
constexpr const char* no_obstacle = "There is no such obstacle; nothing was changed.";
}

void World::Implementation::set_parameter_value(const SetParameter& c) {
    RunSettings edited = settings;
    if (const auto set = wobble::set_parameter(edited, c.body, c.name, c.value); !set) return void(message = set.message());
    if (find_parameter(c.name)->rebuilds_body) return void(message = c.name + " takes effect when the scene is loaded again.");
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

void World::Implementation::change_pins(int body, std::vector<PinRule> wanted) {
    RunSettings edited = settings;
    edited.pins(body) = std::move(wanted);
    Constraints held = constraints(*loaded, edited);
    if (held.degrees_of_freedom() == 0) return void(message = "Something must be left that can move; this would hold the whole body.");
    hold(std::move(edited), std::move(held));
}

void World::Implementation::hold(RunSettings edited, Constraints held) {
    settings = std::move(edited);
    drivers.let_go(*system);
    system = make_system(*loaded, std::move(held), settings.contact, workers);
    set_materials(*system, settings);
    set_contact(*system, *loaded, settings);
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

// Of the changed list the one at `index` is new.
void World::Implementation::accept_obstacle(std::vector<Obstacle> wanted, std::size_t index) {
    Obstacle& changed = wanted[index];
    if (wanted.size() > limits::obstacles) return void(message = "A scene has at most 64 obstacles; remove one first.");
    if (changed.name.empty()) changed.name = obstacle_name(wanted, static_cast<int>(index));
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (i != index && wanted[i].name == changed.name)
            return void(message = "There is an obstacle called " + in_quotes(changed.name) + " already; give this one another name.");
    const auto good = check_obstacle(changed);
    if (!good) return void(message = good.message());
    const bool known = index < settings.obstacles.size() && settings.obstacles[index].mesh == changed.mesh;
    if (known && (settings.obstacles[index].file != changed.file || settings.obstacles[index].size != changed.size)) changed.mesh = nullptr;
    if (changed.kind == Obstacle::Kind::mesh && !changed.mesh)
        if (const auto read = load_mesh(changed); !read) return void(message = read.message());
    change_obstacles(std::move(wanted));
}

// What touches bodies is part of their equations, as a parameter is.
void World::Implementation::change_obstacles(std::vector<Obstacle> wanted) {
    settings.obstacles = std::move(wanted);
    set_contact(*system, *loaded, settings);
    ++edits;
    book.rebase(*system, state);
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
void World::Implementation::operator()(const SetContact& c) {
    RunSettings edited = settings;
    edited.contact = c.rules;
    if (c.rules.bodies != settings.contact.bodies || c.rules.self != settings.contact.self) hold(edited, constraints(*loaded, edited));
    settings.contact = c.rules;
    put_floor(edited, loaded->ground);
    const int floor = floor_of(settings), wanted = floor_of(edited);
    if (floor >= 0 && wanted < 0) remove_obstacle(floor);
    if (floor < 0 && wanted >= 0) {  // as the last one: what touches the others goes by their numbers
        std::vector<Obstacle> all = settings.obstacles;
        all.push_back(edited.obstacles[static_cast<std::size_t>(wanted)]);
        change_obstacles(std::move(all));
    }
    message.clear();
}

void World::Implementation::operator()(const AddObstacle& c) {
    std::vector<Obstacle> wanted = settings.obstacles;
    wanted.push_back(c.obstacle);
    const std::size_t last = wanted.size() - 1;
    accept_obstacle(std::move(wanted), last);
}

void World::Implementation::operator()(const SetObstacle& c) {
    std::vector<Obstacle> wanted = settings.obstacles;
    if (c.index < 0 || c.index >= static_cast<int>(wanted.size())) return void(message = no_obstacle);
    wanted[static_cast<std::size_t>(c.index)] = c.obstacle;
    accept_obstacle(std::move(wanted), static_cast<std::size_t>(c.index));
}

void World::Implementation::operator()(const RemoveObstacle& c) {
    if (c.index < 0 || c.index >= static_cast<int>(settings.obstacles.size())) return void(message = no_obstacle);
    if (settings.obstacles[static_cast<std::size_t>(c.index)].automatic) settings.contact.floor = false;
    remove_obstacle(c.index);
}

// Kept states know obstacles by their numbers, so none of them is left.
void World::Implementation::remove_obstacle(int index) {
    std::vector<Obstacle> wanted = settings.obstacles;
    wanted.erase(wanted.begin() + index);
    system->contact().release();
    ActiveSet::remove_obstacle(state.internal, system->internal_variables(), index);
    change_obstacles(std::move(wanted));
    history.clear();
    remember();
}

void World::Implementation::operator()(const DragObstacle& c) {
    if (c.index < 0 || c.index >= static_cast<int>(settings.obstacles.size())) return void(message = no_obstacle);
    if (c.position.allFinite()) system->contact().drag(c.index, c.position);
}

void World::Implementation::operator()(const ReleaseObstacle&) { system->contact().release(); }

void World::Implementation::operator()(const Drop& c) {
    if (!limits::drop_height.contains(c.height)) return void(message = "Drop from a height of 0 to 1000 m.");
    RunSettings edited = settings;
    for (BodySettings& body : edited.bodies) body.pins.clear();
    edited.drop_height = c.height;
    Constraints held = constraints(*loaded, edited);
    hold(std::move(edited), std::move(held));
    reset();
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
