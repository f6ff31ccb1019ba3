// Every pixel z = h lambda is an oscillator with the solutions e^(lambda t), e^(conj(lambda) t) (oscillator.h), h = 1. Pixels with the same
// real part share their damping, so one column of the picture is one system of independent oscillators, stepped by the real integrator.
// Growth per step: the largest |a_n| of a late window of steps over that of an early one, so that neither start-up steps, nor decaying
// parasitic roots, nor the beat of methods that do not keep q = Re a, v = Re (lambda a) are mistaken for growth.
#include "engine/study/stability_regions.h"

#include "engine/integrate/methods.h"
#include "engine/study/integrate_fixed.h"
#include "engine/study/oscillator.h"
#include "engine/study/stability_functions.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace wobble {

namespace {

constexpr int steps = 132;
constexpr double bounded = 1.002;  // growth up to this counts as none: what 100 steps can tell
constexpr double largest_log = 300;

struct Window {
    double re_low, re_high, im_high;  // the picture is symmetric about the real axis
};

// Explicit regions are around the origin and about as large as their limits on the axes; implicit ones are what lies outside of a lobe
// that grows with the order.
Window window_of(const MethodInfo& method) {
    if (method.family == Family::explicit_classical) {
        const double r = std::max(method.real_limit, method.imaginary_limit);
        return {-1.3 * r, 0.7 * r, 1.3 * r};
    }
    const double lobe[] = {5, 5, 5, 8, 12, 18, 28};
    const double r = lobe[std::clamp(method.order, 0, 6)];
    return {-0.8 * r, 1.2 * r, r};
}

double growth_of(const std::vector<double>& log_size) {  // of |a_n|, n = 0, 1, ...
    std::size_t end = 0;                                 // beyond it numbers overflow or vanish
    while (end < log_size.size() && std::abs(log_size[end]) < largest_log) ++end;
    if (end < 3) return log_size.size() > 1 ? std::exp(log_size[1] - log_size[0]) : NAN;
    const std::size_t length = std::max<std::size_t>(1, end / 3), early = end - 2 * length, late = end - length;
    const auto largest = [&](std::size_t from) { return *std::max_element(log_size.begin() + from, log_size.begin() + from + length); };
    return std::exp((largest(late) - largest(early)) / static_cast<double>(length));
}

// log |a_n| of each oscillator of one column; `mixes`: the method solves equations for all of them together.
struct ColumnRun {
    std::vector<std::vector<double>> log_size;
    bool mixes = false;
};

ColumnRun run_column(const Method& method, const SolverOptions& solver, const std::vector<std::complex<double>>& z) {
    const OscillatorBank bank(dahlquist(z));
    ColumnRun column;
    column.log_size.resize(z.size());
    const auto record = [&](const State& s) {
        bool any = false;
        for (int i = 0; i < static_cast<int>(z.size()); ++i) {
            auto& sizes = column.log_size[i];
            sizes.push_back(std::log(std::abs(amplitude(OscillatorBank::position(s, i), OscillatorBank::velocity(s, i), z[i]))));
            any = any || std::abs(sizes.back()) < largest_log;
        }
        return any;
    };
    record(bank.start());
    // Explicit multistep methods start so well that a growing parasitic root needs long to show; their steps are cheap.
    const long count = method.info.family == Family::explicit_classical ? 3 * steps : steps;
    const FixedRun run = integrate_fixed(bank.system(), *method.make({.solver = solver}), bank.start(), 1, count,
                                         [&](long, const State& s, const FixedRun&) { return record(s) ? nullptr : "measured"; });
    column.mixes = run.newton_iterations > 0;
    return column;
}

// Newton's tolerance is relative to all oscillators together: one that grows to 1e8 times the size of another drowns it. The drowned
// ones are measured again without those that grew faster, until all have been seen undisturbed.
std::vector<double> column_growth(const Method& method, const SolverOptions& solver, const std::vector<std::complex<double>>& z) {
    constexpr double drowned = 18;  // in powers of e
    std::vector<double> growth(z.size(), NAN);
    std::vector<std::size_t> left(z.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    while (!left.empty()) {
        std::vector<std::complex<double>> few;
        for (const std::size_t i : left) few.push_back(z[i]);
        const ColumnRun column = run_column(method, solver, few);
        const std::size_t length = column.log_size.front().size();
        std::vector<double> largest(length, -INFINITY);
        for (const auto& sizes : column.log_size)
            for (std::size_t n = 0; n < length; ++n) largest[n] = std::max(largest[n], sizes[n]);
        std::vector<std::size_t> again;
        for (std::size_t k = 0; k < left.size(); ++k) {
            const auto& sizes = column.log_size[k];
            std::size_t end = 0;
            while (end < length && (!column.mixes || largest[end] - sizes[end] < drowned)) ++end;
            if (end < length) again.push_back(left[k]);
            else growth[left[k]] = growth_of(sizes);
        }
        if (again.size() == left.size()) break;  // cannot be: the largest at the end is not drowned
        left = std::move(again);
    }
    return growth;
}

struct Measured {
    RegionMap map;
    std::vector<std::vector<Cell>> rows;
    long stable = 0, compared = 0, disagree = 0, unmeasured = 0;
    double largest_difference = 0;  // of growth, where theory is away from 1 and below 2
    double imaginary_limit = 0;     // how far up the imaginary axis (undamped motion) all pixels are stable
};

// The upper half of the picture, mirrored.
Result<Measured> measure(const Method& method, const SolverOptions& solver, int columns, int half_rows,
                         const std::function<bool(double)>& going) {
    Measured m;
    const Window w = window_of(method.info);
    m.map = {"bounded", columns, 2 * half_rows, w.re_low, w.re_high, -w.im_high, w.im_high, {}, bounded};
    m.map.value.assign(static_cast<std::size_t>(columns) * 2 * half_rows, NAN);
    for (int c = 0; c < columns; ++c) {
        if (!going(static_cast<double>(c) / columns)) return stopped_on_request();
        std::vector<std::complex<double>> z;
        for (int r = 0; r < half_rows; ++r) z.emplace_back(m.map.x(c), m.map.y(half_rows + r));
        const std::vector<double> growth = column_growth(method, solver, z);
        for (int r = 0; r < half_rows; ++r) {
            const double g = growth[r];
            m.map.value[static_cast<std::size_t>(half_rows + r) * columns + c] = g;
            m.map.value[static_cast<std::size_t>(half_rows - 1 - r) * columns + c] = g;
            const bool stable = g <= bounded;
            m.stable += stable;
            m.unmeasured += std::isnan(g);
            const auto theory = analytic_growth(method.info.id, z[r]);
            if (theory && std::abs(*theory - 1) > 0.02) {  // nearer to the boundary the two cannot be told apart
                ++m.compared;
                m.disagree += stable != (*theory <= 1);
                if (*theory < 2 && !std::isnan(g))
                    m.largest_difference = std::max(m.largest_difference, std::abs(g - *theory) / std::max(1.0, *theory));
            }
            m.rows.push_back({method.info.id, z[r].real(), z[r].imag(), g, theory ? *theory : NAN});
        }
    }
    std::vector<std::complex<double>> axis;
    for (int r = 0; r < 4 * half_rows; ++r) axis.emplace_back(0, (r + 0.5) * w.im_high / (4 * half_rows));
    const std::vector<double> growth = column_growth(method, solver, axis);
    for (std::size_t r = 0; r < axis.size() && growth[r] <= bounded; ++r) m.imaginary_limit = axis[r].imag();
    return m;
}

}  // namespace

Result<StudyResult> stability_regions(const StudyOptions& options, const Progress& progress) {
    if (auto known = check_integrators(options.integrators); !known) return known.error();
    const SolverOptions solver = solver_for(options, {.tolerance = 1e-12});
    const int columns = std::max(6, static_cast<int>(120 * options.detail)), half_rows = columns / 2;
    StudyResult result;
    Table all{"stability-regions", {"method", "re", "im", "growth", "analytic"}, {}, false};
    Table summary{
        "stability-regions-summary",
        {"method", "pixels", "stable", "compared", "disagreements", "growth_difference", "imaginary_limit", "unmeasured", "seconds"},
        {},
        true};
    long disagreements = 0;
    double done = 0;
    for (const Method& method : methods()) {
        if (!chosen(options, method.info.id)) continue;
        const double begin = done++ / count_chosen(options);
        const auto start = std::chrono::steady_clock::now();
        auto measured = measure(method, solver, columns, half_rows,
                                [&](double part) { return keep_going(progress, method.info.id, begin + part / count_chosen(options)); });
        if (!measured) return measured.error();
        Measured& m = measured.value();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        disagreements += m.disagree;
        summary.rows.push_back({method.info.id, static_cast<long>(m.rows.size()), m.stable, m.compared, m.disagree, m.largest_difference,
                                m.imaginary_limit, m.unmeasured, seconds});
        all.rows.insert(all.rows.end(), m.rows.begin(), m.rows.end());
        result.plots.push_back({std::string("region-") + method.info.id,
                                std::string("Stability region of ") + method.info.label,
                                {"Re h\u03bb", Scale::linear, {}, {}},
                                {"Im h\u03bb", Scale::linear, {}, {}},
                                {},
                                std::move(m.map)});
    }
    result.tables = {std::move(all), std::move(summary)};
    result.notes = {
        "Growth per step is measured by running each integrator on y' = lambda y (as an oscillator, h = 1); the table has the upper half "
        "plane, the "
        "pictures are mirrored. Growth up to 1.002 counts as bounded.",
        std::to_string(disagreements) +
            " pixels disagree with the stability function of the method, among those whose growth in theory differs from 1 by more than 2 "
            "%."};
    return result;
}

}  // namespace wobble
