#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plots.h"
#include "app/run_colours.h"
#include "app/runs.h"
#include "engine/sim/catalog.h"

#include <algorithm>

namespace wobble {

namespace {

ImU32 packed(const Colour& c) { return IM_COL32(c.r, c.g, c.b, 255); }

// One row of the wanted integrators; true if this one is to go.
bool method_row(CompareState& compare, int i) {
    std::string& id = compare.methods[static_cast<std::size_t>(i)];
    const Method* chosen = find_method(id);
    ImGui::PushID(i);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetFrameHeight(), dot = 0.28f * side;
    ImGui::GetWindowDrawList()->AddCircleFilled({corner.x + 0.5f * side, corner.y + 0.5f * side}, dot, packed(run_colour(i)));
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    const bool removable = compare.methods.size() > 2;
    ImGui::SetNextItemWidth(removable ? -side - ImGui::GetStyle().ItemSpacing.x : -1);
    if (ImGui::BeginCombo("##method", chosen ? chosen->info.label : id.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (const Method& method : methods()) {
            if (ImGui::Selectable(method.info.label, &method == chosen)) id = method.info.id;
            tooltip(method.info.advice);
        }
        ImGui::EndCombo();
    } else if (chosen) {
        tooltip(chosen->info.advice);
    }
    bool remove = false;
    if (removable) {
        ImGui::SameLine();
        remove = ImGui::Button("x", {side, side});
        tooltip("Leave this one out.");
    }
    ImGui::PopID();
    return remove;
}

void wanted_methods(CompareState& compare) {
    int removed = -1;
    for (int i = 0; i < static_cast<int>(compare.methods.size()); ++i)
        if (method_row(compare, i)) removed = i;
    if (removed >= 0) compare.methods.erase(compare.methods.begin() + removed);
    if (static_cast<int>(compare.methods.size()) < Runs::most) {
        if (ImGui::Button("Add another", {-1, 0})) {
            const auto unused = std::find_if(methods().begin(), methods().end(), [&](const Method& m) {
                return std::find(compare.methods.begin(), compare.methods.end(), m.info.id) == compare.methods.end();
            });
            compare.methods.push_back(unused == methods().end() ? "verlet" : unused->info.id);
        }
        tooltip("Up to four integrators, each on its own thread.");
    }
}

void running_row(CompareState& compare, int i) {
    const CompareState::Run& run = compare.runs[static_cast<std::size_t>(i)];
    ImGui::PushID(i);
    ImGui::PushStyleColor(ImGuiCol_Text, run.out ? ImGui::GetColorU32(ImGuiCol_TextDisabled) : packed(run_colour(i)));
    if (ImGui::RadioButton(run.method.c_str(), compare.active == i)) compare.active = i;
    ImGui::PopStyleColor();
    tooltip("Click: the panels show and change this run; overlaid, it is the solid one.");
    ImGui::SameLine(0.55f * ImGui::GetWindowWidth());
    if (run.preparing) ImGui::TextDisabled("being prepared");
    else if (run.out) ImGui::TextDisabled("failed, reset to try again");
    else if (i > 0) {
        ImGui::TextDisabled("%sm apart", short_number(run.difference).c_str());
        tooltip("Root mean square distance of the drawn surface from that of the first run, at the same simulated time.");
    } else ImGui::TextDisabled("the others' measure");
    ImGui::PopID();
}

}  // namespace

void compare_panel(const Snapshot&, UiState& ui, const PostCommand&) {
    CompareState& compare = ui.compare;
    const bool beside = compare.layout == Layout::side_by_side;
    if (!compare.on) {
        wanted_methods(compare);
        if (ImGui::Button("Compare", {-1, 0})) compare.start = true;
        tooltip("The same scene from its start, once with each integrator, at the same simulated time (C)");
    } else {
        for (int i = 0; i < static_cast<int>(compare.runs.size()); ++i) running_row(compare, i);
        if (ImGui::Button("Choose others", {0.5f * ImGui::GetContentRegionAvail().x, 0})) compare.stop = true;
        tooltip("Ends the comparison; goes on with the run that is selected (C)");
        ImGui::SameLine();
        if (ImGui::Button("End", {-1, 0})) compare.stop = true;
        tooltip("Goes on with the run that is selected (C)");
    }
    if (ImGui::RadioButton("Side by side", beside)) compare.layout = Layout::side_by_side;
    ImGui::SameLine(0.5f * ImGui::GetWindowWidth());
    if (ImGui::RadioButton("Overlaid", !beside)) compare.layout = Layout::overlaid;
    tooltip("All in one picture; the selected run is solid, the others are ghosts.");
}

// Names over the 3D view: whose body is where, and how far its energy is off.
void compare_labels(const LockStep::Set& shown, const Viewport& view, const UiState& ui) {
    if (shown.size() < 2) return;
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const float line = ImGui::GetFontSize();
    const auto places = cells(ui.compare.layout, static_cast<int>(shown.size()), view);
    for (int i = 0; i < static_cast<int>(shown.size()); ++i) {
        const auto& snapshot = shown[static_cast<std::size_t>(i)];
        if (!snapshot) continue;
        const Viewport& cell = places[static_cast<std::size_t>(i)];
        const float down = ui.compare.layout == Layout::overlaid ? 3.3f * line * static_cast<float>(i) : 0;
        const ImVec2 at{static_cast<float>(cell.x) + 0.8f * line, static_cast<float>(cell.y) + 0.7f * line + down};
        char second[96];
        const bool out = i < static_cast<int>(ui.compare.runs.size()) && ui.compare.runs[static_cast<std::size_t>(i)].out;
        if (snapshot->preparing) std::snprintf(second, sizeof second, "being prepared ...");
        else if (out) std::snprintf(second, sizeof second, "stopped at t = %.3g s", snapshot->t);
        else std::snprintf(second, sizeof second, "h = %ss, energy error %.2g %%", short_number(snapshot->h).c_str(), 100 * snapshot->energies.drift());
        const std::string& name = i < static_cast<int>(ui.compare.runs.size()) ? ui.compare.runs[static_cast<std::size_t>(i)].method : snapshot->method;
        const float width = std::max(ImGui::CalcTextSize(name.c_str()).x, ImGui::CalcTextSize(second).x) + 2.1f * line;
        const bool active = ui.compare.active == i;
        list.AddRectFilled({at.x, at.y}, {at.x + width, at.y + 2.8f * line}, IM_COL32(20, 23, 28, active ? 225 : 165), 0.35f * line);
        list.AddRectFilled({at.x, at.y}, {at.x + 0.32f * line, at.y + 2.8f * line}, packed(run_colour(i)), 0.16f * line);
        list.AddText({at.x + 0.9f * line, at.y + 0.25f * line}, IM_COL32(240, 243, 247, 255), name.c_str());
        list.AddText({at.x + 0.9f * line, at.y + 1.4f * line}, IM_COL32(175, 183, 195, 255), second);
    }
}

}  // namespace wobble
