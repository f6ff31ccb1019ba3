#include "engine/model/contact/narrow_phase.h"

#include "engine/model/contact/proximity.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr double shortest_step = 1.0 / 60 / 2000;  // s: what longest_step() never goes below

struct Near {
    int triangle;
    OnTriangle on;
    Vec3 normal;
    double side;  // of the vertex: negative behind the triangle
};

// c U(F), with the nearest point as weights of a near triangle's corners.
struct Term {
    int feature[2];  // triangle, -1; the two ends of an edge; a corner, -2
    int coefficient;
    int triangle;
    Vec3 weights;
    double distance, side;
    Vec3 normal;
};

double smooth(double x) { return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x); }

}  // namespace

struct NarrowPhase::Look {
    const ContactValues& values;
    const std::vector<FeatureGrid::Pair>&vertex_triangle, &edge_edge;
    const VecX &q, &v;
    double horizon;
};

struct NarrowPhase::Part {
    std::vector<Contact> contacts;
    std::vector<Near> near;
    std::vector<Term> terms;
    double longest_step;
};

NarrowPhase::NarrowPhase(std::shared_ptr<const ContactSurface> surface, std::shared_ptr<Workers> workers)
    : surface_(std::move(surface)),
      workers_(std::move(workers)),
      vertex_parts_(static_cast<std::size_t>(workers_->count())),
      edge_parts_(static_cast<std::size_t>(workers_->count())) {}

NarrowPhase::~NarrowPhase() = default;

void NarrowPhase::clear() {
    contacts_.clear(), vertex_distance_.clear(), edge_distance_.clear();
    longest_step_ = 1e300;
}

// A pair that closes may go as deep as a quarter of the thickness, where it already is deeper by a third of what is left: steps whose
// tangent does not know the contact yet gain energy, in the cube of the depth (1.3 % of an impact at half the thickness).
void NarrowPhase::limit(const Look& look, Part& part, const Contact& pair, double distance) const {
    if (distance >= look.horizon) return;
    const double closing = -pair.n.dot(pair.combine(look.v));
    if (closing <= 0) return;
    const double free = std::max(distance - 0.75 * pair.d, 0.3 * distance);
    part.longest_step = std::min(part.longest_step, std::max(free / closing, shortest_step));
}

// The pairs [first, last) of one vertex.
void NarrowPhase::vertex(const Look& look, Part& part, int first, int last) {
    const ContactSurface& s = *surface_;
    const auto at = [&](int i) { return look.q.segment<3>(3 * static_cast<Eigen::Index>(i)); };
    const int v = look.vertex_triangle[first].a, p = s.vertices[v], a = s.vertex_body[v];
    part.near.clear();
    for (int n = first; n < last; ++n) {
        const int t = look.vertex_triangle[n].b, b = s.triangle_body[t];
        const auto& [i, j, k] = s.triangles[t];
        const OnTriangle on = closest_on_triangle(at(p), at(i), at(j), at(k));
        vertex_distance_[n] = on.distance;
        if (on.distance >= std::max(look.horizon, look.values.thickness(a, b))) continue;
        const Vec3 apart = at(p) - (on.weights[0] * at(i) + on.weights[1] * at(j) + on.weights[2] * at(k));
        const Vec3 normal = Vec3((at(j) - at(i)).cross(at(k) - at(i))).normalized();
        if (on.distance > 0)
            limit(look, part,
                  {{p, i, j, k},
                   {1, -on.weights[0], -on.weights[1], -on.weights[2]},
                   apart / on.distance,
                   0,
                   look.values.thickness(a, b),
                   v,
                   t,
                   false},
                  on.distance);
        if (on.distance >= look.values.thickness(a, b)) continue;
        const double side = s.bodies[b].sheet ? 1 : normal.dot(apart) >= -1e-9 * on.distance ? 1 : -1;
        if (side < 0 && (a == b || on.part != 6)) continue;  // the far side of a thin part; what is behind an edge is behind a triangle
        part.near.push_back({t, on, normal, side});
    }
    // A vertex that was inside another body from the beginning is pushed through the nearest side.
    const bool any_front = std::any_of(part.near.begin(), part.near.end(), [](const Near& n) { return n.side > 0; });
    if (any_front) std::erase_if(part.near, [](const Near& n) { return n.side < 0; });
    else if (part.near.size() > 1)
        std::swap(part.near.front(), *std::min_element(part.near.begin(), part.near.end(),
                                                       [](const Near& x, const Near& y) { return x.on.distance < y.on.distance; })),
            part.near.resize(1);
    if (part.near.empty()) return;

    part.terms.clear();
    const auto add = [&](int one, int other, int coefficient, const Near& near, const Vec3& weights, double distance) {
        for (Term& term : part.terms)
            if (term.feature[0] == one && term.feature[1] == other) return void(term.coefficient += coefficient);
        part.terms.push_back({{one, other}, coefficient, near.triangle, weights, distance, near.side, near.normal});
    };
    // With a feature as one of the near triangles' points: which feature it is.
    const auto add_point = [&](const Near& near, const OnTriangle& on, int coefficient) {
        const Triangle& corners = s.triangles[near.triangle];
        if (on.part == 6) return add(near.triangle, -1, coefficient, near, on.weights, on.distance);
        if (on.part < 3) return add(corners[on.part], -2, coefficient, near, on.weights, on.distance);
        const auto& [i, j] = s.edges[s.triangle_edges[near.triangle][on.part - 3]];
        add(i, j, coefficient, near, on.weights, on.distance);
    };
    const auto near_at = [&](auto&& has) { return static_cast<int>(std::count_if(part.near.begin(), part.near.end(), has)); };
    for (const Near& near : part.near) add_point(near, near.on, 1);
    if (part.near.size() > 1)
        for (std::size_t n = 0; n < part.near.size(); ++n) {
            const Near& near = part.near[n];
            const Triangle& corners = s.triangles[near.triangle];
            const auto seen_before = [&](auto&& has) { return std::any_of(part.near.begin(), part.near.begin() + n, has); };
            for (int k = 0; k < 3; ++k) {
                const int e = s.triangle_edges[near.triangle][k];
                const auto has_edge = [&](const Near& other) {
                    const auto& own = s.triangle_edges[other.triangle];
                    return own[0] == e || own[1] == e || own[2] == e;
                };
                if (const int k_e = near_at(has_edge); k_e > 1 && !seen_before(has_edge)) {
                    const int i = (k + 1) % 3, j = (k + 2) % 3;
                    const OnSegment on = closest_on_segment(at(p), at(corners[i]), at(corners[j]));
                    OnTriangle point{on.distance, Vec3::Zero(), on.t == 0 ? i : on.t == 1 ? j : 3 + k};
                    point.weights[i] = 1 - on.t, point.weights[j] = on.t;
                    add_point(near, point, 1 - k_e);
                }
                const int c = corners[k];
                const auto has_corner = [&](const Near& other) {
                    const Triangle& own = s.triangles[other.triangle];
                    return own[0] == c || own[1] == c || own[2] == c;
                };
                if (seen_before(has_corner)) continue;
                // 1 - k_p + sum (k_e - 1); each edge at p is counted once per near triangle, of which it has k_e.
                double edges = 0;
                int k_p = 0;
                for (const Near& other : part.near) {
                    const Triangle& own = s.triangles[other.triangle];
                    for (int m = 0; m < 3; ++m) {
                        if (own[m] == c) {
                            ++k_p;
                            continue;
                        }
                        const int f = s.triangle_edges[other.triangle][m];
                        const int k_f = near_at([&](const Near& third) {
                            const auto& edge = s.triangle_edges[third.triangle];
                            return edge[0] == f || edge[1] == f || edge[2] == f;
                        });
                        if (own[0] == c || own[1] == c || own[2] == c) edges += static_cast<double>(k_f - 1) / k_f;
                    }
                }
                if (const int coefficient = 1 - k_p + static_cast<int>(std::lround(edges)); coefficient != 0) {
                    OnTriangle point{(at(p) - at(c)).norm(), Vec3::Zero(), k};
                    point.weights[k] = 1;
                    add_point(near, point, coefficient);
                }
            }
        }

    double positive = 0, all = 0;
    const auto energy = [&](const Term& term) {
        const double d = look.values.thickness(a, s.triangle_body[term.triangle]);
        return term.coefficient * ContactLaw::energy(1, d, d - term.side * term.distance);
    };
    for (const Term& term : part.terms) {
        const double u = energy(term);
        all += u, positive += std::max(u, 0.0);
    }
    if (positive <= 0 || all <= 0) return;
    for (const Term& term : part.terms) {
        if (term.coefficient <= 0 || energy(term) <= 0) continue;
        const int b = s.triangle_body[term.triangle];
        const auto& [i, j, k] = s.triangles[term.triangle];
        const Vec3 apart = at(p) - (term.weights[0] * at(i) + term.weights[1] * at(j) + term.weights[2] * at(k));
        const bool face = term.feature[1] == -1;
        Vec3 n = face ? (term.normal.dot(apart) * term.side >= 0 ? term.normal : Vec3(-term.normal)) : Vec3(apart / term.distance);
        if (!face && term.distance < 1e-9 * look.values.thickness(a, b)) n = term.normal;
        const double stiffness =
            look.values.stiffness(a, b, look.values.vertex_mass[v], look.values.mean_mass[b]) * term.coefficient * all / positive;
        part.contacts.push_back({{p, i, j, k},
                                 {1, -term.weights[0], -term.weights[1], -term.weights[2]},
                                 n,
                                 stiffness,
                                 look.values.thickness(a, b),
                                 v,
                                 term.triangle,
                                 false});
    }
}

void NarrowPhase::edges(const Look& look, Part& part, int pair) {
    const ContactSurface& s = *surface_;
    const auto at = [&](int i) { return look.q.segment<3>(3 * static_cast<Eigen::Index>(i)); };
    const auto [e, f] = look.edge_edge[pair];
    const auto& [i, j] = s.edges[e];
    const auto& [k, l] = s.edges[f];
    const OnEdges on = closest_on_edges(at(i), at(j), at(k), at(l));
    edge_distance_[pair] = on.distance;
    const double d = look.values.thickness(s.edge_body[e], s.edge_body[f]);
    if (!on.inside || on.distance <= 0 || on.distance >= std::max(look.horizon, d)) return;
    const Vec3 along = at(j) - at(i), other = at(l) - at(k), apart = at(i) + on.s * along - at(k) - on.t * other;
    Contact contact{{i, j, k, l}, {1 - on.s, on.s, on.t - 1, -on.t}, apart / on.distance, 0, d, e, f, true};
    limit(look, part, contact, on.distance);
    if (on.distance >= d || !s.sharp[e] || !s.sharp[f]) return;
    // Of solids only where their outsides face each other.
    const auto inward = [&](int edge, const Vec3& n) {
        Vec3 outward = Vec3::Zero();
        for (int t : s.edge_triangles[edge])
            if (t >= 0) {
                const auto& [x, y, z] = s.triangles[t];
                outward += Vec3((at(y) - at(x)).cross(at(z) - at(x))).normalized();
            }
        return outward.dot(n) < 0;
    };
    if (!s.bodies[s.edge_body[e]].sheet && inward(e, -contact.n)) return;
    if (!s.bodies[s.edge_body[f]].sheet && inward(f, contact.n)) return;
    const auto end = [](double x) { return smooth(std::min(x, 1 - x) / 0.1); };
    const double sine2 = along.cross(other).squaredNorm() / (along.squaredNorm() * other.squaredNorm());
    const double share = end(on.s) * end(on.t) * smooth(sine2 / 0.01);
    if (share <= 0) return;
    contact.k = share * look.values.stiffness(s.edge_body[e], s.edge_body[f], look.values.edge_mass[e], look.values.edge_mass[f]);
    part.contacts.push_back(contact);
}

void NarrowPhase::find(const ContactValues& values, const std::vector<FeatureGrid::Pair>& vertex_triangle,
                       const std::vector<FeatureGrid::Pair>& edge_edge, const VecX& q, const VecX& v, double horizon) {
    clear();
    vertex_distance_.resize(vertex_triangle.size()), edge_distance_.resize(edge_edge.size());
    if (vertex_triangle.empty() && edge_edge.empty()) return;
    const Look look{values, vertex_triangle, edge_edge, q, v, horizon};
    const int vertices = static_cast<int>(vertex_triangle.size()), pairs = static_cast<int>(edge_edge.size());
    // Ranges that do not cut the pairs of a vertex.
    const auto whole = [&](int n) {
        while (n > 0 && n < vertices && vertex_triangle[n].a == vertex_triangle[n - 1].a) ++n;
        return n;
    };
    workers_->run([&](int number) {
        Part& part = vertex_parts_[static_cast<std::size_t>(number)];
        part.contacts.clear(), part.longest_step = 1e300;
        const int end = whole(workers_->range_begin(vertices, number + 1));
        for (int n = whole(workers_->range_begin(vertices, number)); n < end;) {
            int last = n + 1;
            while (last < end && vertex_triangle[last].a == vertex_triangle[n].a) ++last;
            vertex(look, part, n, last);
            n = last;
        }
        Part& edge_part = edge_parts_[static_cast<std::size_t>(number)];
        edge_part.contacts.clear(), edge_part.longest_step = 1e300;
        for (int n = workers_->range_begin(pairs, number); n < workers_->range_begin(pairs, number + 1); ++n) edges(look, edge_part, n);
    });
    for (const auto* parts : {&vertex_parts_, &edge_parts_})
        for (const Part& part : *parts) {
            contacts_.insert(contacts_.end(), part.contacts.begin(), part.contacts.end());
            longest_step_ = std::min(longest_step_, part.longest_step);
        }
}

}  // namespace wobble
