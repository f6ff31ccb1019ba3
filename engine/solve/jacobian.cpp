#include "engine/solve/jacobian.h"

#include "engine/core/reduce.h"

#include <cmath>

namespace wobble {

double frequency_scale(const Linearized& system) {
    double largest = 0;
    const BlockPattern& pattern = system.K.pattern();
    for (int i = 0; i < pattern.rows(); ++i)
        largest = std::max(largest, system.inverse_mass[3 * i] * system.K.at(pattern.diagonal[i]).diagonal().cwiseAbs().maxCoeff());
    return largest > 0 && std::isfinite(largest) ? std::sqrt(2 * largest) : 1;
}

double energy_distance(const Linearized& system, const VecX& x, const VecX& v, const VecX* x0, const VecX* v0, VecX& d) {
    d.resize(x.size());
    system.workers.ranges(static_cast<int>(x.size()), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) d[k] = x[k] - (x0 ? (*x0)[k] : 0);
    });
    const VecX& M = system.mass;
    const auto sums = blocked_sums<2>(system.workers, system.K.rows(), [&](int begin, int end) {
        std::array<double, 2> sum{};
        for (int i = begin; i < end; ++i) {
            double y[3];
            system.K.multiply_row<1>(i, d.data(), y);
            for (int k = 3 * i; k < 3 * i + 3; ++k) {
                const double dv = v[k] - (v0 ? (*v0)[k] : 0);
                sum[0] += d[k] * y[k - 3 * i];
                sum[1] += M[k] * dv * dv;
            }
        }
        return sum;
    });
    return std::sqrt(std::abs(sums[0]) + sums[1]);
}

}  // namespace wobble
