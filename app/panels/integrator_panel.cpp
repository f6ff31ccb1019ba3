#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "engine/sim/catalog.h"

namespace wobble {

void integrator_panel(const Snapshot& snapshot, UiState&, const PostCommand& post) {
    const Method* current = find_method(snapshot.method);
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##method", current ? current->info.label : snapshot.method.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (const Method& method : methods()) {
            const MethodInfo& info = method.info;
            if (ImGui::Selectable(info.label, &method == current)) post(SetMethod{info.id});
            tooltip(std::string(info.advice) + "\n" + info.reference);
            ImGui::SameLine(0.62f * ImGui::GetWindowWidth());
            ImGui::TextDisabled("order %d", info.order);
        }
        ImGui::EndCombo();
    }
    if (current) {
        tooltip(current->info.reference);
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("Order %d, %s. %s", current->info.order, name(current->info.family), current->info.advice);
        ImGui::PopTextWrapPos();
    }
    double milliseconds = 1e3 * snapshot.h;
    if (value_slider("step", "Step", "ms", "Simulated time per step.", milliseconds, {1e-3, 100, true, false}))
        post(SetStep{1e-3 * milliseconds});
    bool automatic = snapshot.automatic_step;
    ImGui::SetCursorPosX(0.40f * ImGui::GetWindowWidth());
    if (ImGui::Checkbox("automatic", &automatic)) post(SetStep{automatic ? 0.0 : snapshot.h});
    tooltip("The method's own choice: from the highest frequency of the body for explicit methods, a fraction of a frame for the others.");
    bool halve = snapshot.policy == DivergencePolicy::halve_step;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("If it diverges");
    ImGui::SameLine(0.40f * ImGui::GetWindowWidth());
    if (ImGui::Checkbox("halve the step", &halve))
        post(SetDivergencePolicy{halve ? DivergencePolicy::halve_step : DivergencePolicy::pause});
    tooltip("Instead of pausing with a message: take half the step and go on.");
}

}  // namespace wobble
