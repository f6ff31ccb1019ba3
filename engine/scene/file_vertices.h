#pragma once
// A body and the file it came from: so that its motion can be written for the file's own mesh, and drawn in the file's colours.
#include "engine/mesh/io/mesh_file.h"
#include "engine/mesh/mesh.h"

#include <memory>
#include <optional>

namespace wobble {

// x = linear X + shift.
struct Affine {
    Mat3 linear = Mat3::Identity();
    Vec3 shift = Vec3::Zero();
    Vec3 operator()(const Vec3& x) const { return linear * x + shift; }
    Affine then(const Affine& next) const { return {next.linear * linear, next.linear * shift + next.shift}; }
};

// The mesh as the file has it: order, count and coordinates of its vertices, also of those that no face uses or that were welded.
struct FileVertices {
    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;
    std::vector<int> follows;  // per vertex: the vertex of the body's drawn surface that it moves with
    Affine to_scene;           // what the file's coordinates became, metres
};

// moved: the file's vertices where they are in the scene, at rest; drawn: the body's surface, at rest. Each vertex follows the drawn one
// in its place, or else the nearest.
std::vector<int> nearest_drawn(const std::vector<Vec3>& moved, const TriMesh& drawn);

// Where the file's vertices are, in its own coordinates, while the drawn surface has moved from `rest` to `now`: exactly where the file has
// them as long as nothing has moved.
std::vector<Vec3f> in_file_coordinates(const FileVertices&, std::span<const Vec3f> rest, std::span<const Vec3f> now);

// The file's look for the triangles that are drawn, which may be others than the file's: each takes after the one it lies on.
std::shared_ptr<const SurfaceLook> look_on(const SurfaceLook&, const TriMesh& file_surface, const std::vector<int>& follows,
                                           const TriMesh& drawn);

// Appends the look of a body of so many triangles, which may be none, to that of the bodies before it with `triangles_before`. Triangles
// without a look have the material -1.
void append_look(std::shared_ptr<const SurfaceLook>& all, std::size_t triangles_before, const std::shared_ptr<const SurfaceLook>& one,
                 std::size_t triangles);

}  // namespace wobble
