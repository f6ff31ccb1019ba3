#pragma once
// Small pieces the panels share.
#include <imgui.h>

#include <string>

namespace wobble {

// A window that is fixed to a place: no title, no moving.
bool begin_fixed(const char* id, ImVec2 corner, ImVec2 size, ImGuiWindowFlags extra = 0);

// Name on the left, value typed or dragged on the right. Returns true while it changes; `low` may be 0 for a logarithmic one
// that also accepts zero (the left end).
struct ValueRange {
    double low, high;
    bool logarithmic, zero_allowed;
};
bool value_slider(const char* id, const char* label, const char* unit, const char* tooltip, double& value, const ValueRange&);

void tooltip(const std::string& text);  // on the last item, wrapped
bool icon_button(const char* id, const char* icon, ImVec2 size, const char* tooltip_text, bool accent = false);  // play, pause, step, reset

}  // namespace wobble
