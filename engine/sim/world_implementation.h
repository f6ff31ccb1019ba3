#pragma once
// Inside the World; included by its own files only: world.cpp (loading and stepping), world_commands.cpp (what a user does to it),
// world_snapshot.cpp (what others see of it).
#include "engine/sim/state_history.h"
#include "engine/sim/system_factory.h"
#include "engine/sim/world.h"

#include <algorithm>
#include <cmath>

namespace wobble {

// Times that steps must hit exactly: origin + k interval.
struct FrameTimes {
    double interval = 0, origin = 0;  // s; interval 0: none
    std::uint64_t number = 0;         // k of the last one that lies behind
    bool reached = false;             // the state is at the frame time of this number
    bool grid = false;                // the origin was given: frames of several worlds have the same numbers

    bool wanted() const { return interval > 0; }
    double next() const { return origin + static_cast<double>(number + 1) * interval; }
    void begin(double t, double wanted_interval, double wanted_origin) {
        *this = {wanted_interval, t, 0, wanted_interval > 0, wanted_interval > 0 && wanted_origin >= 0};
        if (grid) origin = wanted_origin, jump_to(t);
    }
    // Time has changed otherwise than by a step. Without a grid the next frame is one interval from there.
    void jump_to(double t) {
        if (!grid) {
            origin = t - static_cast<double>(number) * interval, reached = false;
            return;
        }
        const double k = std::max(0.0, (t - origin) / interval), whole = std::floor(k + 1e-6);
        number = static_cast<std::uint64_t>(whole);
        reached = std::abs(k - whole) < 1e-6;
    }
    void arrive() { reached = true, ++number; }
};

struct World::Implementation {
    // The body.
    std::shared_ptr<const LoadedScene> loaded;
    int threads = 0;                // asked for; 0: all cores
    int threads_at_work = 1 << 20;  // of them, at most
    std::stop_token stop;
    std::shared_ptr<Workers> workers;
    std::unique_ptr<MechanicalSystem> system;
    std::shared_ptr<const SurfaceTopology> surface;
    mutable std::optional<double> omega_max;  // measured on request, so that a slider's edits cost one measurement
    int edits = 0;                            // of parameters and pins
    int choices = 0;                          // of method, step and solver

    // How it moves.
    RunSettings settings;            // as they are now
    const Method* method = nullptr;  // settings.method
    Stepper stepper;
    Drivers drivers;
    double frame_end = 0;  // under step control: where the step asked for ends
    FrameTimes frames;

    // Where it is.
    State state, next;
    EnergyBook book;
    std::uint64_t steps = 0;
    double last_step = 0, speed = 1;
    bool running = false;
    int steps_asked = 0;
    std::optional<double> pause_at;  // s
    bool keeps_history = false;
    StateHistory history;

    // What others see.
    Show shown{Field::none, false};
    mutable std::optional<FieldProbe> probe;  // of the loaded body
    std::string message;

    void load(std::shared_ptr<const LoadedScene>);
    void reset();
    ControllerState controller_state();
    void follow(const KeptState&);  // the controller_state of the run there, if nothing was chosen otherwise since
    void forget();                  // the method's past does not belong to what comes next
    void restart_control();
    void set_method(const std::string& id);
    void remember();

    double highest_frequency_now() const;  // of the tangent at the initial state, with the present parameters
    double own_step() const;
    double longest_step() const;  // what step control may not exceed: the step asked for, or a frame's
    double step_size() const;
    RescueLadder::Rules rules(double longest) const;  // `longest`: s, the present step may not be longer
    double choose_step(double longest) const;
    bool step(double longest);
    bool shorten(double h, double longest);  // after a step of size h was refused; false: the run pauses
    void end_step(double begun);
    bool step_towards(double t);
    bool step_to_frame(double t);
    bool step_once();
    bool step_within();
    void explain_failure(double h);

    void change_obstacles(std::vector<Obstacle>);
    void remove_obstacle(int index);
    void accept_obstacle(std::vector<Obstacle>, std::size_t index);
    void set_parameter_value(const SetParameter&);
    void go_back_to(const KeptState*);
    void change_pins(int body, std::vector<PinRule>);
    void hold(RunSettings edited, Constraints);  // by the pins of these settings

    // Commands; the visitor does not compile until every one is handled.
    void operator()(const Play&);
    void operator()(const Pause&);
    void operator()(const StepOnce&);
    void operator()(const PlayTo&);
    void operator()(const StepBack&);
    void operator()(const GoTo&);
    void operator()(const Reset&);
    void operator()(const SetSpeed&);
    void operator()(const SetMethod&);
    void operator()(const SetStep&);
    void operator()(const SetSolver&);
    void operator()(const SetStepControl&);
    void operator()(const SetParameter&);
    void operator()(const SetDivergencePolicy&);
    void operator()(const Grab&);
    void operator()(const MoveGrab&);
    void operator()(const Release&);
    void operator()(const TogglePin&);
    void operator()(const SetPins&);
    void operator()(const SetContact&);
    void operator()(const AddObstacle&);
    void operator()(const SetObstacle&);
    void operator()(const RemoveObstacle&);
    void operator()(const DragObstacle&);
    void operator()(const ReleaseObstacle&);
    void operator()(const Drop&);
    void operator()(const SetFrameTimes&);
    void operator()(const Show&);
    void operator()(const Load&);
};

}  // namespace wobble
