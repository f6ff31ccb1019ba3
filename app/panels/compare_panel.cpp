#include "app/panels/method_chooser.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plots/plots.h"
#include "app/runs/run_colours.h"
#include "app/runs/simulation_group.h"
#include "engine/sim/catalog.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

ImU32 packed(const Colour& c) { return IM_COL32(c.r, c.g, c.b, 255); }

template <class... Values>
std::string format(const char* format, Values... values) {
    char text[160];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

// What it could reach if it did not wait for the others.
std::string speed(const CompareState::Run& run) {
    if (!(run.cost() > 0)) return "speed not known yet";
    const double factor = 1 / run.cost();
    return format(factor >= 10 ? "%.0f x real time" : factor >= 0.1 ? "%.2f x real time" : "%.2g x real time", factor);
}

std::string distance(const CompareState::Run& run, int i) {
    return i == 0 ? "the others' measure" : with_unit(run.difference, "m") + " apart";
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
    if (compare.active == i || ImGui::IsItemHovered()) list.AddCircleFilled(centre, 0.2f * side, ImGui::GetColorU32(colour), 24);
    tooltip("Click: the panels show and change this run; overlaid, it is the solid one.");
}

enum class Request { none, another, removal };

Request method_row(CompareState& compare, int i, std::string& filter) {
    Request wish = Request::none;
    ImGui::PushID(i);
    const float side = ImGui::GetFrameHeight();
    mark(compare, i, side);
    ImGui::SameLine();
    const bool removable = compare.methods.size() > 2;
    ImGui::SetNextItemWidth(removable ? -side - ImGui::GetStyle().ItemSpacing.x : -1);
    if (method_combo("method", compare.methods[static_cast<std::size_t>(i)], filter)) wish = Request::another;
    if (removable) {
        ImGui::SameLine();
        if (icon_button("remove", "close", {side, side}, "Leave this one out.")) wish = Request::removal;
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
    if (run.out) {
        ImGui::TextDisabled("failed; reset to try again");
        return tooltip(run.message);
    }
    ImGui::TextDisabled("%s, %s", run.brake ? "the others wait for it" : distance(run, i).c_str(), speed(run).c_str());
    tooltip(
        "Root mean square distance of the drawn surface from that of the first run at the same simulated time; and how fast it would "
        "be with its share of the cores if it did not wait for the others.");
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
        const Request wish = method_row(compare, i, filter);
        changed = changed || wish != Request::none;
        if (wish == Request::removal) removed = i;
        if (compare.on) result_line(compare, i);
    }
    if (removed >= 0) {
        compare.methods.erase(compare.methods.begin() + removed);
        if (removed < compare.active) --compare.active;  // the panels go on speaking of the same integrator
    }
    if (static_cast<int>(compare.methods.size()) < SimulationGroup::most) {
        if (ImGui::Button("Add another", {-1, 0})) compare.methods.push_back(unused_method(compare)), changed = true;
        tooltip("Up to four integrators, each on its own thread.");
    }
    if (compare.on && changed) compare.start = true;
}

// Equal steps show what a method does with them; own steps what it can do.
void step_choice(CompareState& compare) {
    if (ImGui::Checkbox("The same step for all", &compare.same_step)) compare.new_step = true;
    tooltip(
        "Else each integrator takes the step it chooses itself. At equal steps explicit methods explode where implicit ones only damp; "
        "one that has failed tries again after a reset.");
    if (!compare.same_step) return;
    double milliseconds = 1e3 * compare.step;
    if (value_slider("compared step", "Step of all", "ms", "Simulated time per step, for every integrator that is compared.", milliseconds,
                     {1e-2, 100, true, false}, 1e3 / 120))
        compare.step = 1e-3 * milliseconds, compare.new_step = true;
}

struct Label {
    std::string name;
    std::vector<std::string> facts;  // the most important first
    ImU32 colour;
    bool active, failed;
};

Label label_of(const Snapshot& snapshot, const CompareState& compare, int i) {
    const auto r = static_cast<std::size_t>(i);
    const CompareState::Run run = r < compare.runs.size() ? compare.runs[r] : CompareState::Run();
    Label label{run.method.empty() ? snapshot.settings.method : run.method, {}, packed(run_colour(i)), compare.active == i, run.out};
    if (snapshot.preparing) label.facts = {"being prepared ..."};
    else if (run.out) label.facts = {format("stopped at t = %.3g s", snapshot.t), "reset to try again"};
    else {
        const double drift = std::abs(snapshot.energies.drift());
        if (run.brake) label.facts.push_back("the others wait for it");
        label.facts.push_back(format(drift < 0.1 ? "energy error %.2g %%" : "energy error %.0f %%", 100 * drift));
        if (i > 0) label.facts.push_back(distance(run, i));
        label.facts.push_back("h = " + with_unit(snapshot.h, "s"));
        label.facts.push_back(speed(run));
    }
    return label;
}

// A label in a cell: smaller text and fewer facts where there is little room, because the body is what people look at.
class LabelBox {
public:
    LabelBox(const Label& label, float room, float height, float em) : label_(label), em_(em) {
        const auto most = static_cast<std::size_t>(std::max(1.0f, (height / em - frame) / line));
        for (const std::string& fact : label.facts) {
            const std::string longer = lines_.empty() ? "" : lines_.back() + ", " + fact;
            if (!lines_.empty() && width_of(longer) <= room) lines_.back() = longer;
            else if (lines_.size() < most) lines_.push_back(fact);
        }
        size_.x = width_of(label.name);
        for (const std::string& text : lines_) size_.x = std::max(size_.x, width_of(text));
        size_ = {size_.x + 2.1f * em, (frame + line * static_cast<float>(lines_.size())) * em};
    }
    float height() const { return size_.y; }

    void draw(ImDrawList& list, ImVec2 at) const {
        const ImVec2 end{at.x + size_.x, at.y + size_.y};
        const auto write = [&](float down, ImU32 ink, const std::string& text) {
            list.AddText(ImGui::GetFont(), em_, {at.x + 0.9f * em_, at.y + down * em_}, ink, text.c_str());
        };
        list.AddRectFilled(at, end, IM_COL32(20, 23, 28, label_.active ? 235 : 185), 0.35f * em_);
        if (label_.active) list.AddRect(at, end, label_.colour, 0.35f * em_, 0, 0.09f * em_);
        list.AddRectFilled(at, {at.x + 0.32f * em_, end.y}, label_.colour, 0.16f * em_);
        write(0.3f, IM_COL32(240, 243, 247, 255), label_.name);
        float down = 1.55f;
        for (const std::string& text : lines_) {
            write(down, label_.failed ? IM_COL32(255, 150, 130, 255) : IM_COL32(190, 198, 210, 255), text);
            down += line;
        }
    }

private:
    static constexpr float frame = 1.85f, line = 1.2f;  // in font sizes: all but the facts; a line of these
    float width_of(const std::string& text) const { return ImGui::GetFont()->CalcTextSizeA(em_, 1e9f, 0, text.c_str()).x; }

    const Label& label_;
    float em_;
    std::vector<std::string> lines_;
    ImVec2 size_{0, 0};
};

}  // namespace

void compare_panel(const Snapshot&, UiState& ui, const PostCommand&) {
    CompareState& compare = ui.compare;
    compared_methods(compare, ui.interface.method_filter);
    step_choice(compare);
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
void compare_labels(const FrameBarrier::Set& shown, const ViewRect& view, const UiState& ui) {
    if (shown.size() < 2) return;
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const bool overlaid = ui.compare.layout == Layout::overlaid;
    const auto places = cells(ui.compare.layout, static_cast<int>(shown.size()), view);
    float down = 0;
    for (int i = 0; i < static_cast<int>(shown.size()); ++i) {
        const auto& snapshot = shown[static_cast<std::size_t>(i)];
        if (!snapshot) continue;
        const ViewRect& cell = places[static_cast<std::size_t>(i)];
        const ImVec2 corner{static_cast<float>(cell.x), static_cast<float>(cell.y)};
        const float width = static_cast<float>(cell.width), height = static_cast<float>(cell.height) / (overlaid ? 2 : 1);
        const float full = ImGui::GetFontSize(), em = std::clamp(std::min(width / 17, height / 18), 0.65f * full, full);
        const Label label = label_of(*snapshot, ui.compare, i);
        const LabelBox box(label, std::clamp(0.3f * width, 9 * em, 17 * em), 0.5f * height, em);          // the body is in the middle
        list.PushClipRect(corner, {corner.x + width, corner.y + static_cast<float>(cell.height)}, true);  // not into the neighbour's
        box.draw(list, {corner.x + 0.8f * em, corner.y + 0.7f * em + down});
        list.PopClipRect();
        if (overlaid) down += box.height() + 0.4f * em;
    }
}

}  // namespace wobble
