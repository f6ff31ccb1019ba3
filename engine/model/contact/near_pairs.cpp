#include "engine/model/contact/near_pairs.h"

#include <algorithm>

namespace wobble {

NearPairs::NearPairs(std::shared_ptr<const ContactSurface> surface, std::shared_ptr<Workers> workers)
    : surface_(surface),
      grid_(surface, std::move(workers)),
      bodies_(surface->bodies.size()),
      swept_(surface->bodies.size()),
      step_(surface->bodies.size()),
      touching_(surface->bodies.size()),
      listed_(surface->bodies.size()) {}

void NearPairs::box(const VecX& q) {
    const ContactSurface& s = *surface_;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        Vec3 low = Vec3::Constant(1e30), high = -low;
        for (int v = s.bodies[b].vertices.begin; v < s.bodies[b].vertices.end; ++v) {
            const auto p = particle(q, s.vertices[v]);
            low = low.cwiseMin(p), high = high.cwiseMax(p);
        }
        const Vec3 corners[2] = {low, high};
        bodies_[b].box = s.bodies[b].vertices.size() > 0 ? FloatBox::around(corners, 0) : FloatBox::none();
    }
}

void NearPairs::measure(const VecX& from, const VecX& to) {
    const ContactSurface& s = *surface_;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        Body& body = bodies_[b];
        const IndexRange own = s.bodies[b].vertices;
        body.mean.setZero(), body.deviation = 0;
        for (int v = own.begin; v < own.end; ++v) body.mean += particle(to, s.vertices[v]) - particle(from, s.vertices[v]);
        body.mean /= std::max(1, own.size());
        for (int v = own.begin; v < own.end; ++v) {
            const Vec3 u = particle(to, s.vertices[v]) - particle(from, s.vertices[v]) - body.mean;
            body.deviation = std::max(body.deviation, u.squaredNorm());
        }
        body.deviation = std::sqrt(body.deviation);
    }
}

double NearPairs::approach(int a, int b) const {
    return bodies_[a].deviation + bodies_[b].deviation + (bodies_[a].mean - bodies_[b].mean).norm();
}

namespace {

FloatBox larger(FloatBox box, double margin) {
    for (int k = 0; k < 3; ++k) box.low[k] -= static_cast<float>(margin), box.high[k] += static_cast<float>(margin);
    return box;
}

}  // namespace

bool NearPairs::update(const ContactValues& values, const VecX& q, double reach, double margin) {
    const int n = static_cast<int>(bodies_.size());
    box(q);
    none_ = true;
    const auto find_touching = [&](double within) {
        for (int a = 0; a < n; ++a)
            for (int b = a; b < n; ++b) {
                const bool near = values.may_touch(a, b) && (a == b || larger(bodies_[a].box, within).overlaps(bodies_[b].box));
                touching_.set(a, b, near);
                none_ = none_ && !near;
            }
    };
    find_touching(reach);
    if (none_) return false;
    if (made_) {
        measure(found_at_, q);
        bool good = true;
        for (int a = 0; a < n && good; ++a)
            for (int b = a; b < n && good; ++b)
                if (touching_(a, b)) good = listed_(a, b) && approach(a, b) <= found_reach_ - reach;
        if (good) return false;
    }
    find_touching(reach + margin);
    grid_.find(q, reach + margin, touching_, values.apart);
    listed_ = touching_;
    found_at_ = q;
    found_reach_ = reach + margin;
    ++searches_;
    return made_ = true;
}

double NearPairs::largest_approach(const ContactValues& values, const VecX& before, const VecX& after) {
    const int n = static_cast<int>(bodies_.size());
    box(after);
    for (int b = 0; b < n; ++b) swept_[b] = bodies_[b].box;
    box(before);
    for (int b = 0; b < n; ++b) swept_[b].include(bodies_[b].box);
    measure(before, after);
    double largest = 0;
    for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b) {
            touching_.set(a, b, values.may_touch(a, b) && (a == b || swept_[a].overlaps(swept_[b])));
            if (touching_(a, b)) largest = std::max(largest, approach(a, b));
        }
    return largest;
}

bool NearPairs::cover(const ContactValues& values, const VecX& before, const VecX& after) {
    const int n = static_cast<int>(bodies_.size());
    if (largest_approach(values, before, after) == 0) return true;
    if (none_ || !made_) return false;
    // What is not listed was farther than the found reach at found_at_, and has come nearer since then.
    for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b) step_.set(a, b, approach(a, b));
    measure(found_at_, before);
    for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b)
            if (touching_(a, b) && (!listed_(a, b) || step_(a, b) + approach(a, b) > found_reach_)) return false;
    return true;
}

}  // namespace wobble
