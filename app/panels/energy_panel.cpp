#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plots.h"

#include <algorithm>

namespace wobble {

void energy_panel(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    if (begin_fixed("energies", {sizes.side, window.y - sizes.status - sizes.strip}, {window.x - sizes.side, sizes.strip},
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
        std::vector<PlotSeries> series = {{"kinetic", IM_COL32(94, 178, 255, 255), 1.6f, {}},
                                          {"elastic", IM_COL32(255, 178, 84, 255), 1.6f, {}},
                                          {"gravity", IM_COL32(126, 211, 140, 255), 1.6f, {}},
                                          {"total", IM_COL32(240, 243, 247, 255), 2.0f, {}},
                                          {"dissipated", IM_COL32(214, 120, 190, 255), 1.6f, {}}};
        for (const auto& [t, e] : ui.history.samples()) {
            const double values[] = {e.kinetic, e.elastic, e.potential, e.total(), e.dissipated};
            for (std::size_t i = 0; i < series.size(); ++i) series[i].points.emplace_back(t, values[i]);
        }
        if (snapshot.energies.dissipated == 0) series.pop_back();
        const double end = std::max(snapshot.t, 0.0);
        const PlotOptions options{"s", "J", std::max(0.0, end - EnergyHistory::window), std::max(end, 1.0), ui.scale};
        const ImVec2 room = ImGui::GetContentRegionAvail();
        plot_lines("energy plot", room.x, room.y, series, options);
    }
    ImGui::End();
}

}  // namespace wobble
