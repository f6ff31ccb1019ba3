#include "engine/solve/newton/lbfgs_solver.h"

#include <algorithm>

namespace wobble {

namespace {

constexpr double least_curvature = 1e-8;

}  // namespace

LinearReport LbfgsSolver::direction(const VecX& q, const VecX& G, double error, VecX& p) {
    if (q_.size() != q.size()) make_room(q.size());
    learn(q, G);
    r_ = G;
    for (int age = 0; age < pairs_; ++age) {
        Pair& i = pair(age);
        i.a = i.rho * i.s.dot(r_);
        r_ -= i.a * i.y;
    }
    const LinearReport report = J_->direction(q, r_, error, p);
    if (report.outcome != LinearReport::Outcome::solved) return report;
    for (int age = pairs_ - 1; age >= 0; --age) {
        const Pair& i = pair(age);
        p -= (i.a + i.rho * i.y.dot(p)) * i.s;
    }
    return report;
}

// All of it at once: a later minimisation may need more pairs than the first.
void LbfgsSolver::make_room(Eigen::Index n) {
    ring_.resize(static_cast<std::size_t>(memory_) + 1);
    for (Pair& i : ring_) i.s.resize(n), i.y.resize(n);
    for (VecX* vector : {&q_, &G_, &r_}) vector->resize(n);
    begin();
}

void LbfgsSolver::learn(const VecX& q, const VecX& G) {
    if (has_last_) {
        Pair& next = pair(-1);
        next.s = q - q_;
        next.y = G - G_;
        const double sy = next.s.dot(next.y);
        if (sy > least_curvature * next.s.norm() * next.y.norm()) {
            next.rho = 1 / sy;
            newest_ = slot(-1);
            pairs_ = std::min(pairs_ + 1, memory_);
        }
    }
    q_ = q;
    G_ = G;
    has_last_ = true;
}

}  // namespace wobble
