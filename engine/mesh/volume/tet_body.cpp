#include "engine/mesh/volume/tet_body.h"

#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/volume/embedding.h"
#include "engine/mesh/volume/reorder.h"

namespace wobble {

TetBody tet_body(const ImportedMesh& file, double size) {
    TetBody out;
    out.particle.assign(file.vertices.size(), -1);
    for (const Tet& tet : file.tets)
        for (const int v : tet) out.particle[static_cast<std::size_t>(v)] = 0;
    TriMesh used;
    for (std::size_t v = 0; v < out.particle.size(); ++v)
        if (out.particle[v] == 0) {
            out.particle[v] = static_cast<int>(used.vertices.size());
            used.vertices.push_back(file.vertices[v]);
        }
    if (size > 0) scale_and_rest(used, bounding_box(used.vertices), size);
    TetMesh& tets = out.body.tets;
    tets = {std::move(used.vertices), file.tets, file.triangles};
    for (Tet& tet : tets.tets)
        for (int& v : tet) v = out.particle[static_cast<std::size_t>(v)];
    for (Triangle& face : tets.boundary)
        for (int& v : face) v = out.particle[static_cast<std::size_t>(v)];
    const std::vector<int> number = reorder(tets);
    for (int& p : out.particle)
        if (p >= 0) p = number[static_cast<std::size_t>(p)];
    out.body.surface = {tets.vertices, tets.boundary};
    out.body.embedding = embed_identically(static_cast<int>(tets.vertices.size()));
    return out;
}

}  // namespace wobble
