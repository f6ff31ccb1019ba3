#include "engine/solve/phi/small_flow.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

SmallFlow::SmallFlow(int largest)
    : largest_(largest),
      u_(largest + 2),
      d_(largest + 2),
      Hd_(largest + 2),
      lower_diagonal_(largest + 2),
      diagonal_(largest + 2),
      upper_diagonal_(largest + 2) {}

// Vectors are shifted by one, with a zero on both sides.
void SmallFlow::multiply(const std::vector<double>& d, std::vector<double>& Hd) const {
    if (upper_ <= 1) {
        for (int i = 1; i <= m_; ++i) Hd[i] = lower_diagonal_[i] * d[i - 1] + diagonal_[i] * d[i] + upper_diagonal_[i] * d[i + 1];
        return;
    }
    std::fill_n(Hd.begin() + 1, m_, 0.0);
    for (int j = 0; j < m_; ++j) {
        const double factor = d[j + 1];
        const double* column = H_ + static_cast<std::size_t>(j) * leading_;
        const int end = std::min(m_, j + 2);
        for (int i = std::max(0, j - upper_); i < end; ++i) Hd[i + 1] += factor * column[i];
    }
}

bool SmallFlow::compute(const double* H, int leading, int m, int upper, int p, std::span<const double> times, double t0) {
    assert(m >= 1 && m <= largest_ && leading >= m);
    m_ = m, upper_ = upper, leading_ = leading, H_ = H;
    values_.resize(std::max(values_.size(), times.size() * largest_));
    last_.resize(std::max(last_.size(), times.size()));
    last_size_.resize(last_.size());
    rounding_.resize(last_.size());

    const auto at = [&](int i, int j) { return H[static_cast<std::size_t>(j) * leading + i]; };
    double norm = 0;
    for (int j = 0; j < m; ++j) {
        double sum = 0;
        for (int i = std::max(0, j - upper); i < std::min(m, j + 2); ++i) sum += std::abs(at(i, j));
        norm = std::max(norm, sum);
        if (!std::isfinite(sum)) return false;
        if (upper > 1) continue;
        lower_diagonal_[j + 1] = j > 0 ? at(j, j - 1) : 0;
        diagonal_[j + 1] = at(j, j);
        upper_diagonal_[j + 1] = upper == 1 && j + 1 < m ? at(j, j + 1) : 0;
    }
    for (std::vector<double>* v : {&u_, &d_, &Hd_}) std::fill(v->begin(), v->end(), 0.0);
    if (p == 0) u_[1] = 1;

    double s = 0, last = 0, last_size = 0, amplitude = 0, highest = 0;
    for (std::size_t out = 0; out < times.size(); ++out) {
        const double way = times[out] - s;
        if (!(way * norm < 1e5)) return false;
        const int steps = std::max(1, static_cast<int>(std::ceil(way * norm / 3)));
        const double delta = way / steps, begin = s;
        for (int step = 0; step < steps; ++step) {
            s = begin + way * step / steps;
            double c[16];  // delta^k/k! c^(k) at s for k < p
            for (int k = 0; k < p; ++k) {
                c[k] = 1;
                for (int l = 1; l <= k; ++l) c[k] *= delta / l;
                for (int l = 1; l <= p - 1 - k; ++l) c[k] *= (t0 + s) / l;
            }
            double size = 0;
            for (int i = 1; i <= m; ++i) size = std::max(size, std::abs(d_[i] = u_[i]));
            double integral = delta * d_[m];
            for (int k = 0; k < 100; ++k) {
                multiply(d_, Hd_);
                if (k < p) Hd_[1] += c[k];
                const double factor = delta / (k + 1);
                double term = 0;
                for (int i = 1; i <= m; ++i) {
                    d_[i] = factor * Hd_[i];
                    u_[i] += d_[i];
                    term = std::max(term, std::abs(d_[i]));
                }
                size = std::max(size, term);
                integral += delta / (k + 2) * d_[m];
                if (k >= p && term <= 1e-17 * size) break;
            }
            if (!std::isfinite(size)) return false;
            double square = 0;
            for (int i = 1; i <= m; ++i) square += u_[i] * u_[i];
            highest = std::max(highest, std::sqrt(square));
            amplitude += delta * std::sqrt(square);
            last += integral;
            last_size += std::abs(integral);
        }
        s = times[out];
        std::copy_n(u_.begin() + 1, m, values_.begin() + static_cast<std::ptrdiff_t>(out) * largest_);
        last_[out] = last;
        last_size_[out] = last_size;
        rounding_[out] = highest > 100 ? 1e-16 * norm * amplitude : 0;
    }
    return true;
}

double SmallFlow::norm(int i, bool less_start) const {
    const auto u = value(i);
    double sum = 0;
    for (std::size_t j = 0; j < u.size(); ++j) {
        const double x = u[j] - (less_start && j == 0 ? 1 : 0);
        sum += x * x;
    }
    return std::sqrt(sum);
}

}  // namespace wobble
