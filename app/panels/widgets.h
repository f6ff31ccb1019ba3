#pragma once
// Small pieces the panels share.
#include <imgui.h>

#include <optional>
#include <string>

namespace wobble {

// Where values begin in a section, as a share of the panel's width.
inline constexpr float value_column = 0.40f;

// A window that is fixed to a place: no title, no moving.
bool begin_fixed(const char* id, ImVec2 corner, ImVec2 size, ImGuiWindowFlags extra = 0);

// Name on the left, value on the right: dragged (Shift: finely), typed (click it), put back to `preset` (the round arrow, or the menu of
// the right button). Returns true when it changes; `low` may be 0 for a logarithmic one that also accepts zero (the left end).
struct ValueRange {
    double low, high;
    bool logarithmic, zero_allowed;
    bool whole = false;  // whole numbers only
};
bool value_slider(const char* id, const char* label, const char* unit, const char* tooltip, double& value, const ValueRange&,
                  std::optional<double> preset = std::nullopt);

void label_left(const char* text, const char* tooltip_text = "");    // of the next item, which fills the value column
void tooltip(const std::string& text, const std::string& dim = "");  // on the last item, wrapped; `dim` below it, grey
void note_control(const std::string& text);                          // as tooltip() does, for items that show none now: see seen_controls.h
bool icon_button(const char* id, const char* icon, ImVec2 size, const char* tooltip_text, bool accent = false);  // see draw_icon
// "play", "pause", "step", "step-back", "reset", "round-arrow", "record", "close"; r: half its size
void draw_icon(ImDrawList&, const char* icon, ImVec2 centre, float r, ImU32 ink);

}  // namespace wobble
