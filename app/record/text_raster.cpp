#include "app/record/text_raster.h"

#include "app/window/theme.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

// A line of text in a picture of this size: 1/42 of its shorter side, but never too small to be read, nor too large to be made at once.
float line_height(int width, int height) { return std::clamp(std::round(static_cast<float>(std::min(width, height)) / 42), 11.0f, 64.0f); }

void blend(std::uint8_t* pixel, LegendColour colour, float cover) {
    const float share = std::clamp(cover, 0.0f, 1.0f) * static_cast<float>(colour.a) / 255;
    const std::uint8_t over[3] = {colour.r, colour.g, colour.b};
    for (int k = 0; k < 3; ++k) {
        const float under = pixel[k];
        pixel[k] = static_cast<std::uint8_t>(std::lround(under + share * (static_cast<float>(over[k]) - under)));
    }
}

// How much of the pixel whose middle is (x, y) lies in the box: exact but for its corners, where it is nearly so.
float cover(const LegendBox& box, float x, float y) {
    const float r = std::min({box.rounding, 0.5f * (box.right - box.left), 0.5f * (box.bottom - box.top)});
    const float dx = std::max({box.left + r - x, x - box.right + r, 0.0f}), dy = std::max({box.top + r - y, y - box.bottom + r, 0.0f});
    if (r > 0 && dx > 0 && dy > 0) return r + 0.5f - std::hypot(dx, dy);
    const auto along = [](float low, float high, float middle) {
        return std::clamp(std::min(high, middle + 0.5f) - std::max(low, middle - 0.5f), 0.0f, 1.0f);
    };
    return along(box.left, box.right, x) * along(box.top, box.bottom, y);
}

LegendColour mixed(LegendColour a, LegendColour b, float share) {
    const auto mix = [&](std::uint8_t p, std::uint8_t q) {
        return static_cast<std::uint8_t>(std::lround(static_cast<float>(p) + share * (static_cast<float>(q) - static_cast<float>(p))));
    };
    return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), mix(a.a, b.a)};
}

void draw_box(Image& image, LegendBox box) {
    // To whole pixels: neighbours that share an edge must not both be blended with what is below.
    for (float* edge : {&box.left, &box.top, &box.right, &box.bottom}) *edge = std::round(*edge);
    const int top = std::max(0, static_cast<int>(std::floor(box.top))), left = std::max(0, static_cast<int>(std::floor(box.left)));
    for (int y = top; y < std::min(image.height, static_cast<int>(std::ceil(box.bottom))); ++y) {
        const float middle = static_cast<float>(y) + 0.5f, share = (middle - box.top) / std::max(1e-6f, box.bottom - box.top);
        const LegendColour colour = mixed(box.above, box.below, std::clamp(share, 0.0f, 1.0f));
        for (int x = left; x < std::min(image.width, static_cast<int>(std::ceil(box.right))); ++x)
            blend(image.row(y) + 3 * x, colour, cover(box, static_cast<float>(x) + 0.5f, middle));
    }
}

// Of a text in UTF-8; what is none comes out as it is.
std::vector<unsigned> code_points(const std::string& text) {
    std::vector<unsigned> all;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 || all.empty()) all.push_back(byte);
        else if (byte >= 0xc0) all.push_back(byte & (byte >= 0xe0 ? 0x0fu : 0x1fu));
        else all.back() = all.back() << 6 | (byte & 0x3fu);
    }
    return all;
}

}  // namespace

TextRaster::TextRaster(int width, int height) : em_(line_height(width, height)) {
    ImFontAtlas atlas;  // needs no context
    atlas.Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoBakedLines;
    add_font(atlas, em_, true);
    unsigned char* pixels = nullptr;
    int sheet_height = 0;
    atlas.GetTexDataAsAlpha8(&pixels, &sheet_width_, &sheet_height);
    sheet_.assign(pixels, pixels + static_cast<std::ptrdiff_t>(sheet_width_) * sheet_height);
    for (const ImFontGlyph& g : atlas.Fonts[0]->Glyphs) {
        Glyph& own = glyphs_[g.Codepoint];
        own.x = static_cast<int>(std::lround(g.U0 * static_cast<float>(sheet_width_)));
        own.y = static_cast<int>(std::lround(g.V0 * static_cast<float>(sheet_height)));
        own.width = static_cast<int>(std::lround(g.U1 * static_cast<float>(sheet_width_))) - own.x;
        own.height = static_cast<int>(std::lround(g.V1 * static_cast<float>(sheet_height))) - own.y;
        if (!g.Visible) own.width = own.height = 0;
        own.left = g.X0, own.top = g.Y0, own.advance = g.AdvanceX;
    }
}

const TextRaster::Glyph* TextRaster::glyph(unsigned code) const {
    const auto found = glyphs_.find(code);
    if (found != glyphs_.end()) return &found->second;
    const auto instead = glyphs_.find('?');
    return instead == glyphs_.end() ? nullptr : &instead->second;
}

float TextRaster::width(const std::string& text) const {
    float sum = 0;
    for (const unsigned code : code_points(text))
        if (const Glyph* g = glyph(code)) sum += g->advance;
    return sum;
}

LegendStyle TextRaster::style() const {
    LegendStyle style;
    style.em = em_;
    style.width = [this](const std::string& text) { return width(text); };
    return style;
}

void TextRaster::draw(Image& image, const LegendText& text) const {
    float at = text.x;
    for (const unsigned code : code_points(text.text)) {
        const Glyph* g = glyph(code);
        if (!g) continue;
        const int left = static_cast<int>(std::lround(at + g->left)), top = static_cast<int>(std::lround(text.y + g->top));
        for (int y = 0; y < g->height; ++y)
            for (int x = 0; x < g->width; ++x) {
                const int from = (g->y + y) * sheet_width_ + g->x + x;
                const int to_x = left + x, to_y = top + y;
                if (to_x < 0 || to_y < 0 || to_x >= image.width || to_y >= image.height) continue;
                blend(image.row(to_y) + 3 * to_x, text.colour, static_cast<float>(sheet_[static_cast<std::size_t>(from)]) / 255);
            }
        at += g->advance;
    }
}

void TextRaster::draw(Image& image, const Legend& legend) const {
    for (const LegendBox& box : legend.boxes) draw_box(image, box);
    for (const LegendText& text : legend.texts) draw(image, text);
}

}  // namespace wobble
