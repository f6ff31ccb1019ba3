#pragma once
// The pairs of features near each other, kept from step to step: they were found with a margin and are good until the bodies have moved
// towards each other, or deformed, by as much (Verlet 1967, relative to the bodies' own mean motion). Bodies whose boxes are far apart
// cost their boxes only. What is in the lists beyond what is asked for depends on the past; nothing that is computed may.
#include "engine/model/contact/contact_values.h"

#include <memory>

namespace wobble {

class NearPairs {
public:
    NearPairs(std::shared_ptr<const ContactSurface>, std::shared_ptr<Workers>);

    // The lists have all pairs that are nearer than `reach` at q. True: they were made anew.
    bool update(const ContactValues&, const VecX& q, double reach, double margin);
    void forget() { made_ = false; }  // neighbours or who may touch have changed
    bool empty() const { return none_ || (grid_.vertex_triangle().empty() && grid_.edge_edge().empty()); }
    const std::vector<FeatureGrid::Pair>& vertex_triangle() const { return none_ ? no_pairs_ : grid_.vertex_triangle(); }
    const std::vector<FeatureGrid::Pair>& edge_edge() const { return none_ ? no_pairs_ : grid_.edge_edge(); }

    // For a straight motion from `before`, at which the lists are up to date, to `after`: the largest distance of two features, one of
    // each of two bodies that may touch, that the motion could take away; only of bodies whose boxes meet on the way. Zero: none do.
    double largest_approach(const ContactValues&, const VecX& before, const VecX& after);
    // Whether the lists have all pairs that could touch on such a motion.
    bool cover(const ContactValues&, const VecX& before, const VecX& after);
    int searches() const { return searches_; }

private:
    struct Body {
        FloatBox box;
        Vec3 mean;         // m, of the displacement
        double deviation;  // m, the largest from it
    };
    void measure(const VecX& from, const VecX& to);  // the bodies' displacement
    void box(const VecX& q);
    double approach(int a, int b) const;

    std::shared_ptr<const ContactSurface> surface_;
    FeatureGrid grid_;
    std::vector<Body> bodies_;
    std::vector<FloatBox> swept_;  // over a step
    PerBodies<double> step_;       // m, what two bodies approach in one
    PerBodies<std::uint8_t> touching_, listed_;
    VecX found_at_;
    double found_reach_ = 0;
    bool made_ = false, none_ = true;
    int searches_ = 0;
    std::vector<FeatureGrid::Pair> no_pairs_;
};

}  // namespace wobble
