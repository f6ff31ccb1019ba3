#pragma once
// Triangles in any state, made fit to be asked what is inside.
#include "engine/mesh/mesh.h"

namespace wobble {

struct Soup {
    TriMesh mesh;                // no doubled, collapsed or unused items; neighbours agree on a side where that can be had
    std::vector<int> component;  // of each triangle
    std::vector<char> sheet;     // of each component: open so widely that it encloses nothing, even with all the others
    int sheets() const;
};

// All coordinates have to be finite. Parts that are inside out are turned, the walls of cavities excepted.
Soup make_soup(const TriMesh&);

}  // namespace wobble
