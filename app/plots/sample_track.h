#pragma once
// Values over time that grow at the end, for plots: several channels with one time. Bounded in memory: when it is full, neighbours are
// merged, the older the more and the newest never; a merged row keeps the lowest, the highest and the mean of its samples, so that no
// spike gets lost. Above the rows stand coarser levels, each with an eighth of the one below: a plot of any length reads a few thousand.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wobble {

struct TrackColumn {  // what a column of pixels shows
    double t;         // s
    float low, high, mean;
    bool single;  // one sample: low = high = mean
};

class SampleTrack {
public:
    static constexpr std::size_t usual_rows = std::size_t{1} << 15;

    explicit SampleTrack(int channels, std::size_t most_rows = usual_rows);

    // A value that is not finite is a gap. `t` must be beyond end().
    void add(double t, std::span<const double> values);
    void replace_last(std::span<const double> values);  // of the same time; only where there is a row
    void truncate(std::size_t rows);
    SampleTrack tail(std::size_t from, std::size_t most_rows) const;  // a copy of the rows from there on, merged until they fit

    bool empty() const { return time_.empty(); }
    std::size_t size() const { return time_.size(); }
    int channels() const { return static_cast<int>(value_.size()); }
    double begin() const { return empty() ? 0 : time_.front(); }  // s
    double end() const { return empty() ? 0 : time_.back(); }

    // A row: its time and values are those of its last sample.
    double time(std::size_t row) const { return time_[row]; }
    double value(int channel, std::size_t row) const { return value_[static_cast<std::size_t>(channel)][row]; }
    float low(int channel, std::size_t row) const { return levels_[0].low[static_cast<std::size_t>(channel)][row]; }
    float high(int channel, std::size_t row) const { return levels_[0].high[static_cast<std::size_t>(channel)][row]; }
    float mean(int channel, std::size_t row) const { return levels_[0].mean[static_cast<std::size_t>(channel)][row]; }
    std::uint32_t samples(std::size_t row) const { return levels_[0].count[row]; }
    std::size_t row_at(double t) const;     // the last one with a time of at most t, else the first; only where there is a row
    std::size_t row_after(double t) const;  // the first one with a time of more than t; size() if there is none
    const std::vector<double>& times() const { return time_; }
    const std::vector<double>& values(int channel) const { return value_[static_cast<std::size_t>(channel)]; }
    const std::vector<float>& lows(int channel) const { return levels_[0].low[static_cast<std::size_t>(channel)]; }
    const std::vector<float>& highs(int channel) const { return levels_[0].high[static_cast<std::size_t>(channel)]; }
    const std::vector<std::uint32_t>& counts() const { return levels_[0].count; }

    // The columns of `width` seconds between t0 and t1, and one more on either side so that lines reach the edges. Columns start at
    // multiples of their width: they do not shimmer when the view follows the time.
    void columns(int channel, double t0, double t1, double width, std::vector<TrackColumn>& out) const;
    bool all_zero(int channel) const;  // nothing but zeros and gaps
    std::size_t bytes() const;

private:
    struct Level {
        std::vector<std::uint32_t> count;  // samples
        std::vector<std::vector<float>> low, high, mean;
        void resize(std::size_t);
    };
    static constexpr int shift = 3;  // a level has 2^-shift as many entries as the one below
    void append_to_levels();         // the last row
    void rebuild_levels(std::size_t from_row);
    void combine(std::size_t level, std::size_t entry);  // anew from the level below
    void make_room();
    struct Group {
        std::size_t first, last;  // rows
    };
    std::vector<Group> plan(std::size_t from, std::size_t to, std::uint32_t most_samples) const;
    void merge_into(SampleTrack& target, const std::vector<Group>&) const;

    std::size_t most_rows_;
    std::uint32_t merged_ = 1;  // most samples in a row
    std::vector<double> time_;
    std::vector<std::vector<double>> value_;  // per channel
    std::vector<Level> levels_;               // the first has one entry per row
};

}  // namespace wobble
