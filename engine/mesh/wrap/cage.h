#pragma once
// A closed surface around any soup of triangles.
#include "engine/core/progress.h"
#include "engine/core/workers.h"
#include "engine/mesh/wrap/soup.h"
#include "engine/mesh/wrap/triangle_tree.h"

namespace wobble {

struct CageOptions {
    double cell = 0;       // m, of the grid; larger where the grid would have too many points
    double thickness = 0;  // m: what is thinner, and what encloses nothing, is made about as thick as this
    double smallest = 0;   // m^3: smaller pockets inside are filled
    int most_points = 6'000'000;
};

class Cage {
public:
    explicit Cage(Soup);

    const Soup& soup() const { return soup_; }
    // A closed manifold, oriented outward, within about a cell of what bounds the soup, where that is thick. Empty: cancelled.
    TriMesh make(const CageOptions&, Workers&, const Progress& = {}) const;

private:
    Soup soup_;
    TriangleTree all_;        // for distances
    TriangleTree enclosing_;  // without sheets
};

}  // namespace wobble
