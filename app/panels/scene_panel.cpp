#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/scene/fit_resolution.h"
#include "app/scene/scene_controller.h"
#include "app/window/theme.h"
#include "engine/sim/catalog.h"
#include "engine/sim/scene_shown.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace wobble {

namespace {

// A built-in scene: its picture and its name; the running one is framed.
void tile(const std::string& name, bool running, ImVec2 size, UiState& ui) {
    const float em = ImGui::GetFontSize(), line = ImGui::GetTextLineHeight();
    ImGui::PushID(name.c_str());
    const bool clicked = ImGui::InvisibleButton("tile", {size.x, size.y + line + 0.15f * em});
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    const ImVec2 at = ImGui::GetItemRectMin(), corner{at.x + size.x, at.y + size.y};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float round = ImGui::GetStyle().FrameRounding;
    const auto picture = ui.scene.pictures.find(name);
    if (picture != ui.scene.pictures.end())
        list.AddImageRounded(reinterpret_cast<ImTextureID>(picture->second), at, corner, {0, 0}, {1, 1}, IM_COL32_WHITE, round);
    else {
        list.AddRectFilled(at, corner, ImGui::GetColorU32(ImGuiCol_FrameBg), round);
        const std::string letter = name.substr(0, 1);
        const ImVec2 extent = ImGui::CalcTextSize(letter.c_str());
        list.AddText({at.x + 0.5f * (size.x - extent.x), at.y + 0.5f * (size.y - extent.y)}, ImGui::GetColorU32(ImGuiCol_TextDisabled),
                     letter.c_str());
    }
    if (held) list.AddRectFilled(at, corner, IM_COL32(0, 0, 0, 60), round);
    const float thick = std::max(1.0f, (running ? 2.0f : 1.0f) * ui.scale);
    const ImU32 edge = running ? ImGui::GetColorU32(ImGuiCol_SliderGrab) : ImGui::GetColorU32(ImGuiCol_Text, hovered ? 0.6f : 0.12f);
    list.AddRect(at, corner, edge, round, 0, thick);
    const ImVec2 text = ImGui::CalcTextSize(name.c_str());
    list.PushClipRect({at.x, corner.y}, {corner.x, corner.y + line + em}, true);
    list.AddText({std::round(at.x + std::max(0.0f, 0.5f * (size.x - text.x))), corner.y + 0.1f * em},
                 ImGui::GetColorU32(running   ? ImGuiCol_SliderGrabActive
                                    : hovered ? ImGuiCol_Text
                                              : ImGuiCol_TextDisabled),
                 name.c_str());
    list.PopClipRect();
    if (hovered) {
        const auto scene = load_scene(name);  // embedded text: takes no time
        tooltip(scene ? scene.value().title : name, running ? "Running. Click to load it afresh." : "Click to load.");
    }
    if (clicked) ui.open = name;
    ImGui::PopID();
}

void tiles(const Scene* scene, UiState& ui) {
    const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    const int columns = std::max(2, static_cast<int>((room + gap) / (5.6f * ImGui::GetFontSize() + gap)));
    const float width = std::max(1.0f, std::floor((room - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns)));
    int i = 0;
    for (const std::string& name : builtin_scene_names()) {
        if (i++ % columns != 0) ImGui::SameLine();
        tile(name, scene && scene->origin.empty() && scene->name == name && std::holds_alternative<ShapeSource>(scene->body().source),
             {width, std::round(0.625f * width)}, ui);
    }
}

void recent_files(UiState& ui) {
    if (ui.scene.recent.empty()) ImGui::TextDisabled("No file was opened yet.");
    for (const std::string& file : ui.scene.recent) {
        const std::filesystem::path path(file);
        const bool missing = ui.scene.missing.contains(file);
        ImGui::PushID(file.c_str());
        ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(missing ? ImGuiCol_TextDisabled : ImGuiCol_Text));
        if (ImGui::Selectable(path.filename().string().c_str(), false, missing ? ImGuiSelectableFlags_Disabled : 0)) ui.open = file;
        ImGui::PopStyleColor();
        tooltip(file, missing ? "This file is not there any more." : "");
        ImGui::PopID();
    }
}

void file_buttons(UiState& ui) {
    const float gap = ImGui::GetStyle().ItemSpacing.x, width = std::floor((ImGui::GetContentRegionAvail().x - 2 * gap) / 3);
    if (ImGui::Button("Open...", {width, 0})) ui.show_open = true;
    tooltip("A mesh (.obj, .ply, .stl, .glb, .msh, ...) or a scene (.toml); Ctrl+O, or drop a file on the window.");
    ImGui::SameLine();
    if (ImGui::Button("Recent", {width, 0})) ImGui::OpenPopup("recent files");
    tooltip("Files opened before, newest first.");
    ImGui::SameLine();
    if (ImGui::Button("Save...", {-1, 0})) ui.scene.show_save = true;
    tooltip("Saves what is set now as a scene file (Ctrl+S).");
    if (ImGui::BeginPopup("recent files")) {
        recent_files(ui);
        ImGui::EndPopup();
    }
}

// Simulated seconds per second of computing, over the last steps; 0 while nothing was measured.
double speed_so_far(const UiState& ui) {
    const auto& runs = ui.plots.history.runs();
    if (runs.empty()) return 0;
    const SampleTrack& steps = runs.front().steps;
    double simulated = 0, computed = 0;
    for (std::size_t row = steps.size() - std::min<std::size_t>(64, steps.size()); row < steps.size(); ++row) {
        const double wall = steps.mean(static_cast<int>(Channel::wall), row), step = steps.mean(static_cast<int>(Channel::step), row);
        if (wall > 0 && step > 0) simulated += step * steps.samples(row), computed += wall * steps.samples(row);
    }
    return computed > 0 ? simulated / computed : 0;
}

// The selected body in another resolution.
void rebuild(const Snapshot& snapshot, UiState& ui, double resolution) {
    Scene scene = scene_shown(snapshot);
    if (set_parameter(scene.settings, selected_body(snapshot, ui), "resolution", resolution)) ui.rebuild = std::move(scene);
}

// All bodies, so that they have about so many particles together; a lone one is asked for just that.
void rebuild_all(const Snapshot& snapshot, UiState& ui, double particles) {
    Scene scene = scene_shown(snapshot);
    for (int b = 0; b < scene.count(); ++b) {
        const double share = scene.count() > 1 ? double(snapshot.scene->range(b).particles.size()) / snapshot.particles : 1;
        if (!set_parameter(scene.settings, b, "resolution", std::max(share * particles, find_parameter("resolution")->low))) return;
    }
    ui.rebuild = std::move(scene);
}

void resolution(const Snapshot& snapshot, UiState& ui) {
    const Parameter& p = *find_parameter("resolution");
    // The edited value is shown until the slider is let go; only then is a new body worth its seconds.
    const auto edited = ui.edited.find(p.name);
    const int body = selected_body(snapshot, ui);
    body_choice(snapshot, ui);
    double value = edited != ui.edited.end() ? edited->second : snapshot.settings.parameters(body).resolution;
    if (value_slider(p.name, "Resolution", p.unit, p.meaning, value, {p.low, p.high, p.logarithmic, p.zero_allowed, true},
                     snapshot.scene->scene.settings.parameters(body).resolution))
        ui.edited[p.name] = value;
    if (ui.edited.contains(p.name) && !ImGui::IsAnyItemActive()) {
        rebuild(snapshot, ui, ui.edited[p.name]);
        ui.edited.erase(p.name);
    }
    const double speed = speed_so_far(ui), fitting = fitting_resolution(snapshot.particles, speed);
    const bool there = fitting > 0 && std::abs(std::log(fitting / snapshot.particles)) < 0.15;
    ImGui::AlignTextToFramePadding();
    if (snapshot.tets > 0) ImGui::TextDisabled("%d particles, %d tets", snapshot.particles, snapshot.tets);
    else ImGui::TextDisabled("%d particles", snapshot.particles);
    char mass[160];
    std::snprintf(mass, sizeof mass, "%.3g kg in all; what is simulated, while the drawn surface may be finer.", snapshot.mass);
    tooltip(mass);
    const bool chosen = ui.scene.fitted && ui.scene.fitted == snapshot.scene;
    const char* label = "Fit to real time";
    ImGui::SameLine(
        std::max(0.0f, ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(label).x - 2 * ImGui::GetStyle().FramePadding.x));
    ImGui::BeginDisabled(fitting <= 0 || there || ui.loading.active);
    if (ImGui::Button(label)) rebuild_all(snapshot, ui, fitting);
    ImGui::EndDisabled();
    char text[400];
    if (fitting <= 0) std::snprintf(text, sizeof text, "Let it run a moment: the choice comes from the measured speed.");
    else if (there) std::snprintf(text, sizeof text, "It fits: %.2g times as fast as real time.", speed);
    else
        std::snprintf(text, sizeof text,
                      "Now %.2g times as fast as real time; about %.0f particles should just keep up, with a quarter to spare.", speed,
                      fitting);
    tooltip(text, "Rule: the cost of a second of motion grows like particles^(4/3); at most four times more or fewer at once.");
    if (!chosen) return;
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", ui.scene.choice.c_str());
    ImGui::PopTextWrapPos();
    tooltip("Measured when the mesh was opened. The slider changes it; a saved scene keeps the number.");
}

}  // namespace

void scene_panel(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    const Scene* scene = snapshot.scene ? &snapshot.scene->scene : nullptr;
    tiles(scene, ui);
    file_buttons(ui);
    if (!ui.scene.message.empty() && !ui.scene.show_save) {
        ImGui::PushTextWrapPos(0);
        ImGui::PushStyleColor(ImGuiCol_Text, ui.scene.failed ? theme_colours().alarm : theme_colours().good);
        ImGui::TextUnformatted(ui.scene.message.c_str());
        ImGui::PopStyleColor();
        ImGui::PopTextWrapPos();
        if (ImGui::IsItemClicked()) ui.scene.message.clear();
        tooltip("Click to hide.");
    }
    if (scene && !scene->title.empty()) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("%s", scene->title.c_str());
        ImGui::PopTextWrapPos();
    }
    if (scene) resolution(snapshot, ui);
    if (scene && snapshot.scene->report().file && !ui.scene.show_import) {
        if (ImGui::Button("Mesh file...", {-1, 0})) ui.scene.show_import = true;
        tooltip("How the file was taken: size and unit, upward axis, pins, resolution.");
    }
    const float width = std::floor(0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x));
    ImGui::BeginDisabled(!scene);
    if (ImGui::Button(ui.scene.show_report ? "Close the report" : "Mesh report", {width, 0})) ui.scene.show_report = !ui.scene.show_report;
    ImGui::EndDisabled();
    tooltip("What the body is made of: counts, extent, volume, quality of the tetrahedra, what was found and repaired.");
    ImGui::SameLine();
    if (ImGui::Button(ui.studies.show ? "Close the studies" : "Studies...", {-1, 0})) ui.studies.show = !ui.studies.show;
    tooltip("What the integrators do, measured: orders, stability, work and precision (F4)");
}

}  // namespace wobble
