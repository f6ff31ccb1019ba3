#pragma once
// Inks of plots that suit the theme: series colours are made for a dark background and darkened on a light one.
#include "app/plots/plots.h"

#include <imgui.h>

namespace wobble {

inline bool light_theme() {
    const ImVec4& c = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
    return c.x + c.y + c.z > 1.5f;
}
inline unsigned plot_ink(float alpha) { return ImGui::GetColorU32(ImGuiCol_Text, alpha); }  // grid and frame
inline unsigned plot_dim(float alpha = 1) { return ImGui::GetColorU32(ImGuiCol_TextDisabled, alpha); }
inline unsigned plot_background() { return ImGui::GetColorU32(ImGuiCol_WindowBg); }
inline unsigned packed(const PlotInk& ink) {
    if (ink.text) return plot_ink(ink.alpha);
    const float darker = light_theme() ? 0.72f : 1;
    const auto part = [&](int v) { return static_cast<int>(darker * static_cast<float>(v)); };
    return IM_COL32(part(ink.colour.r), part(ink.colour.g), part(ink.colour.b), static_cast<int>(255 * ink.alpha));
}

}  // namespace wobble
