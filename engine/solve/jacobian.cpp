#include "engine/solve/jacobian.h"

#include "engine/core/reduce.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

double Damping::fastest_decay(const VecX& inverse_mass) const {
    if (other_) return other_->fastest_decay(inverse_mass);
    double decay = 0;
    if (!blocks_) return decay;
    const BlockPattern& pattern = blocks_->pattern();
    for (int i = 0; i < pattern.rows(); ++i)
        decay = std::max(decay, 2 * inverse_mass[3 * i] * blocks_->at(pattern.diagonal[i]).diagonal().maxCoeff());
    return decay;
}

double diagonal_scale(const Linearized& system) {
    const BlockMatrix& K = system.K.blocks();
    const BlockPattern& pattern = K.pattern();
    std::array<double, reduction_blocks> largest{};
    system.workers.ranges(reduction_blocks, [&](int first, int last) {
        for (int i = block_begin(pattern.rows(), first); i < block_begin(pattern.rows(), last); ++i)
            largest[first] =
                std::max(largest[first], system.inverse_mass[3 * i] * K.at(pattern.diagonal[i]).diagonal().cwiseAbs().maxCoeff());
    });
    return *std::max_element(largest.begin(), largest.end());
}

double diagonal_scale(const Linearized& system, std::vector<double>& sums) {
    if (!system.edges) return diagonal_scale(system);
    const std::size_t needed = 4 * static_cast<std::size_t>(system.K.rows());
    if (sums.size() < needed) sums.resize(needed);
    return largest_diagonal(system.workers, *system.edges, system.inverse_mass.data(), sums.data());
}

double frequency_scale(const Linearized& system) {
    const double largest = diagonal_scale(system);
    return largest > 0 && std::isfinite(largest) ? std::sqrt(2 * largest) : 1;
}

double energy_distance(const Linearized& system, const VecX& x, const VecX& v, const VecX* x0, const VecX* v0, VecX& d) {
    d.resize(x.size());
    system.workers.ranges(static_cast<int>(x.size()), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) d[k] = x[k] - (x0 ? (*x0)[k] : 0);
    });
    const VecX& M = system.mass;
    const BlockMatrix& blocks = system.K.blocks();
    const auto sums = blocked_sums<2>(system.workers, system.K.rows(), [&](int begin, int end) {
        std::array<double, 2> sum{};
        const BlockRows K(blocks);
        for (int i = begin; i < end; ++i) {
            double y[3];
            K.multiply<1>(i, d.data(), y);
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

namespace {

template <int C>
void distances(const Linearized& system, std::span<const EnergyState> u, const VecX& x0, const VecX& v0, VecX& d, double* out) {
    if (d.size() < C * x0.size()) d.resize(C * x0.size());
    const auto of = [&](int i, int c) { return d.data() + 3 * (static_cast<std::size_t>(C) * i + c); };  // column c of particle i
    system.workers.ranges(system.K.rows(), [&](int begin, int end) {
        for (int i = begin; i < end; ++i)
            for (int c = 0; c < C; ++c)
                for (int k = 0; k < 3; ++k) of(i, c)[k] = (*u[c].x)[3 * i + k] - x0[3 * i + k];
    });
    const BlockMatrix& blocks = system.K.blocks();
    const auto sums = blocked_sums<2 * C>(system.workers, system.K.rows(), [&](int begin, int end) {
        std::array<double, 2 * C> sum{};
        double y[3 * C];
        const BlockRows K(blocks);
        for (int i = begin; i < end; ++i) {
            K.multiply<C>(i, d.data(), y);
            for (int c = 0; c < C; ++c)
                for (int k = 0; k < 3; ++k) {
                    const double dv = (*u[c].v)[3 * i + k] - v0[3 * i + k];
                    sum[c] += of(i, c)[k] * y[3 * c + k];
                    sum[C + c] += system.mass[3 * i + k] * dv * dv;
                }
        }
        return sum;
    });
    for (int c = 0; c < C; ++c) out[c] = std::sqrt(std::abs(sums[c]) + sums[C + c]);
}

}  // namespace

void energy_distances(const Linearized& system, std::span<const EnergyState> u, const VecX& x0, const VecX& v0, VecX& d, double* out) {
    assert(!u.empty() && u.size() <= 4);
    if (u.size() == 1) return distances<1>(system, u, x0, v0, d, out);
    if (u.size() == 2) return distances<2>(system, u, x0, v0, d, out);
    if (u.size() == 3) return distances<3>(system, u, x0, v0, d, out);
    distances<4>(system, u, x0, v0, d, out);
}

}  // namespace wobble
