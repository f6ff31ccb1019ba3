#pragma once
// A closed manifold surface under change: edges collapse, flip and split, and it stays closed, manifold and oriented.
#include "engine/mesh/mesh.h"

#include <vector>

namespace wobble {

class EditableSurface {
public:
    explicit EditableSurface(const TriMesh& closed_manifold);
    TriMesh mesh() const;  // without what was removed, order kept

    int vertex_slots() const { return static_cast<int>(points_.size()); }  // removed ones included
    int vertex_count() const { return alive_vertices_; }
    bool alive(int v) const { return !faces_of_[v].empty(); }
    const Vec3& point(int v) const { return points_[v]; }
    void move(int v, const Vec3& p) { points_[v] = p; }
    const std::vector<int>& faces_of(int v) const { return faces_of_[v]; }
    const Triangle& face(int f) const { return faces_[f]; }
    int valence(int v) const { return static_cast<int>(faces_of_[v].size()); }
    void neighbours(int v, std::vector<int>& out) const;  // each once, order of faces_of
    Vec3 area_vector(int f) const;                        // twice the area, outward
    Vec3 normal(int v) const;                             // area-weighted, unit length

    // Merges v into u at p. Refuses (false, nothing changed) when the surface would lose its manifoldness, when a face would turn by more
    // than about 75 degrees, or when a triangle would get worse than `worst_quality`, unless it improves what was there.
    bool collapse(int u, int v, const Vec3& p, double worst_quality);
    // Replaces the edge ab by the other diagonal. Refuses like collapse.
    bool flip(int a, int b);
    int split(int a, int b, const Vec3& p);  // the new vertex on the edge ab

    // The two corners opposite to the edge ab: left of a->b first. False when ab is no edge.
    bool opposite(int a, int b, int& left, int& right) const;

private:
    int face_with(int a, int b) const;  // the face that runs a -> b, or -1
    void replace(int f, const Triangle&);
    void remove(int f);

    std::vector<Vec3> points_;
    std::vector<Triangle> faces_;  // removed: {-1, -1, -1}
    std::vector<std::vector<int>> faces_of_;
    int alive_vertices_ = 0;
};

}  // namespace wobble
