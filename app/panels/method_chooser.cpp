#include "app/panels/method_chooser.h"

#include "app/panels/widgets.h"
#include "engine/sim/catalog.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>

namespace wobble {

namespace {

constexpr Family families[] = {Family::explicit_classical, Family::implicit_classical, Family::exponential};

const char* about(Family family) {
    switch (family) {
        case Family::explicit_classical:
            return "Explicit: cheap steps, as short as the stiffest part of the body asks for";
        case Family::implicit_classical:
            return "Implicit: equations to solve in every step, which may be as long as the motion allows";
        case Family::exponential:
            return "Exponential: the linear part exactly, at any stiffness, by functions of the matrix";
    }
    return "";
}

bool contains(std::string_view text, std::string_view word) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

// Every word typed must be somewhere in the row.
bool matches(const MethodInfo& info, std::string_view filter) {
    const std::string order = "order " + std::to_string(info.order);
    while (!filter.empty()) {
        const auto end = std::min(filter.find(' '), filter.size());
        const std::string_view word = filter.substr(0, end);
        filter.remove_prefix(std::min(end + 1, filter.size()));
        if (word.empty()) continue;
        const auto fields = {std::string_view(info.id),   std::string_view(info.label),  std::string_view(name(info.family)),
                             std::string_view(info.cost), std::string_view(info.advice), std::string_view(order)};
        if (std::none_of(fields.begin(), fields.end(), [&](std::string_view field) { return contains(field, word); })) return false;
    }
    return true;
}

// One row: a Selectable over all columns, as high as its wrapped texts.
bool row(const MethodInfo& info, bool current, float label_width, float advice_width) {
    const float line = ImGui::GetTextLineHeight();
    const float label_height = ImGui::CalcTextSize(info.label, nullptr, false, label_width).y;
    const float height = std::max({line, label_height, ImGui::CalcTextSize(info.advice, nullptr, false, advice_width).y});
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(info.id);
    const ImVec2 at = ImGui::GetCursorPos();
    const bool chosen = ImGui::Selectable("##row", current, ImGuiSelectableFlags_SpanAllColumns, {0, height});
    tooltip(std::string(info.label) + "  (" + info.id + ")", info.reference);
    if (current && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
    ImGui::SetCursorPos(at);
    ImGui::PushTextWrapPos(at.x + label_width);
    ImGui::TextUnformatted(info.label);
    ImGui::PopTextWrapPos();
    ImGui::TableNextColumn();
    ImGui::Text("%d", info.order);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(info.cost);
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(info.advice);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopID();
    return chosen;
}

bool table(std::string& method, const std::string& filter, bool take_first, float height) {
    const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x;
    if (!ImGui::BeginTable("methods", 4, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_PadOuterX, {width, height}))
        return false;
    const float label_width = std::min(13.5f * em, 0.28f * width), cost_width = 9.6f * em;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("Method", ImGuiTableColumnFlags_WidthFixed, label_width);
    ImGui::TableSetupColumn("Order", ImGuiTableColumnFlags_WidthFixed, 2.8f * em);
    ImGui::TableSetupColumn("One step costs", ImGuiTableColumnFlags_WidthFixed, cost_width);
    ImGui::TableSetupColumn("When to take it", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableHeadersRow();
    bool chosen = false;
    int shown = 0;
    for (const Family family : families) {
        bool titled = false;
        for (const Method& candidate : methods()) {
            const MethodInfo& info = candidate.info;
            if (info.family != family || !matches(info, filter)) continue;
            if (!std::exchange(titled, true)) {
                ImGui::TableNextRow(ImGuiTableRowFlags_None, 1.9f * em);
                ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg1, ImGui::GetColorU32(ImGuiCol_FrameBg));
                ImGui::TableNextColumn();
                ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.35f * em);
                // Over all columns: a cell would cut it off.
                ImGuiTable* current_table = ImGui::GetCurrentTable();
                ImGui::PushClipRect(current_table->InnerClipRect.Min, current_table->InnerClipRect.Max, false);
                ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_SliderGrabActive));
                ImGui::GetWindowDrawList()->AddText(ImGui::GetCursorScreenPos(), ImGui::GetColorU32(ImGuiCol_Text), about(family));
                ImGui::PopStyleColor();
                ImGui::PopClipRect();
            }
            const float advice_width = std::max(8 * em, width - label_width - cost_width - 2.8f * em - 5.5f * em);
            if (row(info, method == info.id, label_width, advice_width) || (take_first && shown == 0)) {
                chosen = method != info.id;
                method = info.id;
                ImGui::CloseCurrentPopup();
                take_first = false;
            }
            ++shown;
        }
    }
    ImGui::EndTable();
    if (shown == 0) ImGui::TextDisabled("No method has all these words.");
    return chosen;
}

}  // namespace

bool method_combo(const char* id, std::string& method, std::string& filter) {
    const Method* current = find_method(method);
    const float em = ImGui::GetFontSize();
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const ImVec2 below{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + ImGui::GetFrameHeight()};
    const float margin = 0.8f * em, width = std::min(60 * em, window.x - 2 * margin), room = window.y - below.y - 2.5f * em;
    const float height = std::clamp(room, std::min(26 * em, window.y - 4 * em), 52 * em);
    // BeginCombo would put the popup where it thinks fit and make it as narrow as the combo.
    const std::string popup = std::string(id) + " methods";
    const bool open = ImGui::IsPopupOpen(popup.c_str());
    if (open) {
        ImGui::SetNextWindowSize({width, height});
        ImGui::SetNextWindowPos({std::clamp(below.x, margin, std::max(margin, window.x - margin - width)),
                                 std::clamp(below.y, margin, std::max(margin, window.y - margin - height))});
    }
    const float full = ImGui::CalcItemWidth();  // before the popup asks for widths of its own
    bool chosen = false;
    if (open && ImGui::BeginPopup(popup.c_str(), ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
        if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(-1);
        const bool enter =
            ImGui::InputTextWithHint("##filter", "Search: implicit, order 4, energy, ...", &filter, ImGuiInputTextFlags_EnterReturnsTrue);
        chosen = table(method, filter, enter, ImGui::GetContentRegionAvail().y);
        ImGui::EndPopup();
    }
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0, 0.5f});
    const bool pressed = ImGui::Button((std::string(current ? current->info.label : method.c_str()) + "##" + id).c_str(), {full, 0});
    ImGui::PopStyleVar();
    const ImVec2 high = ImGui::GetItemRectMax(), low = ImGui::GetItemRectMin();
    const float r = 0.26f * em;
    const ImVec2 c{high.x - 0.9f * em, 0.5f * (low.y + high.y)};
    ImGui::GetWindowDrawList()->AddTriangleFilled({c.x - 1.2f * r, c.y - 0.6f * r}, {c.x + 1.2f * r, c.y - 0.6f * r}, {c.x, c.y + 0.9f * r},
                                                  ImGui::GetColorU32(ImGuiCol_Text));
    if (pressed) {
        filter.clear();
        ImGui::OpenPopup(popup.c_str());
    }
    if (current) tooltip(current->info.advice, current->info.reference);
    return chosen;
}

}  // namespace wobble
