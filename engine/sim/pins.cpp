#include "engine/sim/pins.h"

#include <algorithm>

namespace wobble {

Constraints constraints(const std::vector<PinRule>& rules, const std::vector<Vec3>& rest) {
    const Box box = bounding_box(rest);
    std::vector<Constraint> all;
    for (const PinRule& rule : rules)
        for (int i = 0; i < static_cast<int>(rest.size()); ++i) {
            const double at = (rest[i][rule.axis] - box.low[rule.axis]) / std::max(box.size()[rule.axis], 1e-300);
            if (rule.above ? at >= rule.fraction : at <= rule.fraction) all.push_back(Constraint::held(i));
        }
    return Constraints(static_cast<int>(rest.size()), all);
}

}  // namespace wobble
