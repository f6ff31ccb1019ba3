#include "app/window/window_place.h"

#include <algorithm>

namespace wobble {

namespace {

constexpr int handle_width = 120, handle_height = 30;  // of the upper edge: enough to take hold of

int common(int low, int length, int other_low, int other_length) {
    return std::min(low + length, other_low + other_length) - std::max(low, other_low);
}

}  // namespace

WindowShape visible_shape(WindowShape shape, std::span<const ScreenArea> screens) {
    if (shape.x == WindowShape::anywhere || shape.y == WindowShape::anywhere || screens.empty()) return shape;
    const int wanted = std::min(handle_width, shape.width);
    const auto seen_on = [&](const ScreenArea& s) {
        return common(shape.x, shape.width, s.x, s.width) >= wanted && shape.y >= s.y && shape.y + handle_height <= s.y + s.height;
    };
    if (std::any_of(screens.begin(), screens.end(), seen_on)) return shape;
    const ScreenArea& first = screens.front();
    shape.width = std::min(shape.width, std::max(200, first.width));
    shape.height = std::min(shape.height, std::max(150, first.height));
    shape.x = first.x + std::max(0, (first.width - shape.width) / 2);
    shape.y = first.y + std::max(0, (first.height - shape.height) / 2);
    return shape;
}

}  // namespace wobble
