#pragma once
// Who touches whom in a tet mesh.
#include "engine/mesh/mesh.h"

#include <vector>

namespace wobble {

// The outward faces of a positive tet; face k is opposite corner k.
constexpr int tet_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

// Faces that belong to one tet only, outward.
std::vector<Triangle> boundary_faces(const std::vector<Tet>&);

// Lists of varying length in one array: row i is items[start[i]..start[i+1]).
struct Rows {
    std::vector<int> start, items;
    int count(int i) const { return start[i + 1] - start[i]; }
    const int* begin(int i) const { return items.data() + start[i]; }
    const int* end(int i) const { return items.data() + start[i + 1]; }
};
Rows tets_of_vertices(const std::vector<Tet>&, int vertices);        // ascending
Rows neighbours_of_vertices(const std::vector<Tet>&, int vertices);  // ascending, without the vertex itself

}  // namespace wobble
