#pragma once
// Fonts and colours of the panels. Needs a current ImGui context.
namespace wobble {

void apply_theme(float scale);  // scale: 1 on ordinary displays, 2 on fine ones; before the first frame

}  // namespace wobble
