#include "engine/study/equal_error.h"

namespace wobble {

EqualError at_error(std::span<const ErrorAndCost> sweep, double error) {
    const ErrorAndCost* coarser = nullptr;
    bool doubtful = false;
    const auto number = [&](const ErrorAndCost& run) { return static_cast<std::size_t>(&run - sweep.data()); };
    for (const ErrorAndCost& run : sweep) {
        const bool known = run.doubt <= 0.1 * error;
        doubtful = doubtful || (run.usable && !known);
        if (!run.usable || !known) {
            coarser = nullptr;
            continue;
        }
        if (run.error > error) {
            coarser = &run;
            continue;
        }
        if (!coarser || !(run.error > 0)) return {.h = run.h, .cost = run.cost, .from = number(run), .to = number(run)};
        const double share = std::log(coarser->error / error) / std::log(coarser->error / run.error);
        return {.h = coarser->h * std::pow(run.h / coarser->h, share),
                .cost = coarser->cost * std::pow(run.cost / coarser->cost, share),
                .interpolated = true,
                .from = number(*coarser),
                .to = number(run)};
    }
    return {.doubtful = doubtful};
}

double fitted_slope(std::span<const double> x, std::span<const double> y) {
    if (x.size() < 2) return NAN;
    double mx = 0, my = 0, xy = 0, xx = 0;
    for (std::size_t i = 0; i < x.size(); ++i) mx += std::log(x[i]), my += std::log(y[i]);
    mx /= static_cast<double>(x.size()), my /= static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (std::log(x[i]) - mx) * (std::log(y[i]) - my);
        xx += (std::log(x[i]) - mx) * (std::log(x[i]) - mx);
    }
    return xy / xx;
}

}  // namespace wobble
