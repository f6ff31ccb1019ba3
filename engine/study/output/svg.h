#pragma once
// Plots as SVG files: axes with ticks and grid, legend, lines with markers, filled regions. Debian has no C++ library for this
// (matplotlib and gnuplot are programs to install, matplot++ needs gnuplot), and what is needed fits on two pages.
#include "engine/study/study.h"

#include <string>

namespace wobble {

std::string to_svg(const Plot&);
std::string xml_text(const std::string&);  // with & < > " replaced; control characters, which XML forbids, become spaces

}  // namespace wobble
