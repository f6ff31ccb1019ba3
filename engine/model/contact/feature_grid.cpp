#include "engine/model/contact/feature_grid.h"

#include "engine/model/contact/proximity.h"

#include <algorithm>

namespace wobble {

FeatureGrid::FeatureGrid(std::shared_ptr<const ContactSurface> surface, std::shared_ptr<Workers> workers)
    : surface_(std::move(surface)),
      workers_(std::move(workers)),
      body_(surface_->bodies.size()),
      vertex_(surface_->vertices.size()),
      triangle_(surface_->triangles.size()),
      edge_(surface_->edges.size()),
      found_(static_cast<std::size_t>(workers_->count())),
      part_box_(static_cast<std::size_t>(workers_->count())) {}

void FeatureGrid::make_boxes(const VecX& q, double reach, const PerBodies<std::uint8_t>& may_touch) {
    const ContactSurface& s = *surface_;
    const int bodies = may_touch.bodies();
    for (int b = 0; b < bodies; ++b) {
        body_[b] = FloatBox::none();
        for (int v = s.bodies[b].vertices.begin; v < s.bodies[b].vertices.end; ++v) {
            const Vec3 p = particle(q, s.vertices[v]);
            body_[b].include(vertex_[v] = FloatBox::around({&p, 1}, 0));
        }
    }
    // Only what is near a body it may touch.
    const auto partner_near = [&](int body, const FloatBox& box) {
        if (may_touch(body, body)) return true;
        for (int b = 0; b < bodies; ++b)
            if (b != body && may_touch(body, b) && box.overlaps(body_[b])) return true;
        return false;
    };
    const auto box = [&]<std::size_t n>(const std::array<int, n>& corners, double margin) {
        Vec3 points[n];
        for (std::size_t k = 0; k < n; ++k) points[k] = particle(q, corners[k]);
        return FloatBox::around(points, margin);
    };
    workers_->run([&](int part) {
        FloatBox& all = part_box_[static_cast<std::size_t>(part)] = FloatBox::none();
        const auto range = [&](std::size_t n, auto&& act) {
            for (int i = workers_->range_begin(static_cast<int>(n), part); i < workers_->range_begin(static_cast<int>(n), part + 1); ++i)
                act(i);
        };
        range(triangle_.size(), [&](int t) {
            if (partner_near(s.triangle_body[t], triangle_[t] = box(s.triangles[t], reach))) all.include(triangle_[t]);
            else triangle_[t] = FloatBox::none();
        });
        range(edge_.size(), [&](int e) {
            edge_[e] = FloatBox::none();
            if (partner_near(s.edge_body[e], box(s.edges[e], reach))) all.include(edge_[e] = box(s.edges[e], reach / 2));
        });
        range(vertex_.size(), [&](int v) {
            if (!partner_near(s.vertex_body[v], box(std::array{s.vertices[v]}, reach))) vertex_[v] = FloatBox::none();
        });
    });
}

// All pairs of boxes that overlap, found by cell.
template <class Near>
void FeatureGrid::search(const CellLists& one, const CellLists* other, Near&& near) {
    const int cells = grid_.cells();
    const CellLists& second = other ? *other : one;
    workers_->run([&](int part) {
        std::vector<Pair>& found = found_[static_cast<std::size_t>(part)];
        found.clear();
        for (int c = workers_->range_begin(cells, part); c < workers_->range_begin(cells, part + 1); ++c) {
            const std::span<const int> as = one.in(c), bs = second.in(c);
            for (std::size_t i = 0; i < as.size(); ++i)
                for (std::size_t j = other ? 0 : i + 1; j < bs.size(); ++j)
                    if (near(as[i], bs[j], c)) found.push_back({as[i], bs[j]});
        }
    });
}

// What all parts have found, sorted: counting by the first, then each one's few.
void FeatureGrid::collect(std::vector<Pair>& pairs, int count) {
    begin_.assign(static_cast<std::size_t>(count) + 2, 0);
    std::size_t all = 0;
    for (const auto& found : found_) {
        all += found.size();
        for (const Pair& pair : found) ++begin_[pair.a + 2];
    }
    for (int i = 2; i <= count + 1; ++i) begin_[i] += begin_[i - 1];
    pairs.resize(all);
    for (const auto& found : found_)
        for (const Pair& pair : found) pairs[begin_[pair.a + 1]++] = pair;
    workers_->ranges(count, [&](int first, int last) {
        for (int i = first; i < last; ++i)
            if (begin_[i + 1] - begin_[i] > 1) std::sort(pairs.begin() + begin_[i], pairs.begin() + begin_[i + 1]);
    });
}

void FeatureGrid::find(const VecX& q, double reach, const PerBodies<std::uint8_t>& may_touch, const std::vector<double>& apart) {
    const ContactSurface& s = *surface_;
    make_boxes(q, reach, may_touch);
    FloatBox all = FloatBox::none();
    for (const FloatBox& box : part_box_) all.include(box);
    vertex_triangle_.clear(), edge_edge_.clear();
    if (all.empty()) return;
    double mean = 0;
    for (const auto& body : s.bodies) mean = std::max(mean, body.mean);
    grid_ = CellGrid::over(all, std::max(reach, mean), static_cast<int>(2 * s.edges.size()) + 64);
    vertices_.sort(grid_, vertex_, *workers_);
    triangles_.sort(grid_, triangle_, *workers_);
    edges_.sort(grid_, edge_, *workers_);
    const auto at = [&](int i) { return particle(q, i); };

    search(vertices_, &triangles_, [&](int v, int t, int) {  // a vertex lies in one cell only
        if (!vertex_[v].overlaps(triangle_[t])) return false;
        const int a = s.vertex_body[v], b = s.triangle_body[t];
        if (!may_touch(a, b)) return false;
        const auto& [i, j, k] = s.triangles[t];
        const int p = s.vertices[v];
        if (p == i || p == j || p == k) return false;
        return closest_on_triangle(at(p), at(i), at(j), at(k)).distance < reach &&
               (a != b || !s.neighbours_vertex_triangle(v, t, apart[a]));
    });
    collect(vertex_triangle_, static_cast<int>(s.vertices.size()));
    search(edges_, nullptr, [&](int e, int f, int cell) {
        if (!edge_[e].overlaps(edge_[f])) return false;
        const int a = s.edge_body[e], b = s.edge_body[f];
        if (!may_touch(a, b)) return false;
        const auto& [i, j] = s.edges[e];
        const auto& [k, l] = s.edges[f];
        if (i == k || i == l || j == k || j == l) return false;
        return grid_.first_common(edge_[e], edge_[f]) == cell && closest_on_edges(at(i), at(j), at(k), at(l)).distance < reach &&
               (a != b || !s.neighbours_edges(e, f, apart[a]));
    });
    collect(edge_edge_, static_cast<int>(s.edges.size()));
}

}  // namespace wobble
