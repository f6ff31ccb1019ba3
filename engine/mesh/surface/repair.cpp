#include "engine/mesh/surface/repair.h"

#include "engine/core/text.h"
#include "engine/mesh/surface/fill_hole.h"
#include "engine/mesh/surface/orientation.h"
#include "engine/mesh/surface/weld.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace wobble {
namespace {

constexpr const char* stage = "repairing the surface";
constexpr int loose_faces = 3;  // an open part of so few faces is a scrap

bool has(const MeshReport& report, Fault fault) {
    return std::ranges::any_of(report.findings, [&](const Finding& f) { return f.fault == fault; });
}

struct EdgeCount {
    long open = 0, crowded = 0;  // with one face, with more than two
};
EdgeCount count_edges(const TriMesh& mesh) {
    EdgeCount count;
    for_each_edge(edge_uses(mesh), [&](const EdgeUse* begin, const EdgeUse* end) {
        count.open += end - begin == 1;
        count.crowded += end - begin > 2;
    });
    return count;
}

// One surface under repair and what was done to it. Each step leaves it valid, whatever it was like.
class Workshop {
public:
    Workshop(TriMesh mesh, const RepairOptions& options)
        : mesh_(std::move(mesh)), options_(options), diagonal_(bounding_box(mesh_.vertices).diagonal()) {}

    void merge_doubled_vertices() {
        drop_unused();
        const long faces = static_cast<long>(mesh_.triangles.size());
        const int merged = weld(mesh_, 1e-8 * diagonal_);
        drop_unused_vertices(mesh_);
        std::erase_if(mesh_.triangles, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
        const long flat = faces - static_cast<long>(mesh_.triangles.size());
        if (merged > 0) done_.push_back(text("Merged ", counted(merged, "vertex", "vertices"), " with others at the same place."));
        if (flat > 0) done_.push_back(text("Removed ", counted(flat, "face", "faces"), " with two corners in one place."));
        drop_unused();
    }

    // The same three corners twice: one stays, none where they separate nothing (each side has two more faces).
    void drop_doubled_faces() {
        std::map<Triangle, std::vector<int>> same;
        for (int f = 0; f < static_cast<int>(mesh_.triangles.size()); ++f) {
            Triangle key = mesh_.triangles[f];
            std::ranges::sort(key);
            same[key].push_back(f);
        }
        std::map<std::pair<int, int>, long> around;  // faces per edge
        for_each_edge(edge_uses(mesh_), [&](const EdgeUse* begin, const EdgeUse* end) {
            if (end - begin > 2) around[{begin->low, begin->high}] = end - begin;
        });
        std::vector<char> drop(mesh_.triangles.size(), 0);
        for (const auto& [key, faces] : same) {
            if (faces.size() < 2) continue;
            const auto walled = [&](int a, int b) {
                const auto found = around.find({a, b});
                return found != around.end() && found->second >= static_cast<long>(faces.size()) + 2;
            };
            const bool inner = walled(key[0], key[1]) && walled(key[1], key[2]) && walled(key[0], key[2]);
            for (std::size_t i = inner ? 0 : 1; i < faces.size(); ++i) drop[faces[i]] = 1;
        }
        if (const long dropped = remove(drop)) done_.push_back(text("Removed ", counted(dropped, "face", "faces"), " that lay on others."));
        drop_unused();
    }

    // Vertices on both sides of a crack become one; undone where it would not help.
    void close_cracks() {
        std::vector<int> rim;
        double shortest = 1e300;
        for_each_edge(edge_uses(mesh_), [&](const EdgeUse* begin, const EdgeUse* end) {
            if (end - begin != 1) return;
            rim.push_back(begin->low), rim.push_back(begin->high);
            shortest = std::min(shortest, (mesh_.vertices[begin->low] - mesh_.vertices[begin->high]).norm());
        });
        std::ranges::sort(rim);
        rim.erase(std::unique(rim.begin(), rim.end()), rim.end());
        if (rim.empty()) return;
        std::vector<Vec3> places;
        for (int v : rim) places.push_back(mesh_.vertices[v]);
        const std::vector<int> target = first_near(places, std::min(options_.crack * diagonal_, 0.25 * shortest));
        std::vector<int> number(mesh_.vertices.size());
        std::iota(number.begin(), number.end(), 0);
        long merged = 0;
        for (std::size_t i = 0; i < rim.size(); ++i) number[rim[i]] = rim[target[i]], merged += rim[target[i]] != rim[i];
        if (merged == 0) return;
        TriMesh closed = mesh_;
        for (Triangle& t : closed.triangles)
            for (int& v : t) v = number[v];
        const EdgeCount before = count_edges(mesh_), after = count_edges(closed);
        if (after.crowded > before.crowded || after.open >= before.open) return;
        mesh_ = std::move(closed);
        drop_unused_vertices(mesh_);
        done_.push_back(text("Closed cracks: ", counted(merged, "vertex was", "vertices were"), " merged with a near one, ",
                             counted(before.open - after.open, "open edge", "open edges"), " fewer."));
    }

    // Faces that hang on an edge which two others close already, and open scraps beside a larger part.
    void drop_loose_faces() {
        long dropped = 0;
        for (long last = -1; last != dropped;) {
            last = dropped;
            std::vector<char> open(mesh_.triangles.size(), 0), crowded(open), drop(open);
            for_each_edge(edge_uses(mesh_), [&](const EdgeUse* begin, const EdgeUse* end) {
                for (const EdgeUse* use = begin; use < end; ++use) {
                    if (end - begin == 1) open[use->face] = 1;
                    if (end - begin > 2) crowded[use->face] = 1;
                }
            });
            for (std::size_t f = 0; f < drop.size(); ++f) drop[f] = open[f] && crowded[f];
            int parts = 0;
            const std::vector<int> part = components(mesh_, parts);
            std::vector<int> size(parts, 0), rim(parts, 0);
            for (std::size_t f = 0; f < part.size(); ++f) ++size[part[f]], rim[part[f]] |= open[f];
            const int largest = parts > 0 ? *std::ranges::max_element(size) : 0;
            for (std::size_t f = 0; f < part.size(); ++f) drop[f] |= largest > loose_faces && rim[part[f]] && size[part[f]] <= loose_faces;
            dropped += remove(drop);
        }
        if (dropped > 0) done_.push_back(text("Removed ", counted(dropped, "loose face", "loose faces"), "."));
        drop_unused();
    }

    void make_neighbours_agree() {
        const TurnedFaces turned = turned_faces(mesh_, edge_uses(mesh_));
        if (turned.one_sided || turned.faces.empty()) return;
        turn(turned.faces);
        const long count = static_cast<long>(turned.faces.size());
        done_.push_back(text("Turned ", counted(count, "face", "faces"), " that looked against the neighbours."));
    }

    void fill_holes(const Progress& progress) {
        long holes = 0, faces = 0, large = 0;
        const std::vector<EdgeUse> uses = edge_uses(mesh_);
        const std::vector<std::vector<int>> loops = hole_loops(uses);
        for (std::size_t i = 0; i < loops.size(); ++i) {
            if (!keep_going(progress, stage, 0.2 + 0.3 * static_cast<double>(i) / static_cast<double>(loops.size()))) return;
            Box box;
            for (int v : loops[i]) box.low = box.low.cwiseMin(mesh_.vertices[v]), box.high = box.high.cwiseMax(mesh_.vertices[v]);
            if (static_cast<int>(loops[i].size()) > options_.longest_rim || box.diagonal() > options_.widest_hole * diagonal_) {
                ++large;
                continue;
            }
            const std::vector<Triangle> patch = fill_hole(mesh_, uses, loops[i]);
            holes += !patch.empty(), faces += static_cast<long>(patch.size());
            mesh_.triangles.insert(mesh_.triangles.end(), patch.begin(), patch.end());
        }
        if (holes > 0) done_.push_back(text("Filled ", counted(holes, "hole", "holes"), " with ", counted(faces, "face", "faces"), "."));
        if (large > 0)
            left_.push_back(text("Left ", counted(large, "hole", "holes"), " open that ", large == 1 ? "is" : "are",
                                 " not small: more than ", options_.longest_rim, " edges, or wider than ", 100 * options_.widest_hole,
                                 " % of the body."));
    }

    // A corner on the side of its own triangle: the side's other face is split there instead.
    void flip_flat_faces() {
        long flipped = 0;
        for (long last = -1; last != flipped;) {
            last = flipped;
            const std::vector<EdgeUse> uses = edge_uses(mesh_);
            std::set<std::pair<int, int>> edges;
            for (const EdgeUse& use : uses) edges.emplace(use.low, use.high);
            std::vector<char> touched(mesh_.triangles.size(), 0);
            for_each_edge(uses, [&](const EdgeUse* begin, const EdgeUse* end) {
                if (end - begin != 2 || begin[0].forward == begin[1].forward) return;
                for (int k = 0; k < 2; ++k) flipped += flip(begin[k], begin[1 - k].face, edges, touched);
            });
        }
        if (flipped > 0) done_.push_back(text("Smoothed ", counted(flipped, "flat face", "flat faces"), " away."));
    }

    void keep_largest_parts() {
        int parts = 0;
        const std::vector<int> part = components(mesh_, parts);
        if (options_.keep_parts <= 0 || parts <= options_.keep_parts) return;
        std::vector<double> area(parts, 0);
        for (std::size_t f = 0; f < part.size(); ++f) {
            const auto& [a, b, c] = mesh_.triangles[f];
            area[part[f]] += (mesh_.vertices[b] - mesh_.vertices[a]).cross(mesh_.vertices[c] - mesh_.vertices[a]).norm();
        }
        std::vector<int> order(parts);
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, [&](int a, int b) { return area[a] > area[b]; });
        std::vector<char> keep(parts, 0), drop(mesh_.triangles.size(), 0);
        for (int i = 0; i < options_.keep_parts; ++i) keep[order[i]] = 1;
        for (std::size_t f = 0; f < part.size(); ++f) drop[f] = !keep[part[f]];
        remove(drop);
        drop_unused_vertices(mesh_);
        done_.push_back(text("Kept the largest of ", parts, " parts",
                             options_.keep_parts > 1 ? text(" (", options_.keep_parts, " of them)") : std::string(), "."));
    }

    void turn_outward() {
        if (const EdgeCount edges = count_edges(mesh_); edges.open > 0 || edges.crowded > 0) return;
        int parts = 0;
        components(mesh_, parts);
        if (parts > 10000) return;  // every part would be compared with every other
        const std::vector<int> faces = inverted_faces(mesh_);
        if (faces.empty()) return;
        turn(faces);
        done_.push_back(text("Turned ", counted(static_cast<long>(faces.size()), "face", "faces"), " outward."));
    }

    void drop_unused() { unused_ += drop_unused_vertices(mesh_); }
    void tell_unused() {
        if (unused_ > 0) done_.push_back(text("Removed ", counted(unused_, "vertex", "vertices"), " that no face uses."));
    }
    TriMesh& mesh() { return mesh_; }
    std::vector<std::string>& done() { return done_; }
    std::vector<std::string>& left() { return left_; }

private:
    long remove(const std::vector<char>& drop) {
        std::size_t kept = 0;
        for (std::size_t f = 0; f < mesh_.triangles.size(); ++f)
            if (!drop[f]) mesh_.triangles[kept++] = mesh_.triangles[f];
        const long removed = static_cast<long>(mesh_.triangles.size() - kept);
        mesh_.triangles.resize(kept);
        return removed;
    }

    void turn(const std::vector<int>& faces) {
        for (int f : faces) std::swap(mesh_.triangles[f][1], mesh_.triangles[f][2]);
    }

    int corner_beyond(int face, const EdgeUse& edge) const {
        for (int v : mesh_.triangles[face])
            if (v != edge.low && v != edge.high) return v;
        return -1;
    }

    // True if the face of `use` is flat, `use` is its longest side, and the quad with the other face could be cut the other way.
    bool flip(const EdgeUse& use, int other, std::set<std::pair<int, int>>& edges, std::vector<char>& touched) {
        if (touched[use.face] || touched[other] || !is_flat(mesh_, mesh_.triangles[use.face], diagonal_)) return false;
        const int p = use.forward ? use.low : use.high, q = use.forward ? use.high : use.low;
        const int r = corner_beyond(use.face, use), d = corner_beyond(other, use);
        if (r < 0 || d < 0 || r == d || edges.contains(std::minmax(r, d))) return false;
        const auto length = [&](int a, int b) { return (mesh_.vertices[a] - mesh_.vertices[b]).norm(); };
        if (length(p, q) < std::max(length(p, r), length(q, r))) return false;
        const Triangle first{r, p, d}, second{r, d, q};
        if (is_flat(mesh_, first, diagonal_) || is_flat(mesh_, second, diagonal_)) return false;
        mesh_.triangles[use.face] = first, mesh_.triangles[other] = second;
        touched[use.face] = touched[other] = 1;
        edges.emplace(std::minmax(r, d));
        return true;
    }

    TriMesh mesh_;
    const RepairOptions& options_;
    double diagonal_;
    long unused_ = 0;
    std::vector<std::string> done_, left_;
};

}  // namespace

Repaired repair(TriMesh mesh, const MeshReport& found, const RepairOptions& options, const Progress& progress) {
    const auto cancelled = [&](TriMesh as_it_was) {
        Repaired result{std::move(as_it_was), {}, {}, found};
        result.report.cancelled = true;
        return result;
    };
    if (found.cancelled || has(found, Fault::empty) || has(found, Fault::not_finite)) return {std::move(mesh), {}, {}, found};
    const bool faulty = options.faults && !found.good();
    const TriMesh original = mesh;
    Workshop shop(std::move(mesh), options);
    const auto wanted = [&](double fraction) { return keep_going(progress, stage, fraction); };
    if (options.faults) shop.drop_unused();
    if (faulty) {
        if (!wanted(0)) return cancelled(original);
        shop.merge_doubled_vertices();
        shop.drop_doubled_faces();
        if (!wanted(0.05)) return cancelled(original);
        shop.close_cracks();
        if (!wanted(0.1)) return cancelled(original);
        shop.drop_loose_faces();
        shop.make_neighbours_agree();
        if (!wanted(0.2)) return cancelled(original);
        shop.fill_holes(progress);
        if (!wanted(0.5)) return cancelled(original);
        shop.flip_flat_faces();
    }
    shop.keep_largest_parts();
    if (!wanted(0.7)) return cancelled(original);
    if (faulty) shop.turn_outward();
    shop.tell_unused();
    if (shop.done().empty()) return {original, {}, std::move(shop.left()), found};
    Repaired result{std::move(shop.mesh()), std::move(shop.done()), std::move(shop.left()), {}};
    result.report = check_surface(result.mesh, progress);
    return result.report.cancelled ? cancelled(original) : result;
}

}  // namespace wobble
