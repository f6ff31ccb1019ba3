#pragma once
// Colours and marker shapes of series, the same in SVG files and in the viewer. Neighbours differ in hue and lightness; the shape
// changes with every colour, so that twenty methods stay apart for colour-blind readers and in grey print.
#include <array>
#include <cstdint>

namespace wobble {

struct Colour {
    std::uint8_t r, g, b;
};

enum class Marker { circle, square, triangle, diamond, cross };
inline constexpr int markers = 5;

inline Colour palette(int index) {
    static constexpr std::array<Colour, 12> colours{{{31, 119, 180},
                                                     {214, 96, 20},
                                                     {44, 140, 60},
                                                     {200, 40, 55},
                                                     {130, 90, 190},
                                                     {140, 86, 75},
                                                     {215, 95, 175},
                                                     {90, 90, 90},
                                                     {165, 150, 20},
                                                     {20, 160, 175},
                                                     {10, 60, 120},
                                                     {240, 160, 40}}};
    return colours[static_cast<std::size_t>(index < 0 ? 0 : index) % colours.size()];
}

inline Marker marker(int index) { return static_cast<Marker>((index < 0 ? 0 : index) % markers); }

}  // namespace wobble
