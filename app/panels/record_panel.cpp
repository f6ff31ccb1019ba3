// The section Record: films, moving meshes, pictures, run logs. What it asks for is done by record/record_desk.h.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/record/film.h"

#include <imgui_stdlib.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

struct SizePreset {
    const char* label;
    int width, height;  // 0: the window's
};
constexpr SizePreset sizes[] = {{"720p, 1280 x 720", 1280, 720},
                                {"1080p, 1920 x 1080", 1920, 1080},
                                {"Square, 1080 x 1080", 1080, 1080},
                                {"Upright, 1080 x 1920", 1080, 1920},
                                {"As the window", 0, 0}};

void choose_format(RecordState& record) {
    label_left("Format", "What is written: a film of pictures, or the moving mesh for other programs.");
    if (ImGui::BeginCombo("##format", info_of(record.format).label)) {
        for (const RecordFormatInfo& info : record_formats()) {
            if (ImGui::Selectable(info.label, info.kind == record.format)) record.format = info.kind;
            tooltip(info.advice);
        }
        ImGui::EndCombo();
    }
    tooltip(info_of(record.format).advice);
}

void choose_size(RecordState& record) {
    label_left("Size", "Of the film, in pixels; the window may have another.");
    const auto chosen = [&](const SizePreset& size) {
        return size.width == 0 ? record.window_size : !record.window_size && size.width == record.width && size.height == record.height;
    };
    std::string now = std::to_string(record.width) + " x " + std::to_string(record.height);
    for (const SizePreset& size : sizes)
        if (chosen(size)) now = size.label;
    if (record.with_ui) now = "The whole window";
    ImGui::BeginDisabled(record.with_ui);
    if (ImGui::BeginCombo("##size", now.c_str())) {
        for (const SizePreset& size : sizes) {
            if (!ImGui::Selectable(size.label, chosen(size))) continue;
            record.window_size = size.width == 0;
            if (size.width > 0) record.width = size.width, record.height = size.height;
        }
        std::array<int, 2> typed{record.width, record.height};
        ImGui::SetNextItemWidth(-1);
        if (ImGui::InputInt2("##own", typed.data(), ImGuiInputTextFlags_EnterReturnsTrue)) {
            record.window_size = false;
            record.width = std::clamp(typed[0], 16, 8192), record.height = std::clamp(typed[1], 16, 8192);
        }
        tooltip("Any other size: type both numbers and press Enter; an MP4 has even sides.");
        ImGui::EndCombo();
    }
    ImGui::EndDisabled();
    tooltip(record.with_ui ? "A film with the panels is as large as the window when it starts."
                           : "Of the film, in pixels; the window may have another.");
}

void choose_rate_and_length(RecordState& record) {
    double fps = record.fps;
    if (value_slider("fps", "Frames", "per s",
                     "Frames per simulated second. They are taken at exactly these times, however slowly the display runs.", fps,
                     {1, 240, true, false, true}, 30))
        record.fps = std::clamp(static_cast<int>(std::lround(fps)), 1, 240);
    if (record.seconds > 0)
        value_slider("length", "Length", "s",
                     "Simulated seconds after which the recording stops by itself, with exactly as many frames as fit.", record.seconds,
                     {0.1, 600, true, false}, 4);
}

void choose_end(RecordState& record) {
    bool endless = record.seconds == 0;
    if (ImGui::Checkbox("Until stopped", &endless)) record.seconds = endless ? 0 : 4;
    tooltip("Goes on until you stop it; otherwise it stops by itself after the length that is then asked for.");
}

void choose_name(RecordState& record) {
    label_left("Name",
               "Of the file or folder, without its ending; a number is added where the name is taken. Nothing is ever overwritten.");
    ImGui::InputText("##name", &record.out);
    tooltip("Of the file or folder, without its ending; a number is added where the name is taken. Nothing is ever overwritten.");
}

void red_dot(ImVec2 centre, float opacity) {
    ImGui::GetWindowDrawList()->AddCircleFilled(centre, 0.3f * ImGui::GetFontSize(),
                                                ImGui::GetColorU32(ImVec4(0.92f, 0.24f, 0.22f, opacity)));
}

void start_buttons(RecordState& record) {
    const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
    if (ImGui::Button("Record now", {half, 0})) record.start_now = true;
    red_dot({ImGui::GetItemRectMin().x + 0.9f * ImGui::GetFontSize(), 0.5f * (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y)}, 1);
    tooltip("From the present state on (V). A paused motion is recorded when it goes on.");
    ImGui::SameLine();
    if (ImGui::Button("From the start", {half, 0})) record.start_from_beginning = true;
    tooltip("Goes back to the start, plays, and records from there.");
}

void progress(const Snapshot& snapshot, RecordState& record) {
    char text[120];
    const double seconds = static_cast<double>(record.frames) / std::max(1, record.fps);
    std::snprintf(text, sizeof text, "%d frames, %.2f s, %.1f MB", record.frames, seconds, record.megabytes);
    if (record.seconds > 0) ImGui::ProgressBar(static_cast<float>(record.fraction), {-1, 0}, text);
    else {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float font = ImGui::GetFontSize(), blink = 0.6f + 0.4f * std::cos(4 * static_cast<float>(ImGui::GetTime()));
        red_dot({at.x + 0.3f * font, at.y + 0.5f * ImGui::GetTextLineHeight()}, record.finishing ? 1 : blink);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + font);
        ImGui::TextUnformatted(text);
    }
    tooltip("Written so far: frames, their simulated time, the size on disk.");
    if (record.finishing) ImGui::TextDisabled("Writing the last frames ...");
    else if (!snapshot.running) ImGui::TextDisabled("Paused: nothing new to record.");
    ImGui::BeginDisabled(record.finishing);
    if (ImGui::Button("Stop", {-1, 0})) record.stop = true;
    ImGui::EndDisabled();
    tooltip("Ends the recording; what has been taken is written to the end (V).");
}

void say(const RecordState& record) {
    if (record.recording && !record.path.empty()) {
        ImGui::PushTextWrapPos();
        ImGui::TextDisabled("To %s", record.path.c_str());
        ImGui::PopTextWrapPos();
    }
    if (record.message.empty()) return;
    ImGui::PushTextWrapPos();
    if (record.failed) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0.93f, 0.42f, 0.32f, 1));
    ImGui::TextUnformatted(record.message.c_str());
    if (record.failed) ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    if (ImGui::IsItemClicked()) ImGui::SetClipboardText(record.message.c_str());
    tooltip("Click to copy.");
}

}  // namespace

void record_panel(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    RecordState& record = ui.record;
    ImGui::BeginDisabled(record.recording);
    choose_format(record);
    if (info_of(record.format).film) choose_size(record);
    choose_rate_and_length(record);
    choose_name(record);
    choose_end(record);
    if (info_of(record.format).film) {
        ImGui::SameLine(0.5f * ImGui::GetWindowWidth());
        ImGui::Checkbox("With panels", &record.with_ui);
        tooltip("Pictures of the whole window instead of the body alone.");
    }
    ImGui::EndDisabled();
    if (record.recording) progress(snapshot, record);
    else start_buttons(record);

    ImGui::Spacing();
    const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
    if (ImGui::Button("Screenshot", {half, 0})) record.screenshot = true;
    tooltip("Saves a PNG picture of the 3D view as it is now (Ctrl+P): wobble-screenshot.png, or the next number.");
    ImGui::SameLine();
    if (ImGui::Button("Save run log", {half, 0})) record.save_log = true;
    tooltip(
        "Saves everything that was done since the start as text; `wobble replay FILE` does it again and gets the same state, bit for bit.");
    ImGui::Checkbox("Screenshots with panels", &record.screenshot_with_ui);
    tooltip("Pictures of the whole window instead of the 3D view.");
    ImGui::Checkbox("Legends", &record.legends);
    tooltip("Films and pictures of the body alone show the scale of its colours, and the names of the integrators in a comparison.");
    say(record);
}

}  // namespace wobble
