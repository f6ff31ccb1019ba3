#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plots/plots.h"
#include "app/window/theme.h"
#include "engine/sim/catalog.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace wobble {

namespace {

struct Item {
    std::string text, help;
    float width;     // in font sizes, at least: numbers that change must not push their neighbours
    int importance;  // where room is short the least important ones go
    bool dim = false;
    bool warning = false;
};

template <class... Values>
std::string print(const char* format, Values... values) {
    char text[160];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

std::vector<Item> items(const Snapshot& snapshot, const UiState& ui) {
    const Method* method = find_method(snapshot.settings.method);
    const double drift = snapshot.energies.drift();
    std::vector<Item> all;
    all.push_back({print("t = %.3f s", snapshot.t), "Simulated time.", 7.5f, 9});
    if (snapshot.scene)
        all.push_back({snapshot.scene->scene.name + ", " + std::to_string(snapshot.particles) + " particles",
                       print("%d particles, %d degrees of freedom, %d tetrahedra, %.4g kg; highest frequency %.4g rad/s.",
                             snapshot.particles, snapshot.dofs, snapshot.tets, snapshot.mass, snapshot.omega_max),
                       0, 3});
    all.push_back({snapshot.settings.method, method ? std::string(method->info.label) + ": " + method->info.advice : "", 0, 7});
    all.push_back({"h = " + short_number(snapshot.h) + "s" + (snapshot.automatic_step() ? " (auto)" : ""),
                   snapshot.automatic_step() ? "The last step; its length is the method's own choice." : "The last step.", 7.5f, 6});
    const std::string pace = snapshot.preparing ? "being prepared"
                             : snapshot.running ? print("%.2f x real time", snapshot.realtime_factor)
                                                : "paused";
    all.push_back({pace, "Simulated seconds per second.", 8.0f, 8});
    all.push_back({print(drift < 0.1 ? "energy error %.2g %%" : "energy error %.0f %%", 100 * drift),
                   "How far the total energy, with what was dissipated and put in, is from what it was at the start.", 10, 5});
    if (snapshot.inverted > 0)
        all.push_back({print("%d inverted", snapshot.inverted),
                       "Tetrahedra that are turned inside out now. Springs leave them so; neo-Hookean and co-rotational bodies push them "
                       "back, the former smoothly.",
                       7, 10, false, true});
    all.push_back({print("step %llu", static_cast<unsigned long long>(snapshot.step)),
                   print("%.0f steps per second; %llu steps were refused.", ui.steps_per_second,
                         static_cast<unsigned long long>(snapshot.rejected_steps)),
                   6, 2});
    all.push_back({print("#%08llx", static_cast<unsigned long long>(snapshot.state_hash >> 32)),
                   print("Hash of the state, %016llx: the same commands at the same steps give the same one.",
                         static_cast<unsigned long long>(snapshot.state_hash)),
                   5.5f, 1, true});
    return all;
}

}  // namespace

void status_bar(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    const float em = ImGui::GetFontSize(), margin = 14 * ui.scale;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, 0.5f * (sizes.status - em)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, theme_colours().status_bar);
    if (begin_fixed("status", {0, window.y - sizes.status}, {window.x, sizes.status},
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
        float x = margin;
        if (ui.record.recording) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const unsigned red = theme_colours().record;
            draw_icon(*ImGui::GetWindowDrawList(), "record", {at.x + 0.4f * em, at.y + 0.5f * ImGui::GetTextLineHeight()}, 0.34f * em, red);
            const std::string text = print("REC %d", ui.record.frames);
            ImGui::SetCursorPosX(x + 1.1f * em);
            ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(red), "%s", text.c_str());
            tooltip("Recording; V stops it.", ui.record.path);
            ImGui::SameLine();
            x += std::max(6 * em, ImGui::CalcTextSize(text.c_str()).x + 2 * em);
        }
        const std::string right = print("%.0f fps    F1 help", ui.frames_per_second);
        const float gap = 1.6f * em, right_width = ImGui::CalcTextSize(right.c_str()).x;
        const float room = window.x - margin - right_width - gap - x;
        std::vector<Item> all = items(snapshot, ui);
        const auto width_of = [&](const Item& item) { return std::max(item.width * em, ImGui::CalcTextSize(item.text.c_str()).x) + gap; };
        const auto total = [&] {
            float sum = 0;
            for (const Item& item : all) sum += width_of(item);
            return sum;
        };
        while (!all.empty() && total() > room) all.erase(std::ranges::min_element(all, {}, &Item::importance));
        for (const Item& item : all) {
            ImGui::SetCursorPosX(x);
            if (item.warning) {
                const ImVec2 at_light = ImGui::GetCursorScreenPos();
                ImGui::GetWindowDrawList()->AddCircleFilled({at_light.x + 0.3f * em, at_light.y + 0.5f * ImGui::GetTextLineHeight()},
                                                            0.25f * em, theme_colours().alarm);
                ImGui::SetCursorPosX(x + 0.8f * em);
            }
            item.dim ? ImGui::TextDisabled("%s", item.text.c_str()) : ImGui::TextUnformatted(item.text.c_str());
            tooltip(item.help);
            ImGui::SameLine();
            x += width_of(item);
        }
        ImGui::SetCursorPosX(window.x - margin - right_width);
        ImGui::TextDisabled("%s", right.c_str());
        tooltip("Pictures per second. F1 lists the keys, F3 shows where the time goes.");
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

}  // namespace wobble
