#pragma once
// Values as people write them: "6 kN/m". What a slider shows and what may be typed into it.
#include <optional>
#include <string>
#include <string_view>

namespace wobble {

// A prefix (k, M, G, m, ...) stands in front of simple units (N, Pa, s, Hz); others are written out: "1000 kg/m\u00b3".
std::string value_text(double value, std::string_view unit);

// A number, with a prefix and the unit or without: "6000", "6k", "6 kN/m", "2,5". Nothing for anything else.
std::optional<double> typed_value(std::string_view text, std::string_view unit);

double rounded(double value, int digits = 3);  // to this many significant digits

std::string readable_name(std::string name);  // "edge_stiffness" -> "Edge stiffness"

}  // namespace wobble
