// The card of an opened mesh file: how large it is, what points upwards, where it is held, how finely it is simulated. Not in the way of
// anything: the body moves meanwhile, a choice loads it again.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/scene/scene_controller.h"
#include "engine/core/text.h"
#include "engine/scene/limits.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace wobble {

namespace {

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

void wrapped(const std::string& sentence) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", sentence.c_str());
    ImGui::PopTextWrapPos();
}

// A slider whose value counts when it is let go: only then is a new body worth its seconds.
bool slider_let_go(const char* id, const char* label, const char* unit, const char* help, double& value, const ValueRange& range,
                   UiState& ui) {
    const auto edited = ui.edited.find(id);
    double shown = edited != ui.edited.end() ? edited->second : value;
    if (value_slider(id, label, unit, help, shown, range)) ui.edited[id] = shown;
    if (!ui.edited.contains(id) || ImGui::IsAnyItemActive()) return false;
    value = ui.edited[id];
    ui.edited.erase(id);
    return true;
}

bool size_controls(const LoadedScene& scene, ImportChoices& choices, UiState& ui) {
    const FileFrame& frame = *scene.report().file;
    double size = frame.scale * frame.extents.maxCoeff();
    bool changed = false;
    if (slider_let_go("mesh size", "Size", "m", "The largest extent of the body that is simulated. A large one wobbles slower.", size,
                      {limits::size.low, limits::size.high, true, false}, ui))
        choices.size = size, changed = true;
    const char* scaled = "scaled to this size";
    const char* now = scaled;
    for (const LengthUnitInfo& info : length_units())
        if (choices.size == 0 && info.kind == choices.unit) now = info.label;
    const char* help = "What the file's numbers mean. With a unit the body has the size that the file says; scaled, the size above.";
    label_left("File unit", help);
    if (ImGui::BeginCombo("##unit", now)) {
        if (ImGui::Selectable(scaled, choices.size > 0) && choices.size == 0)
            choices.size = std::clamp(size, limits::size.low, limits::size.high), changed = true;
        tooltip("The file's numbers are only proportions.");
        for (const LengthUnitInfo& info : length_units()) {
            if (ImGui::Selectable(info.label, now == info.label)) choices.size = 0, choices.unit = info.kind, changed = true;
            tooltip(text(number(info.metres * frame.extents.maxCoeff()), " m large."));
        }
        ImGui::EndCombo();
    } else {
        tooltip(help);
    }
    return changed;
}

bool axis_controls(ImportChoices& choices) {
    bool changed = false;
    const char* help = "The axis of the file that points upwards.";
    label_left("Upwards", help);
    for (const UpAxisInfo& info : up_axes()) {
        if (info.kind == UpAxis::guessed) continue;
        if (info.kind != UpAxis::y) ImGui::SameLine();
        if (ImGui::RadioButton(info.id, choices.up == info.kind) && choices.up != info.kind) choices.up = info.kind, changed = true;
        tooltip(text("The ", info.id, " of the file points upwards."));
    }
    return changed;
}

bool hold_controls(ImportChoices& choices) {
    bool changed = false;
    const char* help = "Where it is held. Ctrl + right click on the body pins a place, or lets it go.";
    label_left("Held", help);
    const char* now = "painted";
    for (const HoldInfo& info : holds())
        if (info.kind == choices.hold) now = info.label;
    if (ImGui::BeginCombo("##hold", now)) {
        for (const HoldInfo& info : holds()) {
            if (ImGui::Selectable(info.label, choices.hold == info.kind)) choices.hold = info.kind, changed = true;
            tooltip(info.advice);
        }
        ImGui::EndCombo();
    } else {
        tooltip(help);
    }
    return changed;
}

bool resolution_controls(const Snapshot& snapshot, ImportChoices& choices, UiState& ui) {
    const Parameter& p = *find_parameter("resolution");
    double value = snapshot.settings.parameters().resolution;
    bool changed = false;
    if (slider_let_go("mesh resolution", "Resolution", p.unit, p.meaning, value, {p.low, p.high, p.logarithmic, p.zero_allowed, true}, ui))
        choices.resolution = value, changed = true;
    bool fit = !choices.resolution;
    ImGui::SetCursorPosX(value_column * ImGui::GetWindowWidth());
    if (ImGui::Checkbox("for real time", &fit)) {
        if (fit) choices.resolution.reset();
        else choices.resolution = value;
        changed = true;
    }
    tooltip("Chosen by a short measurement on this computer, so that it moves as fast as a real one.");
    return changed;
}

}  // namespace

void import_card(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    SceneState& scene = ui.scene;
    if (!scene.show_import || scene.faulty || !snapshot.scene || !snapshot.scene->report().file) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    const float margin = 12 * ui.scale, em = ImGui::GetFontSize(), width = std::min(19 * em, window.x - sizes.side - 2 * margin);
    ImGui::SetNextWindowPos({sizes.side + margin, window.y - sizes.strip - sizes.status - margin}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ui.scale);
    if (ImGui::Begin("mesh card", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing)) {
        const LoadedScene& loaded = *snapshot.scene;
        const FileFrame& frame = *loaded.report().file;
        const float side = ImGui::GetFrameHeight();
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(std::filesystem::path(file_of(loaded.scene)).filename().string().c_str());
        ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - side);
        if (icon_button("close mesh card", "close", {side, side}, "Closes this card; the button Mesh file... shows it again."))
            scene.show_import = false;
        wrapped(text("In the file ", number(frame.extents.x()), " x ", number(frame.extents.y()), " x ", number(frame.extents.z()),
                     "; here x ", number(frame.scale), "."));

        ImportChoices choices = import_choices(loaded.scene, scene.fitted == snapshot.scene);
        choices.hold = hold_of(snapshot.settings.pins());
        ImGui::BeginDisabled(ui.loading.active);
        bool anew = size_controls(loaded, choices, ui);
        anew = axis_controls(choices) || anew;
        if (hold_controls(choices)) {  // needs no new body
            post(SetPins{pins_of(choices.hold)});
            remember(scene.imports, file_of(loaded.scene), choices);
        }
        anew = resolution_controls(snapshot, choices, ui) || anew;
        ImGui::EndDisabled();
        wrapped(text(snapshot.particles, " vertices, ", snapshot.tets, " tets."));
        if (anew) scene.open_anew = choices;
    }
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

}  // namespace wobble
