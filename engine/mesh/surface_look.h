#pragma once
// The colours a file gives its surface: kept beside the triangles, so that bodies without colours pay nothing.
#include "engine/core/types.h"

#include <array>
#include <string>
#include <vector>

namespace wobble {

struct SurfaceLook {
    using Uv = Eigen::Vector2f;  // u to the right, v upwards, 1 is the whole picture; beyond 0 to 1 it repeats
    struct Material {
        Vec3f colour = Vec3f::Constant(0.8f);  // diffuse, linear; multiplies the picture
        int image = -1;                        // in images; -1: none
    };
    std::vector<Material> materials;            // at least one
    std::vector<std::string> images;            // PNG or JPEG as in the file, not decoded
    std::vector<int> material;                  // per triangle
    std::vector<std::array<Uv, 3>> uv;          // per triangle and corner; empty: none
    std::vector<std::array<Vec3f, 3>> colours;  // per triangle and corner, linear, multiply the material's; empty: none
    bool fits(std::size_t triangles) const {
        return !materials.empty() && material.size() == triangles && (uv.empty() || uv.size() == triangles) &&
               (colours.empty() || colours.size() == triangles);
    }
};

}  // namespace wobble
