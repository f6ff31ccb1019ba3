#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace wobble {

void playback_panel(const Snapshot& snapshot, UiState&, const PostCommand& post) {
    const float side = 2.1f * ImGui::GetFontSize(),
                wide = 0.40f * ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - ImGui::GetStyle().ItemSpacing.x;
    if (icon_button("play", snapshot.running ? "pause" : "play", {wide, side}, snapshot.running ? "Pause (Space)" : "Play (Space)", true)) {
        if (snapshot.running) post(Pause{});
        else post(Play{});
    }
    ImGui::SameLine(0.40f * ImGui::GetWindowWidth());
    if (icon_button("step", "step", {1.5f * side, side}, "One step (right arrow)")) post(StepOnce{});
    ImGui::SameLine();
    if (icon_button("reset", "reset", {1.5f * side, side}, "Back to the start (R)")) post(Reset{});
    ImGui::SameLine();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0.5f * (side - ImGui::GetFontSize())});
    ImGui::AlignTextToFramePadding();
    ImGui::PopStyleVar();
    if (snapshot.running) ImGui::TextDisabled("%.2f x", snapshot.realtime_factor);
    else ImGui::TextDisabled("paused");
    tooltip("Simulated seconds per second: 1 is real time.");
    double speed = snapshot.speed;
    if (value_slider("speed", "Speed", "x", "Simulated seconds per second; + and - double and halve it.", speed,
                     {1.0 / 64, 16, true, false}))
        post(SetSpeed{speed});
}

}  // namespace wobble
