#include "engine/model/contact/cell_lists.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wobble {

FloatBox FloatBox::around(std::span<const Vec3> points, double margin) {
    FloatBox box;
    for (int k = 0; k < 3; ++k) {
        double low = points[0][k], high = low;
        for (const Vec3& p : points) low = std::min(low, p[k]), high = std::max(high, p[k]);
        low -= margin, high += margin;
        box.low[k] = static_cast<float>(low - 2e-7 * std::abs(low));
        box.high[k] = static_cast<float>(high + 2e-7 * std::abs(high));
    }
    return box;
}

void FloatBox::include(const FloatBox& b) {
    if (b.empty()) return;
    if (empty()) return void(*this = b);
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], b.low[k]), high[k] = std::max(high[k], b.high[k]);
}

CellGrid CellGrid::over(const FloatBox& box, double wanted, int most) {
    CellGrid grid;
    if (box.empty()) return grid;
    double cell = wanted;
    for (;; cell *= 1.3) {
        double cells = 1;
        for (int k = 0; k < 3; ++k) cells *= std::floor((static_cast<double>(box.high[k]) - box.low[k]) / cell) + 1;
        if (cells <= most) break;
    }
    grid.per_cell = static_cast<float>(1 / cell);
    for (int k = 0; k < 3; ++k) {
        grid.low[k] = box.low[k];
        grid.count[k] = static_cast<int>((static_cast<double>(box.high[k]) - box.low[k]) / cell) + 1;
    }
    return grid;
}

void CellLists::sort(const CellGrid& grid, std::span<const FloatBox> boxes, Workers& workers) {
    const int cells = grid.cells(), parts = workers.count(), n = static_cast<int>(boxes.size());
    cursor_.assign(static_cast<std::size_t>(cells) * parts, 0);
    const auto each_cell = [&](int part, auto&& act) {
        int* const own = cursor_.data() + static_cast<std::size_t>(cells) * part;
        for (int b = workers.range_begin(n, part); b < workers.range_begin(n, part + 1); ++b) {
            const FloatBox& box = boxes[b];
            if (box.empty()) continue;
            int first[3], last[3];
            for (int k = 0; k < 3; ++k) first[k] = grid.along(k, box.low[k]), last[k] = grid.along(k, box.high[k]);
            for (int x = first[0]; x <= last[0]; ++x)
                for (int y = first[1]; y <= last[1]; ++y)
                    for (int z = first[2]; z <= last[2]; ++z) act(own[grid.index(x, y, z)], b);
        }
    };
    workers.run([&](int part) { each_cell(part, [](int& count, int) { ++count; }); });
    begin_.resize(static_cast<std::size_t>(cells) + 1);
    int sum = 0;
    for (int c = 0; c < cells; ++c) {
        begin_[c] = sum;
        for (int part = 0; part < parts; ++part) {
            int& count = cursor_[static_cast<std::size_t>(cells) * part + c];
            sum += std::exchange(count, sum);
        }
    }
    begin_[cells] = sum;
    items_.resize(static_cast<std::size_t>(sum));
    workers.run([&](int part) { each_cell(part, [&](int& cursor, int b) { items_[cursor++] = b; }); });
}

}  // namespace wobble
