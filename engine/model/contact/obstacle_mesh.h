#pragma once
// A triangle surface as an obstacle: signed distance by the nearest point and the angle-weighted normal there (Baerentzen, Aanaes 2005).
// A closed surface is solid inside, and turned so if its triangles look inward. An open one has no inside: it is solid behind the front
// of its triangles to a depth of `solid_behind` diagonals, where the nearest point does not lie on its border; everything else is
// outside, so that what is far behind it is not drawn through.
#include "engine/core/result.h"
#include "engine/mesh/surface/box_tree.h"
#include "engine/model/contact/obstacle.h"

#include <filesystem>

namespace wobble {

class ObstacleMesh {
public:
    static constexpr double solid_behind = 0.02;

    // At least one triangle with an area; triangles without one are left out.
    static Result<std::shared_ptr<const ObstacleMesh>> make(TriMesh);

    Nearest nearest(const Vec3& X) const;
    bool closed() const { return closed_; }
    const TriMesh& surface() const { return surface_; }
    const Box& box() const { return box_; }

private:
    ObstacleMesh(TriMesh, bool closed);
    struct Point {
        Vec3 x, normal;  // normal: angle-weighted, outward, not of unit length
        bool border;
    };
    Point on(int triangle, const Vec3& x) const;

    TriMesh surface_;
    bool closed_;
    Box box_;
    BoxTree tree_;
    std::vector<Vec3> face_normals_, vertex_normals_;
    std::vector<std::array<Vec3, 3>> edge_normals_;  // of the edge from corner k to the next; sums of the unit normals of its faces
    std::vector<std::array<bool, 3>> border_edge_;
    std::vector<bool> border_vertex_;
};

// Reads the file, of any format that bodies come from, and makes it `size` times as large, each axis by its own.
Result<std::shared_ptr<const ObstacleMesh>> load_mesh(const std::filesystem::path&, const Vec3& size);
// Gives an obstacle of kind mesh its mesh.
Result<void> load_mesh(Obstacle&);

}  // namespace wobble
