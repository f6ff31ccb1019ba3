#pragma once
// A uniform grid of cells with the boxes that reach into each, made by counting sort. Boxes are those of one kind of feature; a box may
// lie in many cells. The lists are in ascending order of the boxes, whatever the number of threads.
#include "engine/core/types.h"
#include "engine/core/workers.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wobble {

struct FloatBox {  // rounded outward
    float low[3], high[3];
    bool empty() const { return low[0] > high[0]; }
    bool overlaps(const FloatBox& b) const {
        return low[0] <= b.high[0] && b.low[0] <= high[0] && low[1] <= b.high[1] && b.low[1] <= high[1] && low[2] <= b.high[2] &&
               b.low[2] <= high[2];
    }
    static FloatBox none() { return {{1, 1, 1}, {-1, -1, -1}}; }
    // Around the points, larger by `margin` on all sides.
    static FloatBox around(std::span<const Vec3> points, double margin);
    void include(const FloatBox& b);  // a none() becomes b
};

struct CellGrid {
    float low[3] = {};   // m, where it begins
    float per_cell = 1;  // 1/m
    int count[3] = {};   // cells along each axis
    int cells() const { return count[0] * count[1] * count[2]; }
    // Cells no smaller than `wanted`, and no more than `most`, over the whole box.
    static CellGrid over(const FloatBox&, double wanted, int most);
    int along(int axis, float x) const {
        const int i = static_cast<int>((x - low[axis]) * per_cell);
        return i < 0 ? 0 : i >= count[axis] ? count[axis] - 1 : i;
    }
    int index(int x, int y, int z) const { return (x * count[1] + y) * count[2] + z; }
    // Of the cells in which both boxes lie, the one that answers for the pair.
    int first_common(const FloatBox& a, const FloatBox& b) const {
        int i[3];
        for (int k = 0; k < 3; ++k) i[k] = along(k, a.low[k] > b.low[k] ? a.low[k] : b.low[k]);
        return index(i[0], i[1], i[2]);
    }
};

class CellLists {
public:
    void sort(const CellGrid&, std::span<const FloatBox>, Workers&);  // empty boxes lie nowhere
    std::span<const int> in(int cell) const {
        return {items_.data() + begin_[cell], static_cast<std::size_t>(begin_[cell + 1] - begin_[cell])};
    }
    int first_item(int cell) const { return begin_[cell]; }

private:
    std::vector<int> begin_, items_, cursor_;
};

}  // namespace wobble
