#pragma once
// How several bodies share one picture.
#include <vector>

namespace wobble {

enum class Layout { side_by_side, overlaid };

struct ViewRect {
    int x = 0, y = 0, width = 1, height = 1;
};  // from the top left

// The cells of `count` bodies in `whole`: side by side two and three in a row, four in two rows; overlaid all in the same place.
std::vector<ViewRect> cells(Layout, int count, const ViewRect& whole);

}  // namespace wobble
