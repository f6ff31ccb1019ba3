// A part that is open encloses something if one can hardly look out from just behind it: with w the generalised winding number of all
// parts, the mean over the part of w there is 1 for a closed one, 0.8 for a box without its lid, 0.7 for a half sphere, 0.5 for a flat one.
#include "engine/mesh/wrap/soup.h"

#include "engine/mesh/surface/orientation.h"
#include "engine/mesh/surface/weld.h"
#include "engine/mesh/wrap/triangle_tree.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace wobble {
namespace {

constexpr double same_vertex = 1e-7;  // of the box's diagonal
constexpr double encloses = 0.86;     // mean winding number behind a part
constexpr double just_behind = 1e-4;  // of the box's diagonal
constexpr std::size_t probes = 200;   // triangles of a part, or about as many
constexpr std::size_t few = 24;       // vertices of a part that is perhaps a cavity
constexpr double most_tests = 3e7;    // triangles looked at in search of cavities

Vec3 area_vector(const TriMesh& mesh, const Triangle& t) {
    return 0.5 * (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}
Vec3 centre(const TriMesh& mesh, const Triangle& t) { return (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3; }

void drop_doubled(TriMesh& mesh) {
    std::erase_if(mesh.triangles, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
    std::vector<std::pair<Triangle, int>> sorted;
    for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f) {
        Triangle t = mesh.triangles[f];
        std::sort(t.begin(), t.end());
        sorted.emplace_back(t, f);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<char> doubled(mesh.triangles.size(), 0);
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i].first == sorted[i - 1].first) doubled[sorted[i].second] = 1;
    int f = 0;
    std::erase_if(mesh.triangles, [&](const Triangle&) { return doubled[f++] != 0; });
}

struct Part {
    std::vector<int> faces;
    double volume = 0;  // about the centre of its own box
    Box box;
    TriMesh mesh(const TriMesh& all) const {
        TriMesh own;
        for (int f : faces) {
            const int first = static_cast<int>(own.vertices.size());
            for (int v : all.triangles[f]) own.vertices.push_back(all.vertices[v]);
            own.triangles.push_back({first, first + 1, first + 2});
        }
        return own;
    }
};

std::vector<Part> parts_of(const TriMesh& mesh, const std::vector<int>& component, int count) {
    std::vector<Part> parts(count);
    for (int f = 0; f < static_cast<int>(component.size()); ++f) {
        Part& part = parts[component[f]];
        part.faces.push_back(f);
        for (int v : mesh.triangles[f])
            part.box.low = part.box.low.cwiseMin(mesh.vertices[v]), part.box.high = part.box.high.cwiseMax(mesh.vertices[v]);
    }
    for (Part& part : parts)
        for (int f : part.faces)
            part.volume += (centre(mesh, mesh.triangles[f]) - part.box.centre()).dot(area_vector(mesh, mesh.triangles[f])) / 3;
    return parts;
}

// Whether `inner` lies wholly within one of the others; false also when that takes too much work.
bool is_cavity(const TriMesh& mesh, const std::vector<Part>& parts, const Part& inner, double& tests) {
    for (const Part& outer : parts) {
        if (&outer == &inner || !(outer.volume > -inner.volume)) continue;
        if (!((outer.box.low.array() < inner.box.low.array()).all() && (outer.box.high.array() > inner.box.high.array()).all())) continue;
        const std::size_t stride = inner.faces.size() / few + 1;
        tests += static_cast<double>(outer.faces.size() * few);
        if (tests > most_tests) return false;
        const TriangleTree tree(outer.mesh(mesh));
        bool within = true;
        for (std::size_t k = 0; within && k < inner.faces.size(); k += stride)
            for (int v : mesh.triangles[inner.faces[k]]) within = within && tree.winding(mesh.vertices[v]) > 0.5;
        if (within) return true;
    }
    return false;
}

void turn(TriMesh& mesh, const std::vector<int>& faces) {
    for (int f : faces) std::swap(mesh.triangles[f][1], mesh.triangles[f][2]);
}

}  // namespace

int Soup::sheets() const { return static_cast<int>(std::count(sheet.begin(), sheet.end(), 1)); }

Soup make_soup(const TriMesh& surface) {
    Soup soup{surface, {}, {}};
    TriMesh& mesh = soup.mesh;
    const double diagonal = bounding_box(mesh.vertices).diagonal();
    weld(mesh, same_vertex * diagonal);
    drop_doubled(mesh);
    drop_unused_vertices(mesh);
    turn(mesh, turned_faces(mesh, edge_uses(mesh)).faces);
    int count = 0;
    soup.component = components(mesh, count);
    std::vector<Part> parts = parts_of(mesh, soup.component, count);
    double tests = 0;
    for (Part& part : parts)
        if (part.volume < 0 && !is_cavity(mesh, parts, part, tests)) turn(mesh, part.faces), part.volume = -part.volume;

    std::vector<char> open(count, 0);
    for_each_edge(edge_uses(mesh), [&](const EdgeUse* begin, const EdgeUse* end) {
        if (end == begin + 1) open[soup.component[begin->face]] = 1;
    });
    soup.sheet.assign(count, 0);
    if (std::count(open.begin(), open.end(), 1) == 0) return soup;
    const TriangleTree tree(mesh);
    for (int k = 0; k < count; ++k) {
        if (!open[k]) continue;
        const std::size_t stride = parts[k].faces.size() / probes + 1;
        double area = 0, sum = 0;
        for (std::size_t i = 0; i < parts[k].faces.size(); i += stride) {
            const Triangle& t = mesh.triangles[parts[k].faces[i]];
            const Vec3 an = area_vector(mesh, t);
            const double a = an.norm();
            if (!(a > 0)) continue;
            area += a, sum += a * std::min(1.0, tree.winding(centre(mesh, t) - just_behind * diagonal / a * an));
        }
        soup.sheet[k] = !(sum > encloses * area);
    }
    return soup;
}

}  // namespace wobble
