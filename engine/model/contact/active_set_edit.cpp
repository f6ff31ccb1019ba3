#include "engine/model/contact/active_set.h"

namespace wobble {

// Layout: active_set.cpp, read().
void ActiveSet::remove_obstacle(VecX& internal, int first, int obstacle) {
    if (internal.size() <= first) return;
    const int kept = static_cast<int>(internal[first]);
    for (int o = obstacle; o + 1 < kept; ++o) internal.segment<3>(first + 1 + 3 * o) = internal.segment<3>(first + 4 + 3 * o).eval();
    const int left = obstacle < kept ? kept - 1 : kept;
    internal[first] = left;
    internal.conservativeResize(first + 1 + 3 * left);
}

}  // namespace wobble
