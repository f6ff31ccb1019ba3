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
      parts_(static_cast<std::size_t>(workers_->count())),
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

// All pairs of boxes that overlap, of bodies that may touch, found by cell; a cell's boxes are copied next to each other first.
template <class Near>
void FeatureGrid::search(const CellLists& one, const CellLists* other, const PerBodies<std::uint8_t>& may_touch, const Kind& first,
                         const Kind& second, Near&& near) {
    const int cells = grid_.cells();
    workers_->run([&](int part) {
        Part& own = parts_[static_cast<std::size_t>(part)];
        own.found.clear();
        const auto copy = [](std::vector<Boxed>& to, std::span<const int> items, const Kind& kind) {
            to.clear();
            for (int i : items) to.push_back({kind.boxes[static_cast<std::size_t>(i)], i, kind.body[static_cast<std::size_t>(i)]});
        };
        for (int c = workers_->range_begin(cells, part); c < workers_->range_begin(cells, part + 1); ++c) {
            const std::span<const int> as = one.in(c), bs = other ? other->in(c) : as;
            if (as.empty() || bs.empty()) continue;
            copy(own.one, as, first);
            if (other) copy(own.other, bs, second);
            const std::vector<Boxed>& others = other ? own.other : own.one;
            for (std::size_t i = 0; i < as.size(); ++i) {
                const Boxed& a = own.one[i];
                for (std::size_t j = other ? 0 : i + 1; j < others.size(); ++j)
                    if (const Boxed& b = others[j]; a.box.overlaps(b.box) && may_touch(a.body, b.body) && near(a, b, c))
                        own.found.push_back({a.feature, b.feature});
            }
        }
    });
}

// What all parts have found, sorted: counting by the first, then each one's few.
void FeatureGrid::collect(std::vector<Pair>& pairs, int count) {
    begin_.assign(static_cast<std::size_t>(count) + 2, 0);
    std::size_t all = 0;
    for (const Part& part : parts_) {
        all += part.found.size();
        for (const Pair& pair : part.found) ++begin_[pair.a + 2];
    }
    for (int i = 2; i <= count + 1; ++i) begin_[i] += begin_[i - 1];
    pairs.resize(all);
    for (const Part& part : parts_)
        for (const Pair& pair : part.found) pairs[begin_[pair.a + 1]++] = pair;
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

    const Kind vertex{vertex_, s.vertex_body}, triangle{triangle_, s.triangle_body}, edge{edge_, s.edge_body};
    search(vertices_, &triangles_, may_touch, vertex, triangle,
           [&](const Boxed& v, const Boxed& t, int) {  // a vertex lies in one cell only
               const auto& [i, j, k] = s.triangles[t.feature];
               const int p = s.vertices[v.feature];
               if (p == i || p == j || p == k) return false;
               return closest_on_triangle(at(p), at(i), at(j), at(k)).distance < reach &&
                      (v.body != t.body || !s.neighbours_vertex_triangle(v.feature, t.feature, apart[v.body]));
           });
    collect(vertex_triangle_, static_cast<int>(s.vertices.size()));
    search(edges_, nullptr, may_touch, edge, edge, [&](const Boxed& e, const Boxed& f, int cell) {
        const auto& [i, j] = s.edges[e.feature];
        const auto& [k, l] = s.edges[f.feature];
        if (i == k || i == l || j == k || j == l || grid_.first_common(e.box, f.box) != cell) return false;
        return closest_on_edges(at(i), at(j), at(k), at(l)).distance < reach &&
               (e.body != f.body || !s.neighbours_edges(e.feature, f.feature, apart[e.body]));
    });
    collect(edge_edge_, static_cast<int>(s.edges.size()));
}

}  // namespace wobble
