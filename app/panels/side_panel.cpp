#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include <algorithm>

namespace wobble {

namespace {

struct Section {
    const char* title;
    const char* meaning;
    void (*panel)(const Snapshot&, UiState&, const PostCommand&);
};
constexpr Section sections[] = {
    {"Scene", "What is simulated: a built-in scene, a mesh or a scene file.", scene_panel},
    {"Playback", "Time: play, step, go back, faster and slower.", playback_panel},
    {"Material", "What the body is made of and what pulls at it; changes take effect at the next step.", material_panel},
    {"Contact", "What bodies touch: the floor, obstacles, each other and themselves.", contact_panel},
    {"Integrator", "How the motion is computed; it goes on when this changes.", integrator_panel},
    {"Compare", "The same scene with several integrators at once.", compare_panel},
    {"View", "What the picture shows.", view_panel},
    {"Record", "Films, pictures and the moving mesh, at fixed simulated times.", record_panel},
    {"Interface", "Theme and size of text and panels.", interface_panel},
};

// The edge between a panel and the 3D view, to be dragged; a double click gives the usual size back.
void edge(const char* id, ImVec2 corner, ImVec2 size, bool upright, float& extent, float usual_extent, float direction, float scale) {
    ImGui::SetNextWindowPos(corner);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleVar(3);
    ImGui::InvisibleButton("edge", {std::max(1.0f, size.x), std::max(1.0f, size.y)});
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    if (hovered || held) {
        ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        const float line = 2 * scale;
        const ImVec2 from = upright ? corner : ImVec2(corner.x, corner.y + size.y - line);
        const ImVec2 to = upright ? ImVec2(corner.x + line, corner.y + size.y) : ImVec2(corner.x + size.x, corner.y + size.y);
        ImGui::GetWindowDrawList()->AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_SliderGrab, held ? 1.0f : 0.6f));
    }
    if (held) {
        const ImVec2 mouse = ImGui::GetIO().MousePos, window = ImGui::GetIO().DisplaySize;
        const bool moved = ImGui::IsMouseDragging(0, 2 * scale);
        if (moved && upright) extent = std::clamp(mouse.x / scale, 200.0f, 1200.0f);
        if (moved && !upright) extent = std::clamp((window.y + direction - mouse.y) / scale, 80.0f, 1200.0f);
    }
    if (hovered && ImGui::IsMouseDoubleClicked(0)) extent = usual_extent;
    ImGui::End();
}

void edges(UiState& ui, const PanelSizes& sizes, ImVec2 window) {
    const float thick = 6 * ui.scale, bottom = window.y - sizes.status - sizes.strip;
    edge("side edge", {sizes.side, 0}, {thick, bottom}, true, ui.interface.side_width, WindowState().side_width, 0, ui.scale);
    edge("strip edge", {sizes.side, bottom - thick}, {window.x - sizes.side, thick}, false, ui.interface.strip_height,
         WindowState().strip_height, -sizes.status, ui.scale);
}

}  // namespace

PanelSizes panel_sizes(const UiState& ui, float window_width, float window_height) {
    if (!ui.show_ui) return {};
    const float s = ui.scale, wide = std::clamp(ui.interface.side_width, 200.0f, 1200.0f),
                high = std::clamp(ui.interface.strip_height, 80.0f, 1200.0f);
    const float share = high > WindowState().strip_height ? 0.6f : 0.35f;  // who drags it higher wants it so
    return {std::min(wide * s, 0.5f * window_width), std::min(high * s, share * window_height), 28 * s};
}

void side_panel(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    if (begin_fixed("side", {0, 0}, {sizes.side, window.y - sizes.status})) {
        for (const Section& section : sections) {
            ImGui::SetNextItemOpen(ui.interface.closed.count(section.title) == 0, ImGuiCond_Always);
            const bool open = ImGui::CollapsingHeader(section.title);
            tooltip(section.meaning);
            if (open) ui.interface.closed.erase(section.title);
            else ui.interface.closed.insert(section.title);
            if (!open) continue;
            ImGui::PushID(section.title);
            section.panel(snapshot, ui, post);
            ImGui::PopID();
            ImGui::Dummy({0, 1});
        }
    }
    ImGui::End();
    edges(ui, sizes, window);
}

}  // namespace wobble
