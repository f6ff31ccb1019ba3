#include "engine/mesh/surface/box_tree.h"

#include <numeric>

namespace wobble {

BoxTree::BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)), items_(boxes_.size()) {
    std::iota(items_.begin(), items_.end(), 0);
    nodes_.reserve(boxes_.size());
    if (!boxes_.empty()) build(0, static_cast<int>(boxes_.size()));
}

// Halves by count along the longest side of the centres' box: depth stays logarithmic whatever the input.
void BoxTree::build(int first, int count) {
    const int index = static_cast<int>(nodes_.size());
    nodes_.push_back({});
    Box box, centres;
    for (int i = first; i < first + count; ++i) {
        const Box& b = boxes_[items_[i]];
        box.low = box.low.cwiseMin(b.low), box.high = box.high.cwiseMax(b.high);
        centres.low = centres.low.cwiseMin(b.centre()), centres.high = centres.high.cwiseMax(b.centre());
    }
    nodes_[index].box = box;
    if (count <= 4) {
        nodes_[index].first = first, nodes_[index].count = count;
        return;
    }
    int axis = 0;
    centres.size().maxCoeff(&axis);
    const auto begin = items_.begin() + first;
    std::nth_element(begin, begin + count / 2, begin + count, [&](int a, int b) {
        const double x = boxes_[a].centre()[axis], y = boxes_[b].centre()[axis];
        return x < y || (x == y && a < b);
    });
    build(first, count / 2);
    nodes_[index].right = static_cast<int>(nodes_.size());
    build(first + count / 2, count - count / 2);
}

}  // namespace wobble
