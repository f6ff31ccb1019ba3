#include "app/plots/run_history.h"

#include "app/plots/plot_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace wobble {

namespace {

constexpr std::size_t channels = static_cast<std::size_t>(Channel::count);
constexpr std::size_t differences_rows = 1 << 14;
constexpr std::size_t recent = 64;  // rows in which the longest step is looked for

using Values = std::array<double, channels>;
int index(Channel channel) { return static_cast<int>(channel); }

double since(std::uint64_t now, std::uint64_t before) { return now > before ? static_cast<double>(now - before) : 0; }

Values values_of(const EnergySample& s, const EnergySample* before) {
    const Energies& e = s.energies;
    Values v{};
    const auto set = [&](Channel channel, double value) { v[static_cast<std::size_t>(channel)] = value; };
    set(Channel::kinetic, e.kinetic);
    set(Channel::elastic, e.elastic);
    set(Channel::gravity, e.potential);
    set(Channel::dissipated, e.dissipated);
    set(Channel::supplied, e.supplied);
    set(Channel::total, e.total());
    set(Channel::error, e.error());
    set(Channel::largest_error, e.max_error);
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const auto of_step = [&](Channel channel, double value) { set(channel, before ? value : unknown); };  // unknown: no step has led here
    of_step(Channel::newton, s.newton_iterations);
    of_step(Channel::linear, s.linear_iterations);
    of_step(Channel::krylov, s.krylov_dimension);
    of_step(Channel::refused, before ? since(s.rejected_steps, before->rejected_steps) : 0);
    of_step(Channel::redone, before ? since(s.redone_steps, before->redone_steps) : 0);
    of_step(Channel::step, s.h > 0 ? s.h : unknown);
    of_step(Channel::wall, s.wall_seconds > 0 ? s.wall_seconds : unknown);
    return v;
}

// The run has been at this state before: the same time, the same energies.
bool on_track(const SampleTrack& track, const EnergySample& s) {
    const std::size_t row = track.row_after(std::nextafter(s.t, -std::numeric_limits<double>::infinity()));  // the first at or after t
    if (row == track.size() || (track.samples(row) == 1 && track.time(row) != s.t)) return false;
    const auto within = [&](Channel channel, double v) {
        return static_cast<float>(v) >= track.low(index(channel), row) && static_cast<float>(v) <= track.high(index(channel), row);
    };
    return within(Channel::kinetic, s.energies.kinetic) && within(Channel::elastic, s.energies.elastic);
}

}  // namespace

RunHistory::Run::Run(std::size_t rows) : steps(static_cast<int>(channels), rows), differences(1, std::min(rows, differences_rows)) {}

std::string RunHistory::Run::label() const {
    double h = step;
    if (!(h > 0))
        for (std::size_t i = steps.size() - std::min(recent, steps.size()); i < steps.size(); ++i)
            if (const double v = steps.high(index(Channel::step), i); v > h) h = v;
    const std::string name = method.empty() ? "run" : method;
    return h > 0 && std::isfinite(h) ? name + " " + with_unit(1e3 * h, "") + " ms" : name;
}

double RunHistory::Run::percent() const { return 100 / (largest_kinetic > 0 ? largest_kinetic : 1); }

double RunHistory::Run::last(Channel channel, double t) const { return steps.empty() ? 0 : steps.value(index(channel), steps.row_at(t)); }

RunHistory::RunHistory(std::size_t rows) : rows_(rows), runs_(1, Run(rows)), books_(1) {}

void RunHistory::set_runs(int count) {
    const auto wanted = static_cast<std::size_t>(std::clamp(count, 1, most_runs));
    if (wanted == runs_.size()) return;
    held_ = false;
    runs_.assign(wanted, Run(rows_));
    books_.assign(wanted, {});
    earlier_.clear();
}

void RunHistory::add(int run, const EnergySample& sample) {
    const auto r = static_cast<std::size_t>(run);
    if (run < 0 || r >= runs_.size() || !std::isfinite(sample.t)) return;
    if (!held_) return take(r, sample);
    books_[r].held.push_back(sample);
    if (books_[r].held.size() >= most_held) release(r);
}

void RunHistory::add_difference(int run, double t, double metres) {
    const auto r = static_cast<std::size_t>(run);
    if (run < 0 || r >= runs_.size() || !std::isfinite(t)) return;
    if (!held_) return take_difference(r, t, metres);
    books_[r].held_differences.emplace_back(t, metres);
    if (books_[r].held_differences.size() >= most_held) release(r);
}

void RunHistory::release(std::size_t run) {
    for (const EnergySample& sample : std::exchange(books_[run].held, {})) take(run, sample);
    for (const auto& [t, metres] : std::exchange(books_[run].held_differences, {})) take_difference(run, t, metres);
}

void RunHistory::hold(bool on) {
    held_ = on;
    if (!on)
        for (std::size_t r = 0; r < runs_.size(); ++r) release(r);
}

void RunHistory::take(std::size_t r, const EnergySample& s) {
    Run& run = runs_[r];
    Book& book = books_[r];
    run.present = s.t;
    if (run.steps.empty()) return append(r, s);
    if (book.back) {
        const double from = book.back->t;
        const bool stepped = std::abs(s.t - s.h - from) <= 1e-6 * s.h;
        const bool again_from_the_start = stepped && from <= run.steps.begin();
        if (s.t <= from || (!again_from_the_start && on_track(run.steps, s))) {  // still looking around, or the same once more
            book.back = s;
            if (s.t >= run.steps.end()) book.before = s, book.back.reset();
            return;
        }
        if (!stepped && s.t <= run.steps.end()) return void(book.back = s);
        fork(r);
        return append(r, s);
    }
    if (s.t > run.steps.end()) return append(r, s);
    if (s.t < run.steps.end()) return void(book.back = s);
    // An edit between steps: other energies, the work of the step stays.
    Values v = values_of(s, nullptr);
    const std::size_t row = run.steps.size() - 1;
    for (int c = index(Channel::newton); c < index(Channel::count); ++c) v[static_cast<std::size_t>(c)] = run.steps.value(c, row);
    run.steps.replace_last(v);
    run.largest_kinetic = std::max(run.largest_kinetic, s.energies.max_kinetic);
}

void RunHistory::append(std::size_t r, const EnergySample& s) {
    Run& run = runs_[r];
    Book& book = books_[r];
    const bool first = run.steps.empty();
    run.steps.add(s.t, values_of(s, first ? nullptr : &book.before));
    run.largest_kinetic = first ? s.energies.max_kinetic : std::max(run.largest_kinetic, s.energies.max_kinetic);
    book.before = s;
    run.step = book.described_step;
    if (run.method.empty()) run.method = book.described;
    else if (!book.described.empty() && run.method != book.described && !run.method.ends_with(", then " + book.described)) {
        const std::size_t cut = run.method.find(", then ");  // only the first and the last are named
        run.method = run.method.substr(0, cut) + ", then " + book.described;
    }
}

void RunHistory::fork(std::size_t r) {
    Run& run = runs_[r];
    Book& book = books_[r];
    const EnergySample start = *std::exchange(book.back, std::nullopt);
    const std::size_t shared = run.steps.row_after(start.t);  // rows up to there
    std::size_t left = shared;
    while (left > 0 && run.steps.time(left - 1) >= start.t) --left;
    Run old(16);
    old.method = run.method, old.largest_kinetic = run.largest_kinetic;
    old.step = run.step > 0 ? run.step : std::max(0.0f, run.steps.high(index(Channel::step), run.steps.size() - 1));
    const bool worth_keeping = runs_.size() == 1 && shared < run.steps.size();
    if (left == 0) {  // from the start: the whole run
        old.steps = std::exchange(run.steps, Run(rows_).steps);
        run.method.clear();
        append(r, start);
    } else {
        if (worth_keeping) old.steps = run.steps.tail(shared - 1, std::min(rows_, earlier_rows));
        Values v = values_of(start, nullptr);
        for (int c = index(Channel::newton); c < index(Channel::count); ++c)
            v[static_cast<std::size_t>(c)] = run.steps.value(c, std::min(left, run.steps.size() - 1));
        run.steps.truncate(left);
        run.steps.add(start.t, v);
        run.largest_kinetic = start.energies.max_kinetic;
    }
    book.before = start;
    if (!worth_keeping) return;
    earlier_.push_back(std::move(old));
    if (earlier_.size() > most_earlier) earlier_.pop_front();
}

void RunHistory::take_difference(std::size_t r, double t, double metres) {
    SampleTrack& track = runs_[r].differences;
    std::optional<double>& back = books_[r].difference_back;
    if (!track.empty() && t <= track.end()) return void(back = t);  // the same time once more, or gone back
    if (back && *back < track.end()) track.truncate(track.row_after(*back));
    back.reset();
    track.add(t, std::span(&metres, 1));
}

void RunHistory::describe(int run, const std::string& method, double step) {
    if (run < 0 || static_cast<std::size_t>(run) >= books_.size() || held_) return;
    Book& book = books_[static_cast<std::size_t>(run)];
    book.described = method;
    book.described_step = step;
    if (Run& r = runs_[static_cast<std::size_t>(run)]; r.method.empty() || r.steps.size() < 2) r.method = method, r.step = step;
}

void RunHistory::new_body() {
    hold(false);
    earlier_.clear();
    for (std::size_t r = 0; r < runs_.size(); ++r)
        if (books_[r].back) {
            const EnergySample start = *std::exchange(books_[r].back, std::nullopt);
            runs_[r] = Run(rows_);
            append(r, start);
        }
}

std::size_t RunHistory::bytes() const {
    std::size_t sum = 0;
    const auto count = [&](const auto& runs) {
        for (const Run& run : runs) sum += run.steps.bytes() + run.differences.bytes();
    };
    count(runs_);
    count(earlier_);
    return sum;
}

}  // namespace wobble
