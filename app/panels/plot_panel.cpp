#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plots.h"

#include <algorithm>

namespace wobble {

namespace {

constexpr unsigned blue = IM_COL32(94, 178, 255, 255), orange = IM_COL32(255, 178, 84, 255), green = IM_COL32(126, 211, 140, 255),
                   white = IM_COL32(240, 243, 247, 255), pink = IM_COL32(214, 120, 190, 255), red = IM_COL32(240, 100, 90, 255);

std::vector<PlotSeries> energies(const Snapshot& snapshot, const RunHistory& history) {
    std::vector<PlotSeries> series = {{"kinetic", blue, 1.6f, {}},
                                      {"elastic", orange, 1.6f, {}},
                                      {"gravity", green, 1.6f, {}},
                                      {"total", white, 2.0f, {}},
                                      {"dissipated", pink, 1.6f, {}}};
    for (const EnergySample& sample : history.samples()) {
        const Energies& e = sample.energies;
        const double values[] = {e.kinetic, e.elastic, e.potential, e.total(), e.dissipated};
        for (std::size_t i = 0; i < series.size(); ++i) series[i].points.emplace_back(sample.t, values[i]);
    }
    if (snapshot.energies.dissipated == 0) series.pop_back();
    return series;
}

// Only what the method at work has; refused and redone steps count from the start of the window.
std::vector<PlotSeries> solver_work(const RunHistory& history) {
    std::vector<PlotSeries> series = {{"Newton iterations", blue, 1.6f, {}},
                                      {"CG iterations", orange, 1.6f, {}},
                                      {"Krylov dimension", green, 1.6f, {}},
                                      {"refused steps", red, 1.6f, {}},
                                      {"redone steps", pink, 1.6f, {}}};
    const auto& samples = history.samples();
    for (const EnergySample& sample : samples) {
        const double values[] = {static_cast<double>(sample.newton_iterations), static_cast<double>(sample.linear_iterations),
                                 static_cast<double>(sample.krylov_dimension),
                                 static_cast<double>(sample.rejected_steps - samples.front().rejected_steps),
                                 static_cast<double>(sample.redone_steps - samples.front().redone_steps)};
        for (std::size_t i = 0; i < series.size(); ++i) series[i].points.emplace_back(sample.t, values[i]);
    }
    std::erase_if(series, [](const PlotSeries& s) {
        return std::all_of(s.points.begin(), s.points.end(), [](const auto& p) { return p.second == 0; });
    });
    if (series.empty()) series.push_back({"iterations: none, the method is explicit", white, 1.6f, {}});
    return series;
}

}  // namespace

void plot_panel(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    if (begin_fixed("energies", {sizes.side, window.y - sizes.status - sizes.strip}, {window.x - sizes.side, sizes.strip},
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
        const double end = std::max(snapshot.t, 0.0);
        const auto plot = [&](const char* id, const char* unit, const std::vector<PlotSeries>& series) {
            const PlotOptions options{"s", unit, std::max(0.0, end - RunHistory::window), std::max(end, 1.0), ui.scale};
            const ImVec2 room = ImGui::GetContentRegionAvail();
            plot_lines(id, room.x, room.y, series, options);
        };
        if (ImGui::BeginTabBar("plots")) {
            if (ImGui::BeginTabItem("Energy")) {
                plot("energy plot", "J", energies(snapshot, ui.plots.history));
                ImGui::EndTabItem();
            }
            if (ImGui::BeginTabItem("Solver work per step")) {
                plot("work plot", "", solver_work(ui.plots.history));
                ImGui::EndTabItem();
            }
            ImGui::EndTabBar();
        }
    }
    ImGui::End();
}

}  // namespace wobble
