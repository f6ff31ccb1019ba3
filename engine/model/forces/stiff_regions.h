#pragma once
// Which elements (tets, springs) of a body are stiffer: those whose centroid at rest lies in a region's box. With the body's bounding
// box [a, b] at rest and the centroid c of an element's particles, the element belongs to a region if
//     low <= (c - a) / (b - a) <= high   in every coordinate;   its factor is that of the last such region, 1 without one.
#include "engine/mesh/mesh.h"
#include "engine/model/material.h"

#include <vector>

namespace wobble {

// A body at rest as regions see it.
class RegionBox {
public:
    explicit RegionBox(const std::vector<Vec3>& rest) : RegionBox(rest, bounding_box(rest)) {}
    RegionBox(const std::vector<Vec3>& rest, const Box& extents) : rest_(rest), box_(extents) {}

    template <class Element>  // its particles
    bool contains(const StiffRegion& region, const Element& particles) const {
        Vec3 centroid = Vec3::Zero();
        for (const int i : particles) centroid += rest_[i] / static_cast<double>(particles.size());
        const Vec3 share = (centroid - box_.low).cwiseQuotient(box_.size().cwiseMax(1e-300));
        return (share.array() >= region.low.array()).all() && (share.array() <= region.high.array()).all();
    }
    template <class Element>
    double factor(const std::vector<StiffRegion>& regions, const Element& particles) const {
        double factor = 1;
        for (const StiffRegion& region : regions)
            if (contains(region, particles)) factor = region.factor;
        return factor;
    }

private:
    const std::vector<Vec3>& rest_;
    Box box_;
};

// One factor per tet; none without regions, which is the case that must stay fast.
inline std::vector<double> tet_factors(const std::vector<StiffRegion>& regions, const TetMesh& rest, const Box& extents) {
    std::vector<double> factors;
    if (regions.empty()) return factors;
    const RegionBox box(rest.vertices, extents);
    for (const Tet& tet : rest.tets) factors.push_back(box.factor(regions, tet));
    return factors;
}

}  // namespace wobble
