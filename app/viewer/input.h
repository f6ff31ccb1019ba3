#pragma once
// Mouse and keys on the 3D view. Events are queued as they come, so that nothing is lost between slow frames, and handled once per
// frame after ImGui has said which of them it wants.
#include "app/viewer/keys.h"
#include "app/viewer/layout.h"
#include "app/window/ui_state.h"
#include "engine/sim/snapshot.h"

#include <string>
#include <variant>
#include <vector>

namespace wobble {

enum class Button { left, right, middle };

struct MousePress {
    Button button;
    bool ctrl, shift;
    float x, y;
    double time;
};
struct MouseRelease {
    Button button;
};
struct MouseMove {
    float x, y;
};
struct MouseWheel {
    float notches;
};
struct KeyPress {
    Key key;
    bool ctrl, repeat;
};  // repeat: held down
struct FileDrop {
    std::string path;
};
using InputEvent = std::variant<MousePress, MouseRelease, MouseMove, MouseWheel, KeyPress, FileDrop>;

struct Wanted {
    bool mouse = false, keyboard = false;
};  // by ImGui

class Input {
public:
    // Changes camera and wishes in `ui`, posts commands. Coordinates are the window's.
    void handle(const std::vector<InputEvent>&, const Wanted&, const ViewRect&, const Snapshot&, UiState& ui, const PostCommand& post);
    bool dragging() const { return drag_ != Drag::none; }

private:
    enum class Drag { none, orbit, pan, grab, obstacle };
    struct Context;
    void take_obstacle(int index, const Vec3f& point, const Context&);
    void select_body(const MousePress&, const Context&);
    void on(const MousePress&, const Context&);
    void on(const MouseRelease&, const Context&);
    void on(const MouseMove&, const Context&);
    void on(const MouseWheel&, const Context&);
    void on(const KeyPress&, const Context&);
    void on(const FileDrop&, const Context&);

    Drag drag_ = Drag::none;
    Button button_ = Button::left;
    float x_ = 0, y_ = 0;               // last seen
    Vec3f grabbed_ = Vec3f::Zero();     // keeps its depth while dragged
    int obstacle_ = -1;                 // that is dragged
    Vec3f from_point_ = Vec3f::Zero();  // from there to the obstacle's position
    MousePress last_press_{Button::left, false, false, -100, -100, -100};
};

}  // namespace wobble
