#include "engine/sim/step_control.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {
constexpr double invisible = 1e-3;  // of the body's size
}

bool StepController::accept(const StepReport& report, double h) {
    if (kind_ == StepControl::error && !(report.error < 0)) {
        const double ratio = report.error / tolerance_;
        const double most = calm_ > 0 ? 1 : 2;
        const double factor = ratio > 0 ? std::clamp(0.9 * std::pow(ratio, -1.0 / order_), 0.2, most) : most;
        const bool good = ratio <= 1;  // false for NaN
        if (good && calm_ > 0) --calm_;
        const double wished = h * (good ? factor : std::min(0.7, std::isfinite(factor) ? factor : 0.2));
        size_ = good && h < size_ ? std::max(size_, wished) : wished;  // a step cut short to land on a frame says little about long ones
        return good;
    }
    if (active() && report.newton_iterations > 0) {
        const double iterations = static_cast<double>(report.newton_iterations) / std::max(1, report.stages);
        if (iterations > 6) size_ = 0.6 * h;
        else if (iterations <= 3) size_ = 1.3 * h;
        else size_ = h;
    }
    return true;
}

double MotionDefect::measure(const State& before, const State& after) {
    const double h = h_ = after.t - before.t;
    mean_ = (after.v - before.v) / h;
    const auto points = before.q.reshaped(3, before.q.size() / 3);
    const double size = (points.colwise() - points.rowwise().mean()).squaredNorm();
    const double moved = std::max((after.q - before.q).squaredNorm(), invisible * invisible * size);
    if (moved == 0) return 0;
    const double trapezoid = (after.q - before.q - h / 2 * (before.v + after.v)).squaredNorm();
    const double jerk = last_h_ > 0 && last_.size() == mean_.size() ? h * h / 12 * (mean_ - last_).norm() : 0;
    return std::sqrt(std::max(trapezoid, jerk * jerk) / moved);
}

}  // namespace wobble
