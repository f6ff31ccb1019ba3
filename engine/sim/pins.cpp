#include "engine/sim/pins.h"

#include <algorithm>

namespace wobble {

std::vector<std::uint8_t> pinned_vertices(const std::vector<PinRule>& rules, const TetMesh& mesh) {
    const Box box = bounding_box(mesh.vertices);
    std::vector<std::uint8_t> pinned(mesh.vertices.size(), 0);
    for (const PinRule& rule : rules)
        for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
            const double at = (mesh.vertices[i][rule.axis] - box.low[rule.axis]) / std::max(box.size()[rule.axis], 1e-300);
            if (rule.above ? at >= rule.fraction : at <= rule.fraction) pinned[i] = 1;
        }
    return pinned;
}

}  // namespace wobble
