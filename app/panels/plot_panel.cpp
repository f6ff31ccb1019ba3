// The plot strip: pages, buttons, plot and legend. What there is to show is in plot_pages.cpp, how it is drawn in plots.cpp.
#include "app/panels/panels.h"
#include "app/panels/plot_legend.h"
#include "app/panels/widgets.h"
#include "app/plots/plot_pages.h"
#include "app/plots/plot_style.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace wobble {

namespace {

constexpr int page_count = static_cast<int>(PlotPage::count);

// A word with a line under it when it is chosen.
bool tab(const char* name, bool chosen, const char* about) {
    const float line = ImGui::GetFontSize();
    const ImVec2 text = ImGui::CalcTextSize(name), at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton(name, {text.x + 1.1f * line, 1.7f * line});
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddText({at.x + 0.55f * line, at.y + 0.3f * line}, chosen || hovered ? plot_ink(1) : plot_dim(), name);
    if (chosen || hovered)
        list.AddRectFilled({at.x + 0.45f * line, at.y + 1.56f * line}, {at.x + text.x + 0.65f * line, at.y + 1.7f * line},
                           chosen ? ImGui::GetColorU32(ImGuiCol_SliderGrab) : plot_ink(0.25f), 0.07f * line);
    tooltip(about,
            "Drag or wheel: zoom, beside the plot the values. Right drag: move. Double click: the last ten seconds. Time axis: go there.");
    return pressed;
}

float tool_width(const char* name) { return ImGui::CalcTextSize(name).x + 1.0f * ImGui::GetFontSize(); }

bool tool(const char* name, bool on, const char* about) {
    const float line = ImGui::GetFontSize();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = tool_width(name);
    const bool pressed = ImGui::InvisibleButton(name, {width, 1.55f * line});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + width, at.y + 1.55f * line};
    if (on || ImGui::IsItemHovered())
        list.AddRectFilled(at, end, on ? ImGui::GetColorU32(ImGuiCol_SliderGrab, 0.32f) : plot_ink(0.08f), 0.3f * line);
    list.AddText({at.x + 0.5f * line, at.y + 0.24f * line}, on || ImGui::IsItemHovered() ? plot_ink(1) : plot_dim(), name);
    tooltip(about);
    return pressed;
}

void set_paused(PlotsState& plots, bool paused, double t) {
    plots.paused = paused;
    plots.paused_at = paused ? t : 0;
    plots.history.hold(paused);
}

void export_menu(PlotsState& plots) {
    const float line = ImGui::GetFontSize();
    if (!ImGui::BeginPopup("export")) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.6f * line, 0.45f * line});
    if (ImGui::MenuItem("Table (CSV)", nullptr, false, !plots.exporting)) plots.export_csv = true;
    tooltip("All samples of this page, of all runs that are shown, with units.");
    if (ImGui::MenuItem("Picture (PNG)", nullptr, false, !plots.exporting)) plots.export_png = true;
    tooltip("The strip as it is on the screen.");
    if (ImGui::MenuItem("Drawing (SVG)", nullptr, false, !plots.exporting)) plots.export_svg = true;
    tooltip("The part that is shown, as lines that stay sharp at any size.");
    ImGui::PopStyleVar();
    ImGui::EndPopup();
}

void toolbar(PlotsState& plots, double t) {
    const float gap = 0.15f * ImGui::GetFontSize(), left = ImGui::GetCursorScreenPos().x;
    const float room = ImGui::GetContentRegionAvail().x;
    const bool has_earlier = !plots.history.earlier().empty() && !comparing(plots);
    const bool whole = plots.time.follows && std::isinf(plots.time.length);
    const char *pause = plots.paused ? "Paused" : "Pause", *all = whole ? "Last 10 s" : "All";
    const char* names[] = {has_earlier ? "Earlier" : "", has_earlier ? "Clear" : "", "Log", all, pause, "Export"};
    float tools = 0, tabs = 0, short_tabs = 0;
    for (const char* name : names) tools += *name ? tool_width(name) + gap : 0;
    for (int i = 0; i < page_count; ++i) {
        tabs += ImGui::CalcTextSize(page_info(static_cast<PlotPage>(i)).name).x + 1.1f * ImGui::GetFontSize();
        short_tabs += ImGui::CalcTextSize(page_info(static_cast<PlotPage>(i)).short_name).x + 1.1f * ImGui::GetFontSize();
    }
    const bool abbreviated = tabs + tools > room, crowded = short_tabs + tools > room;
    for (int i = 0; i < page_count; ++i) {
        const PlotPageInfo& info = page_info(static_cast<PlotPage>(i));
        if (i > 0) ImGui::SameLine(0, 0);
        if (tab(abbreviated ? info.short_name : info.name, plots.page == static_cast<PlotPage>(i), info.about))
            plots.page = static_cast<PlotPage>(i);
    }
    if (crowded) {  // the least needed ones go
        for (int i : {1, 0})
            if (*names[i]) tools -= tool_width(names[i]) + gap, names[i] = "";
    }
    ImGui::SameLine(0, 0);
    const float y = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos({std::max(ImGui::GetCursorScreenPos().x, left + room - tools), y});
    PageView& view = page_view(plots);
    if (*names[0]) {
        if (tool("Earlier", plots.earlier_runs, "Show what the run was before it was reset, or continued from an earlier state."))
            plots.earlier_runs = !plots.earlier_runs;
        ImGui::SameLine(0, gap);
    }
    if (*names[1]) {
        if (tool("Clear", false, "Forget the earlier runs.")) plots.history.clear_earlier();
        ImGui::SameLine(0, gap);
    }
    if (tool("Log", view.logarithmic, "Logarithmic values: sizes, whatever their sign."))
        view.logarithmic = !view.logarithmic, view.values.reset();
    ImGui::SameLine(0, gap);
    if (tool(all, false, whole ? "Show the last ten seconds, as a double click on the plot does." : "Show the whole run.")) {
        if (whole) plots.time.reset();
        else plots.time.show_all();
    }
    ImGui::SameLine(0, gap);
    if (tool(pause, plots.paused, "Let the plots stand still while the motion goes on; nothing is lost meanwhile."))
        set_paused(plots, !plots.paused, t);
    ImGui::SameLine(0, gap);
    if (tool("Export", plots.exporting, "Save the plot as a table or as a picture.")) ImGui::OpenPopup("export");
    export_menu(plots);
}

void message_line(PlotsState& plots) {
    if (plots.message.empty()) return;
    const float line = ImGui::GetFontSize();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("message", {ImGui::GetContentRegionAvail().x, 1.3f * line})) return plots.message.clear();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end = ImGui::GetItemRectMax();
    list.AddRectFilled(at, end, plot_ink(0.06f), 0.25f * line);
    list.PushClipRect({at.x, at.y}, {end.x - 1.6f * line, end.y}, true);
    list.AddText({at.x + 0.5f * line, at.y + 0.15f * line}, plot_ink(0.9f), plots.message.c_str());
    list.PopClipRect();
    draw_icon(list, "close", {end.x - 0.8f * line, 0.5f * (at.y + end.y)}, 0.26f * line, plot_dim());
    tooltip(plots.message, "Click to close.");
}

}  // namespace

void plot_panel(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    const auto began = std::chrono::steady_clock::now();
    PlotsState& plots = ui.plots;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    if (const std::string name = snapshot.scene ? snapshot.scene->scene.name : ""; name != plots.body) {
        if (!plots.body.empty()) plots.history.new_body();
        plots.body = name;
    }
    if (plots.paused && !plots.history.held()) plots.paused = false;  // of what is no longer there
    const ImVec2 corner{sizes.side, window.y - sizes.status - sizes.strip}, size{window.x - sizes.side, sizes.strip};
    plots.rect = {corner.x, corner.y, size.x, size.y};
    if (begin_fixed("plots", corner, size, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
        const float line = ImGui::GetFontSize();
        ImGui::SetCursorScreenPos({corner.x + 0.6f * line, corner.y + 0.3f * line});
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0.15f * line});
        const double present = plots.paused ? plots.paused_at : snapshot.t;
        toolbar(plots, snapshot.t);
        ImGui::SetCursorScreenPos({corner.x + 0.6f * line, ImGui::GetCursorScreenPos().y});
        message_line(plots);

        const PlotPageInfo& info = page_info(plots.page);
        const TimeExtent all = extent(plots);
        plots.shown = plots.time.update(all.begin, plots.paused ? std::min(all.end, plots.paused_at) : all.end, present);
        const std::vector<PlotLine> lines = page_lines(plots);
        TimePlotOptions options;
        options.title = info.title, options.unit = info.unit, options.empty = info.empty;
        options.logarithmic = page_view(plots).logarithmic, options.scale = ui.scale;
        options.shown = plots.shown, options.begin = all.begin, options.end = std::max(all.end, present), options.present = present;
        if (plots.paused) options.last = plots.paused_at;
        else options.reachable_begin = snapshot.history_begin, options.reachable_end = snapshot.history_end;
        ImGui::SetCursorScreenPos({corner.x + 0.2f * line, ImGui::GetCursorScreenPos().y});
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool legend = size.x > 34 * line;
        const float height = corner.y + size.y - at.y - 0.2f * line, width = size.x - (legend ? legend_width() + 0.9f * line : 0.4f * line);
        const TimePlotResult result =
            time_plot("time plot", width, height, lines, options, plots.time, page_view(plots).values, plots.drag_from);
        if (result.go_to) post(GoTo{*result.go_to});
        if (legend) {
            ImGui::SetCursorScreenPos({at.x + width + 0.3f * line, at.y + 0.3f * line});
            plot_legend(plots, present, height - 0.3f * line);
        }
        ImGui::PopStyleVar();
    }
    ImGui::End();
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    plots.panel_seconds += 0.1 * (took - plots.panel_seconds);
}

}  // namespace wobble
