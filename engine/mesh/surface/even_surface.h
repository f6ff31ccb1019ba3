#pragma once
// A surface once more, with triangles of about equal size. Small triangles make light vertices, and the lightest sets the highest natural
// frequency of a body, which every integrator pays for.
#include "engine/core/progress.h"
#include "engine/mesh/mesh.h"
#include "engine/mesh/surface/check.h"
#include "engine/mesh/surface/nearest.h"

#include <optional>

namespace wobble {

class EvenSurface {
public:
    // Of a closed surface without faults; it has to outlive this.
    explicit EvenSurface(const TriMesh& original);

    // With edges of about `edge`, sharp edges and tips of the original kept; where these are too dense for it, also a second one with them
    // rounded. Empty when all would cost too much of the shape (volume, parts, genus, distance; cuts through itself), or when the
    // progress says no: ask it again to know.
    std::vector<TriMesh> make(double edge, const Progress& = {});

private:
    std::optional<TriMesh> attempt(double edge, bool keep_creases, const Progress&) const;
    bool start_from(int vertices, const Progress&);
    bool resembles(const TriMesh&, double edge, const Progress&) const;

    const TriMesh& original_;
    NearestPoint nearest_;
    TriMesh base_;   // the original, or still fine, but fewer triangles, if it is far too fine
    TriMesh start_;  // where remeshing begins
};

}  // namespace wobble
