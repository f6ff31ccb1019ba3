#pragma once
// The one table of keys, and the list of what the mouse does: the window obeys the one, the help overlay shows both.
#include "app/window/ui_state.h"
#include "engine/sim/snapshot.h"

#include <span>

namespace wobble {

enum class Key { space, left_arrow, right_arrow, r, o, s, p, v, w, f, t, c, q, tab, f1, f3, f4, f11, plus, minus, escape, other };

struct KeyBinding {
    const char* group;    // heading in the help
    const char* written;  // as the help writes it
    const char* meaning;
    Key key;
    bool ctrl;
    bool repeats;  // acts again while held down
    void (*act)(const Snapshot&, UiState&, const PostCommand&);
};
std::span<const KeyBinding> key_bindings();

struct MouseGesture {
    const char* written;
    const char* meaning;
};
std::span<const MouseGesture> mouse_gestures();  // see input.cpp

}  // namespace wobble
