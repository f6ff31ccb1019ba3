#include "app/viewer/colour_map.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr double memory = 4;           // s: the automatic upper end falls to 1/e in this time
constexpr std::size_t enough = 20000;  // values that tell a quantile and a histogram well
constexpr float smallest = 1e-9f;      // below this there is nothing to see

}  // namespace

Vec3f colour_map(float share) {
    // Even steps of lightness in OKLab (0.34 to 0.92), the hue turning from 268 over 8 to 102 degrees, as much chroma as sRGB has.
    static constexpr float knots[][3] = {
        {0.097f, 0.167f, 0.517f}, {0.238f, 0.176f, 0.599f}, {0.370f, 0.179f, 0.660f}, {0.506f, 0.176f, 0.693f}, {0.655f, 0.190f, 0.640f},
        {0.790f, 0.214f, 0.556f}, {0.901f, 0.264f, 0.446f}, {0.967f, 0.360f, 0.371f}, {0.999f, 0.476f, 0.320f}, {0.999f, 0.597f, 0.333f},
        {0.998f, 0.704f, 0.353f}, {1.000f, 0.805f, 0.358f}, {0.981f, 0.909f, 0.349f}};
    constexpr int last = static_cast<int>(std::size(knots)) - 1;
    const float x = std::clamp(std::isfinite(share) ? share : 0.0f, 0.0f, 1.0f) * last;
    const int i = std::min(static_cast<int>(x), last - 1);
    const auto knot = [&](int k) { return Vec3f(knots[k][0], knots[k][1], knots[k][2]); };
    return knot(i) + (x - static_cast<float>(i)) * (knot(i + 1) - knot(i));
}

void ScaleChooser::update(std::span<const Snapshot* const> snapshots, const ViewOptions& options) {
    sample_.clear();
    Field field = Field::none;
    for (const Snapshot* snapshot : snapshots) {
        if (snapshot->field != options.field || snapshot->values.empty()) continue;  // it comes with a later snapshot
        field = snapshot->field;
        const std::size_t stride = 1 + snapshot->values.size() / enough;
        for (std::size_t i = 0; i < snapshot->values.size(); i += stride)
            if (std::isfinite(snapshot->values[i])) sample_.push_back(snapshot->values[i]);
    }
    if (field == Field::none || sample_.empty()) {
        scale_ = {};
        return;
    }
    const Snapshot& first = *snapshots.front();
    if (field != scale_.field || first.surface != surface_) automatic_ = 0;
    surface_ = first.surface;
    const auto quantile = sample_.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(sample_.size() - 1));
    std::nth_element(sample_.begin(), quantile, sample_.end());
    automatic_ *= static_cast<float>(std::exp(-std::clamp(first.t - t_, 0.0, 1.0) / memory));
    automatic_ = std::max({automatic_, *quantile, smallest});
    t_ = first.t;

    scale_.field = field;
    scale_.low = 0;
    scale_.high = automatic_ > smallest ? automatic_ : 1;  // nothing but zeros
    if (options.field_high > 0 && std::isfinite(options.field_high)) scale_.high = options.field_high;
    scale_.histogram.fill(0);
    const auto bins = static_cast<float>(scale_.histogram.size());
    for (const float value : sample_)
        if (value <= scale_.high) ++scale_.histogram[static_cast<std::size_t>(std::clamp(value / scale_.high * bins, 0.0f, bins - 1))];
    const float tallest = *std::max_element(scale_.histogram.begin(), scale_.histogram.end());
    for (float& bin : scale_.histogram) bin /= std::max(tallest, 1.0f);
}

}  // namespace wobble
