#pragma once
// From pairs of features that are near each other to contacts.
//
// A vertex near several triangles of a surface is near one surface, not several. With U(F) the energy of its distance from feature F, the
// sum over the near triangles minus that over the edges between them plus that over the corners between those,
//     sum_T U(T) - sum_e (k_e - 1) U(e) + sum_p (1 - k_p + sum_{e at p} (k_e - 1)) U(p),
// k_e and k_p the number of near triangles at edge and corner, counts a flat or convex surface exactly once wherever the vertex is
// (inclusion and exclusion, as the fans' Euler characteristic; Li et al. 2023, convergent incremental potential contact), so that the
// energy goes on when it slides over an edge. Where the surface is concave the negative terms are given to the positive ones as a factor:
// each contact is a repulsion.
// Pairs of edges act where they cross, fading out towards their ends, where vertices take over, and where they are parallel.
#include "engine/model/contact/contact_values.h"
#include "engine/model/contact/stencils.h"

#include <memory>

namespace wobble {

class NarrowPhase {
public:
    NarrowPhase(std::shared_ptr<const ContactSurface>, std::shared_ptr<Workers>);
    ~NarrowPhase();

    // Contacts at q, in the order of the pairs. `v`: as fast, from which longest_step() follows, considering what is nearer than `horizon`.
    void find(const ContactValues&, const std::vector<FeatureGrid::Pair>& vertex_triangle, const std::vector<FeatureGrid::Pair>& edge_edge,
              const VecX& q, const VecX& v, double horizon);
    const std::vector<Contact>& contacts() const { return contacts_; }
    const std::vector<double>& vertex_triangle_distance() const { return vertex_distance_; }  // of each pair, m
    const std::vector<double>& edge_edge_distance() const { return edge_distance_; }
    double longest_step() const { return longest_step_; }  // s
    void clear();

private:
    struct Part;  // what one part of a loop finds, and its scratch
    struct Look;
    void vertex(const Look&, Part&, int first, int last);
    void edges(const Look&, Part&, int pair);
    void limit(const Look&, Part&, const Contact&, double distance) const;

    std::shared_ptr<const ContactSurface> surface_;
    std::shared_ptr<Workers> workers_;
    std::vector<Part> vertex_parts_, edge_parts_;
    std::vector<Contact> contacts_;
    std::vector<double> vertex_distance_, edge_distance_;
    double longest_step_ = 1e300;
};

}  // namespace wobble
