#include "engine/model/contact/active_set.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace wobble {

namespace {

constexpr int most_rounds = 4;                    // a step is done with more vertices made to arrive
constexpr double most_depth = 0.5;                // of the thickness, that a vertex not made to arrive may end inside by
constexpr double way_out = 0.5;                   // m/s, at which what lies too deep comes out
constexpr int numbers_per_touch = 7;              // in State::internal
constexpr double drag_rate = 20, drag_speed = 4;  // 1/s, m/s: how a dragged obstacle follows

class Clock {
public:
    explicit Clock(double& sum) : sum_(sum) {}
    ~Clock() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

private:
    double& sum_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

Vec3 tangential(const Vec3& x, const Vec3& n) { return x - n * n.dot(x); }

}  // namespace

void ActiveSet::set_obstacles(std::vector<Obstacle> obstacles) {
    obstacles_ = std::move(obstacles);
    if (dragged_ >= static_cast<int>(obstacles_.size())) dragged_ = -1;
    touching_.clear(), given_.clear(), seen_.clear();
}

// internal beyond `first`: count of obstacles, their offsets; particle, obstacle, mode, reaction and direction of each touch.
void ActiveSet::read(const VecX& internal, int first) {
    touching_.clear();
    offset_.assign(obstacles_.size(), Vec3::Zero());
    if (internal.size() <= first) return;
    const int kept = static_cast<int>(internal[first]);
    for (int o = 0; o < std::min(kept, static_cast<int>(obstacles_.size())); ++o)
        offset_[static_cast<std::size_t>(o)] = internal.segment<3>(first + 1 + 3 * o);
    int vertex = 0;
    for (Eigen::Index at = first + 1 + 3 * kept; at + numbers_per_touch <= internal.size(); at += numbers_per_touch) {
        Touch t;
        t.particle = static_cast<int>(internal[at]);
        t.obstacle = static_cast<int>(internal[at + 1]);
        while (vertex < static_cast<int>(vertices_.size()) && vertices_[static_cast<std::size_t>(vertex)].particle < t.particle) ++vertex;
        if (vertex == static_cast<int>(vertices_.size()) || vertices_[static_cast<std::size_t>(vertex)].particle != t.particle) continue;
        if (t.obstacle < 0 || t.obstacle >= static_cast<int>(obstacles_.size())) continue;
        t.vertex = vertex;
        t.mode = internal[at + 2] != 0 ? Mode::sticks : Mode::slides;
        t.reaction = internal[at + 3];
        t.along = internal.segment<3>(at + 4);
        touching_.push_back(t);
    }
}

void ActiveSet::write(VecX& internal, int first) const {
    const bool moved = std::any_of(offset_.begin(), offset_.end(), [](const Vec3& x) { return x != Vec3::Zero(); });
    if (touching_.empty() && !moved) return void(internal.conservativeResize(first));
    const Eigen::Index count = static_cast<Eigen::Index>(offset_.size());
    Eigen::Index at = first + 1 + 3 * count;
    internal.conservativeResize(at + numbers_per_touch * static_cast<Eigen::Index>(touching_.size()));
    internal[first] = static_cast<double>(count);
    for (Eigen::Index o = 0; o < count; ++o) internal.segment<3>(first + 1 + 3 * o) = offset_[static_cast<std::size_t>(o)];
    for (const Touch& t : touching_) {
        internal[at] = t.particle, internal[at + 1] = t.obstacle, internal[at + 2] = t.mode == Mode::sticks, internal[at + 3] = t.reaction;
        internal.segment<3>(at + 4) = t.along;
        at += numbers_per_touch;
    }
}

Pose ActiveSet::pose_at(const State& state, int first, int obstacle) const {
    Pose p = pose(obstacles_[static_cast<std::size_t>(obstacle)], state.t);
    if (state.internal.size() > first && obstacle < static_cast<int>(state.internal[first]))
        p.position += state.internal.segment<3>(first + 1 + 3 * obstacle);
    return p;
}

void ActiveSet::place_obstacles(double t, double h) {
    const std::size_t count = obstacles_.size();
    drift_.assign(count, Vec3::Zero());
    from_.resize(count), to_.resize(count);
    for (std::size_t o = 0; o < count; ++o) {
        from_[o] = pose(obstacles_[o], t), to_[o] = pose(obstacles_[o], t + h);
        if (static_cast<int>(o) == dragged_) {
            Vec3 v = std::min(drag_rate, 0.5 / h) * (target_ - to_[o].position - offset_[o]);
            if (v.norm() > drag_speed) v *= drag_speed / v.norm();
            drift_[o] = v;
        }
        from_[o].position += offset_[o];
        to_[o].position += offset_[o] + h * drift_[o];
    }
}

// How a vertex goes that touches, or is to arrive, when it would be at `predicted` at the end of the step.
void ActiveSet::plan(Touch& t, const Step& s, const Vec3& predicted) const {
    const Pose &from = from_[static_cast<std::size_t>(t.obstacle)], &to = to_[static_cast<std::size_t>(t.obstacle)];
    const Vec3 x = particle(s.state.q, t.particle);
    const Nearest at = near(t.vertex, t.obstacle, to, predicted);
    const double now = near(t.vertex, t.obstacle, from, x).distance, inside = -slop(t.vertex);
    const double goal = now < inside ? std::min(inside, now + way_out * s.h) : std::min(now, 0.0);
    t.normal = at.normal;
    t.carried = (to.to_world(from.to_own(x)) - x) / s.h;
    t.speed = (t.normal.dot(predicted - x) - at.distance + goal) / s.h;
}

void ActiveSet::predict_arrivals(const Step& s) {
    const std::size_t known = touching_.size();
    std::size_t next = 0;
    for (int k = 0; k < static_cast<int>(vertices_.size()); ++k) {
        const int i = vertices_[static_cast<std::size_t>(k)].particle;
        const std::size_t first = next;
        while (next < known && touching_[next].vertex == k) ++next;
        if (s.constraints.pinned(i)) continue;
        const Vec3 x = particle(s.state.q, i), v = particle(s.state.v, i);
        for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
            bool touches = false;
            for (std::size_t e = first; e < next; ++e) touches = touches || touching_[e].obstacle == o;
            if (touches) continue;
            const double now = near(k, o, from_[static_cast<std::size_t>(o)], x).distance;
            Vec3 end = x + s.h * v;
            if (now > slop(k)) end.y() -= 0.5 * s.h * s.h * s.gravity;
            const double then = near(k, o, to_[static_cast<std::size_t>(o)], end).distance;
            if (then >= std::min(0.0, now - 1e-3 * slop(k))) continue;
            Touch t;
            t.vertex = k, t.particle = i, t.obstacle = o, t.arrives = true;
            plan(t, s, end);
            touching_.push_back(t);
        }
    }
    sort_touching(known);
}

void ActiveSet::sort_touching(std::size_t known) {
    if (touching_.size() == known) return;
    std::sort(touching_.begin(), touching_.end(),
              [](const Touch& a, const Touch& b) { return a.vertex != b.vertex ? a.vertex < b.vertex : a.obstacle < b.obstacle; });
}

Nearest ActiveSet::near(int vertex, int obstacle, const Pose& at, const Vec3& x) const {
    Nearest found = nearest(obstacles_[static_cast<std::size_t>(obstacle)], at, x);
    found.distance -= law(vertex).offset;
    return found;
}

double ActiveSet::friction(const Touch& t) const {
    const double own = obstacles_[static_cast<std::size_t>(t.obstacle)].friction;
    return own >= 0 ? own : law(t.vertex).friction;
}

// Velocities and constraints of all that touch, from those at the begin of the step.
void ActiveSet::set_constraints(Step& s) {
    forbidden_.clear();
    for (std::size_t k = 0; k < touching_.size();) {
        const int i = touching_[k].particle;
        Vec3 v = particle(s.state.v, i);
        given_.push_back({i, v});
        Mat3 allowed = Mat3::Identity();
        bool sticks = false;
        std::size_t end = k;
        for (; end < touching_.size() && touching_[end].particle == i; ++end) {
            const Touch& t = touching_[end];
            const Vec3 fresh = allowed * t.normal;  // what earlier ones left of its normal
            if (fresh.norm() > 0.05) {
                const Vec3 n = fresh.normalized();
                v += n * ((t.speed - t.normal.dot(v)) / t.normal.dot(n));
                allowed -= n * n.transpose();
            }
            if (t.mode == Mode::sticks) sticks = true, v += allowed * (t.carried - v);
            if (sticks) allowed.setZero();
        }
        particle(*s.velocities, i) = v;
        forbidden_.push_back({i, allowed});
        k = end;
    }
    s.constraints.set_contacts(forbidden_);
    s.external = outer_;
    s.constraints.project(s.external);
}

void ActiveSet::begin(Step& s) {
    const Clock clock(seconds_);
    rounds_ = 0;
    begun_ = true;
    given_.clear();
    read(s.state.internal, s.first_internal);
    place_obstacles(s.state.t, s.h);
    for (Touch& t : touching_) plan(t, s, particle(s.state.q, t.particle) + s.h * particle(s.state.v, t.particle));
    const std::size_t before = touching_.size();
    predict_arrivals(s);
    changed_ = touching_.size() != before;
    touched_ = touches();
    outer_ = s.external;
    for (Touch& t : touching_) {
        t.friction =
            t.mode == Mode::slides ? Vec3(-friction(t) * std::max(0.0, t.reaction) * tangential(t.along, t.normal)) : Vec3(Vec3::Zero());
        particle(outer_, t.particle) += t.friction;
    }
    set_constraints(s);
}

void ActiveSet::undo(VecX& v) {
    for (auto g = given_.rbegin(); g != given_.rend(); ++g) particle(v, g->particle) = g->velocity;
    given_.clear();
}

// each(vertex, obstacle, where it is at the end) for all free vertices that do not touch that obstacle.
template <class Each>
void ActiveSet::for_free(const State& after, const Constraints& constraints, Each&& each) const {
    const std::size_t known = touching_.size();
    std::size_t next = 0;
    for (int k = 0; k < static_cast<int>(vertices_.size()); ++k) {
        const int i = vertices_[static_cast<std::size_t>(k)].particle;
        const std::size_t first = next;
        while (next < known && touching_[next].vertex == k) ++next;
        if (constraints.pinned(i)) continue;
        for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
            bool touches = false;
            for (std::size_t e = first; e < next; ++e) touches = touches || touching_[e].obstacle == o;
            if (!touches) each(k, o, near(k, o, to_[static_cast<std::size_t>(o)], particle(after.q, i)));
        }
    }
}

ActiveSet::Verdict ActiveSet::judge(Step& s, const State& after) {
    const Clock clock(seconds_);
    ++rounds_;
    std::vector<Touch> arriving;
    double deepest = 0;  // in thicknesses
    for_free(after, s.constraints, [&](int k, int o, const Nearest& at) {
        if (at.distance >= -slop(k)) return;
        deepest = std::max(deepest, -at.distance / law(k).thickness);
        Touch t;
        t.vertex = k, t.particle = vertices_[static_cast<std::size_t>(k)].particle, t.obstacle = o, t.arrives = true;
        arriving.push_back(t);
    });
    if (arriving.empty() || !std::isfinite(after.q.sum())) return Verdict::good;
    if (rounds_ >= most_rounds) return deepest > most_depth ? Verdict::too_deep : Verdict::good;
    undo(*s.velocities);
    for (Touch& t : arriving) plan(t, s, particle(after.q, t.particle)), touching_.push_back(t);
    sort_touching(0);
    changed_ = true;
    set_constraints(s);
    return Verdict::repeat;
}

bool ActiveSet::wants_force(const Step& s, const State& after) const {
    bool any = touches();
    if (!any) for_free(after, s.constraints, [&](int, int, const Nearest& at) { any = any || at.distance < 0; });
    return any;
}

void ActiveSet::end(const Step& s, State& after, const VecX& force, StepBooks& books) {
    const Clock clock(seconds_);
    // What came to lie inside by little touches from now on.
    std::vector<Touch> new_ones;
    for_free(after, s.constraints, [&](int k, int o, const Nearest& at) {
        if (at.distance >= 0) return;
        Touch t;
        t.vertex = k, t.particle = vertices_[static_cast<std::size_t>(k)].particle, t.obstacle = o, t.normal = at.normal;
        const Vec3 x = particle(after.q, t.particle);
        const Pose &from = from_[static_cast<std::size_t>(o)], &to = to_[static_cast<std::size_t>(o)];
        t.carried = (x - from.to_world(to.to_own(x))) / s.h;
        t.speed = 1e300;  // none prescribed
        new_ones.push_back(t);
    });
    const std::size_t constrained = touching_.size();
    touching_.insert(touching_.end(), new_ones.begin(), new_ones.end());
    if (!new_ones.empty()) changed_ = true;
    touched_ = touches();

    seen_.clear();
    deepest_ = 0;
    Exchange impact, rubbing;
    double room = 0;
    std::vector<Touch> left;
    std::size_t g = 0;
    for (std::size_t k = 0; k < touching_.size(); ++k) {
        Touch t = touching_[k];
        const int i = t.particle;
        const double m = s.mass[3 * i];
        const Vec3 x0 = particle(s.state.q, i), x1 = particle(after.q, i), n = t.normal, u = t.carried;
        Vec3 v = particle(after.v, i);
        const Vec3 f = particle(force, i) + particle(outer_, i) - t.friction, pull = tangential(f, n);
        const double lambda = -n.dot(f);
        double normal_impulse = 0;  // of the step
        if (k < constrained) {
            while (g < given_.size() && given_[g].particle != i) ++g;
            const Vec3 before = given_[g].velocity, used = particle(s.state.v, i);
            const bool first_of_particle = k == 0 || touching_[k - 1].particle != i;
            if (first_of_particle) impact.add(m * (used - before), 0.5 * (used + before), u);
            const double mean = t.arrives ? 0.5 * std::max(0.0, lambda) : 0.5 * (t.reaction + lambda), way = t.speed - n.dot(u);
            books.supplied += mean * s.h * n.dot(u);
            if (t.mode == Mode::sticks) books.supplied -= s.h * pull.dot(u);
            if (way < 0) room -= mean * s.h * way;
            else if (way > 0.5 * way_out) books.supplied += mean * s.h * way;  // an obstacle was put where it lies
            else impact.lost -= mean * s.h * way;
            normal_impulse = m * n.dot(used - before) + mean * s.h;
            const Vec3 moved = x1 - x0 - s.h * u;
            if (t.friction != Vec3::Zero()) {
                rubbing.lost -= t.friction.dot(moved);
                books.supplied += s.h * t.friction.dot(u);
            }
            double bounce = 0;
            if (t.arrives && law(t.vertex).restitution > 0) bounce = law(t.vertex).restitution * std::max(0.0, n.dot(u - before));
            const Vec3 cut = n * (n.dot(u - v) + bounce);
            impact.add(m * cut, v + 0.5 * cut, u);
            v += cut;
            decide(t, moved / s.h, v, normal_impulse, lambda, pull, m, rubbing);
        } else {
            const double approach = n.dot(v - u);
            if (approach < 0) {
                const Vec3 cut = -n * approach;
                impact.add(m * cut, v + 0.5 * cut, u);
                v += cut;
                normal_impulse = -m * approach;
            }
            t.arrives = true;
            decide(t, Vec3::Zero(), v, normal_impulse, lambda, pull, m, rubbing);
        }
        particle(after.v, i) = v;
        deepest_ = std::max(deepest_, -near(t.vertex, t.obstacle, to_[static_cast<std::size_t>(t.obstacle)], x1).distance);
        const bool bounced = t.arrives && law(t.vertex).restitution > 0 && k < constrained;
        if (lambda < 0 || bounced) {
            changed_ = true;
            continue;
        }
        t.reaction = lambda;
        t.arrives = false;
        seen_.push_back({t.particle, t.obstacle, lambda * n + (t.mode == Mode::sticks ? Vec3(-pull) : t.friction)});
        left.push_back(t);
    }
    touching_ = std::move(left);
    sort_touching(0);
    for (std::size_t o = 0; o < offset_.size(); ++o) offset_[o] += s.h * drift_[o];
    write(after.internal, s.first_internal);
    books.impact += impact.lost, books.friction += rubbing.lost;
    books.dissipated += impact.lost + rubbing.lost;
    books.supplied += impact.supplied + rubbing.supplied;
    books.impact_room += room;
    books.changed = books.changed || changed_;
}

// Whether it sticks or slides from now on, and where to; v loses what an impact or a stop takes. `moved`: mean velocity along the obstacle.
void ActiveSet::decide(Touch& t, const Vec3& moved, Vec3& v, double normal_impulse, double lambda, const Vec3& pull, double m,
                       Exchange& rubbing) const {
    const double mu = friction(t);
    if (mu == 0) return void(t.mode = Mode::slides);
    const Vec3 n = t.normal, u = t.carried;
    const Vec3 slip = tangential(v - u, n), mean = tangential(moved, n);
    const auto take = [&](const Vec3& dv) {
        rubbing.add(m * dv, v + 0.5 * dv, u);
        v += dv;
    };
    if (t.mode == Mode::sticks) {
        if (pull.norm() > mu * lambda) t.mode = Mode::slides, t.along = pull.normalized();
        return;
    }
    if (t.arrives) {
        const double speed = slip.norm(), loss = mu * std::max(0.0, normal_impulse) / m;
        if (speed <= loss) take(-slip), t.mode = Mode::sticks, t.along.setZero();
        else take(-loss / speed * slip), t.along = slip / speed;
        return;
    }
    const Vec3 course = 0.5 * (slip + mean);
    if (t.along != Vec3::Zero() && course.dot(t.along) > 0) {
        t.along = course.normalized();
    } else if (pull.norm() <= mu * lambda) {
        take(-slip), t.mode = Mode::sticks, t.along.setZero();
    } else {
        t.along = pull.normalized();
    }
}

double ActiveSet::first_touch(const State& state, int first, double gravity, double asked) const {
    if (!active() ||
        (state.internal.size() > first && state.internal.size() > first + 1 + 3 * static_cast<Eigen::Index>(state.internal[first])))
        return 1e300;
    double h = 1e300;
    for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
        const Pose from = pose_at(state, first, o);
        for (std::size_t k = 0; k < vertices_.size(); ++k) {
            const Vec3 x = particle(state.q, vertices_[k].particle), v = particle(state.v, vertices_[k].particle);
            const Nearest at = near(static_cast<int>(k), o, from, x);
            const Vec3 u = velocity(obstacles_[static_cast<std::size_t>(o)], state.t, x);
            const double closing = -at.normal.dot(v - u), pull = std::max(0.0, gravity * at.normal.y());
            if (at.distance <= 0 || at.distance >= closing * asked + 0.5 * pull * asked * asked) continue;
            h = std::min(h, pull > 0 ? (std::sqrt(closing * closing + 2 * pull * at.distance) - closing) / pull : at.distance / closing);
        }
    }
    return h;
}

}  // namespace wobble
