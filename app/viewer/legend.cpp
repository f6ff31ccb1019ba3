#include "app/viewer/legend.h"

#include <imgui.h>

namespace wobble {

namespace {

ImU32 packed(LegendColour c) { return IM_COL32(c.r, c.g, c.b, c.a); }

LegendColour theme_colour(ImGuiCol which, float alpha = 1) {
    const ImU32 c = ImGui::GetColorU32(which, alpha);
    const auto byte = [&](int shift) { return static_cast<std::uint8_t>(c >> shift & 0xff); };
    return {byte(IM_COL32_R_SHIFT), byte(IM_COL32_G_SHIFT), byte(IM_COL32_B_SHIFT), byte(IM_COL32_A_SHIFT)};
}

}  // namespace

LegendStyle imgui_style() {
    return {ImGui::GetFontSize(), [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }, theme_colour(ImGuiCol_Text),
            theme_colour(ImGuiCol_TextDisabled), theme_colour(ImGuiCol_WindowBg, 0.82f)};
}

void draw(ImDrawList& list, const Legend& legend) {
    for (const LegendBox& box : legend.boxes) {
        const ImU32 above = packed(box.above), below = packed(box.below);
        if (box.rounding > 0) list.AddRectFilled({box.left, box.top}, {box.right, box.bottom}, above, box.rounding);
        else list.AddRectFilledMultiColor({box.left, box.top}, {box.right, box.bottom}, above, above, below, below);
    }
    for (const LegendText& text : legend.texts) list.AddText({text.x, text.y}, packed(text.colour), text.text.c_str());
}

}  // namespace wobble
