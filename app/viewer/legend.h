#pragma once
// What explains a picture, as plain shapes and texts: laid out once, drawn over the 3D view by ImGui and into films by record/lettering.h.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct ImDrawList;

namespace wobble {

struct LegendColour {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
};
struct LegendBox {
    float left, top, right, bottom;
    LegendColour above, below;  // at its upper and lower edge
    float rounding = 0;
};
struct LegendText {
    float x, y;  // upper left corner
    LegendColour colour;
    std::string text;
};
struct Legend {
    std::vector<LegendBox> boxes;  // drawn in this order, before the texts
    std::vector<LegendText> texts;
};

struct LegendStyle {
    float em = 15;                                        // height of a line of text
    std::function<float(const std::string&)> width = {};  // of a text
    LegendColour text{231, 234, 239}, dim{148, 158, 173};
    LegendColour box{27, 30, 36, 209};  // behind the text
};

LegendStyle imgui_style();  // of the panels' theme; inside a frame
void draw(ImDrawList&, const Legend&);

}  // namespace wobble
