#include "app/panels/panels.h"
#include "app/panels/values.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "engine/core/text.h"
#include "engine/scene/limits.h"
#include "engine/sim/catalog.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace wobble {

namespace {

struct Action {
    std::string label, help;
    std::function<void()> act;
};

// A column of cards over the top of the 3D view, each as high as its sentence.
struct Cards {
    float left, width, y, gap, scale;

    // True when its last button, which closes it, was pressed.
    bool card(const char* id, unsigned edge, const std::string& text, const std::vector<Action>& actions, const char* close,
              double fraction = -1) {
        const float em = ImGui::GetFontSize(), spacing = ImGui::GetStyle().ItemSpacing.x;
        ImGui::SetNextWindowPos({left, y});
        ImGui::SetNextWindowSize({width, 0});
        ImGui::PushStyleColor(ImGuiCol_Border, edge);
        ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
        ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.5f * scale);
        ImGui::Begin(id, nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing);
        const ImVec2 corner = ImGui::GetWindowPos();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.PushClipRectFullScreen();  // the edge is outside of what a window's content may cover
        list.AddRectFilled(corner, {corner.x + 0.35f * em, corner.y + ImGui::GetWindowHeight()}, edge, ImGui::GetStyle().WindowRounding,
                           ImDrawFlags_RoundCornersLeft);
        list.PopClipRect();
        const auto width_of = [&](const std::string& label) {
            return ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
        };
        float buttons = width_of(close);
        for (const Action& action : actions) buttons += spacing + width_of(action.label);
        // With buttons to choose from they get a line of their own.
        const bool own_line = !actions.empty();
        const float inner = ImGui::GetWindowContentRegionMax().x;
        ImGui::PushTextWrapPos(own_line ? inner : inner - buttons - em);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(text.c_str());
        ImGui::PopTextWrapPos();
        if (own_line) ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), inner - buttons));
        else ImGui::SameLine(inner - buttons);
        for (const Action& action : actions) {
            if (ImGui::Button(action.label.c_str())) action.act();
            tooltip(action.help);
            ImGui::SameLine();
        }
        const bool closed = ImGui::Button(close);
        if (fraction >= 0) ImGui::ProgressBar(static_cast<float>(std::clamp(fraction, 0.0, 1.0)), {-1, 0.35f * em}, "");
        y += ImGui::GetWindowHeight() + gap;
        ImGui::End();
        ImGui::PopStyleVar();
        ImGui::PopStyleColor(2);
        return closed;
    }
};

// What helps after a step that failed. Whatever is chosen, the motion goes on.
std::vector<Action> remedies(const Snapshot& snapshot, const PostCommand& post) {
    if (snapshot.report.ok() || snapshot.running) return {};
    std::vector<Action> all;
    const Method* method = find_method(snapshot.settings.method);
    const double half = 0.5 * snapshot.asked_step;
    if (snapshot.settings.control != StepControl::error) {
        if (limits::step.contains(half))
            all.push_back({"Step " + value_text(1e3 * half, "ms"), "Half the step, and go on from here.",
                           [&post, half] { post(SetStep{half}), post(Play{}); }});
        if (method)
            all.push_back({"Error control", "Let the error estimate decide how long each step is, and go on from here.",
                           [&post, tolerance = snapshot.settings.error_tolerance] {
                               post(SetStepControl{StepControl::error, tolerance}), post(Play{});
                           }});
    } else {
        const double larger = std::min(limits::error_tolerance.high, 4 * snapshot.settings.error_tolerance);
        all.push_back({"Tolerance " + value_text(larger, ""), "A larger error tolerance, and go on from here.", [&post, larger] {
                           post(SetStepControl{StepControl::error, larger}), post(Play{});
                       }});
    }
    if (method && method->info.family == Family::explicit_classical)
        all.push_back({"TR-BDF2", "An implicit method that stays calm at any step, and go on from here.",
                       [&post] { post(SetMethod{"tr-bdf2"}), post(Play{}); }});
    all.push_back({"Reset", "Back to the start.", [&post] { post(Reset{}); }});
    return all;
}

}  // namespace

void message_banner(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float side = panel_sizes(ui, window.x, window.y).side, margin = 16 * ui.scale;
    const float width = std::min(window.x - side - 2 * margin, 660 * ui.scale);
    Cards cards{side + 0.5f * (window.x - side - width), width, margin, 0.5f * margin, ui.scale};
    const unsigned alarm = theme_colours().alarm, calm = ImGui::GetColorU32(ImGuiCol_Text, 0.3f);
    // The engine clears a message at the next command; a sentence that is gone at once could not be read.
    constexpr double readable = 4;  // s
    WindowState& i = ui.interface;
    const double now = ImGui::GetTime();
    if (!snapshot.message.empty() && snapshot.message != i.banner) i.banner = snapshot.message, i.banner_since = now, ui.dismissed.clear();
    const bool gone = snapshot.message.empty() && (now - i.banner_since > readable || snapshot.running || i.banner == ui.dismissed);
    if (gone) i.banner.clear(), ui.dismissed.clear();
    if (!i.banner.empty() && i.banner != ui.dismissed) {
        const auto actions = snapshot.message.empty() ? std::vector<Action>() : remedies(snapshot, post);
        if (cards.card("message", alarm, i.banner, actions, "Close")) ui.dismissed = i.banner;
    }
    if (!ui.loading.error.empty() && cards.card("load error", alarm, ui.loading.error, {}, "Close")) ui.loading.error.clear();
    if (!i.message.empty() && cards.card("settings error", calm, i.message, {}, "Close")) i.message.clear();
    RecordState& record = ui.record;
    if (ui.leaving && record.recording) {
        const std::string what = info_of(record.format).film ? "film" : "motion";
        const std::string text = "Finishing the " + what + " (" + counted(record.frames, "frame", "frames") +
                                 " written); the window closes by itself. Quitting once more abandons it.";
        const Action stay{"Stay", "Finishes it and keeps the window open.", [&ui] { ui.leaving = false; }};
        if (cards.card("finishing", calm, text, {stay}, "Abandon")) ui.quit = true;
    } else if (record.failed && !record.message.empty() && cards.card("record error", alarm, record.message, {}, "Close")) {
        record.failed = false;
        record.message.clear();
    }
    if (ui.loading.active) {
        char text[200];
        std::snprintf(text, sizeof text, "Loading %.100s: %.40s, %.0f %%", ui.loading.what.c_str(), ui.loading.stage.c_str(),
                      100 * ui.loading.fraction);
        if (cards.card("loading", calm, text, {}, "Cancel", ui.loading.fraction)) ui.cancel_loading = true;
    }
}

}  // namespace wobble
