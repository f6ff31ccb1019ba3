// On a grid with cells of size h, points are inside (negative) where the winding number of the enclosing parts is above 1/2. What is too
// thin for that gets a body: around a point x of the surface with a ball of at most radius B inside nearby, all is inside that is nearer
// than rho = thickness / 2 - B, and at least 0.9 h, so that no wall slips through between the points.
// Far from the surface the winding number is harmonic and needs only every fourth point.
#include "engine/mesh/wrap/cage.h"

#include "engine/mesh/shapes/marching.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace wobble {
namespace {

constexpr const char* stage = "wrapping the surface";
constexpr int block = 4;                 // cells
constexpr double sure = 0.9;             // cells: a ball with this radius catches a grid point
constexpr double membrane = 8;           // cells: how fast the field grows with the winding number where a hole is closed
constexpr double least_distance = 0.05;  // cells, of a grid point from the cage
constexpr double most_samples = 3e7;

using Index3 = std::array<int, 3>;

class Grid {
public:
    Grid(const TriangleTree& all, const TriangleTree& enclosing, bool encloses, const Box& box, const CageOptions& options,
         Workers& workers)
        : all_(all), enclosing_(enclosing), encloses_(encloses), options_(options), workers_(workers) {
        double h = options.cell;
        for (;; h *= 1.1) {
            margin_ = 0.5 * options.thickness + 3 * h;
            double points = 1;
            for (int k = 0; k < 3; ++k) {
                blocks_[k] = static_cast<int>(std::min(1e6, std::ceil((box.size()[k] + 2 * margin_) / (block * h))));
                field_.n[k] = block * blocks_[k] + 1;
                points *= field_.n[k];
            }
            if (points <= options.most_points) break;
        }
        field_.cell = h;
        field_.low = box.centre() - 0.5 * h * Vec3(field_.n[0] - 1, field_.n[1] - 1, field_.n[2] - 1);
        band_ = 0.5 * options.thickness + 2 * h;
    }

    bool sample(const Progress& progress) {
        const Index3 n = {blocks_[0] + 1, blocks_[1] + 1, blocks_[2] + 1};
        coarse_.n = n, coarse_.cell = block * field_.cell, coarse_.low = field_.low;
        const int count = n[0] * n[1] * n[2];
        coarse_.value.resize(count);
        coarse_distance_.resize(count);
        workers_.ranges(count, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                const Vec3 p = coarse_.point(i);
                coarse_distance_[i] = all_.distance(p, band_ + 2 * coarse_.cell);
                coarse_.value[i] = encloses_ ? enclosing_.winding(p) : 0;
            }
        });
        if (!keep_going(progress, stage, 0.2)) return false;
        field_.value.assign(static_cast<std::size_t>(field_.n[0]) * field_.n[1] * field_.n[2], 0);
        constexpr int slices = 8;  // looks at the clock in between
        const int total = blocks_[0] * blocks_[1] * blocks_[2];
        for (int s = 0; s < slices; ++s) {
            const int first = static_cast<int>(static_cast<long>(total) * s / slices);
            const int last = static_cast<int>(static_cast<long>(total) * (s + 1) / slices);
            // Every 64 blocks another thread's turn: blocks near the surface cost most and lie together.
            const int chunks = (last - first + 63) / 64;
            std::atomic<int> next = 0;
            workers_.run([&](int) {
                for (int c = next++; c < chunks; c = next++)
                    for (int b = first + 64 * c; b < std::min(last, first + 64 * (c + 1)); ++b) sample_block(b);
            });
            if (!keep_going(progress, stage, 0.2 + 0.5 * (s + 1) / slices)) return false;
        }
        return true;
    }

    void thicken(const TriMesh& mesh) {
        const std::vector<float> deepest = deepest_nearby();
        const double h = field_.cell, half = 0.5 * options_.thickness;
        // All first, then the field: what is thin does not depend on what was thickened already.
        std::vector<std::pair<Vec3, double>> balls;
        std::vector<bool> seen(8 * field_.value.size(), false);
        const auto visit = [&](const Vec3& x) {
            const Vec3 at = (x - field_.low) / h;
            const Index3 half_cell = {static_cast<int>(2 * at.x()), static_cast<int>(2 * at.y()), static_cast<int>(2 * at.z())};
            const int i = field_.index(half_cell[0] / 2, half_cell[1] / 2, half_cell[2] / 2);
            const std::size_t place = 8 * static_cast<std::size_t>(i) + 4 * (half_cell[2] % 2) + 2 * (half_cell[1] % 2) + half_cell[0] % 2;
            if (seen[place]) return;
            seen[place] = true;
            double B = 0;
            for (int bits = 0; bits < 8; ++bits)
                B = std::max<double>(B, deepest[i + (bits & 1) + (bits >> 1 & 1) * field_.n[0] + (bits >> 2) * field_.n[0] * field_.n[1]]);
            double rho = half - B;
            if (B < h) rho = std::max(rho, sure * h);
            if (rho > 0.1 * h) balls.emplace_back(x, rho);
        };
        const double spacing = spacing_of_samples(mesh);
        for (const auto& [a, b, c] : mesh.triangles) visit_samples(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], spacing, visit);
        for (const auto& [x, rho] : balls) add_ball(x, rho);
    }

    // Pockets that the outside cannot reach and that are small.
    void fill_pockets() {
        std::vector<char> seen(field_.value.size(), 0);
        std::vector<int> found;
        const double cells = options_.smallest / std::pow(field_.cell, 3);
        bool outside = true;
        for (int start = 0; start < static_cast<int>(seen.size()); ++start) {  // the first one lies on the wall of the grid
            if (seen[start] || field_.value[start] < 0) continue;
            found.assign(1, start);
            seen[start] = 1;
            for (std::size_t k = 0; k < found.size(); ++k) {
                const int i = found[k], x = i % field_.n[0], y = i / field_.n[0] % field_.n[1], z = i / (field_.n[0] * field_.n[1]);
                const auto go = [&](bool possible, int j) {
                    if (possible && !seen[j] && !(field_.value[j] < 0)) seen[j] = 1, found.push_back(j);
                };
                const int dy = field_.n[0], dz = field_.n[0] * field_.n[1];
                go(x > 0, i - 1), go(x + 1 < field_.n[0], i + 1), go(y > 0, i - dy), go(y + 1 < field_.n[1], i + dy);
                go(z > 0, i - dz), go(z + 1 < field_.n[2], i + dz);
            }
            if (!outside && static_cast<double>(found.size()) < cells)
                for (int i : found) field_.value[i] = -0.5 * field_.cell;
            outside = false;
        }
    }

    // No point nearer to the surface than this: triangles become neither needles nor specks.
    void keep_off(double share) {
        const double least = share * field_.cell;
        for (double& value : field_.value)
            if (std::abs(value) < least) value = value < 0 ? -least : least;
    }

    const SampledField& field() const { return field_; }

private:
    void sample_block(int b) {
        const Index3 at = {b % blocks_[0], b / blocks_[0] % blocks_[1], b / (blocks_[0] * blocks_[1])};
        const double h = field_.cell, farthest = band_ + h;
        double nearest = 1e300, w[8];
        for (int bits = 0; bits < 8; ++bits) {
            const int i = coarse_.index(at[0] + (bits & 1), at[1] + (bits >> 1 & 1), at[2] + (bits >> 2));
            nearest = std::min(nearest, coarse_distance_[i]);
            w[bits] = coarse_.value[i];
        }
        const bool near = nearest < band_ + 0.5 * std::sqrt(3.0) * block * h;  // else no point of the block is in the band
        const auto last = [&](int k) { return at[k] + 1 == blocks_[k] ? block : block - 1; };
        for (int z = 0; z <= last(2); ++z)
            for (int y = 0; y <= last(1); ++y)
                for (int x = 0; x <= last(0); ++x) {
                    const int i = field_.index(block * at[0] + x, block * at[1] + y, block * at[2] + z);
                    const Vec3 p = field_.point(i);
                    const double d = near ? all_.distance(p, farthest) : farthest;
                    double winding = 0;
                    if (encloses_ && d < farthest) winding = enclosing_.winding(p);
                    else
                        for (int bits = 0; bits < 8; ++bits) {
                            const double u = x / double(block), v = y / double(block), s = z / double(block);
                            winding += w[bits] * (bits & 1 ? u : 1 - u) * (bits & 2 ? v : 1 - v) * (bits & 4 ? s : 1 - s);
                        }
                    const double size = std::min(d, membrane * h * std::abs(winding - 0.5));
                    field_.value[i] = winding > 0.5 ? -std::max(size, 1e-6 * h) : size;
                }
    }

    // Radius of the largest ball inside around a point within reach, about.
    std::vector<float> deepest_nearby() const {
        const Index3& n = field_.n;
        const int dy = n[0], dz = n[0] * n[1];
        const auto h = static_cast<float>(field_.cell);
        std::vector<float> depth(field_.value.size());
        for (std::size_t i = 0; i < depth.size(); ++i) depth[i] = field_.value[i] < 0 ? 1e30f : 0;
        const float step[4] = {0, h, std::sqrt(2.0f) * h, std::sqrt(3.0f) * h};
        const auto pass = [&](int direction) {  // two passes of a chamfer transform
            const auto visit = [&](int x, int y, int z) {
                float& own = depth[field_.index(x, y, z)];
                if (own == 0) return;
                for (int a = -1; a <= 1; ++a)
                    for (int c = -1; c <= 1; ++c)
                        for (int e = -1; e <= 1; ++e) {
                            const int order = e * 9 + c * 3 + a;
                            if (order * direction >= 0) continue;
                            const float far = step[a * a + c * c + e * e];
                            own = std::min(own, depth[field_.index(x + a, y + c, z + e)] + far);
                        }
            };
            // Walls of the grid are outside.
            if (direction > 0)
                for (int z = 1; z + 1 < n[2]; ++z)
                    for (int y = 1; y + 1 < n[1]; ++y)
                        for (int x = 1; x + 1 < n[0]; ++x) visit(x, y, z);
            else
                for (int z = n[2] - 2; z > 0; --z)
                    for (int y = n[1] - 2; y > 0; --y)
                        for (int x = n[0] - 2; x > 0; --x) visit(x, y, z);
        };
        pass(1), pass(-1);
        for (float& d : depth) d = std::max(0.0f, d - 0.5f * h);
        // The largest in a cube around, one direction after the other.
        const int reach = static_cast<int>(std::ceil(0.5 * options_.thickness / field_.cell)) + 1;
        std::vector<float> wide(depth.size());
        for (int axis = 0; axis < 3; ++axis) {
            const int next = axis == 0 ? 1 : axis == 1 ? dy : dz;
            workers_.ranges(static_cast<int>(depth.size()), [&](int begin, int end) {
                for (int i = begin; i < end; ++i) {
                    const int at = axis == 0 ? i % n[0] : axis == 1 ? i / n[0] % n[1] : i / dz;
                    float most = 0;
                    for (int k = std::max(-reach, -at); k <= std::min(reach, n[axis] - 1 - at); ++k)
                        most = std::max(most, depth[i + k * next]);
                    wide[i] = most;
                }
            });
            std::swap(wide, depth);
        }
        return depth;
    }

    // Half a cell, more where large triangles lie so densely that this would never end.
    double spacing_of_samples(const TriMesh& mesh) const {
        double area = 0, length = 0;
        for (const auto& [a, b, c] : mesh.triangles) {
            const Vec3 ab = mesh.vertices[b] - mesh.vertices[a], ac = mesh.vertices[c] - mesh.vertices[a];
            area += 0.5 * ab.cross(ac).norm(), length += std::max(ab.norm(), ac.norm());
        }
        double spacing = 0.5 * field_.cell;
        while (4 * area / (spacing * spacing) + 2 * length / spacing > most_samples) spacing *= 1.2;
        return spacing;
    }

    // Halves the longest edge until the triangle is small.
    template <class Visit>
    static void visit_samples(const Vec3& a, const Vec3& b, const Vec3& c, double spacing, Visit& visit) {
        const double ab = (b - a).squaredNorm(), bc = (c - b).squaredNorm(), ca = (a - c).squaredNorm(), longest = std::max({ab, bc, ca});
        if (longest <= spacing * spacing) return visit((a + b + c) / 3);
        if (longest > ab) return visit_samples(b, c, a, spacing, visit);
        const Vec3 middle = 0.5 * (a + b);
        visit_samples(a, middle, c, spacing, visit);
        visit_samples(middle, b, c, spacing, visit);
    }

    void add_ball(const Vec3& x, double rho) {
        Index3 from, to;
        for (int k = 0; k < 3; ++k) {
            from[k] = std::max(1, static_cast<int>(std::ceil((x[k] - rho - field_.low[k]) / field_.cell - 1)));
            to[k] = std::min(field_.n[k] - 2, static_cast<int>(std::floor((x[k] + rho - field_.low[k]) / field_.cell + 1)));
        }
        for (int z = from[2]; z <= to[2]; ++z)
            for (int y = from[1]; y <= to[1]; ++y)
                for (int i = from[0]; i <= to[0]; ++i) {
                    double& value = field_.value[field_.index(i, y, z)];
                    value = std::min(value, (field_.point(i, y, z) - x).norm() - rho);
                }
    }

    const TriangleTree &all_, &enclosing_;
    const bool encloses_;
    const CageOptions& options_;
    Workers& workers_;
    Index3 blocks_ = {0, 0, 0};
    double margin_ = 0, band_ = 0;
    SampledField coarse_, field_;  // winding number; negative inside
    std::vector<double> coarse_distance_;
};

TriMesh without_sheets(const Soup& soup) {
    TriMesh mesh{soup.mesh.vertices, {}};
    for (std::size_t f = 0; f < soup.component.size(); ++f)
        if (!soup.sheet[soup.component[f]]) mesh.triangles.push_back(soup.mesh.triangles[f]);
    return mesh;
}

}  // namespace

Cage::Cage(Soup soup) : soup_(std::move(soup)), all_(soup_.mesh), enclosing_(without_sheets(soup_)) {}

TriMesh Cage::make(const CageOptions& options, Workers& workers, const Progress& progress) const {
    if (!keep_going(progress, stage, 0)) return {};
    const bool encloses = soup_.sheets() < static_cast<int>(soup_.sheet.size());
    Grid grid(all_, enclosing_, encloses, bounding_box(soup_.mesh.vertices), options, workers);
    if (!grid.sample(progress)) return {};
    grid.thicken(soup_.mesh);
    if (!keep_going(progress, stage, 0.8)) return {};
    grid.fill_pockets();
    grid.keep_off(least_distance);
    if (!keep_going(progress, stage, 0.9)) return {};
    return polygonise(grid.field());
}

}  // namespace wobble
