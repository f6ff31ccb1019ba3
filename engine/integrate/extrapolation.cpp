#include "engine/integrate/extrapolation.h"

#include <algorithm>

namespace wobble {

void Extrapolation::reserve(const State& in) {
    if (past_[0].q.size() == in.q.size()) return;
    count_ = 0;  // the first step, or another body
    for (Accepted& a : past_) a.q = in.q, a.v = in.v;
    correction_.resize(in.q.size());
}

void Extrapolation::remember(const State& in) {
    reserve(in);
    for (; count_ > 0 && past_[0].t > in.t; --count_)
        std::rotate(past_.begin(), past_.begin() + 1, past_.begin() + count_);  // time went back
    if (count_ > 0 && past_[0].t == in.t) return;                               // another stage of the step, or its retry
    std::rotate(past_.begin(), past_.end() - 1, past_.end());
    past_[0].t = in.t;
    past_[0].q = in.q;
    past_[0].v = in.v;
    count_ = std::min(count_ + 1, kept);
    points_ = best_number_of_points();
}

// Lagrange's weights at time t of the positions first, first + 1, ..
std::array<double, Extrapolation::kept> Extrapolation::weights(int first, int points, double t) const {
    std::array<double, kept> w{};
    for (int i = first; i < first + points; ++i) {
        w[i] = 1;
        for (int j = first; j < first + points; ++j)
            if (j != i) w[i] *= (t - past_[j].t) / (past_[i].t - past_[j].t);
    }
    return w;
}

int Extrapolation::best_number_of_points() const {
    if (count_ < 4) return 1;
    const Accepted &now = past_[0], &before = past_[1];
    double least = (before.q + (now.t - before.t) * before.v - now.q).squaredNorm();
    int best = 1;
    for (int points = 3; points < count_; ++points) {
        const auto w = weights(1, points, now.t);
        double error = 0;
        for (Eigen::Index k = 0; k < now.q.size(); ++k) {
            double difference = -now.q[k];
            for (int i = 1; i <= points; ++i) difference += w[i] * past_[i].q[k];
            error += difference * difference;
        }
        if (error < least) least = error, best = points;
    }
    return best;
}

void Extrapolation::predict(const MechanicalSystem& system, const State& in, double after, VecX& q) {
    remember(in);
    q = in.q + after * in.v;
    if (points_ == 1) return;
    const auto w = weights(0, points_, in.t + after);
    correction_ = -q;
    for (int i = 0; i < points_; ++i) correction_ += w[i] * past_[i].q;
    system.constraints().project(correction_);
    q += correction_;
}

}  // namespace wobble
