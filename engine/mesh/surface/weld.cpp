#include "engine/mesh/surface/weld.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace wobble {
namespace {

struct Cell {
    long x, y, z;
    bool operator==(const Cell&) const = default;
};
struct CellHash {
    std::size_t operator()(const Cell& c) const {
        return static_cast<std::size_t>(c.x) * 73856093u ^ static_cast<std::size_t>(c.y) * 19349663u ^
               static_cast<std::size_t>(c.z) * 83492791u;
    }
};

bool repeats(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

}  // namespace

std::vector<int> first_near(const std::vector<Vec3>& points, double distance, const std::function<bool()>& keep_going) {
    const Vec3 low = bounding_box(points).low;
    const double cell = std::max(16 * distance, 1e-300);  // much wider than the distance: most searches touch a single cell
    const auto index = [&](double x) { return static_cast<long>(std::floor(std::min(x / cell, 4e18))); };

    std::unordered_map<Cell, std::vector<int>, CellHash> grid;
    std::vector<int> target(points.size());
    bool stopped = false;
    for (int i = 0; i < static_cast<int>(points.size()); ++i) {
        const Vec3 p = points[i] - low;
        target[i] = i;
        stopped = stopped || (keep_going && i % 8192 == 0 && !keep_going());
        if (stopped) continue;
        for (long x = index(p.x() - distance); x <= index(p.x() + distance); ++x)
            for (long y = index(p.y() - distance); y <= index(p.y() + distance); ++y)
                for (long z = index(p.z() - distance); z <= index(p.z() + distance); ++z)
                    if (const auto found = grid.find({x, y, z}); found != grid.end())
                        for (int j : found->second)
                            if ((points[j] - points[i]).norm() <= distance) target[i] = std::min(target[i], j);
        if (target[i] == i) grid[{index(p.x()), index(p.y()), index(p.z())}].push_back(i);
    }
    return target;
}

std::vector<int> first_equal(const std::vector<Vec3>& points) {
    std::vector<int> order(points.size()), first(points.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int i) { return std::tuple(points[i].x(), points[i].y(), points[i].z(), i); };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    for (std::size_t k = 0; k < order.size(); ++k)
        first[order[k]] = k > 0 && points[order[k]] == points[order[k - 1]] ? first[order[k - 1]] : order[k];
    return first;
}

int weld(TriMesh& mesh, double distance, const std::function<bool()>& keep_going) {
    const std::vector<int> target = first_near(mesh.vertices, distance, keep_going);
    int merged = 0;
    for (std::size_t i = 0; i < target.size(); ++i) merged += target[i] != static_cast<int>(i);
    if (merged == 0) return 0;
    std::vector<Triangle> kept;
    kept.reserve(mesh.triangles.size());
    for (const Triangle& t : mesh.triangles) {
        const Triangle welded = {target[t[0]], target[t[1]], target[t[2]]};
        if (repeats(t) || !repeats(welded)) kept.push_back(welded);  // a face that was flat already is the check's business
    }
    mesh.triangles = std::move(kept);
    return merged;
}

int drop_unused_vertices(TriMesh& mesh) {
    std::vector<int> number(mesh.vertices.size(), -1);
    for (const Triangle& t : mesh.triangles)
        for (int v : t) number[v] = 0;
    int count = 0;
    for (std::size_t i = 0; i < number.size(); ++i)
        if (number[i] == 0) {
            mesh.vertices[count] = mesh.vertices[i];
            number[i] = count++;
        }
    const int dropped = static_cast<int>(mesh.vertices.size()) - count;
    mesh.vertices.resize(count);
    for (Triangle& t : mesh.triangles)
        for (int& v : t) v = number[v];
    return dropped;
}

}  // namespace wobble
