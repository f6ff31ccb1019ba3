#include "app/plots/plot_pages.h"

#include "app/runs/run_colours.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

// After Okabe and Ito: apart for colour-blind readers.
constexpr PlotInk blue{{90, 180, 240}}, orange{{245, 165, 60}}, green{{60, 195, 145}}, pink{{222, 140, 190}}, yellow{{235, 220, 90}},
    red{{240, 105, 80}}, text{{}, true};

constexpr PlotQuantity energy_quantities[] = {
    {"kinetic", "Of the moving masses.", Channel::kinetic, blue, 1.5f, LineStyle::thin},
    {"elastic", "Stored in springs and tets.", Channel::elastic, orange, 1.5f, LineStyle::dashed},
    {"gravity", "Of height; zero at the start.", Channel::gravity, green, 1.5f, LineStyle::dotted},
    {"dissipated", "Turned into heat by damping since the start.", Channel::dissipated, pink, 1.5f, LineStyle::dotted, false},
    {"supplied", "By your hand and by edits of parameters since the start.", Channel::supplied, yellow, 1.5f, LineStyle::dotted, false},
    {"total", "Kinetic, elastic and gravity.", Channel::total, text, 2.0f, LineStyle::solid}};
constexpr PlotQuantity drift_quantities[] = {
    {"energy error",
     "Total + dissipated - supplied - initial energy, as a share of the run's largest kinetic energy. An exact method has none.",
     Channel::error, blue, 1.6f, LineStyle::solid},
    {"largest so far", "The largest size of the energy error since the start, on the same scale.", Channel::largest_error, orange, 1.4f,
     LineStyle::dashed}};
constexpr PlotQuantity work_quantities[] = {
    {"Newton", "Newton iterations of a step.", Channel::newton, blue, 1.5f, LineStyle::solid, false},
    {"CG", "Iterations of the linear solver, all of a step.", Channel::linear, orange, 1.5f, LineStyle::thin, false},
    {"Krylov", "Largest dimension of a Krylov space in a step.", Channel::krylov, green, 1.5f, LineStyle::dashed, false},
    {"refused", "Attempts that were refused before the step: too large an error, or the energy guard.", Channel::refused, red, 1.5f,
     LineStyle::dotted, false},
    {"redone", "Steps taken by a dissipative method instead.", Channel::redone, pink, 1.5f, LineStyle::dotted, false}};
constexpr PlotQuantity timing_quantities[] = {
    {"clock", "Clock time a step takes: the mean, and a pale band from the shortest to the longest.", Channel::wall, blue, 1.6f,
     LineStyle::solid},
    {"real time", "Simulated time of a step: below this line the motion is computed faster than it happens.", Channel::step, text, 1.4f,
     LineStyle::dashed}};
constexpr PlotQuantity difference_quantities[] = {{"distance",
                                                   "Root of the mean square distance of the drawn surface from that of the first run.",
                                                   Channel::kinetic, blue, 1.6f, LineStyle::solid}};

constexpr PlotPageInfo pages[] = {
    {"Energy", "Energy", "energy", "J", "Where the energy is, over simulated time.", "There is no motion yet: press Space.", false, 5,
     energy_quantities},
    {"Drift", "Drift", "energy error, of the largest kinetic energy", "%",
     "How far the energy is from what physics allows: what a method adds or loses by itself.", "There is no motion yet: press Space.",
     false, 0, drift_quantities},
    {"Solver work", "Work", "work per step", "", "What a step costs the solvers: the mean, and a pale band from least to most.",
     "This method solves no equations: there is no work to show.", true, 0, work_quantities},
    {"Timing", "Timing", "time per step", "s", "Clock time of a step against the simulated time it covers.", "No step has been timed yet.",
     true, 0, timing_quantities},
    {"Difference", "Diff.", "distance from the first run", "m", "How far the runs of a comparison are from the first one.",
     "Differences are those between the runs of a comparison: start one in the section Compare.", false, 0, difference_quantities}};
static_assert(std::size(pages) == static_cast<std::size_t>(PlotPage::count));

std::uint32_t bit(int index) { return std::uint32_t{1} << index; }

bool run_shown(const PlotsState& plots, int run) { return !comparing(plots) || !(page_view(plots).hidden_runs & bit(run)); }

}  // namespace

const PlotPageInfo& page_info(PlotPage page) { return pages[std::min(static_cast<std::size_t>(page), std::size(pages) - 1)]; }

bool comparing(const PlotsState& plots) { return plots.history.runs().size() > 1; }

const SampleTrack& track_of(const RunHistory::Run& run, PlotPage page) {
    return page == PlotPage::difference ? run.differences : run.steps;
}

int channel_of(PlotPage page, const PlotQuantity& quantity) {
    return page == PlotPage::difference ? 0 : static_cast<int>(quantity.channel);
}

double factor_of(const RunHistory::Run& run, PlotPage page) { return page == PlotPage::drift ? run.percent() : 1; }

bool has_quantity(const PlotsState& plots, int q) {
    const PlotPageInfo& info = page_info(plots.page);
    if (q < 0 || static_cast<std::size_t>(q) >= info.quantities.size()) return false;
    const PlotQuantity& quantity = info.quantities[static_cast<std::size_t>(q)];
    return std::ranges::any_of(plots.history.runs(), [&](const RunHistory::Run& run) {
        const SampleTrack& track = track_of(run, plots.page);
        return !track.empty() && (quantity.needed || !track.all_zero(channel_of(plots.page, quantity)));
    });
}

bool shows_quantity(const PlotsState& plots, int q) {
    const PageView& view = page_view(plots);
    return has_quantity(plots, q) && !((comparing(plots) ? view.hidden_comparing : view.hidden) & bit(q));
}

int main_quantity(const PlotsState& plots) {
    const PlotPageInfo& info = page_info(plots.page);
    if (shows_quantity(plots, info.main)) return info.main;
    for (int q = 0; q < static_cast<int>(info.quantities.size()); ++q)
        if (shows_quantity(plots, q)) return q;
    return -1;
}

LineStyle style_of(const PlotsState& plots, const PlotQuantity& quantity) {
    int shown = 0;
    for (int q = 0; q < static_cast<int>(page_info(plots.page).quantities.size()); ++q) shown += shows_quantity(plots, q);
    return shown == 1 ? LineStyle::solid : quantity.style;
}

PlotInk ink_of(const PlotsState& plots, int run, const PlotQuantity& quantity) {
    return comparing(plots) ? PlotInk{run_colour(run)} : quantity.ink;
}

PlotInk earlier_ink(const PlotQuantity& quantity) { return {quantity.ink.colour, quantity.ink.text, 0.40f}; }

std::vector<PlotLine> page_lines(const PlotsState& plots) {
    const PlotPageInfo& info = page_info(plots.page);
    const int main = main_quantity(plots);
    std::vector<PlotLine> lines;
    const auto add = [&](const RunHistory::Run& run, int q, const std::string& label, const PlotInk& ink) -> PlotLine& {
        const PlotQuantity& quantity = info.quantities[static_cast<std::size_t>(q)];
        return lines.emplace_back(PlotLine{label, ink, quantity.thickness, LineStyle::solid, info.mean, false, &track_of(run, plots.page),
                                           channel_of(plots.page, quantity), factor_of(run, plots.page)});
    };
    const int quantities = static_cast<int>(info.quantities.size());
    if (plots.earlier_runs && !comparing(plots))
        for (const RunHistory::Run& run : plots.history.earlier())
            for (int q = 0; q < quantities; ++q) {
                if (!shows_quantity(plots, q) || track_of(run, plots.page).empty()) continue;
                const PlotQuantity& quantity = info.quantities[static_cast<std::size_t>(q)];
                PlotLine& line =
                    add(run, q, (q == main ? "" : quantity.name + std::string(", ")) + "earlier: " + run.label(), earlier_ink(quantity));
                line.thickness = 1.0f, line.quiet = q != main;
            }
    const auto& runs = plots.history.runs();
    for (int r = 0; r < static_cast<int>(runs.size()); ++r)
        for (int q = 0; q < quantities; ++q) {
            const RunHistory::Run& run = runs[static_cast<std::size_t>(r)];
            const PlotQuantity& quantity = info.quantities[static_cast<std::size_t>(q)];
            if (!run_shown(plots, r) || !shows_quantity(plots, q) || track_of(run, plots.page).empty()) continue;
            if (plots.page == PlotPage::difference && r == 0) continue;  // from itself
            const bool alone = !comparing(plots);
            PlotLine& line = add(run, q, alone ? quantity.name : run.label() + "  " + quantity.name, ink_of(plots, r, quantity));
            if (!alone) line.style = style_of(plots, quantity);
        }
    return lines;
}

TimeExtent extent(const PlotsState& plots) {
    TimeExtent all;
    bool first = true;
    const auto include = [&](const SampleTrack& track) {
        if (track.empty()) return;
        all =
            first ? TimeExtent{track.begin(), track.end()} : TimeExtent{std::min(all.begin, track.begin()), std::max(all.end, track.end())};
        first = false;
    };
    for (const RunHistory::Run& run : plots.history.runs()) include(run.steps);
    if (plots.earlier_runs && !comparing(plots))
        for (const RunHistory::Run& run : plots.history.earlier()) include(run.steps);
    return all;
}

double possible_speed(const RunHistory::Run& run, double t) {
    const SampleTrack& track = run.steps;
    constexpr std::size_t most_rows = 2000;
    double simulated = 0, clock = 0;
    if (track.empty()) return 0;
    const std::size_t last = track.row_at(t);
    for (std::size_t i = last; i + most_rows > last && track.time(i) > t - 1; --i) {
        const double h = track.mean(static_cast<int>(Channel::step), i), wall = track.mean(static_cast<int>(Channel::wall), i);
        if (h > 0 && wall > 0) simulated += track.samples(i) * h, clock += track.samples(i) * wall;
        if (i == 0) break;
    }
    return clock > 0 ? simulated / clock : 0;
}

}  // namespace wobble
