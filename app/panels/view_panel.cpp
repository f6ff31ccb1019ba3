// The section View: what the picture shows and how the body looks.
#include "app/panels/panels.h"
#include "app/panels/values.h"
#include "app/panels/widgets.h"
#include "engine/scene/limits.h"
#include "engine/scene/loaded_scene.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace wobble {

namespace {

ImVec4 on_screen(const Vec3f& linear, float alpha = 1) {
    const auto curve = [](float x) { return std::pow(std::clamp(x, 0.0f, 1.0f), 1 / 2.2f); };
    return {curve(linear.x()), curve(linear.y()), curve(linear.z()), alpha};
}

template <class List, class Kind>
auto info_of(const List& list, Kind kind) {
    return *std::find_if(list.begin(), list.end(), [&](const auto& info) { return info.kind == kind; });
}

// A list of {kind, id, label, advice} to choose from; each entry explains itself.
template <class List, class Kind>
void chooser(const char* id, const char* label, const char* help, const List& list, Kind& chosen) {
    label_left(label, help);
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo(id, info_of(list, chosen).label)) {
        for (const auto& info : list) {
            if (ImGui::Selectable(info.label, info.kind == chosen)) chosen = info.kind;
            tooltip(info.advice);
        }
        ImGui::EndCombo();
    } else {
        tooltip(help, info_of(list, chosen).advice);
    }
}

// Where a fixed range begins: all but the largest 2 % of the present values, as the automatic one has it.
double present_high(const Snapshot& snapshot) {
    std::vector<float> values = snapshot.values;
    std::erase_if(values, [](float value) { return !std::isfinite(value); });
    if (values.empty()) return 1;
    const auto quantile = values.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), quantile, values.end());
    return *quantile > 0 ? std::min(rounded(*quantile, 2), limits::field_high.high) : 1;
}

void field_controls(const Snapshot& snapshot, ViewOptions& view) {
    const Field before = view.field;
    chooser("##field", "Colour by", "What the colours on the body mean. The bar in the 3D view shows the values.", fields(), view.field);
    if (view.field != before) view.field_high = 0;
    if (view.field == Field::none) return;
    if (view.field == Field::stress && snapshot.scene && !(body_kinds(snapshot.scene->scene) & corotational_solid)) {
        ImGui::TextDisabled("Springs have no stress; try Strain.");
        return;
    }
    bool fixed = view.field_high > 0;
    constexpr const char* help =
        "Keeps the upper end of the colours where it is. Otherwise it follows the largest values of the last seconds.";
    label_left("Fixed range", help);
    if (ImGui::Checkbox("##fixed", &fixed)) view.field_high = fixed ? static_cast<float>(present_high(snapshot)) : 0;
    tooltip(help);
    if (!fixed) return;
    double high = view.field_high;
    const bool stress = view.field == Field::stress;
    if (value_slider("high", "Up to", info_of(fields(), view.field).unit,
                     "The value at the upper end of the colour bar; larger ones look the same.", high,
                     {stress ? 1.0 : 1e-4, stress ? 1e9 : 100.0, true, false}))
        view.field_high = static_cast<float>(high);
}

void swatches(ViewOptions& view) {
    constexpr const char* help = "The body's colour when no field colours it. The last square takes any colour.";
    label_left("Colour", help);
    const float gap = 0.25f * ImGui::GetFontSize(), line = ImGui::GetFrameHeight();
    const auto list = body_colours();
    const auto count = static_cast<float>(list.size() + 1);
    const float side = std::clamp((ImGui::GetContentRegionAvail().x - (count - 1) * gap) / count, 4.0f, line);
    const float top = ImGui::GetCursorPosY() + 0.5f * (line - side);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    for (std::size_t i = 0; i < list.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        ImGui::SetCursorPosY(top);
        constexpr auto plain = ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoBorder;
        if (ImGui::ColorButton("##swatch", on_screen(list[i].colour), plain, {side, side})) view.colour = list[i].colour;
        if ((view.colour - list[i].colour).norm() < 1e-4f)
            ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ImGui::GetColorU32(ImGuiCol_Text),
                                                ImGui::GetStyle().FrameRounding, 0, 0.12f * ImGui::GetFontSize());
        tooltip(list[i].label, help);
        ImGui::PopID();
        ImGui::SameLine(0, gap);
    }
    ImGui::SetCursorPosY(top);
    const ImVec4 own = on_screen(view.colour);
    float edited[3] = {own.x, own.y, own.z};
    if (ImGui::ColorButton("##own", own, ImGuiColorEditFlags_NoTooltip, {side, side})) ImGui::OpenPopup("own colour");
    {  // in all colours, for it stands for any
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        const float inset = 0.22f * side;
        ImGui::GetWindowDrawList()->AddRectFilledMultiColor({low.x + inset, low.y + inset}, {high.x - inset, high.y - inset},
                                                            IM_COL32(240, 90, 90, 255), IM_COL32(240, 220, 80, 255),
                                                            IM_COL32(80, 200, 120, 255), IM_COL32(90, 120, 250, 255));
    }
    tooltip("Any colour", help);
    ImGui::PopStyleVar();
    if (ImGui::BeginPopup("own colour")) {
        ImGui::SetNextItemWidth(12 * ImGui::GetFontSize());
        if (ImGui::ColorPicker3("##picker", edited, ImGuiColorEditFlags_NoSidePreview | ImGuiColorEditFlags_NoSmallPreview))
            for (int k = 0; k < 3; ++k) view.colour[k] = std::pow(std::clamp(edited[k], 0.0f, 1.0f), 2.2f);
        ImGui::EndPopup();
    }
}

bool choice_button(const char* label, bool chosen, float width, const char* help) {
    if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetColorU32(ImGuiCol_SliderGrab, 0.6f));
    const bool pressed = ImGui::Button(label, {width, 0});
    if (chosen) ImGui::PopStyleColor();
    tooltip(help);
    return pressed;
}

void cut_controls(ViewOptions& view) {
    double percent = 100.0 * view.cut;
    if (value_slider("cut", "Cut away", "%", "How much of the body is cut away, measured along the axis in its rest shape.", percent,
                     {0, 100, false, false}, 50))
        view.cut = static_cast<float>(percent / 100);
    constexpr const char* help = "The direction the cut goes in: from the high end of this axis or, with Flip, from its low end.";
    label_left("Axis", help);
    constexpr const char* names[] = {"x", "y", "z"};
    const float gap = 0.25f * ImGui::GetFontSize(), width = (ImGui::GetContentRegionAvail().x - 3 * gap) / 4;
    for (int axis = 0; axis < 3; ++axis) {
        if (choice_button(names[axis], view.cut_axis == axis, width, help)) view.cut_axis = axis;
        ImGui::SameLine(0, gap);
    }
    if (choice_button("Flip", view.cut_low_side, width, help)) view.cut_low_side = !view.cut_low_side;
}

}  // namespace

void view_panel(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    ViewOptions& view = ui.view;
    field_controls(snapshot, view);
    chooser("##look", "Look", "What the body seems to be made of. Changes the picture only, not the motion.", looks(), view.look);
    swatches(view);

    const float second = 0.5f * ImGui::GetWindowWidth();
    if (snapshot.scene && snapshot.scene->look) {
        ImGui::Checkbox("File's colours", &view.file_colours);
        tooltip("The colours and pictures of the body's file instead of the one above, where no field colours it.");
    }
    ImGui::Checkbox("Wireframe", &view.wireframe);
    tooltip("The edges of the drawn triangles (W)");
    ImGui::SameLine(second);
    ImGui::Checkbox("Ground", &view.ground);
    tooltip("The floor and its grid: small squares are a power of ten of a metre wide, strong lines ten of them apart.");
    ImGui::Checkbox("Shadow", &view.shadow);
    tooltip("What the body hides from the lamp, on itself and on the ground. Without it a slow computer draws faster.");
    ImGui::SameLine(second);
    ImGui::Checkbox("Held parts", &view.highlight_pins);
    tooltip("Darkens the part of the body that is pinned.");
    ImGui::Checkbox("Dark room", &view.dark);
    tooltip("A dark backdrop instead of a light one.");
    ImGui::SameLine(second);
    const bool sheet = snapshot.tets == 0;
    ImGui::BeginDisabled(sheet);
    bool tets = view.tets && !sheet;
    if (ImGui::Checkbox("Tetrahedra", &tets)) view.tets = tets;
    ImGui::EndDisabled();
    tooltip(sheet ? "This body is a sheet: it has no tetrahedra." : "The simulated tetrahedra instead of the drawn surface, cut open.");
    if (tets) cut_controls(view);
    ImGui::Checkbox("Contact forces", &view.contacts);
    tooltip("A dot where a body is touched and a line along the force there; the strongest is a quarter of the scene long.");

    if (ImGui::Button("Frame the body", {-1, 0})) ui.frame_body = true;
    tooltip("Back to the scene's own view (F)");
}

}  // namespace wobble
