// The page over the 3D view that runs studies in the background and shows what they found. The simulation goes on behind it.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/studies/study_plot.h"
#include "engine/core/spelling.h"
#include "engine/sim/catalog.h"
#include "engine/study/output/table_text.h"

#include <imgui_stdlib.h>

#include <algorithm>

namespace wobble {

namespace {

// What `wobble study` would be told to look at the body in the window.
StudyOptions options_for(const Snapshot& snapshot, const StudiesPage& page, const Study& study) {
    StudyOptions options;
    options.threads = 1;  // the other cores are the simulation's
    options.detail = page.quick ? 0.5 : 1;
    for (std::size_t begin = 0; begin < page.integrators.size();) {
        const std::size_t end = std::min(page.integrators.find_first_of(", ", begin), page.integrators.size());
        if (end > begin) options.integrators.push_back(page.integrators.substr(begin, end - begin));
        begin = end + 1;
    }
    if (!study.takes_scene || !snapshot.scene) return options;
    const Scene& scene = snapshot.scene->scene;
    const auto* file = std::get_if<FileSource>(&scene.body().source);
    options.scene = !scene.origin.empty() ? scene.origin.string() : file ? file->file.string() : scene.name;
    for (int b = 0; b < scene.count(); ++b)
        for (const Parameter& p : parameters())
            if (!p.of_scene || b == 0)
                options.set.emplace_back(scene.count() > 1 && !p.of_scene ? scene.body_name(b) + "." + p.name : p.name,
                                         snapshot.settings.parameters(b).*(p.field));
    options.seconds = page.seconds;
    options.solver_tolerance = snapshot.settings.solver.tolerance;
    options.nonlinear_solver = snapshot.settings.solver.nonlinear;
    options.linear_solver = snapshot.settings.solver.linear;
    options.phi = snapshot.settings.solver.phi;
    options.filter = snapshot.settings.solver.filter;
    return options;
}

void choose_and_run(const Snapshot& snapshot, StudiesPage& page) {
    const auto all = studies();
    for (int i = 0; i < static_cast<int>(all.size()); ++i)
        if (ImGui::Selectable(all[i].title, page.selected == i)) page.selected = i;
    const Study& study = all[std::clamp(page.selected, 0, static_cast<int>(all.size()) - 1)];
    ImGui::Dummy({0, 2});
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", study.shows);
    ImGui::PopTextWrapPos();
    ImGui::Dummy({0, 2});
    ImGui::TextUnformatted("Integrators");
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##integrators", "all, or the study's choice", &page.integrators);
    tooltip("Their ids, separated by commas; empty: all of them, or the study's own choice.");
    if (study.takes_scene) {
        ImGui::TextUnformatted("Simulated seconds");
        ImGui::SetNextItemWidth(-1);
        ImGui::InputDouble("##seconds", &page.seconds, 0, 0, "%.3g");
        page.seconds = std::clamp(page.seconds, 0.05, 120.0);
        tooltip("Of the body in the window, from its initial state, with the parameters it has now.");
    }
    ImGui::Checkbox("Quick", &page.quick);
    tooltip("Half as many pixels and steps.");
    if (page.running) {
        if (ImGui::Button("Cancel", {-1, 0})) page.cancel = true;
        ImGui::ProgressBar(static_cast<float>(page.fraction), {-1, 0.5f * ImGui::GetFontSize()}, "");
        ImGui::TextDisabled("%s", page.stage.c_str());
    } else if (ImGui::Button("Run", {-1, 0})) {
        page.start = options_for(snapshot, page, study);
        page.started = &study;
    }
    if (page.result) {
        ImGui::Separator();
        ImGui::TextUnformatted("Folder");
        ImGui::SetNextItemWidth(-1);
        ImGui::InputText("##folder", &page.folder);
        if (ImGui::Button("Save CSV and SVG", {-1, 0})) page.save = true;
        tooltip("All tables and plots of this study; files of the same names are replaced.");
    }
    if (!page.message.empty()) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(page.message.c_str());
        ImGui::PopTextWrapPos();
    }
}

void show_plots(const StudyResult& result, StudiesPage& page) {
    if (result.plots.empty()) return;
    const int count = static_cast<int>(result.plots.size());
    page.plot = std::clamp(page.plot, 0, count - 1);
    if (ImGui::ArrowButton("previous", ImGuiDir_Left)) page.plot = (page.plot + count - 1) % count;
    ImGui::SameLine();
    if (ImGui::ArrowButton("next", ImGuiDir_Right)) page.plot = (page.plot + 1) % count;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##plot", result.plots[page.plot].title.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (int i = 0; i < count; ++i)
            if (ImGui::Selectable((result.plots[i].title + "##" + result.plots[i].name).c_str(), i == page.plot)) page.plot = i;
        ImGui::EndCombo();
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_study_plot(result.plots[page.plot], room.x, room.y);
}

void show_table(const Table& table) {
    const int columns = static_cast<int>(table.columns.size());
    if (columns == 0 || columns > 60 ||
        !ImGui::BeginTable("table", columns,
                           ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit))
        return;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const std::string& name : table.columns) ImGui::TableSetupColumn(name.c_str());
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;  // thousands of rows, of which a screenful is drawn
    clipper.Begin(static_cast<int>(table.rows.size()));
    while (clipper.Step())
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            ImGui::TableNextRow();
            for (const Cell& cell : table.rows[r]) {
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(cell_text(cell, 4).c_str());
            }
        }
    ImGui::EndTable();
}

void show_result(const StudyResult& result, StudiesPage& page) {
    // Another study may be selected by now: say whose numbers these are. The first table has the study's name.
    if (const Study* study = result.tables.empty() ? nullptr : find_study(result.tables.front().name))
        ImGui::Text("Result of: %s", study->title);
    if (!ImGui::BeginTabBar("result")) return;
    if (ImGui::BeginTabItem("Plots")) {
        show_plots(result, page);
        ImGui::EndTabItem();
    }
    for (const Table& table : result.tables)
        if (ImGui::BeginTabItem(table.name.c_str())) {
            show_table(table);
            ImGui::EndTabItem();
        }
    if (ImGui::BeginTabItem("Notes")) {
        ImGui::PushTextWrapPos(0);
        for (const std::string& note : result.notes) ImGui::TextUnformatted(note.c_str()), ImGui::Dummy({0, 2});
        ImGui::PopTextWrapPos();
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
}

}  // namespace

void studies_panel(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    StudiesPage& page = ui.studies;
    if (!page.show) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    ImGui::SetNextWindowPos({sizes.side, 0});
    ImGui::SetNextWindowSize({window.x - sizes.side, window.y - sizes.strip - sizes.status});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);  // it fills the 3D view to its corners
    const bool open =
        ImGui::Begin("Studies", &page.show,
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    if (open) {
        ImGui::BeginChild("choice", {13.5f * ImGui::GetFontSize(), 0});
        choose_and_run(snapshot, page);
        ImGui::EndChild();
        ImGui::SameLine(0, 1.2f * ImGui::GetFontSize());
        ImGui::BeginChild("found");
        if (page.result) show_result(*page.result, page);
        else if (!page.running) ImGui::TextDisabled("Choose a study and run it; it works in the background.");
        ImGui::EndChild();
    }
    ImGui::End();
}

}  // namespace wobble
