#pragma once
// One colour per run of a comparison, the same in the 3D view, the plots and the legends. Apart for colour-blind readers too
// (after Okabe and Ito), and light enough for a dark background.
#include "engine/study/output/palette.h"

#include <array>

namespace wobble {

inline Colour run_colour(int run) {
    static constexpr std::array<Colour, 4> colours{{{90, 180, 240}, {245, 165, 60}, {60, 195, 145}, {222, 140, 190}}};
    return colours[static_cast<std::size_t>(run < 0 ? 0 : run) % colours.size()];
}

}  // namespace wobble
