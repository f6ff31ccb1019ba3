#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace wobble {

void help_overlay(const Snapshot&, UiState& ui, const PostCommand&) {
    if (!ui.show_help) return;
    static constexpr const char* rows[][2] = {{"Left drag", "turn the view"},
                                              {"Right drag, Shift + left drag", "move the view"},
                                              {"Wheel", "closer, farther"},
                                              {"Double click", "turn around this point"},
                                              {"Ctrl + left drag", "grab the body"},
                                              {nullptr, nullptr},
                                              {"Space", "play, pause"},
                                              {"Right arrow", "one step"},
                                              {"R", "back to the start"},
                                              {"+  -", "faster, slower"},
                                              {nullptr, nullptr},
                                              {"Ctrl + O, or drop a file", "open a mesh or a scene"},
                                              {"F", "frame the body"},
                                              {"W", "wireframe"},
                                              {"Tab", "hide or show the panels"},
                                              {"F1", "this list"},
                                              {"F4", "the studies"},
                                              {"Ctrl + Q", "quit"}};
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    ImGui::SetNextWindowPos({sizes.side + 0.5f * (window.x - sizes.side), 0.5f * (window.y - sizes.strip)}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowBgAlpha(0.96f);
    ImGui::Begin(
        "help", nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::TextUnformatted("Mouse and keys");
    ImGui::Separator();
    if (ImGui::BeginTable("rows", 2, ImGuiTableFlags_SizingFixedFit)) {
        for (const auto& [key, meaning] : rows) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            if (key) ImGui::TextDisabled("%s", key);
            ImGui::TableNextColumn();
            if (meaning) ImGui::TextUnformatted(meaning);
        }
        ImGui::EndTable();
    }
    ImGui::End();
}

}  // namespace wobble
