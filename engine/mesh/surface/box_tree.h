#pragma once
// A binary hierarchy of axis-parallel boxes: finds what is near without looking at everything.
#include "engine/mesh/mesh.h"

#include <algorithm>
#include <array>
#include <vector>

namespace wobble {

class BoxTree {
public:
    explicit BoxTree(std::vector<Box> boxes);

    // Calls visit(item) for every item whose box overlaps (touching counts). Returns the number of boxes it looked at.
    template <class Visit>
    std::size_t overlapping(const Box& box, Visit&& visit) const {
        if (nodes_.empty()) return 0;
        std::size_t looked_at = 0;
        std::vector<int> stack{0};
        while (!stack.empty()) {
            const Node& node = nodes_[stack.back()];
            stack.pop_back();
            looked_at += 1 + static_cast<std::size_t>(node.count);
            if (!overlap(node.box, box)) continue;
            if (node.right > 0) {
                stack.push_back(node.right);
                stack.push_back(static_cast<int>(&node - nodes_.data()) + 1);
            } else {
                for (int i = node.first; i < node.first + node.count; ++i)
                    if (overlap(boxes_[items_[i]], box)) visit(items_[i]);
            }
        }
        return looked_at;
    }

    // Visits items in an order that pays for a nearest search: visit(item) returns the squared distance beyond which nothing matters.
    template <class Visit>
    void nearest(const Vec3& p, Visit&& visit) const {
        if (nodes_.empty()) return;
        double reach = 1e300;
        std::array<int, most_waiting> stack;  // no memory is taken: contact asks for every vertex in every step
        int waiting = 0;
        stack[waiting++] = 0;
        while (waiting > 0) {
            const int index = stack[--waiting];
            const Node& node = nodes_[index];
            if (squared_distance(node.box, p) > reach) continue;
            if (node.right > 0) {
                int near = index + 1, far = node.right;
                if (squared_distance(nodes_[near].box, p) > squared_distance(nodes_[far].box, p)) std::swap(near, far);
                stack[waiting++] = far;
                stack[waiting++] = near;
            } else {
                for (int i = node.first; i < node.first + node.count; ++i)
                    if (squared_distance(boxes_[items_[i]], p) <= reach) reach = std::min(reach, visit(items_[i]));
            }
        }
    }

private:
    static constexpr int most_waiting = 64;  // one per level and one more; halved by count, 2^31 items are 30 levels
    struct Node {
        Box box;
        int first = 0, count = 0;  // items, of a leaf
        int right = 0;             // the left child follows its parent; 0: a leaf
    };
    static bool overlap(const Box& a, const Box& b) {
        return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
    }
    static double squared_distance(const Box& box, const Vec3& p) {
        return (box.low - p).cwiseMax(p - box.high).cwiseMax(0.0).squaredNorm();
    }
    void build(int first, int count);

    std::vector<Box> boxes_;
    std::vector<int> items_;
    std::vector<Node> nodes_;
};

}  // namespace wobble
