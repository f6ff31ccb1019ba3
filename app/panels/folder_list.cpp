#include "app/panels/folder_list.h"

#include "app/panels/widgets.h"
#include "app/scene/folder_reader.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace wobble {

namespace {

using Entry = FolderListing::Entry;

bool contains(const std::string& name, const std::string& part) {
    return std::search(name.begin(), name.end(), part.begin(), part.end(),
                       [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); }) != name.end();
}

struct Keys {
    bool& cursor_to_end;
    int walk = 0;  // rows
    bool complete = false;
};

int on_key(ImGuiInputTextCallbackData* data) {
    Keys& keys = *static_cast<Keys*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) keys.walk += data->EventKey == ImGuiKey_UpArrow ? -1 : 1;
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) keys.complete = true;
    if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && keys.cursor_to_end) {
        data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
        keys.cursor_to_end = false;
    }
    return 0;
}

// Puts a text into the field that is being typed in, which keeps its own copy, and the cursor behind it. To be called right after it.
void set_typed(SceneState& scene, std::string& path, std::string text) {
    path = std::move(text);
    ImGui::ClearActiveID();
    ImGui::SetKeyboardFocusHere(-1);
    scene.cursor_to_end = true;
}

void draw_folder_icon(ImVec2 at, float em, bool folder) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float w = 0.85f * em, h = 0.62f * em, y = at.y + 0.2f * em;
    if (folder) {
        const ImU32 ink = ImGui::GetColorU32(ImGuiCol_SliderGrab, 0.85f);
        list.AddRectFilled({at.x, y}, {at.x + 0.45f * w, y + 0.3f * h}, ink, 0.1f * em);
        list.AddRectFilled({at.x, y + 0.15f * h}, {at.x + w, y + h}, ink, 0.1f * em);
    } else {
        const ImU32 ink = ImGui::GetColorU32(ImGuiCol_TextDisabled);
        list.AddRect({at.x + 0.15f * w, y - 0.1f * h}, {at.x + 0.75f * w, y + h}, ink, 0.1f * em);
    }
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
    char text[40];
    const double b = static_cast<double>(bytes);
    if (bytes < 1000) std::snprintf(text, sizeof text, "%d B", static_cast<int>(bytes));
    else if (b < 999.5e3) std::snprintf(text, sizeof text, "%.3g kB", b / 1e3);
    else if (b < 999.5e6) std::snprintf(text, sizeof text, "%.3g MB", b / 1e6);
    else std::snprintf(text, sizeof text, "%.3g GB", b / 1e9);
    return text;
}

FolderChoice folder_list(SceneState& scene, std::string& path, float height, bool meshes) {
    FolderChoice choice;
    const float em = ImGui::GetFontSize();
    const std::string before = path;
    const auto go_to = [&](const std::string& folder) {
        set_typed(scene, path, folder);
        scene.filter.clear(), scene.picked = -1;
    };

    // The arrow up and the path.
    if (ImGui::ArrowButton("up", ImGuiDir_Up)) path = folder_above(split_path(path).folder), scene.filter.clear(), scene.picked = -1;
    tooltip("The folder above this one.");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere(), scene.cursor_to_end = true;
    Keys keys{scene.cursor_to_end};
    const bool entered = ImGui::InputText("##path", &path,
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory |
                                              ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways,
                                          on_key, &keys);
    const TypedPath typed = split_path(path);
    if (ImGui::IsItemEdited()) scene.filter = typed.name, scene.picked = -1;
    const bool typing = ImGui::IsItemActive();
    if (!typing) tooltip("Type a path: up and down choose from the list, Tab completes, Enter opens.");
    scene.folder = typed.folder;

    // What is to be seen of the folder.
    std::vector<const Entry*> rows;
    if (scene.listing.folder == scene.folder)
        for (const Entry& entry : scene.listing.entries)
            if (contains(entry.name, scene.filter) && (meshes || entry.folder || entry.name.ends_with(".toml"))) rows.push_back(&entry);
    const int count = static_cast<int>(rows.size());
    if (keys.walk != 0 && count > 0)
        scene.picked = scene.picked < 0 ? (keys.walk > 0 ? 0 : count - 1) : std::clamp(scene.picked + keys.walk, 0, count - 1);
    scene.picked = std::min(scene.picked, count - 1);
    const auto name_of = [&](const Entry& entry) { return scene.folder + entry.name + (entry.folder ? "/" : ""); };
    if (keys.complete && count > 0) {
        const Entry& entry = *rows[static_cast<std::size_t>(std::max(scene.picked, 0))];
        if (entry.folder) go_to(name_of(entry));
        else set_typed(scene, path, name_of(entry));
    }
    if (entered) {
        const Entry* entry = scene.picked >= 0 ? rows[static_cast<std::size_t>(scene.picked)] : nullptr;
        for (const Entry* row : rows)
            if (!entry && row->name == typed.name) entry = row;
        if (entry && entry->folder) go_to(name_of(*entry));
        else {
            if (entry) path = name_of(*entry);
            choice.file = !split_path(path).name.empty();
        }
    }

    ImGui::BeginChild("files", {0, height}, true);
    if (scene.listing.folder != scene.folder) ImGui::TextDisabled("Reading ...");
    else if (!scene.listing.problem.empty()) ImGui::TextDisabled("%s", scene.listing.problem.c_str());
    else if (count == 0 && scene.filter.empty()) ImGui::TextDisabled("There are no scenes here yet.");
    else if (count == 0) ImGui::TextDisabled("Nothing here has \"%s\" in its name.", scene.filter.c_str());
    for (int i = 0; i < count; ++i) {
        const Entry& entry = *rows[static_cast<std::size_t>(i)];
        ImGui::PushID(i);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float left = ImGui::GetCursorPosX();
        const bool chosen = i == scene.picked || (scene.picked < 0 && !entry.folder && entry.name == typed.name);
        if (ImGui::Selectable("##row", chosen, ImGuiSelectableFlags_DontClosePopups | ImGuiSelectableFlags_AllowDoubleClick)) {
            if (entry.folder) path = name_of(entry), scene.filter.clear(), scene.picked = -1;
            else path = name_of(entry), scene.picked = i, choice.file = ImGui::IsMouseDoubleClicked(0);
        }
        if (keys.walk != 0 && i == scene.picked) ImGui::SetScrollHereY();
        draw_folder_icon(at, em, entry.folder);
        ImGui::SameLine(left + 1.3f * em);
        ImGui::TextUnformatted(entry.name.c_str());
        if (!entry.folder) {
            const std::string size = size_text(entry.bytes);
            ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(size.c_str()).x);
            ImGui::TextDisabled("%s", size.c_str());
        }
        ImGui::PopID();
    }
    ImGui::EndChild();
    choice.moved = path != before;
    return choice;
}

}  // namespace wobble
