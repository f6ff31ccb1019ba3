#pragma once
// What a method pays for a given error, read off its sweep of steps: between two runs whose errors bracket it, by a straight line in
// logarithms; where even the longest step that works is more accurate, that step's cost, because there is no cheaper one.
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace wobble {

struct ErrorAndCost {
    double h = 0, error = NAN, cost = NAN;
    bool usable = true;  // false: the run failed, or its error is not known
    double doubt = 0;    // by how much the error may be wrong
};

struct EqualError {
    double h = NAN, cost = NAN;
    bool interpolated = false;
    bool doubtful = false;         // not reached, because the run that may have reached it has an error in doubt by more than a tenth of it
    std::size_t from = 0, to = 0;  // the runs of the sweep it was read off, if reached
    bool reached() const { return !std::isnan(cost); }
    const char* how() const {
        return interpolated ? "interpolated" : reached() ? "longest step that works" : doubtful ? "reference too coarse" : "not reached";
    }
};

// `sweep` by falling h. A run whose doubt is above a tenth of `error` reaches nothing.
EqualError at_error(std::span<const ErrorAndCost> sweep, double error);

double fitted_slope(std::span<const double> x, std::span<const double> y);  // of log y over log x, least squares; nan: fewer than two

}  // namespace wobble
