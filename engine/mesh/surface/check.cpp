#include "engine/mesh/surface/check.h"

#include "engine/core/text.h"
#include "engine/mesh/surface/orientation.h"
#include "engine/mesh/surface/self_intersection.h"
#include "engine/mesh/surface/triangle_adjacency.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>

namespace wobble {
namespace {

constexpr const char* stage = "checking the surface";
constexpr int most_parts = 10000;  // every part is compared with every other

std::string at(const Vec3& p) {
    std::ostringstream out;
    out.precision(3);
    out << "(" << p.x() << ", " << p.y() << ", " << p.z() << ")";
    return out.str();
}

Vec3 centre(const TriMesh& mesh, int face) {
    const auto& [a, b, c] = mesh.triangles[face];
    return (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3;
}

void sort_unique(std::vector<int>& v) {
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
}

void find_not_finite(const TriMesh& mesh, std::vector<Finding>& findings) {
    std::vector<int> faces;
    for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f)
        for (int v : mesh.triangles[f])
            if (!mesh.vertices[v].allFinite()) {
                faces.push_back(f);
                break;
            }
    const long bad = std::count_if(mesh.vertices.begin(), mesh.vertices.end(), [](const Vec3& p) { return !p.allFinite(); });
    if (bad > 0)
        findings.push_back(
            {Fault::not_finite,
             text("The surface has ", counted(bad, "vertex", "vertices"), " whose coordinates are not finite numbers; export it again."),
             std::move(faces)});
}

void find_degenerate(const TriMesh& mesh, double diagonal, std::vector<Finding>& findings) {
    std::vector<int> faces;
    for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f)
        if (is_flat(mesh, mesh.triangles[f], diagonal)) faces.push_back(f);
    if (!faces.empty())
        findings.push_back(
            {Fault::degenerate,
             text("The surface has ", counted(static_cast<long>(faces.size()), "degenerate triangle", "degenerate triangles"),
                  " (no area), the first at ", at(centre(mesh, faces[0])), "; dissolve degenerate faces in a mesh editor."),
             faces});
}

void find_open(const TriMesh& mesh, const std::vector<EdgeUse>& uses, std::vector<Finding>& findings) {
    std::vector<EdgeUse> rim;
    for_each_edge(uses, [&](const EdgeUse* begin, const EdgeUse* end) {
        if (end == begin + 1) rim.push_back(*begin);
    });
    if (rim.empty()) return;
    Sets sets(mesh.vertices.size());
    for (const EdgeUse& e : rim) sets.join(e.low, e.high);
    struct Hole {
        int edges = 0;
        Vec3 sum = Vec3::Zero();
    };
    std::map<int, Hole> holes;
    std::vector<int> faces;
    for (const EdgeUse& e : rim) {
        Hole& hole = holes[sets.find(e.low)];
        ++hole.edges, hole.sum += 0.5 * (mesh.vertices[e.low] + mesh.vertices[e.high]);
        faces.push_back(e.face);
    }
    sort_unique(faces);
    const Hole& widest =
        std::max_element(holes.begin(), holes.end(), [](const auto& a, const auto& b) { return a.second.edges < b.second.edges; })->second;
    findings.push_back(
        {Fault::open,
         text("The surface is not closed: ", counted(static_cast<long>(holes.size()), "hole", "holes"), " with ",
              counted(static_cast<long>(rim.size()), "open edge", "open edges"), ", the largest (", counted(widest.edges, "edge", "edges"),
              ") around ", at(widest.sum / widest.edges), "; close the holes in a mesh editor."),
         std::move(faces), static_cast<long>(holes.size())});
}

void find_non_manifold(const TriMesh& mesh, const std::vector<EdgeUse>& uses, std::vector<Finding>& findings) {
    std::vector<int> faces;
    std::vector<char> explained(mesh.vertices.size(), 0);  // vertices that are odd because of an edge reported already
    long edges = 0, vertices = 0;
    Vec3 where = Vec3::Zero();
    // Corner k of face f is slot 3 f + k; faces that share an edge join their slots at both ends of it.
    Sets fans(3 * mesh.triangles.size());
    const auto slot = [&](int f, int v) {
        const Triangle& t = mesh.triangles[f];
        return 3 * f + (t[0] == v ? 0 : t[1] == v ? 1 : 2);
    };
    for_each_edge(uses, [&](const EdgeUse* begin, const EdgeUse* end) {
        for (const EdgeUse* u = begin + 1; u < end; ++u)
            for (int v : {u->low, u->high}) fans.join(slot(begin->face, v), slot(u->face, v));
        if (end - begin <= 2) return;
        if (edges++ == 0) where = 0.5 * (mesh.vertices[begin->low] + mesh.vertices[begin->high]);
        explained[begin->low] = explained[begin->high] = 1;
        for (const EdgeUse* u = begin; u < end; ++u) faces.push_back(u->face);
    });
    std::vector<int> fan(mesh.vertices.size(), -1);
    std::vector<char> torn(mesh.vertices.size(), 0);
    for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f) {
        const Triangle& t = mesh.triangles[f];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        for (int k = 0; k < 3; ++k) {
            const int root = fans.find(3 * f + k);
            if (fan[t[k]] < 0) fan[t[k]] = root;
            if (fan[t[k]] == root || explained[t[k]]) continue;
            if (!torn[t[k]] && vertices++ == 0 && edges == 0) where = mesh.vertices[t[k]];
            torn[t[k]] = 1;
        }
    }
    for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f)
        for (int v : mesh.triangles[f])
            if (torn[v]) faces.push_back(f);
    if (faces.empty()) return;
    sort_unique(faces);
    findings.push_back(
        {Fault::non_manifold,
         text("The surface is not a manifold: ", edges > 0 ? counted(edges, "edge has", "edges have") + " more than two faces" : "",
              edges > 0 && vertices > 0 ? " and " : "",
              vertices > 0 ? counted(vertices, "vertex joins", "vertices join") + " separate sheets" : "", ", the first at ", at(where),
              "; separate the parts or remove inner faces in a mesh editor."),
         std::move(faces)});
}

void find_misoriented(const TriMesh& mesh, const std::vector<EdgeUse>& uses, std::vector<Finding>& findings) {
    const TurnedFaces turned = turned_faces(mesh, uses);
    if (turned.faces.empty() && !turned.one_sided) return;
    const std::string what = turned.one_sided ? "The surface is one-sided like a Moebius strip, so it has no inside; it cannot be filled."
                                              : text("The surface has ", counted(static_cast<long>(turned.faces.size()), "face", "faces"),
                                                     " turned against the neighbours, the first at ", at(centre(mesh, turned.faces[0])),
                                                     "; recalculate the normals (outside) in a mesh editor.");
    findings.push_back({Fault::misoriented, what, turned.faces});
}

void find_inside_out(const TriMesh& mesh, int parts, std::vector<Finding>& findings) {
    if (parts > most_parts) {
        findings.push_back({Fault::too_many_parts,
                            text("The surface consists of ", parts, " separate parts, more than ", most_parts,
                                 "; remove the small ones or unite them in a mesh editor."),
                            {}});
        return;
    }
    std::vector<int> faces = inverted_faces(mesh);
    if (!faces.empty())
        findings.push_back({Fault::inside_out,
                            text("The surface is inside out: the normals of ", counted(static_cast<long>(faces.size()), "face", "faces"),
                                 " point inward; flip the normals in a mesh editor."),
                            std::move(faces)});
}

// False: cancelled.
bool find_self_intersecting(const TriMesh& mesh, const Progress& progress, std::vector<Finding>& findings) {
    using End = SelfIntersections::End;
    const SelfIntersections found =
        self_intersections(mesh, 20000, [&](double done) { return keep_going(progress, stage, 0.3 + 0.7 * done); });
    if (found.end == End::cancelled) return false;
    const bool all = found.end == End::complete;
    if (!found.faces.empty())
        findings.push_back({Fault::self_intersecting,
                            text("The surface cuts through itself: ", all ? "" : "at least ",
                                 counted(static_cast<long>(found.faces.size()), "face meets", "faces meet"), " others",
                                 all ? "" : " (the search stopped there)", ", the first at ", at(centre(mesh, found.faces[0])),
                                 "; separate or unite the parts in a mesh editor."),
                            found.faces});
    else if (!all)
        findings.push_back({Fault::unchecked,
                            text("The surface is too entangled to be checked completely for cuts through itself: too many faces lie close "
                                 "together, most around ",
                                 at(centre(mesh, found.busiest)), "; simplify it there in a mesh editor."),
                            {found.busiest}});
    return true;
}

}  // namespace

bool is_flat(const TriMesh& mesh, const Triangle& triangle, double diagonal) {
    const auto& [a, b, c] = triangle;
    const Vec3 ab = mesh.vertices[b] - mesh.vertices[a], bc = mesh.vertices[c] - mesh.vertices[b], ca = mesh.vertices[a] - mesh.vertices[c];
    const double longest = std::sqrt(std::max({ab.squaredNorm(), bc.squaredNorm(), ca.squaredNorm()}));
    return a == b || b == c || c == a || !(longest > 1e-10 * diagonal) || !(ab.cross(bc).norm() > 1e-9 * longest * longest);
}

MeshReport check_surface(const TriMesh& mesh, const Progress& progress) {
    MeshReport report;
    report.vertices = static_cast<int>(mesh.vertices.size());
    report.triangles = static_cast<int>(mesh.triangles.size());
    const auto stopped = [&] {
        report.cancelled = true;
        report.findings.push_back({Fault::unchecked, "Checking the surface was cancelled.", {}});
        return report;
    };
    if (!keep_going(progress, stage, 0)) return stopped();
    components(mesh, report.components);
    find_not_finite(mesh, report.findings);
    if (mesh.triangles.empty()) report.findings.push_back({Fault::empty, "The surface has no faces; give a surface of triangles.", {}});
    if (!report.findings.empty()) return report;  // nothing below makes sense

    report.box = bounding_box(mesh.vertices);
    report.volume = signed_volume(mesh);
    if (!keep_going(progress, stage, 0.03)) return stopped();
    const std::vector<EdgeUse> uses = edge_uses(mesh);
    if (!keep_going(progress, stage, 0.05)) return stopped();
    find_degenerate(mesh, report.box.diagonal(), report.findings);
    find_open(mesh, uses, report.findings);
    if (!keep_going(progress, stage, 0.1)) return stopped();
    find_non_manifold(mesh, uses, report.findings);
    if (!keep_going(progress, stage, 0.2)) return stopped();
    find_misoriented(mesh, uses, report.findings);
    if (!keep_going(progress, stage, 0.25)) return stopped();
    if (report.findings.empty()) find_inside_out(mesh, report.components, report.findings);
    if (!keep_going(progress, stage, 0.3)) return stopped();
    if (!find_self_intersecting(mesh, progress, report.findings)) return stopped();
    return report;
}

}  // namespace wobble
