#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include <algorithm>

namespace wobble {

namespace {

std::string readable(std::string name) {  // "edge_stiffness" -> "Edge stiffness"
    std::ranges::replace(name, '_', ' ');
    if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

// Shows the edited value until the slider is let go; only then is a new body worth its seconds.
void rebuilding_slider(const Parameter& p, const Snapshot& snapshot, UiState& ui) {
    const auto edited = ui.edited.find(p.name);
    double value = edited != ui.edited.end() ? edited->second : snapshot.parameters.*(p.field);
    if (value_slider(p.name, readable(p.name).c_str(), p.unit, p.meaning, value, {p.low, p.high, p.logarithmic, p.zero_allowed}))
        ui.edited[p.name] = value;
    if (ui.edited.count(p.name) == 0 || ImGui::IsAnyItemActive() || !snapshot.scene) return;
    Scene scene = snapshot.scene->scene;
    scene.parameters = snapshot.parameters;
    scene.integrator = snapshot.method;
    scene.step = snapshot.automatic_step ? std::nullopt : std::optional(snapshot.asked_step);
    if (set_parameter(scene.parameters, p.name, ui.edited[p.name])) ui.rebuild = std::move(scene);
    ui.edited.erase(p.name);
}

}  // namespace

void material_panel(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    const unsigned kind = snapshot.scene ? body_kind(snapshot.scene->scene) : any_body;
    for (const Parameter& p : parameters()) {
        if (!(p.acts_on & kind)) continue;  // means nothing to this body
        if (p.rebuilds_body) {
            rebuilding_slider(p, snapshot, ui);
            continue;
        }
        double value = snapshot.parameters.*(p.field);
        if (value_slider(p.name, readable(p.name).c_str(), p.unit, p.meaning, value, {p.low, p.high, p.logarithmic, p.zero_allowed}))
            post(SetParameter{p.name, value});
    }
}

}  // namespace wobble
