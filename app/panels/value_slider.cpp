// ImGui's slider jumps to the pointer, hides its value behind the grab and applies every keystroke. Here the bar is filled up to the
// value, a drag moves it from where it is, a click types, and a number counts when it is complete.
#include "app/panels/values.h"
#include "app/panels/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <utility>

namespace wobble {

namespace {

static_assert(sizeof(void*) == sizeof(double));

// What one slider remembers between frames, in its ImGui window's storage.
class Memory {
public:
    explicit Memory(ImGuiID id) : id_(id), storage_(*ImGui::GetStateStorage()) {}
    enum Slot : ImGuiID { part = 1, typed, typed_any, begin_typing, sent, sent_before, sent_at };
    double get(Slot slot) const { return std::bit_cast<double>(storage_.GetVoidPtr(key(slot))); }
    void set(Slot slot, double value) { storage_.SetVoidPtr(key(slot), std::bit_cast<void*>(value)); }

private:
    ImGuiID key(Slot slot) const { return ImHashData(&slot, sizeof slot, id_); }
    ImGuiID id_;
    ImGuiStorage& storage_;
};

struct Scale {  // of the bar: shares 0 to 1 and values
    ValueRange range;
    bool zero_end() const { return range.logarithmic && range.zero_allowed; }  // zero is the place just left of `low`
    double low() const { return zero_end() ? range.low / 2 : range.low; }
    double share(double value) const {
        if (range.logarithmic) return value <= low() ? 0 : std::min(1.0, std::log(value / low()) / std::log(range.high / low()));
        return std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
    }
    double value(double share) const {
        if (!range.logarithmic) {
            const double step = std::pow(10.0, std::floor(std::log10((range.high - range.low) / 150)));
            return allowed(std::round((range.low + share * (range.high - range.low)) / step) * step);
        }
        const double value = low() * std::pow(range.high / low(), share);
        return zero_end() && value < 0.75 * range.low ? 0 : allowed(rounded(value));
    }
    double allowed(double value) const {
        if (range.zero_allowed && value == 0) return 0;
        if (zero_end() && value < 0.75 * range.low) return 0;
        const double inside = std::clamp(value, range.low, range.high);
        return range.whole ? std::round(inside) : inside;
    }
};

void draw_bar(const ImRect& frame, const Scale& scale, double value, std::optional<double> preset, const std::string& text, bool lively,
              float right_room) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float round = ImGui::GetStyle().FrameRounding, width = frame.GetWidth();
    const float edge = frame.Min.x + static_cast<float>(scale.share(value)) * width;
    const bool enabled = ImGui::GetStyle().Alpha > 0.99f;
    const float text_width = ImGui::CalcTextSize(text.c_str()).x, room = frame.Max.x - right_room - 0.3f * ImGui::GetFontSize();
    const float middle = std::min(0.5f * (frame.Min.x + frame.Max.x - text_width), room - text_width);
    const float text_x = std::round(std::max(middle, frame.Min.x + 3));
    const bool behind_text = edge > text_x - 3 && edge < text_x + text_width + 3;  // the number is what matters
    list.AddRectFilled(frame.Min, frame.Max, ImGui::GetColorU32(lively ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), round);
    list.PushClipRect(frame.Min, {edge, frame.Max.y}, true);
    list.AddRectFilled(frame.Min, frame.Max, ImGui::GetColorU32(ImGuiCol_SliderGrab, lively ? 0.50f : 0.36f), round);
    list.PopClipRect();
    if (enabled) {
        list.PushClipRect({edge - 2, frame.Min.y}, {edge + 1, frame.Max.y}, true);
        list.AddRectFilled(frame.Min, frame.Max,
                           ImGui::GetColorU32(lively ? ImGuiCol_SliderGrabActive : ImGuiCol_SliderGrab, behind_text ? 0.45f : 1), round);
        list.PopClipRect();
    }
    if (preset) {  // where the scene has it
        const float x = frame.Min.x + static_cast<float>(scale.share(*preset)) * width, y = frame.Max.y, a = 0.16f * frame.GetHeight();
        const float at = std::clamp(x, frame.Min.x + a + 2, frame.Max.x - a - 2);
        list.AddTriangleFilled({at - a, y}, {at, y - 1.3f * a}, {at + a, y}, ImGui::GetColorU32(ImGuiCol_Text, 0.45f));
    }
    list.AddText({text_x, frame.Min.y + ImGui::GetStyle().FramePadding.y}, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
}

// The text field in place of the bar. What it holds is remembered at once and counts when it is left, however that happens, except by
// Escape, which brings back the first text.
void type(const ImRect& frame, ImGuiID id, const char* unit, double value, Memory& memory) {
    char text[64], first[64];
    std::snprintf(text, sizeof text, "%.7g", value);
    std::snprintf(first, sizeof first, "%s", text);
    ImGui::TempInputText(frame, id, "##value", text, sizeof text,
                         static_cast<int>(ImGuiInputTextFlags_AutoSelectAll) | static_cast<int>(ImGuiInputTextFlags_NoMarkEdited));
    const auto typed = typed_value(text, unit);
    const bool counts = typed && std::string_view(text) != first;
    memory.set(Memory::typed_any, counts ? 1 : 0);
    if (counts) memory.set(Memory::typed, *typed);
    if (!typed) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRect(frame.Min, frame.Max, IM_COL32(235, 90, 75, 255), ImGui::GetStyle().FrameRounding, 0, 1.5f);
    }
}

}  // namespace

bool value_slider(const char* id, const char* label, const char* unit, const char* help, double& value, const ValueRange& range,
                  std::optional<double> preset) {
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    if (window->SkipItems) return false;
    ImGui::PushID(id);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    tooltip(help);
    ImGui::SameLine(value_column * ImGui::GetWindowWidth());

    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiIO& io = ImGui::GetIO();
    const ImGuiID bar = ImGui::GetID("##value");
    const Scale scale{range};
    Memory memory(bar);
    const float width = std::max(3 * ImGui::GetFontSize(), ImGui::GetContentRegionAvail().x);
    const ImVec2 corner = window->DC.CursorPos;
    const ImRect frame(corner, {corner.x + width, corner.y + ImGui::GetFrameHeight()});
    const bool typing = ImGui::TempInputIsActive(bar);
    std::optional<double> wanted;
    if (!typing && memory.get(Memory::typed_any) != 0) {
        memory.set(Memory::typed_any, 0);
        wanted = scale.allowed(memory.get(Memory::typed));
    }
    // The simulation takes a moment to answer; until then what was asked for is shown.
    const bool waiting = memory.get(Memory::sent_before) == value && ImGui::GetTime() - memory.get(Memory::sent_at) < 3;
    const double now = waiting ? memory.get(Memory::sent) : value;
    const bool differs = preset && std::abs(now - *preset) > 1e-9 * std::abs(*preset);
    const float arrow = differs ? frame.GetHeight() : 0;
    const auto reset_text = [&] { return "Reset to " + value_text(*preset, unit); };

    ImGui::ItemSize(frame, ImGui::GetStyle().FramePadding.y);
    const bool visible = ImGui::ItemAdd(frame, bar, &frame, ImGuiItemFlags_Inputable);
    const bool begin = visible && !typing && memory.get(Memory::begin_typing) != 0;
    // ImGui's text field wakes up when it is clicked or reached by Tab; a click here is known only when it is over.
    if (begin) ImGui::GetCurrentContext()->LastItemData.StatusFlags |= ImGuiItemStatusFlags_FocusedByTabbing;
    if (begin) memory.set(Memory::begin_typing, 0);
    if (visible && (typing || begin)) {
        type(frame, bar, unit, now, memory);
    } else if (visible) {
        const ImRect draggable(frame.Min, {frame.Max.x - arrow, frame.Max.y}), back({frame.Max.x - arrow, frame.Min.y}, frame.Max);
        bool hovered = false, held = false;
        const bool pressed = ImGui::ButtonBehavior(draggable, bar, &hovered, &held);
        const float least = 0.2f * ImGui::GetFontSize();
        double shown = now;
        if (held && context.ActiveIdIsJustActivated) memory.set(Memory::part, scale.share(now));
        if (held && ImGui::IsMouseDragging(0, least) && !io.KeyCtrl) {
            const double speed = io.KeyShift ? 0.1 : 1;
            memory.set(Memory::part, std::clamp(memory.get(Memory::part) + speed * io.MouseDelta.x / frame.GetWidth(), 0.0, 1.0));
            shown = scale.value(memory.get(Memory::part));
            if (io.MouseDelta.x != 0) wanted = shown;
        }
        const bool tabbed = (context.LastItemData.StatusFlags & ImGuiItemStatusFlags_FocusedByTabbing) != 0;
        const float moved = std::max(std::abs(io.MouseDragMaxDistanceAbs[0].x), std::abs(io.MouseDragMaxDistanceAbs[0].y));
        if ((pressed && (io.KeyCtrl || moved < least)) || tabbed || context.NavActivateInputId == bar) memory.set(Memory::begin_typing, 1);
        const bool over_arrow = differs && !held && ImGui::IsMouseHoveringRect(back.Min, back.Max) && ImGui::IsWindowHovered();
        draw_bar(frame, scale, shown, preset, value_text(shown, unit), hovered || held || over_arrow, arrow);
        const auto hint = [&] {
            return (preset ? "\nThe scene has " + value_text(*preset, unit) + "." : "") + "\nDrag (Shift: finely), click to type" +
                   (preset ? ", right click for the scene's value." : ".");
        };
        if (hovered && !held) tooltip(help, hint());
        else note_control(help);
        if (differs) {
            const ImVec2 c{0.5f * (back.Min.x + back.Max.x), 0.5f * (back.Min.y + back.Max.y)};
            const ImGuiID arrow_id = ImGui::GetID("##reset");
            bool arrow_hovered = false, arrow_held = false;
            ImGui::ItemAdd(back, arrow_id);
            if (ImGui::ButtonBehavior(back, arrow_id, &arrow_hovered, &arrow_held)) wanted = *preset;
            draw_icon(*window->DrawList, "round-arrow", c, 0.30f * back.GetHeight(),
                      ImGui::GetColorU32(arrow_hovered ? ImGuiCol_Text : ImGuiCol_TextDisabled));
            if (arrow_hovered) tooltip(reset_text());
        }
        if (ImGui::IsMouseHoveringRect(frame.Min, frame.Max) && ImGui::IsWindowHovered() && ImGui::IsMouseClicked(1))
            ImGui::OpenPopup("menu");
    }
    if (ImGui::BeginPopup("menu")) {
        if (preset && ImGui::MenuItem(reset_text().c_str(), nullptr, false, differs)) wanted = *preset;
        if (ImGui::MenuItem("Type a value")) memory.set(Memory::begin_typing, 1);
        if (ImGui::MenuItem("Copy the value")) ImGui::SetClipboardText(value_text(now, unit).c_str());
        ImGui::EndPopup();
    }
    ImGui::PopID();
    if (!wanted || *wanted == now) return false;
    memory.set(Memory::sent, *wanted);
    memory.set(Memory::sent_before, value);
    memory.set(Memory::sent_at, ImGui::GetTime());
    value = *wanted;
    return true;
}

}  // namespace wobble
