#include "app/plots/sample_track.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace wobble {

namespace {

constexpr std::uint32_t most_merged = std::uint32_t{1} << 30;
constexpr float nothing_low = std::numeric_limits<float>::infinity(), nothing_high = -nothing_low;

float to_float(double v) {
    constexpr double most = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(v, -most, most));
}

// Mean of two groups; a gap has none.
float joined_mean(float a, double weight_a, bool gap_a, float b, double weight_b, bool gap_b) {
    if (gap_b) return a;
    if (gap_a) return b;
    return static_cast<float>((a * weight_a + b * weight_b) / (weight_a + weight_b));
}

}  // namespace

void SampleTrack::Level::resize(std::size_t n) {
    count.resize(n);
    for (auto* part : {&low, &high, &mean})
        for (auto& channel : *part) channel.resize(n);
}

SampleTrack::SampleTrack(int channels, std::size_t most_rows)
    : most_rows_(std::max<std::size_t>(most_rows, 16)), value_(static_cast<std::size_t>(channels)), levels_(1) {
    for (auto* part : {&levels_[0].low, &levels_[0].high, &levels_[0].mean}) part->resize(value_.size());
}

void SampleTrack::add(double t, std::span<const double> values) {
    assert(values.size() == value_.size() && (empty() || t > end()));
    if (size() >= most_rows_) make_room();
    time_.push_back(t);
    Level& rows = levels_[0];
    rows.count.push_back(1);
    for (std::size_t c = 0; c < value_.size(); ++c) {
        const bool gap = !std::isfinite(values[c]);
        const float v = gap ? 0 : to_float(values[c]);
        value_[c].push_back(values[c]);
        rows.low[c].push_back(gap ? nothing_low : v);
        rows.high[c].push_back(gap ? nothing_high : v);
        rows.mean[c].push_back(v);
    }
    append_to_levels();
}

void SampleTrack::replace_last(std::span<const double> values) {
    if (empty() || values.size() != value_.size()) return;
    const double t = end();
    truncate(size() - 1);
    add(t, values);
}

void SampleTrack::truncate(std::size_t rows) {
    if (rows >= size()) return;
    time_.resize(rows);
    for (auto& channel : value_) channel.resize(rows);
    levels_[0].resize(rows);
    rebuild_levels(rows);
}

SampleTrack SampleTrack::tail(std::size_t from, std::size_t most_rows) const {
    SampleTrack copy(channels(), most_rows);
    copy.merged_ = merged_;
    std::vector<Group> groups = plan(from, size(), copy.merged_);
    while (groups.size() > copy.most_rows_ && copy.merged_ < most_merged) groups = plan(from, size(), copy.merged_ *= 2);
    merge_into(copy, groups);
    copy.rebuild_levels(0);
    return copy;
}

void SampleTrack::append_to_levels() {
    const std::size_t row = size() - 1;
    for (std::size_t l = 1; l < levels_.size(); ++l) {
        const std::size_t entry = row >> (shift * static_cast<int>(l));
        Level& level = levels_[l];
        const Level& rows = levels_[0];
        if (entry == level.count.size()) {
            level.resize(entry + 1);
            level.count[entry] = rows.count[row];
            for (std::size_t c = 0; c < value_.size(); ++c)
                level.low[c][entry] = rows.low[c][row], level.high[c][entry] = rows.high[c][row], level.mean[c][entry] = rows.mean[c][row];
            continue;
        }
        for (std::size_t c = 0; c < value_.size(); ++c) {
            float &low = level.low[c][entry], &high = level.high[c][entry];
            level.mean[c][entry] = joined_mean(level.mean[c][entry], level.count[entry], low > high, rows.mean[c][row], rows.count[row],
                                               rows.low[c][row] > rows.high[c][row]);
            low = std::min(low, rows.low[c][row]);
            high = std::max(high, rows.high[c][row]);
        }
        level.count[entry] += rows.count[row];
    }
    if ((size() >> (shift * static_cast<int>(levels_.size()))) >= 8) rebuild_levels(0);  // high enough for another level
}

void SampleTrack::combine(std::size_t l, std::size_t entry) {
    const Level& below = levels_[l - 1];
    Level& level = levels_[l];
    const std::size_t from = entry << shift, to = std::min(below.count.size(), from + (std::size_t{1} << shift));
    for (std::size_t c = 0; c < value_.size(); ++c) {
        float low = nothing_low, high = nothing_high, mean = 0;
        double weight = 0;
        for (std::size_t i = from; i < to; ++i) {
            const bool gap = below.low[c][i] > below.high[c][i];
            mean = joined_mean(mean, weight, low > high, below.mean[c][i], below.count[i], gap);
            weight += gap ? 0 : below.count[i];
            low = std::min(low, below.low[c][i]);
            high = std::max(high, below.high[c][i]);
        }
        level.low[c][entry] = low, level.high[c][entry] = high, level.mean[c][entry] = mean;
    }
    level.count[entry] = 0;
    for (std::size_t i = from; i < to; ++i) level.count[entry] += below.count[i];
}

void SampleTrack::rebuild_levels(std::size_t from_row) {
    std::size_t wanted = 1;
    while ((size() >> (shift * static_cast<int>(wanted))) >= 8) ++wanted;
    const std::size_t had = levels_.size();
    levels_.resize(wanted);
    for (std::size_t l = 1; l < levels_.size(); ++l) {
        for (auto* part : {&levels_[l].low, &levels_[l].high, &levels_[l].mean}) part->resize(value_.size());
        const std::size_t entries = (levels_[l - 1].count.size() + (std::size_t{1} << shift) - 1) >> shift;
        levels_[l].resize(entries);
        for (std::size_t e = l < had ? from_row >> (shift * static_cast<int>(l)) : 0; e < entries; ++e) combine(l, e);
    }
}

void SampleTrack::make_room() {
    std::vector<Group> groups = plan(0, size() - most_rows_ / 4, merged_);
    const std::size_t enough = most_rows_ / 2;  // with the newest rows three quarters
    while (groups.size() > enough && merged_ < most_merged) groups = plan(0, size() - most_rows_ / 4, merged_ *= 2);
    for (std::size_t row = size() - most_rows_ / 4; row < size(); ++row) groups.push_back({row, row});  // the newest stay as they are
    merge_into(*this, groups);
    rebuild_levels(0);
}

// Neighbours that become one row, with at most `most_samples` samples, in the newer part fewer.
std::vector<SampleTrack::Group> SampleTrack::plan(std::size_t from, std::size_t to, std::uint32_t most_samples) const {
    const std::vector<std::uint32_t>& count = levels_[0].count;
    const std::size_t newer = size() - std::min(size(), most_rows_ / 2);
    const std::uint32_t fewer = std::max<std::uint32_t>(1, most_samples / 8);
    std::vector<Group> groups;
    std::uint64_t samples = 0;
    for (std::size_t row = from; row < to; ++row) {
        const bool first = row <= from + 1;  // the very first stays alone: the start of the run
        if (!first && samples + count[row] <= (row < newer ? most_samples : fewer)) groups.back().last = row, samples += count[row];
        else groups.push_back({row, row}), samples = count[row];
    }
    return groups;
}

// The target may be this track: groups are written where all before them has been read. Leaves the coarser levels to the caller.
void SampleTrack::merge_into(SampleTrack& target, const std::vector<Group>& groups) const {
    const Level& from = levels_[0];
    Level& to = target.levels_[0];
    const std::size_t rows = groups.size();
    if (&target != this) {
        target.time_.resize(rows);
        for (auto& channel : target.value_) channel.resize(rows);
        to.resize(rows);
    }
    for (std::size_t c = 0; c < value_.size(); ++c)
        for (std::size_t g = 0; g < rows; ++g) {
            const Group& group = groups[g];
            float low = from.low[c][group.first], high = from.high[c][group.first], mean = from.mean[c][group.first];
            double weight = low > high ? 0 : from.count[group.first];
            for (std::size_t i = group.first + 1; i <= group.last; ++i) {
                const bool gap = from.low[c][i] > from.high[c][i];
                mean = joined_mean(mean, weight, low > high, from.mean[c][i], from.count[i], gap);
                weight += gap ? 0 : from.count[i];
                low = std::min(low, from.low[c][i]), high = std::max(high, from.high[c][i]);
            }
            to.low[c][g] = low, to.high[c][g] = high, to.mean[c][g] = mean;
            target.value_[c][g] = value_[c][group.last];
        }
    for (std::size_t g = 0; g < rows; ++g) {
        std::uint32_t samples = 0;
        for (std::size_t i = groups[g].first; i <= groups[g].last; ++i) samples += from.count[i];
        to.count[g] = samples;
        target.time_[g] = time_[groups[g].last];
    }
    if (&target != this) return;
    target.time_.resize(rows);
    for (auto& channel : target.value_) channel.resize(rows);
    to.resize(rows);
}

std::size_t SampleTrack::row_after(double t) const {
    return static_cast<std::size_t>(std::upper_bound(time_.begin(), time_.end(), t) - time_.begin());
}

std::size_t SampleTrack::row_at(double t) const { return std::max<std::size_t>(row_after(t), 1) - 1; }

void SampleTrack::columns(int channel, double t0, double t1, double width, std::vector<TrackColumn>& out) const {
    out.clear();
    if (empty() || !(width > 0) || !(t1 >= t0) || t0 > end() || t1 < begin()) return;
    const std::size_t from = row_at(t0), to = std::min(size(), row_after(t1) + 1);
    const double wanted = (t1 - t0) / width;
    std::size_t l = 0;
    while (l + 1 < levels_.size() && static_cast<double>((to - from) >> (shift * static_cast<int>(l + 1))) >= wanted) ++l;
    const int s = shift * static_cast<int>(l);
    const Level& level = levels_[l];
    const auto c = static_cast<std::size_t>(channel);
    double bin = std::numeric_limits<double>::quiet_NaN(), weight = 0;
    for (std::size_t e = from >> s; e <= (to - 1) >> s; ++e) {
        const float low = level.low[c][e], high = level.high[c][e], mean = level.mean[c][e];
        if (low > high) continue;
        const double t = time_[std::min(size(), (e + 1) << s) - 1], here = std::floor(t / width);
        const double count = level.count[e];
        if (here != bin) {
            bin = here, weight = count;
            out.push_back({t, low, high, mean, level.count[e] == 1});
        } else {
            TrackColumn& column = out.back();
            column.mean = joined_mean(column.mean, weight, false, mean, count, false);
            column.low = std::min(column.low, low), column.high = std::max(column.high, high);
            column.t = (bin + 0.5) * width, column.single = false;
            weight += count;
        }
    }
}

bool SampleTrack::all_zero(int channel) const {
    const Level& top = levels_.back();
    const auto c = static_cast<std::size_t>(channel);
    for (std::size_t e = 0; e < top.count.size(); ++e)
        if (top.low[c][e] <= top.high[c][e] && (top.low[c][e] != 0 || top.high[c][e] != 0)) return false;
    return true;
}

std::size_t SampleTrack::bytes() const {
    std::size_t sum = time_.capacity() * sizeof(double);
    for (const auto& channel : value_) sum += channel.capacity() * sizeof(double);
    for (const Level& level : levels_) {
        sum += level.count.capacity() * sizeof(std::uint32_t);
        for (const auto* part : {&level.low, &level.high, &level.mean})
            for (const auto& channel : *part) sum += channel.capacity() * sizeof(float);
    }
    return sum;
}

}  // namespace wobble
