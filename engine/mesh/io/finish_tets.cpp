#include "engine/core/text.h"
#include "engine/mesh/io/readers.h"
#include "engine/mesh/volume/tet_adjacency.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

// The volume of a tetrahedron over that of a regular one whose edges are as long as its longest.
double share_of_regular(const TetMesh& mesh, const Tet& tet) {
    double longest = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j) longest = std::max(longest, (mesh.vertices[tet[i]] - mesh.vertices[tet[j]]).norm());
    return longest > 0 ? volume(mesh, tet) / (longest * longest * longest / (6 * std::sqrt(2.0))) : 0;
}

bool repeats(const Tet& t) { return t[0] == t[1] || t[0] == t[2] || t[0] == t[3] || t[1] == t[2] || t[1] == t[3] || t[2] == t[3]; }

// A face of more than two tetrahedra, or of two on the same side of it: they overlap.
long overlapping_faces(const std::vector<Tet>& tets) {
    struct Face {
        Triangle sorted;
        bool even;
    };
    std::vector<Face> faces;
    faces.reserve(4 * tets.size());
    for (const Tet& tet : tets)
        for (const auto& corners : tet_faces) {
            Triangle t = {tet[corners[0]], tet[corners[1]], tet[corners[2]]};
            bool even = true;
            for (int i : {0, 1, 0})
                if (t[i] > t[i + 1]) std::swap(t[i], t[i + 1]), even = !even;
            faces.push_back({t, even});
        }
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.sorted < b.sorted; });
    long overlapping = 0;
    for (std::size_t i = 0; i < faces.size();) {
        std::size_t same = i + 1;
        while (same < faces.size() && faces[same].sorted == faces[i].sorted) ++same;
        overlapping += same - i > 2 || (same - i == 2 && faces[i].even == faces[i + 1].even);
        i = same;
    }
    return overlapping;
}

}  // namespace

Result<ImportedMesh> finish_tets(ImportedMesh mesh, const std::string& name) {
    if (mesh.tets.empty()) {
        if (mesh.triangles.empty()) return Error{name + " has neither tetrahedra nor triangles; export it as a mesh of one or the other."};
        return mesh;
    }
    constexpr double flat = 1e-9;
    TetMesh tets{std::move(mesh.vertices), std::move(mesh.tets), {}};
    long turned = 0, left_out = 0;
    std::vector<Tet> kept;
    kept.reserve(tets.tets.size());
    for (Tet tet : tets.tets) {
        const double share = repeats(tet) ? 0 : share_of_regular(tets, tet);
        if (!(std::abs(share) > flat)) {
            ++left_out;
            continue;
        }
        if (share < 0) std::swap(tet[2], tet[3]), ++turned;
        kept.push_back(tet);
    }
    if (kept.empty()) return Error{name + " has nothing but flat tetrahedra; export it again."};
    if (const long faces = overlapping_faces(kept); faces > 0)
        return Error{text(name, " has tetrahedra that overlap, at ", counted(faces, "face", "faces"), "; mesh it again.")};
    if (turned > 0) mesh.notes.push_back(text("Turned ", counted(turned, "tetrahedron", "tetrahedra"), " the right way round."));
    if (left_out > 0) mesh.notes.push_back(text("Left out ", counted(left_out, "flat tetrahedron", "flat tetrahedra"), "."));
    mesh.triangles = boundary_faces(kept);
    mesh.vertices = std::move(tets.vertices);
    mesh.tets = std::move(kept);
    mesh.look.reset();
    return mesh;
}

}  // namespace wobble
