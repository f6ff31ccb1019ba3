#include "app/viewer/layout.h"

#include <algorithm>

namespace wobble {

std::vector<ViewRect> cells(Layout layout, int count, const ViewRect& whole) {
    std::vector<ViewRect> all;
    if (layout == Layout::overlaid) return std::vector<ViewRect>(static_cast<std::size_t>(std::max(count, 0)), whole);
    const int rows = count > 3 ? 2 : 1, columns = (count + rows - 1) / std::max(rows, 1);
    for (int i = 0; i < count; ++i) {
        const int row = i / columns, column = i % columns;
        const int left = whole.width * column / columns, right = whole.width * (column + 1) / columns;
        const int top = whole.height * row / rows, bottom = whole.height * (row + 1) / rows;
        all.push_back({whole.x + left, whole.y + top, std::max(1, right - left), std::max(1, bottom - top)});
    }
    return all;
}

}  // namespace wobble
