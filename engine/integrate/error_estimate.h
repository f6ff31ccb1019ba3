#pragma once
// StepReport::error of an embedded estimate:   max(|e_q|, h |e_v|) / |q+ - q|   over the particles that can move.
// Displacements below what rounding leaves of a position (1e-12 of it) count as that much: a body at rest has no error.
#include "engine/core/reduce.h"
#include "engine/model/mechanical_system.h"
#include "engine/model/state.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wobble {

// e(k) = {e_q, e_v} of coordinate k.
template <class Error>
double relative_error(const MechanicalSystem& system, double h, const State& in, const State& out, Error&& e) {
    const VecX& W = system.inverse_mass();
    const auto sums = blocked_sums<4>(system.workers(), static_cast<int>(in.q.size()), [&](int begin, int end) {
        std::array<double, 4> sum{};
        for (int k = begin; k < end; ++k) {
            if (W[k] == 0) continue;
            const std::array<double, 2> error = e(k);
            const double moved = out.q[k] - in.q[k];
            sum[0] += error[0] * error[0];
            sum[1] += error[1] * error[1];
            sum[2] += moved * moved;
            sum[3] += in.q[k] * in.q[k];
        }
        return sum;
    });
    const double moved = std::max(std::sqrt(sums[2]), 1e-12 * std::sqrt(sums[3]));
    const double error = std::max(std::sqrt(sums[0]), h * std::sqrt(sums[1]));
    return error == 0 ? 0 : error / moved;
}

}  // namespace wobble
