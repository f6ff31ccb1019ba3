#include "app/panels/method_chooser.h"
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

template <class... Values>
std::string sentence(const char* format, Values... values) {
    char text[160];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

std::string cost(const CompareState::Run& run) {
    return run.simulated > 0 ? sentence("computes %ss per s", short_number(run.computed / run.simulated, 2).c_str()) : "";
}

std::string distance(const CompareState::Run& run, int i) {
    return i == 0 ? "the others' measure" : short_number(run.difference, 2) + "m apart";
}

// What a run is known by in the panel: its colour, and while it runs whether the panels speak of it.
void mark(CompareState& compare, int i, float side) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImU32 colour = packed(run_colour(i));
    const bool pressed = ImGui::InvisibleButton("##mark", {side, side});
    const ImVec2 centre{corner.x + 0.5f * side, corner.y + 0.5f * side};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (!compare.on) return list.AddCircleFilled(centre, 0.28f * side, colour, 24);
    if (pressed) compare.active = i;
    list.AddCircle(centre, 0.34f * side, colour, 24, 0.09f * side);
    if (compare.active == i || ImGui::IsItemHovered())
        list.AddCircleFilled(centre, 0.2f * side, ImGui::GetColorU32(colour), 24);
    tooltip("Click: the panels show and change this run; overlaid, it is the solid one.");
}

enum class Wish { none, another, removal };

Wish method_row(CompareState& compare, int i, std::string& filter) {
    Wish wish = Wish::none;
    ImGui::PushID(i);
    const float side = ImGui::GetFrameHeight();
    mark(compare, i, side);
    ImGui::SameLine();
    const bool removable = compare.methods.size() > 2;
    ImGui::SetNextItemWidth(removable ? -side - ImGui::GetStyle().ItemSpacing.x : -1);
    if (method_combo("method", compare.methods[static_cast<std::size_t>(i)], filter)) wish = Wish::another;
    if (removable) {
        ImGui::SameLine();
        if (icon_button("remove", "close", {side, side}, "Leave this one out.")) wish = Wish::removal;
    }
    ImGui::PopID();
    return wish;
}

// How a run does, below its name.
void result_line(const CompareState& compare, int i) {
    if (i >= static_cast<int>(compare.runs.size())) return;
    const CompareState::Run& run = compare.runs[static_cast<std::size_t>(i)];
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x);
    if (run.preparing) return ImGui::TextDisabled("being prepared ...");
    if (run.out) return ImGui::TextDisabled("failed; reset to try again");
    const std::string cost_text = cost(run);
    ImGui::TextDisabled("%s%s%s", distance(run, i).c_str(), cost_text.empty() ? "" : ", ", cost_text.c_str());
    tooltip("Root mean square distance of the drawn surface from that of the first run at the same simulated time; seconds of computing "
            "per simulated second, with its share of the cores.");
}

const char* unused_method(const CompareState& compare) {
    const auto unused = std::find_if(methods().begin(), methods().end(), [&](const Method& m) {
        return std::find(compare.methods.begin(), compare.methods.end(), m.info.id) == compare.methods.end();
    });
    return unused == methods().end() ? "verlet" : unused->info.id;
}

// The integrators that are, or will be, compared. A change while they run begins anew with the others.
void compared_methods(CompareState& compare, std::string& filter) {
    bool changed = false;
    int removed = -1;
    for (int i = 0; i < static_cast<int>(compare.methods.size()); ++i) {
        const Wish wish = method_row(compare, i, filter);
        changed = changed || wish != Wish::none;
        if (wish == Wish::removal) removed = i;
        if (compare.on) result_line(compare, i);
    }
    if (removed >= 0) compare.methods.erase(compare.methods.begin() + removed);
    if (static_cast<int>(compare.methods.size()) < Runs::most) {
        if (ImGui::Button("Add another", {-1, 0})) compare.methods.push_back(unused_method(compare)), changed = true;
        tooltip("Up to four integrators, each on its own thread.");
    }
    if (compare.on && changed) compare.start = true;
}

struct Label {
    std::string name;
    std::vector<std::string> lines;
    ImU32 colour;
    bool active, failed;
};

ImVec2 size_of(const Label& label, float em) {
    float width = ImGui::CalcTextSize(label.name.c_str()).x;
    for (const std::string& line : label.lines) width = std::max(width, ImGui::CalcTextSize(line.c_str()).x);
    return {width + 2.1f * em, (1.55f + 1.2f * static_cast<float>(label.lines.size())) * em};
}

void draw_label(ImDrawList& list, const Label& label, ImVec2 at, ImVec2 size, float em) {
    list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, IM_COL32(20, 23, 28, label.active ? 235 : 185), 0.35f * em);
    if (label.active) list.AddRect(at, {at.x + size.x, at.y + size.y}, label.colour, 0.35f * em, 0, 0.09f * em);
    list.AddRectFilled(at, {at.x + 0.32f * em, at.y + size.y}, label.colour, 0.16f * em);
    list.AddText({at.x + 0.9f * em, at.y + 0.25f * em}, IM_COL32(240, 243, 247, 255), label.name.c_str());
    float y = at.y + 1.5f * em;
    for (const std::string& line : label.lines) {
        list.AddText({at.x + 0.9f * em, y}, label.failed ? IM_COL32(255, 150, 130, 255) : IM_COL32(185, 193, 205, 255), line.c_str());
        y += 1.2f * em;
    }
}

Label label_of(const Snapshot& snapshot, const CompareState& compare, int i) {
    const CompareState::Run run =
        i < static_cast<int>(compare.runs.size()) ? compare.runs[static_cast<std::size_t>(i)] : CompareState::Run{snapshot.method};
    Label label{run.method, {}, packed(run_colour(i)), compare.active == i, run.out};
    if (snapshot.preparing) label.lines = {"being prepared ..."};
    else if (run.out) label.lines = {sentence("stopped at t = %.3g s", snapshot.t), "reset to try again"};
    else {
        const std::string cost_text = cost(run);
        label.lines = {sentence("energy error %.2g %%", 100 * snapshot.energies.drift()) + (i > 0 ? ", " + distance(run, i) : ""),
                       "h = " + short_number(snapshot.h) + "s" + (cost_text.empty() ? "" : ", " + cost_text)};
    }
    return label;
}

}  // namespace

void compare_panel(const Snapshot&, UiState& ui, const PostCommand&) {
    CompareState& compare = ui.compare;
    compared_methods(compare, ui.interface.method_filter);
    if (!compare.on) {
        if (ImGui::Button("Compare", {-1, 0})) compare.start = true;
        tooltip("The same scene from its start, once with each integrator, at the same simulated time (C)");
    } else {
        if (ImGui::Button("End the comparison", {-1, 0})) compare.stop = true;
        tooltip("Goes on with the run that is selected (C)");
    }
    const bool beside = compare.layout == Layout::side_by_side;
    if (ImGui::RadioButton("Side by side", beside)) compare.layout = Layout::side_by_side;
    ImGui::SameLine(0.5f * ImGui::GetWindowWidth());
    if (ImGui::RadioButton("Overlaid", !beside)) compare.layout = Layout::overlaid;
    tooltip("All in one picture; the selected run is solid, the others are ghosts.");
}

// Over the 3D view: whose body is where, how far its energy and its motion are off, and what it costs.
void compare_labels(const LockStep::Set& shown, const Viewport& view, const UiState& ui) {
    if (shown.size() < 2) return;
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const float em = ImGui::GetFontSize();
    const auto places = cells(ui.compare.layout, static_cast<int>(shown.size()), view);
    float down = 0;
    for (int i = 0; i < static_cast<int>(shown.size()); ++i) {
        const auto& snapshot = shown[static_cast<std::size_t>(i)];
        if (!snapshot) continue;
        const Viewport& cell = places[static_cast<std::size_t>(i)];
        const Label label = label_of(*snapshot, ui.compare, i);
        const ImVec2 size = size_of(label, em), at{static_cast<float>(cell.x) + 0.8f * em, static_cast<float>(cell.y) + 0.7f * em + down};
        // A narrow cell cuts its label off rather than to let it run into the neighbour's.
        list.PushClipRect({static_cast<float>(cell.x), static_cast<float>(cell.y)},
                          {static_cast<float>(cell.x + cell.width), static_cast<float>(cell.y + cell.height)}, true);
        draw_label(list, label, at, size, em);
        list.PopClipRect();
        if (ui.compare.layout == Layout::overlaid) down += size.y + 0.4f * em;
    }
}

}  // namespace wobble
