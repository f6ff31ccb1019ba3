#include "app/viewer/run_labels.h"

#include "app/plots/plot_numbers.h"
#include "app/runs/run_colours.h"

#include <algorithm>
#include <cstdio>

namespace wobble {

Legend run_labels(std::span<const std::shared_ptr<const Snapshot>> shown, const ViewRect& view, const RunLabelOptions& options,
                  const LegendStyle& style) {
    Legend legend;
    if (shown.size() < 2) return legend;
    const float line = style.em;
    const auto places = cells(options.layout, static_cast<int>(shown.size()), view);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (!shown[i]) continue;
        const ViewRect& cell = places[i];
        const float down = options.layout == Layout::overlaid ? 3.3f * line * static_cast<float>(i) : 0;
        const float x = static_cast<float>(cell.x) + 0.8f * line, y = static_cast<float>(cell.y) + 0.7f * line + down;
        char second[96];
        if (i < options.out.size() && options.out[i]) std::snprintf(second, sizeof second, "stopped at t = %.3g s", shown[i]->t);
        else
            std::snprintf(second, sizeof second, "h = %ss, energy error %.2g %%", short_number(shown[i]->h).c_str(),
                          100 * shown[i]->energies.drift());
        // Where the cell is too narrow for both lines, the name is what counts.
        const float room = static_cast<float>(cell.width) - 1.6f * line - 2.1f * line;
        const float name = style.width(shown[i]->settings.method), numbers = style.width(second);
        const bool both = numbers <= room;
        const float width = std::max(name, both ? numbers : 0) + 2.1f * line, tall = both ? 2.8f * line : 1.6f * line;
        const bool faint = options.active >= 0 && options.active != static_cast<int>(i);
        const LegendColour box{20, 23, 28, static_cast<std::uint8_t>(faint ? 165 : 225)};
        const Colour own = run_colour(static_cast<int>(i));
        const LegendColour strip{static_cast<std::uint8_t>(own.r), static_cast<std::uint8_t>(own.g), static_cast<std::uint8_t>(own.b), 255};
        legend.boxes.push_back({x, y, x + width, y + tall, box, box, 0.35f * line});
        legend.boxes.push_back({x, y, x + 0.32f * line, y + tall, strip, strip, 0.16f * line});
        legend.texts.push_back({x + 0.9f * line, y + 0.25f * line, {240, 243, 247}, shown[i]->settings.method});
        if (both) legend.texts.push_back({x + 0.9f * line, y + 1.4f * line, {175, 183, 195}, second});
    }
    return legend;
}

}  // namespace wobble
