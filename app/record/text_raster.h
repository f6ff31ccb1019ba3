#pragma once
// Writes legends into pictures in memory, on any thread: ImGui has one context per process, and that is the window's.
#include "app/record/image.h"
#include "app/viewer/legend.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace wobble {

class TextRaster {
public:
    // The panels' font for pictures of this size. Made by the thread that owns ImGui, if there is one; then it is a plain value.
    TextRaster(int width, int height);

    LegendStyle style() const;  // must not outlive this
    void draw(Image&, const Legend&) const;

private:
    struct Glyph {
        int x = 0, y = 0, width = 0, height = 0;  // in the sheet
        float left = 0, top = 0, advance = 0;     // pixels, from the upper left corner of the line
    };
    const Glyph* glyph(unsigned code) const;
    float width(const std::string&) const;
    void draw(Image&, const LegendText&) const;

    float em_;
    int sheet_width_ = 0;
    std::vector<std::uint8_t> sheet_;  // how much of each pixel is covered
    std::map<unsigned, Glyph> glyphs_;
};

}  // namespace wobble
