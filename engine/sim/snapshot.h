#pragma once
// What the rest of the program sees of a running simulation: an immutable value, shared between threads.
#include "engine/core/types.h"
#include "engine/integrate/report.h"
#include "engine/model/energies.h"
#include "engine/scene/scene.h"
#include "engine/sim/command.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wobble {

// The part of the drawn surface that does not move: shared by all snapshots of one body.
struct SurfaceTopology {
    std::vector<Triangle> triangles;
    std::vector<std::uint8_t> pinned;  // per surface vertex: 1 if all particles that carry it are held
    std::vector<std::uint8_t> tint;    // per surface vertex: how much it looks held, see pin_highlight.h
    Box rest_box;
    bool closed = true;  // else both sides can be seen
};

struct GrabView {
    Vec3f point, target;
};  // where the body is held, where the hand is

struct ContactView {
    Vec3f point, force;
};  // where a body is touched; what it is pushed with, N

// One per step, for plots.
struct EnergySample {
    double t;  // s
    Energies energies;
    double h = 0;                                      // s, of the step
    int newton_iterations = 0, linear_iterations = 0;  // of the step
    int krylov_dimension = 0;
    std::uint64_t rejected_steps = 0, redone_steps = 0;  // since the start
    double wall_seconds = 0;                             // the step took; 0 where not measured
};

struct Snapshot {
    std::uint64_t step = 0;  // accepted steps since the scene was loaded or reset
    std::uint64_t rejected_steps = 0;
    std::uint64_t redone_steps = 0;  // of these: taken by a dissipative method instead
    double t = 0, h = 0;             // s; h of the last step, or of the next one before the first
    double asked_step = 0;  // s; what the user asked for, or would get: under step control the longest step, made of as many as it takes
    bool automatic_step() const { return settings.step == 0; }  // h is the method's own choice
    bool running = false;
    bool preparing = false;      // the engine is still being set up: the initial state, whose energies and frequencies are not known yet
    std::uint64_t commands = 0;  // carried out before it, see Simulation::post
    int threads = 1;             // that share its loops
    double speed = 1;            // wanted simulated seconds per wall-clock second
    double realtime_factor = 0;  // achieved, smoothed; 0 while paused
    Energies energies;
    double omega_max = 0;  // rad/s, of the initial tangent
    int particles = 0, dofs = 0, tets = 0;
    int inverted = 0;              // tetrahedra turned inside out
    double mass = 0;               // kg
    std::vector<Vec3f> positions;  // drawn surface, deformed
    std::shared_ptr<const SurfaceTopology> surface;
    std::vector<Vec3f> particle_positions;   // if asked for by Show
    std::vector<Vec3f> particle_velocities;  // m/s, with particle_positions
    Field field = Field::none;               // as asked for by Show
    std::vector<float> values;               // of the field, one per drawn vertex
    std::vector<float> particle_values;      // of the field, one per particle, with particle_positions
    std::optional<GrabView> grab;
    std::vector<Pose> obstacle_poses;   // of settings.obstacles
    std::vector<ContactView> contacts;  // of the last step
    double penetration = 0;             // m, the largest there
    double contact_seconds = 0;         // wall time contact took since the start
    StepReport report;                  // of the last attempted step
    RunSettings settings;
    std::shared_ptr<const LoadedScene> scene;   // what Reset goes back to
    double history_begin = 0, history_end = 0;  // s; states that GoTo can reach
    double frame_interval = 0;                  // s, of SetFrameTimes; 0: none
    std::uint64_t frame = 0;                    // frame times passed since; the state when they were set is number 0
    bool on_frame = false;                      // t is the frame time of number `frame`
    std::string message;                        // empty, or a sentence for the user (why it paused, what was refused)
    std::uint64_t state_hash = 0;               // of t, q, v
};

}  // namespace wobble
