#include "app/panels/plot_legend.h"

#include "app/panels/widgets.h"
#include "app/plots/plot_pages.h"
#include "app/plots/plot_style.h"
#include "app/runs/run_colours.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

struct Row {
    unsigned colour = 0;
    float thickness = 1.5f;
    LineStyle style = LineStyle::solid;
    std::string name, short_name, value, about;
    bool hidden = false;
};

// Text that is cut with dots where it does not fit.
std::string fitted(const std::string& text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    for (std::size_t n = text.size(); n-- > 1;) {
        if ((static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) continue;  // inside a letter
        const std::string cut = text.substr(0, n) + "\xe2\x80\xa6";
        if (ImGui::CalcTextSize(cut.c_str()).x <= width) return cut;
    }
    return "";
}

bool legend_row(int id, const Row& row, float share = 1) {
    const float line = ImGui::GetFontSize(), width = share * ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(id);
    const bool pressed = ImGui::InvisibleButton("row", {std::max(width, 1.0f), 1.28f * line});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered()) list.AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), plot_ink(0.07f), 0.25f * line);
    const float x = at.x + 0.3f * line, y = at.y + 0.64f * line, length = 1.3f * line;
    const float thickness = 0.095f * line * (row.style == LineStyle::thin ? 0.65f : 1.0f) * row.thickness;
    const unsigned ink = row.hidden ? plot_ink(0.22f) : row.colour;
    const int pieces = row.style == LineStyle::dashed ? 2 : row.style == LineStyle::dotted ? 4 : 1;
    for (int i = 0; i < pieces; ++i) {
        const float from = x + length * static_cast<float>(i) / static_cast<float>(pieces);
        list.AddLine({from, y}, {from + length / static_cast<float>(pieces) * (pieces == 1 ? 1.0f : 0.6f), y}, ink, thickness);
    }
    const unsigned text = row.hidden ? plot_dim(0.55f) : plot_ink(1);
    const float value_width = row.hidden || row.value.empty() ? 0 : ImGui::CalcTextSize(row.value.c_str()).x + 0.5f * line;
    const float room = width - 2.1f * line - value_width;
    const bool whole = row.short_name.empty() || ImGui::CalcTextSize(row.name.c_str()).x <= room;
    list.AddText({x + length + 0.5f * line, at.y + 0.14f * line}, text, fitted(whole ? row.name : row.short_name, room).c_str());
    if (value_width > 0) list.AddText({at.x + width - value_width + 0.25f * line, at.y + 0.14f * line}, text, row.value.c_str());
    tooltip(row.about, row.hidden ? "Click to show it." : "Click to hide it.");
    ImGui::PopID();
    return pressed;
}

double value_at(const RunHistory::Run& run, PlotPage page, const PlotQuantity& quantity, double t) {
    const SampleTrack& track = track_of(run, page);
    return track.empty() ? NAN : factor_of(run, page) * track.value(channel_of(page, quantity), track.row_at(t));
}

std::string value_text(double value, const char* unit) { return std::isfinite(value) ? with_unit(value, unit) : ""; }

}  // namespace

float legend_width() { return 12.5f * ImGui::GetFontSize(); }

void plot_legend(PlotsState& plots, double t, float height) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("legend", {legend_width(), height});
    ImGui::PopStyleVar();  // not for tooltips
    const PlotPageInfo& info = page_info(plots.page);
    PageView& view = page_view(plots);
    const bool several = comparing(plots);
    const auto& runs = plots.history.runs();
    const int main = main_quantity(plots);
    if (several)
        for (int r = plots.page == PlotPage::difference ? 1 : 0; r < static_cast<int>(runs.size()); ++r) {
            const RunHistory::Run& run = runs[static_cast<std::size_t>(r)];
            Row row{packed({run_colour(r)}), 2.2f, LineStyle::solid, run.label(), run.method, "", "", (view.hidden_runs >> r & 1) != 0};
            if (main >= 0) {
                const PlotQuantity& quantity = info.quantities[static_cast<std::size_t>(main)];
                row.value = value_text(value_at(run, plots.page, quantity, t), info.unit);
                row.about = "Run " + std::to_string(r + 1) + ": " + run.label() + ". The value is: " + quantity.name + ".";
                if (const double speed = possible_speed(run, t); plots.page == PlotPage::timing && speed > 0)
                    row.about += " It could go at " + with_unit(speed, "") + " x real time.";
            }
            if (legend_row(r, row)) view.hidden_runs ^= std::uint32_t{1} << r;
        }
    // In a comparison they have no values: two fit into a row.
    const bool pairs = several && info.quantities.size() > 3;
    bool right = false;
    std::uint32_t& hidden = several ? view.hidden_comparing : view.hidden;
    for (int q = 0; q < static_cast<int>(info.quantities.size()) && plots.page != PlotPage::difference; ++q) {
        if (!has_quantity(plots, q)) continue;
        const PlotQuantity& quantity = info.quantities[static_cast<std::size_t>(q)];
        Row row{several ? plot_dim() : packed(ink_of(plots, 0, quantity)),
                quantity.thickness,
                several ? style_of(plots, quantity) : LineStyle::solid,
                quantity.name,
                "",
                several ? "" : value_text(value_at(runs.front(), plots.page, quantity, t), info.unit),
                quantity.about,
                (hidden >> q & 1) != 0};
        if (pairs && right) ImGui::SameLine(0, 0);
        if (legend_row(100 + q, row, pairs && !right ? 0.5f : 1.0f)) hidden ^= std::uint32_t{1} << q;
        right = !right;
    }
    const float indent = 0.3f * ImGui::GetFontSize();
    if (!several && plots.page == PlotPage::timing)
        if (const double speed = possible_speed(runs.front(), t); speed > 0) {
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
            ImGui::TextDisabled("could go %s x real time", with_unit(speed, "").c_str());
            tooltip("Simulated time divided by the clock time of its steps, over the last simulated second.");
        }
    if (!several && plots.earlier_runs && plots.page != PlotPage::difference && main >= 0) {
        int id = 200;
        const PlotQuantity& quantity = info.quantities[static_cast<std::size_t>(main)];
        for (auto run = plots.history.earlier().rbegin(); run != plots.history.earlier().rend(); ++run) {
            const Row row{packed(earlier_ink(quantity)),
                          1.0f,
                          LineStyle::solid,
                          run->label(),
                          run->method,
                          "earlier",
                          "What the run was before it was reset, or continued from an earlier state: " + run->label() + ".",
                          false};
            if (legend_row(id++, row)) plots.earlier_runs = false;
        }
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace wobble
