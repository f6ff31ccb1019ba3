#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plots.h"
#include "app/run_colours.h"
#include "app/runs.h"
#include "app/viewer/run_labels.h"
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
    if (run.out) ImGui::TextDisabled("failed, reset to try again");
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
    RunLabelOptions options{ui.compare.layout, ui.compare.active, {}};
    for (const auto& run : ui.compare.runs) options.out.push_back(run.out);
    draw(*ImGui::GetBackgroundDrawList(), run_labels(shown, view, options, imgui_style()));
}

}  // namespace wobble
