#pragma once
// Fonts and colours of the panels. Needs a current ImGui context.
#include "app/window/window_state.h"

struct ImFontAtlas;

namespace wobble {

// scale: 1 on ordinary displays, 2 on fine ones. Not between ImGui's NewFrame and Render; the font's texture is to be made anew after it.
void apply_theme(Theme, float scale);

// The panels' font, by the height of a line. Needs no context. `plain`: one pixel of the atlas is one of the picture.
void add_font(ImFontAtlas&, float pixels, bool plain = false);

// What ImGui's list of colours lacks, for the theme that is on.
struct ThemeColours {
    unsigned alarm, good, record;  // ImGui's packed colours
    unsigned status_bar;           // its background
    float background[3];           // behind everything
};
ThemeColours theme_colours();

}  // namespace wobble
