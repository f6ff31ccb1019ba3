#pragma once
// Sharp edges of a surface, as lines that a remeshed surface should keep.
#include "engine/mesh/mesh.h"

namespace wobble {

// An edge of the mesh that lies on a line to be kept. Edges with the same `line` follow one another without a corner.
struct CreaseEdge {
    int a, b;
    int line;
};
// Per vertex: whether it must stay where it is, because lines end, meet or turn there.
std::vector<char> crease_corners(const TriMesh&, const std::vector<CreaseEdge>&);

// The edges of a closed surface where it turns by more than about 50 degrees. Left out is what is too short to be seen with edges of
// about `edge`: nets of less than four of them, and loose ends of less than two.
std::vector<CreaseEdge> find_creases(const TriMesh&, double edge);

// Vertices like the tip of a cone of less than 60 degrees: the angles around them sum up to less than a half turn.
std::vector<int> pointed_vertices(const TriMesh&);

// The point nearest to p on the edges with this number.
class CreaseLines {
public:
    CreaseLines(const TriMesh&, const std::vector<CreaseEdge>&);
    Vec3 nearest(const Vec3& p, int line) const;

private:
    std::vector<std::vector<std::array<Vec3, 2>>> segments_;  // of each line
};

}  // namespace wobble
