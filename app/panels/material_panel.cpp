#include "app/panels/panels.h"
#include "app/panels/values.h"
#include "app/panels/widgets.h"
#include "engine/core/thread_priority.h"
#include "engine/scene/material_presets.h"
#include "engine/scene/softness.h"
#include "engine/sim/catalog.h"

#include <algorithm>
#include <chrono>
#include <future>

namespace wobble {

namespace {

std::optional<double> scene_value(const Snapshot& snapshot, int body, const Parameter& p) {
    return snapshot.scene ? std::optional(snapshot.scene->scene.settings.parameters(body).*(p.field)) : std::nullopt;
}

bool slider(const Parameter& p, const Snapshot& snapshot, int body, double& value) {
    return value_slider(p.name, readable_name(p.name).c_str(), p.unit, (std::string(p.meaning) + ".").c_str(), value,
                        {p.low, p.high, p.logarithmic, p.zero_allowed}, scene_value(snapshot, body, p));
}

// The springs of the body, looked at once.
double per_stiffness(const Snapshot& snapshot, int body, UiState& ui) {
    if (ui.interface.measured_body != snapshot.scene || ui.interface.measured_number != body) {
        ui.interface.measured_body = snapshot.scene, ui.interface.measured_number = body;
        ui.interface.modulus_per_stiffness = modulus_per_stiffness(snapshot.scene->body, snapshot.scene->range(body));
    }
    return ui.interface.modulus_per_stiffness;
}

std::string stated(const MaterialPreset& preset, BodyKind kind, const std::vector<std::pair<std::string, double>>& values) {
    std::string text = "Young's modulus " + value_text(preset.young, "Pa");
    if (kind & continuum_solid) text += ", Poisson's ratio " + value_text(preset.poisson, "");
    text += ". Sets:";
    for (const auto& [name, value] : values) text += "\n   " + readable_name(name) + "  " + value_text(value, find_parameter(name)->unit);
    if (kind == spring_solid)
        text +=
            "\nThe stiffness of springs depends on how many there are: this is for the mesh of this body, from the mean length of its "
            "springs, and a spring body's Poisson's ratio is 1/4.";
    if (kind == spring_sheet) text += "\nStiffness is Young's modulus times the sheet's thickness, at any resolution.";
    return text;
}

bool in_force(const Snapshot& snapshot, int body, const std::vector<std::pair<std::string, double>>& values) {
    return !values.empty() && std::all_of(values.begin(), values.end(), [&](const auto& set) {
        const double now = snapshot.settings.parameters(body).*(find_parameter(set.first)->field);
        return std::abs(now - set.second) <= 1e-6 * std::abs(set.second);
    });
}

void preset_choice(const Snapshot& snapshot, int body, UiState& ui, const PostCommand& post) {
    if (!snapshot.scene) return;
    const Scene& scene = snapshot.scene->scene;
    const BodySource& source = scene.body(body);
    const BodyKind kind = body_kind(scene, snapshot.settings, body);
    const double factor = kind == spring_solid ? per_stiffness(snapshot, body, ui) : 0;
    const MaterialPreset* current = nullptr;
    for (const MaterialPreset& preset : material_presets())
        if ((preset.acts_on & kind) && in_force(snapshot, body, preset_values(preset, kind, source.model.thickness, factor)))
            current = &preset;
    const bool same_model = body_model(scene, snapshot.settings, body).kind == source.model.kind;
    const bool as_loaded = same_model && snapshot.settings.parameters(body) == scene.settings.parameters(body);
    label_left("Material", "Sets stiffness, density and damping to those of a material; each may be changed afterwards.");
    if (ImGui::BeginCombo("##preset",
                          current     ? current->label
                          : as_loaded ? "the scene's own"
                                      : "as set below",
                          ImGuiComboFlags_HeightLargest)) {
        if (ImGui::Selectable("the scene's own", as_loaded)) {
            if (!same_model) post(SetModel{source.model.kind, body});  // which scales a stiffness
            for (const Parameter& p : parameters())
                if ((p.acts_on & body_kind(scene, body)) && !p.rebuilds_body &&
                    (!same_model || snapshot.settings.parameters(body).*(p.field) != scene.settings.parameters(body).*(p.field)))
                    post(SetParameter{p.name, scene.settings.parameters(body).*(p.field), body});
        }
        tooltip("Every value below back to what the scene file says.");
        ImGui::Separator();
        for (const MaterialPreset& preset : material_presets()) {
            if (!(preset.acts_on & kind)) continue;
            const auto values = preset_values(preset, kind, source.model.thickness, factor);
            if (ImGui::Selectable(preset.label, current == &preset))
                for (const auto& [name, value] : values) post(SetParameter{name, value, body});
            tooltip(preset.advice, stated(preset, kind, values));
            const std::string modulus = value_text(preset.young, "Pa");
            ImGui::SameLine(ImGui::GetWindowWidth() - ImGui::CalcTextSize(modulus.c_str()).x - 2 * ImGui::GetStyle().WindowPadding.x);
            ImGui::TextDisabled("%s", modulus.c_str());
        }
        ImGui::EndCombo();
    } else {
        tooltip(current ? current->advice : "Choose a material: jelly, rubber, steel-like ...",
                current ? stated(*current, kind, preset_values(*current, kind, source.model.thickness, factor)) : "");
    }
}

void model_choice(const Snapshot& snapshot, int body, const PostCommand& post) {
    if (!snapshot.scene || snapshot.scene->range(body).sheet()) return;
    const ElasticModelInfo& now = info_of(body_model(snapshot.scene->scene, snapshot.settings, body).kind);
    label_left("Model", "What makes the body elastic. Switching keeps the motion and the frequency of the slowest wobble.");
    const bool open = ImGui::BeginCombo("##model", now.label);
    if (!open) tooltip(now.advice);
    if (!open) return;
    for (const ElasticModelInfo& info : elastic_models()) {
        if (ImGui::Selectable(info.label, info.kind == now.kind)) post(SetModel{info.kind, body});
        tooltip(info.advice);
    }
    ImGui::EndCombo();
}

// Measured on a thread of its own, once for all stiffnesses and densities; nothing while that is under way.
std::optional<double> wobble_of(const Snapshot& snapshot, int body, WindowState& state) {
    if (state.measuring.valid()) {
        if (state.measuring.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
        state.wobble = state.measuring.get(), state.measuring = {};
    }
    const auto hertz = state.wobble.of(snapshot.scene, snapshot.settings, body);
    if (!hertz && !snapshot.preparing)
        state.measuring = std::async(std::launch::async, [scene = snapshot.scene, settings = snapshot.settings, body] {
                              give_way();
                              return MeasuredWobble(scene, settings, body);
                          }).share();
    return hertz;
}

// Stiffness and damping as one sees them.
void softness(const Snapshot& snapshot, int body, UiState& ui, const PostCommand& post) {
    if (!snapshot.scene || snapshot.scene->range(body).sheet()) return;
    const auto hertz = wobble_of(snapshot, body, ui.interface);
    if (!hertz || !(*hertz > 0)) return;
    const auto& loaded = snapshot.scene->scene.settings;
    const auto first = ui.interface.wobble.of(snapshot.scene, loaded, body);
    double wanted = *hertz;
    if (value_slider("wobble", "Wobble", "Hz", find_parameter("wobble")->meaning, wanted, {0.1, 1000, true, false}, first))
        post(SetParameter{"wobble", wanted, body});
    const double beta = snapshot.settings.parameters(body).damping;
    double percent = 100 * damping_ratio(beta, *hertz);
    std::optional<double> percent_first;
    if (first) percent_first = 100 * damping_ratio(loaded.parameters(body).damping, *first);
    if (!value_slider("damping_ratio", "Its damping", "%", find_parameter("damping_ratio")->meaning, percent, {0.01, 1000, true, true},
                      percent_first))
        return;
    if (percent > 0) post(SetParameter{"damping_ratio", percent / 100, body});
    else post(SetParameter{"damping", 0, body});
}

}  // namespace

int selected_body(const Snapshot& snapshot, const UiState& ui) {
    return snapshot.scene ? std::clamp(ui.body, 0, snapshot.scene->scene.count() - 1) : 0;
}

void body_choice(const Snapshot& snapshot, UiState& ui) {
    if (!snapshot.scene || snapshot.scene->scene.count() < 2) return;
    const Scene& scene = snapshot.scene->scene;
    const int selected = selected_body(snapshot, ui);
    label_left("Body",
               "The one whose values are below; a click on another one in the picture selects it. Gravity, wind and damping are the same "
               "for all.");
    if (!ImGui::BeginCombo("##body", scene.body_name(selected).c_str())) return;
    for (int i = 0; i < scene.count(); ++i)
        if (ImGui::Selectable(scene.body_name(i).c_str(), i == selected)) ui.body = i;
    ImGui::EndCombo();
}

void material_panel(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    const int body = selected_body(snapshot, ui);
    body_choice(snapshot, ui);
    model_choice(snapshot, body, post);
    preset_choice(snapshot, body, ui, post);
    softness(snapshot, body, ui, post);
    const unsigned kind = snapshot.scene ? body_kind(snapshot.scene->scene, snapshot.settings, body) : any_body;
    for (const Parameter& p : parameters()) {
        if (!(p.acts_on & kind) || p.rebuilds_body || p.is_wish()) continue;  // means nothing to this body; is in the scene section
        double value = snapshot.settings.parameters(body).*(p.field);
        if (slider(p, snapshot, body, value)) post(SetParameter{p.name, value, body});
    }
}

}  // namespace wobble
