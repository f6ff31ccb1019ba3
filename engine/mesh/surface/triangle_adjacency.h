#pragma once
// Who touches whom on a triangle surface, whatever state it is in.
#include "engine/mesh/mesh.h"

namespace wobble {

// One edge of the surface with one face at it; sorted lists of these answer every question about neighbourhood.
struct EdgeUse {
    int low, high;  // end points, low < high
    int face;
    bool forward;  // the face runs from low to high
};
// Sorted by (low, high); faces with repeated corners are left out.
std::vector<EdgeUse> edge_uses(const TriMesh&);

// Calls visit(begin, end) for every edge with the pointers to its uses.
template <class Visit>
void for_each_edge(const std::vector<EdgeUse>& uses, Visit&& visit) {
    for (std::size_t i = 0; i < uses.size();) {
        std::size_t end = i + 1;
        while (end < uses.size() && uses[end].low == uses[i].low && uses[end].high == uses[i].high) ++end;
        visit(uses.data() + i, uses.data() + end);
        i = end;
    }
}

// Sets that grow together (union by smallest member, path halving).
class Sets {
public:
    explicit Sets(std::size_t count);
    int find(int);
    void join(int, int);

private:
    std::vector<int> parent_;
};

// Component number of each triangle (triangles joined over edges), counted from 0 in order of their first triangle.
std::vector<int> components(const TriMesh&, int& count);

}  // namespace wobble
