#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

// The states that are kept, on a line, with the present on it; dragging goes there.
void scrub_bar(const Snapshot& snapshot, const PostCommand& post) {
    const double begin = snapshot.history_begin, end = std::max(snapshot.history_end, snapshot.t), length = end - begin;
    const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x, height = 1.5f * em;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("##scrub", {std::max(1.0f, width), height});
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive(), possible = length > 0;
    const float r = 0.42f * em, left = corner.x + r, right = corner.x + width - r, y = corner.y + 0.5f * height;
    const auto place = [&](double t) {
        return left + static_cast<float>(possible ? std::clamp((t - begin) / length, 0.0, 1.0) : 0) * (right - left);
    };
    const auto time_at = [&](float x) { return begin + std::clamp((x - left) / std::max(1.0f, right - left), 0.0f, 1.0f) * length; };
    const float mouse = ImGui::GetIO().MousePos.x;
    if (held && possible && (ImGui::IsMouseClicked(0) || ImGui::GetIO().MouseDelta.x != 0)) post(GoTo{time_at(mouse)});

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float thin = 0.13f * em, now = held && possible ? std::clamp(mouse, left, right) : place(snapshot.t);
    list.AddRectFilled({left, y - thin}, {right, y + thin}, ImGui::GetColorU32(ImGuiCol_FrameBgHovered), thin);
    list.AddRectFilled({left, y - thin}, {now, y + thin}, ImGui::GetColorU32(ImGuiCol_SliderGrab, 0.75f), thin);
    list.AddCircleFilled({now, y}, held || hovered ? r : 0.85f * r,
                         ImGui::GetColorU32(held || hovered ? ImGuiCol_SliderGrabActive : ImGuiCol_SliderGrab), 24);
    if (hovered && possible) {
        if (!held)
            list.AddLine({std::clamp(mouse, left, right), y - 0.5f * em}, {std::clamp(mouse, left, right), y + 0.5f * em},
                         ImGui::GetColorU32(ImGuiCol_Text, 0.5f));
        ImGui::BeginTooltip();
        ImGui::Text("t = %.3f s", time_at(mouse));
        ImGui::TextDisabled("Kept: %.3f s to %.3f s. Drag to go back there; Play continues from it.", begin, end);
        ImGui::EndTooltip();
    } else if (hovered) {
        tooltip("Nothing is kept yet: play, and drag here to go back.");
    }
}

void time_line(const Snapshot& snapshot) {
    const bool back = !snapshot.running && snapshot.history_end > snapshot.t + 1e-12;
    ImGui::Text("t = %.3f s", snapshot.t);
    char text[64];
    if (snapshot.preparing) std::snprintf(text, sizeof text, "being prepared");
    else if (back) std::snprintf(text, sizeof text, "%.3f s before the end", snapshot.history_end - snapshot.t);
    else if (snapshot.running) std::snprintf(text, sizeof text, "%.2f x real time", snapshot.realtime_factor);
    else std::snprintf(text, sizeof text, "paused");
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(text).x);
    ImGui::TextDisabled("%s", text);
    tooltip(back ? "Playing continues from here; what came after is replaced." : "Simulated seconds per second: 1 is real time.");
}

}  // namespace

void playback_panel(const Snapshot& snapshot, UiState&, const PostCommand& post) {
    const float side = 2.1f * ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
    const float small = std::floor(std::min(1.7f * side, (room - 3 * gap) / 4.6f)), wide = room - 3 * (small + gap);
    const bool back = !snapshot.running && snapshot.history_end > snapshot.t + 1e-12;
    if (icon_button("play", snapshot.running ? "pause" : "play", {wide, side},
                    snapshot.running ? "Pause (Space)"
                    : back           ? "Continue from here (Space)"
                                     : "Play (Space)",
                    true)) {
        if (snapshot.running) post(Pause{});
        else post(Play{});
    }
    ImGui::PushButtonRepeat(true);
    ImGui::SameLine();
    if (icon_button("back", "step-back", {small, side}, "One step back (left arrow); hold it to go on")) post(StepBack{});
    ImGui::SameLine();
    if (icon_button("step", "step", {small, side}, "One step (right arrow); hold it to go on")) post(StepOnce{});
    ImGui::PopButtonRepeat();
    ImGui::SameLine();
    if (icon_button("reset", "reset", {small, side}, "Back to the start (R)")) post(Reset{});
    scrub_bar(snapshot, post);
    time_line(snapshot);
    double speed = snapshot.speed;
    if (value_slider("speed", "Speed", "x",
                     "Simulated seconds per second; + and - double and halve it. 1 is real time; less is slow motion. Faster than the "
                     "computer can calculate is not possible: the status bar shows what is reached.",
                     speed, {1.0 / 64, 16, true, false}, 1.0))
        post(SetSpeed{speed});
}

}  // namespace wobble
