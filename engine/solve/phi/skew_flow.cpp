#include "engine/solve/phi/skew_flow.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {

constexpr int most = 8;  // P_0 .. P_8

void trigonometric(double z, int top, double* P) {
    double factorial[most + 1] = {1};
    for (int k = 1; k <= top; ++k) factorial[k] = k * factorial[k - 1];
    const double z2 = z * z;
    if (z2 > 4) {
        P[0] = std::cos(z);
        P[1] = std::sin(z) / z;
        for (int k = 2; k <= top; ++k) P[k] = (1 / factorial[k - 2] - P[k - 2]) / z2;
        return;
    }
    for (int k = top; k >= std::max(0, top - 1); --k) {
        double term = 1 / factorial[k];
        P[k] = term;
        for (int j = 1; j <= 14; ++j) P[k] += term *= -z2 / ((k + 2 * j - 1) * (k + 2 * j));
    }
    for (int k = top - 2; k >= 0; --k) P[k] = 1 / factorial[k] - z2 * P[k + 2];
}

}  // namespace

void SkewFlow::scalars(int p, double s, double t0) {
    double P[most + 1];
    assert(p + 1 <= most);
    for (int l = 0; l < m_; ++l) {
        const double z = s * eigen_.value(l);
        trigonometric(z, p + 1, P);
        double c = 0, d = 0, factor = 1;  // factor: t0^k/k!
        for (int k = 0; k < std::max(1, p); ++k) {
            if (k > 0) factor *= t0 / k;
            const double power = factor * std::pow(s, p - k);
            c += power * P[p - k];
            d += power * z * P[p - k + 1];
        }
        cosine_[l] = c * eigen_.vector(0, l);
        sine_[l] = d * eigen_.vector(0, l);
    }
}

double SkewFlow::entry(int j) const {
    const std::vector<double>& part = j % 2 == 0 ? cosine_ : sine_;
    double sum = 0;
    for (int l = 0; l < m_; ++l) sum += eigen_.vector(j, l) * part[l];
    return j % 4 < 2 ? sum : -sum;
}

bool SkewFlow::compute(std::span<const double> beta, int m, int p, std::span<const double> times, double t0) {
    m_ = m;
    if (!eigen_.compute({zeros_.data(), static_cast<std::size_t>(m)}, beta)) return false;
    values_.resize(std::max(values_.size(), times.size() * m));
    last_.resize(std::max(last_.size(), times.size()));
    last_size_.resize(last_.size());
    double before = 0, size = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        double largest = 0;
        for (const double share : {0.2, 0.4, 0.6, 0.8}) {
            scalars(p, before + share * (times[i] - before), t0);
            largest = std::max(largest, std::abs(entry(m - 1)));
        }
        // int_0^s u has the source (t0 + s)^p/p! less its part that is there already at s = 0.
        scalars(p + 1, times[i], t0);
        double integral = entry(m - 1);
        if (p > 0) {
            double start = 1;
            for (int k = 1; k <= p; ++k) start *= t0 / k;
            if (start != 0) {
                scalars(1, times[i], 0);
                integral -= start * entry(m - 1);
            }
        }
        last_[i] = integral;
        scalars(p, times[i], t0);
        for (int j = 0; j < m; ++j) values_[i * m + j] = entry(j);
        largest = std::max(largest, std::abs(values_[i * m + m - 1]));
        size += largest * (times[i] - before);
        last_size_[i] = size;
        before = times[i];
    }
    return true;
}

}  // namespace wobble
