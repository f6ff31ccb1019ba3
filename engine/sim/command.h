#pragma once
// Everything a user can do to a running simulation. Commands take effect between steps, in the order posted;
// the same commands at the same steps give the same bits.
#include "engine/core/types.h"
#include "engine/scene/loaded_scene.h"
#include "engine/view/field.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace wobble {

struct Play {};
struct Pause {};
struct StepOnce {};  // one step, then paused
struct PlayTo {
    double t;
};                   // s; plays until then, where it pauses
struct StepBack {};  // to the kept state before this one, then paused; see history.h
struct GoTo {
    double t;
};                // s; to the kept state at or before t, then paused
struct Reset {};  // back to the initial state; keeps parameters and method
struct SetSpeed {
    double factor;
};  // simulated seconds per wall-clock second
struct SetMethod {
    std::string id;
};  // keeps the motion going
struct SetStep {
    double h;
};  // s; 0: the method's own choice
struct SetSolver {
    SolverOptions solver;
};
struct SetStepControl {
    StepControl control;
    double error_tolerance;
};
struct SetParameter {
    std::string name;
    double value;
    int body = -1;  // -1: all
};
struct SetDivergencePolicy {
    DivergencePolicy policy;
};
struct Grab {
    int triangle;
    Vec3 barycentric;
    Vec3 target;
};  // of the drawn surface; target in world coordinates
struct MoveGrab {
    Vec3 target;
};
struct Release {};
struct TogglePin {
    int triangle;
    Vec3 barycentric;
};  // holds the patch of the body around this point of the drawn surface where it is, or lets it go
struct SetPins {
    std::vector<PinRule> pins;
    int body = 0;
};  // holds what these hold, nothing else
struct SetContact {
    ContactRules rules;
};
struct AddObstacle {
    Obstacle obstacle;
};  // as the last one; a mesh without triangles is read from its file
struct SetObstacle {
    int index;
    Obstacle obstacle;
};  // instead of that one
struct RemoveObstacle {
    int index;
};
struct DragObstacle {
    int index;
    Vec3 position;
};                          // a hand pulls it there, and keeps hold of it
struct ReleaseObstacle {};  // it stays where the hand left it
struct Drop {
    double height;
};  // m; lets go what pins hold, and begins anew with the bodies that much higher
struct SetFrameTimes {
    double interval;
    double origin = -1;
};  // s; from now on steps end exactly at origin + k interval, for films and comparisons; origin < 0: now; interval 0: no longer
struct Show {
    Field field;
    bool particles;
};  // what snapshots carry besides the surface
struct Load {
    std::shared_ptr<const LoadedScene> scene;
};  // replaces everything; keeps running state (play/pause) and speed

using Command = std::variant<Play, Pause, StepOnce, PlayTo, StepBack, GoTo, Reset, SetSpeed, SetMethod, SetStep, SetSolver, SetStepControl,
                             SetParameter, SetDivergencePolicy, Grab, MoveGrab, Release, TogglePin, SetPins, SetContact, AddObstacle,
                             SetObstacle, RemoveObstacle, DragObstacle, ReleaseObstacle, Drop, SetFrameTimes, Show, Load>;

}  // namespace wobble
