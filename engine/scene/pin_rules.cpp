#include "engine/scene/pin_rules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wobble {

namespace {

// Calls each(i) for every particle in the rule's box.
template <class Each>
void for_particles(const PinRule& rule, std::span<const Vec3> rest, Each&& each) {
    const Box box = bounding_box(rest);
    const Vec3 extent = box.size().cwiseMax(1e-300);
    for (int i = 0; i < static_cast<int>(rest.size()); ++i) {
        const Vec3 share = (rest[i] - box.low).cwiseQuotient(extent);
        if ((share.array() >= rule.low.array()).all() && (share.array() <= rule.high.array()).all()) each(i);
    }
}

}  // namespace

PinRule patch_around(const Vec3& rest_point, std::span<const Vec3> rest) {
    constexpr double radius = 0.04;  // of the body's diagonal
    const Box box = bounding_box(rest);
    double nearest = 1e300;
    for (const Vec3& x : rest) nearest = std::min(nearest, (x - rest_point).cwiseAbs().maxCoeff());
    const Vec3 reach = Vec3::Constant(std::max(radius * box.diagonal(), nearest * (1 + 1e-9))), extent = box.size().cwiseMax(1e-300);
    PinRule rule;
    // A sheet has no extent across: all of it lies at share 0 there.
    rule.low = (rest_point - reach - box.low).cwiseQuotient(extent).cwiseMax(0.0).cwiseMin(1.0);
    rule.high = (rest_point + reach - box.low).cwiseQuotient(extent).cwiseMax(0.0).cwiseMin(1.0);
    return rule;
}

std::vector<Constraint> held_by(const std::vector<PinRule>& rules, std::span<const Vec3> rest) {
    std::vector<Constraint> all;
    for (const PinRule& rule : rules) {
        if (rule.kind == PinRule::Kind::free) {
            std::vector<std::uint8_t> freed(rest.size(), 0);
            for_particles(rule, rest, [&](int i) { freed[i] = 1; });
            std::erase_if(all, [&](const Constraint& c) { return freed[c.particle] != 0; });
            continue;
        }
        for_particles(rule, rest, [&](int i) {
            switch (rule.kind) {
                case PinRule::Kind::held:
                    return all.push_back(Constraint::held(i));
                case PinRule::Kind::plane:
                    return all.push_back(Constraint::on_plane(i, rule.direction));
                case PinRule::Kind::line:
                    return all.push_back(Constraint::on_line(i, rule.direction));
                case PinRule::Kind::free:
                    return;
            }
        });
    }
    return all;
}

Constraints constraints(const std::vector<PinRule>& rules, std::span<const Vec3> rest) {
    return Constraints(static_cast<int>(rest.size()), held_by(rules, rest));
}

int particles_in(const PinRule& rule, std::span<const Vec3> rest) {
    int count = 0;
    for_particles(rule, rest, [&](int) { ++count; });
    return count;
}

// Of two rules that hold a particle the later one decides whether and how it moves.
MovingPins::MovingPins(const std::vector<PinRule>& rules, const std::vector<Vec3>& rest) {
    std::vector<const PinRule*> mover(rest.size(), nullptr);
    for (const PinRule& rule : rules)
        if (rule.kind == PinRule::Kind::held || rule.kind == PinRule::Kind::free)
            for_particles(rule, rest,
                          [&](int i) { mover[i] = rule.kind == PinRule::Kind::free || rule.amplitude.isZero(0) ? nullptr : &rule; });
    for (int i = 0; i < static_cast<int>(rest.size()); ++i)
        if (const PinRule* rule = mover[i]) {
            moving_.push_back({i, rest[i], rule->amplitude, rule->frequency});
            fastest_ = std::max(fastest_, rule->frequency);
        }
    if (!any()) return;
    before_.resize(3 * static_cast<Eigen::Index>(rest.size()));
    after_.resize(before_.size());
}

void MovingPins::drive(State& state, double h) const {
    for (const Moving& m : moving_) {
        const Vec3 goal = m.rest + std::sin(2 * std::numbers::pi * m.frequency * (state.t + h)) * m.amplitude;
        particle(state.v, m.particle) = (goal - particle(state.q, m.particle)) / h;
    }
}

double MovingPins::work(const MechanicalSystem& system, const State& before, const State& after) {
    if (!any()) return 0;
    system.force(before.q, before.v, before_);
    system.force(after.q, after.v, after_);
    double sum = 0;
    for (const Moving& m : moving_)
        sum -= 0.5 * (particle(before_, m.particle) + particle(after_, m.particle))
                         .dot(particle(after.q, m.particle) - particle(before.q, m.particle));
    return sum;
}

}  // namespace wobble
