#pragma once
// How the error of a Krylov substep depends on its length tau and its dimension m, error ~ tau^order kappa^-m, learnt from the last two
// tries where only one of them was changed (Niesen and Wright, ACM TOMS 38, 2012; KIOPS takes it over). Without such tries order = m/4,
// kappa = 2.
#include <algorithm>
#include <cmath>

namespace wobble {

struct KrylovControl {
    int m = 10, old_m = -1, rejected = 0;
    double tau = 1, old_tau = -1, omega = -1;  // omega: error of the last try relative to what is allowed
    double order = 1, kappa = 2;

    void learn(double now, int dimension) {
        const bool repeated = rejected >= 1 && now > 0 && omega > 0;
        const bool only_tau = repeated && m == old_m && tau != old_tau, only_m = repeated && m != old_m && tau == old_tau;
        if (only_tau) order = std::max(1.0, std::log(now / omega) / std::log(tau / old_tau)), default_order_ = false;
        else if (default_order_ || !repeated) order = dimension / 4.0, default_order_ = true;
        else default_order_ = true;
        if (only_m) kappa = std::max(1.1, std::pow(now / omega, 1.0 / (old_m - m))), default_kappa_ = false;
        else if (default_kappa_ || !repeated) kappa = 2, default_kappa_ = true;
        else default_kappa_ = true;
    }
    // The dimension that should give omega = gamma.
    int optimal_dimension(double now, int dimension, double gamma, int least, int most) const {
        const double optimal = std::ceil(dimension + std::log(std::max(now, 1e-12) / gamma) / std::log(kappa));
        const double bounded = std::clamp(optimal, std::floor(0.75 * m), std::ceil(4.0 / 3 * m));
        return std::clamp(static_cast<int>(bounded), std::min(least, most), most);
    }
    double optimal_tau(double now, double gamma, double growth) const {
        return std::clamp(tau * std::pow(gamma / std::max(now, 1e-12), 1 / order), tau / 5, growth * tau);
    }
    void next(double now, double next_tau, int next_m, bool accepted) {
        old_tau = tau, old_m = m, omega = now;
        tau = next_tau, m = next_m;
        rejected = accepted ? 0 : rejected + 1;
    }

private:
    bool default_order_ = true, default_kappa_ = true;
};

}  // namespace wobble
