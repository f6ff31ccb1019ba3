#pragma once
// Broad phase of contact: all pairs of a vertex and a triangle, and of two edges, that are nearer to each other than `reach`. Features are
// of similar size, so a uniform grid finds them: cells no smaller than the reach and the mean edge. Pairs are sorted, so the lists are the
// same bits for any number of threads; memory is kept from search to search.
#include "engine/model/contact/cell_lists.h"
#include "engine/model/contact/contact_surface.h"

#include <memory>
#include <vector>

namespace wobble {

// Something for each pair of bodies, in any order.
template <class T>
class PerBodies {
public:
    explicit PerBodies(std::size_t bodies, T value = {}) : count_(bodies), values_(bodies * bodies, value) {}
    const T& operator()(int a, int b) const { return values_[static_cast<std::size_t>(a) * count_ + static_cast<std::size_t>(b)]; }
    void set(int a, int b, T value) {
        values_[static_cast<std::size_t>(a) * count_ + static_cast<std::size_t>(b)] = value;
        values_[static_cast<std::size_t>(b) * count_ + static_cast<std::size_t>(a)] = value;
    }
    int bodies() const { return static_cast<int>(count_); }
    bool operator==(const PerBodies&) const = default;

private:
    std::size_t count_;
    std::vector<T> values_;
};

class FeatureGrid {
public:
    struct Pair {
        int a, b;  // vertex and triangle; or two edges, a < b
        auto operator<=>(const Pair&) const = default;
    };

    FeatureGrid(std::shared_ptr<const ContactSurface>, std::shared_ptr<Workers>);

    // Of the bodies that may touch (one with itself, too). Neighbours are left out: parts of one body that share a particle or that at
    // rest were nearer than its `apart`.
    void find(const VecX& q, double reach, const PerBodies<std::uint8_t>& may_touch, const std::vector<double>& apart);
    const std::vector<Pair>& vertex_triangle() const { return vertex_triangle_; }  // by vertex, then by triangle
    const std::vector<Pair>& edge_edge() const { return edge_edge_; }

private:
    void make_boxes(const VecX& q, double reach, const PerBodies<std::uint8_t>& may_touch);
    struct Boxed {
        FloatBox box;
        int feature, body;
    };
    struct Part {  // of a loop: what it finds, and a cell's boxes
        std::vector<Pair> found;
        std::vector<Boxed> one, other;
    };
    struct Kind {  // vertices, triangles or edges
        const std::vector<FloatBox>& boxes;
        const std::vector<int>& body;
    };
    template <class Near>
    void search(const CellLists& one, const CellLists* other, const PerBodies<std::uint8_t>& may_touch, const Kind& first,
                const Kind& second, Near&& near);
    void collect(std::vector<Pair>& pairs, int count);

    std::shared_ptr<const ContactSurface> surface_;
    std::shared_ptr<Workers> workers_;
    std::vector<FloatBox> body_, vertex_, triangle_, edge_;
    CellGrid grid_;
    CellLists vertices_, triangles_, edges_;
    std::vector<Part> parts_;
    std::vector<FloatBox> part_box_;
    std::vector<int> begin_;
    std::vector<Pair> vertex_triangle_, edge_edge_;
};

}  // namespace wobble
