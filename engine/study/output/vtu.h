#pragma once
// Unstructured grids for ParaView: one .vtu file, as text for people or as numbers in base64 for many frames.
#include "engine/core/file.h"
#include "engine/core/types.h"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace wobble {

struct VtuArray {  // of the points; what it looks at must live until it is written
    std::string name;
    int components = 1;
    std::variant<std::span<const double>, std::span<const float>, std::span<const std::uint8_t>> values;
};

struct VtuGrid {
    VtuArray points;            // three components
    std::span<const Tet> tets;  // the cells; where there are none:
    std::span<const Triangle> triangles;
    std::vector<VtuArray> data;  // at the points
};

enum class VtuEncoding { text, base64 };
void write_vtu(OutputFile&, const VtuGrid&, VtuEncoding);

}  // namespace wobble
