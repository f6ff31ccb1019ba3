#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "engine/core/text.h"

#include <algorithm>
#include <filesystem>

namespace wobble {

namespace {

void row(const char* name, const std::string& value, const char* help) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", name);
    tooltip(help);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
    tooltip(help);
}

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

bool begin_table(const char* id) {
    if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingStretchProp)) return false;
    ImGui::TableSetupColumn("", 0, 0.42f);
    ImGui::TableSetupColumn("", 0, 0.58f);
    return true;
}

void report_heading(const char* title) {
    ImGui::Dummy({0, 0.2f * ImGui::GetFontSize()});
    ImGui::TextUnformatted(title);
    ImGui::Separator();
}

void wrapped(const std::string& sentence, bool dim = false) {
    ImGui::PushTextWrapPos(0);
    if (dim) ImGui::TextDisabled("%s", sentence.c_str());
    else ImGui::TextUnformatted(sentence.c_str());
    ImGui::PopTextWrapPos();
}

void sentences(const std::vector<std::string>& list) {
    for (const std::string& sentence : list) {
        ImGui::Bullet();
        wrapped(sentence);
    }
}

void surface_table(const MeshReport& report, const char* unit) {
    if (!begin_table("surface")) return;
    row("Vertices", std::to_string(report.vertices), "Of the drawn surface.");
    row("Triangles", std::to_string(report.triangles), "Of the drawn surface.");
    row("Parts", std::to_string(report.components), "Pieces of surface that do not touch; inner ones are walls of cavities.");
    if (report.box.low.x() <= report.box.high.x()) {
        const Vec3 size = report.box.size();
        row("Extent", text(number(size.x()), " x ", number(size.y()), " x ", number(size.z()), unit),
            "Width, height and depth of its box.");
    }
    if (report.volume != 0)
        row("Volume", number(report.volume) + (*unit ? text(unit, "\xc2\xb3") : std::string()),
            "Enclosed by the surface; means little while it is open.");
    ImGui::EndTable();
}

// A sentence that can be chosen; as high as it needs.
bool finding_row(int id, const std::string& sentence, bool selected, unsigned colour) {
    ImGui::PushID(id);
    const float indent = 1.1f * ImGui::GetFontSize(), room = ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(sentence.c_str(), nullptr, false, room - indent);
    const bool clicked = ImGui::Selectable("##finding", selected, 0, {0, size.y});
    tooltip("Click to see only these faces; again for all.");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float r = 0.28f * ImGui::GetFontSize();
    list.AddCircleFilled({at.x + 0.4f * indent, at.y + 0.5f * ImGui::GetFontSize()}, r, colour);
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + indent, at.y}, ImGui::GetColorU32(ImGuiCol_Text), sentence.c_str(),
                 nullptr, room - indent);
    ImGui::PopID();
    return clicked;
}

void faults(SceneState& scene, bool loading) {
    FaultyMesh& mesh = *scene.faulty;
    const long count = static_cast<long>(mesh.report.findings.size());
    ImGui::PushStyleColor(ImGuiCol_Text, theme_colours().alarm);
    wrapped(std::filesystem::path(mesh.file).filename().string() + " cannot be simulated yet");
    ImGui::PopStyleColor();
    wrapped(text(counted(count, "fault", "faults"), ", highlighted. The running scene goes on meanwhile."), true);

    ImGui::Dummy({0, 0.3f * ImGui::GetFontSize()});
    if (mesh.report.components > 1) {
        ImGui::Checkbox("Keep only the largest part", &mesh.largest_part);
        tooltip("By area. Scans often carry small pieces beside the body.");
    }
    const float width = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
    const auto* source = std::get_if<FileSource>(&mesh.scene.body().source);
    const bool tried = source && source->repair && source->largest_part == mesh.largest_part;
    ImGui::BeginDisabled(loading || tried);
    if (ImGui::Button("Repair and load", {width, 0})) scene.repair = true;
    ImGui::EndDisabled();
    tooltip(
        tried
            ? "This has been tried: what is left needs a mesh editor."
            : "Merges doubled vertices, closes cracks and small holes (at most 200 edges, half as wide as the body), turns faces outward, "
              "removes loose, doubled and flat faces. The file stays as it is.");
    ImGui::SameLine();
    if (ImGui::Button("Close", {-1, 0})) scene.close_faulty = true;
    tooltip("Back to the running scene, which went on untouched.");

    report_heading("Faults");
    for (int i = 0; i < count; ++i) {
        const Finding& finding = mesh.report.findings[static_cast<std::size_t>(i)];
        if (finding_row(i, finding.sentence, mesh.selected == i, theme_colours().alarm)) mesh.selected = mesh.selected == i ? -1 : i;
    }
    if (!mesh.repaired.empty()) {
        report_heading("Repair");
        sentences(mesh.repaired);
        wrapped("What is left needs a mesh editor.", true);
    }
    report_heading("Surface in the file");
    surface_table(mesh.report, "");
}

void loaded(const Snapshot& snapshot, int which, SceneState& scene) {
    const LoadedScene& body = *snapshot.scene;
    const BodyReport& report = body.report(which);
    ImGui::TextUnformatted(
        ("Mesh report: " + body.scene.name + (body.scene.count() > 1 ? ", " + body.scene.body_name(which) : "")).c_str());
    const bool good = report.surface.good();
    if (good)
        wrapped(body.range(which).sheet() ? "A sheet of springs."
                                          : "No faults: the surface is closed, oriented and free of cuts through itself.",
                true);
    if (!report.made.empty()) wrapped(report.made);
    if (!good) {
        report_heading("Faults of the surface in the file");
        for (const Finding& finding : report.surface.findings) ImGui::Bullet(), wrapped(finding.sentence);
    }
    if (!report.repaired.empty()) {
        report_heading("Repair");
        sentences(report.repaired);
    }
    if (!report.notes.empty()) {
        report_heading("The file");
        sentences(report.notes);
    }
    report_heading("Drawn surface");
    surface_table(report.surface, " m");
    report_heading("Simulated body");
    if (begin_table("body")) {
        row("Particles", std::to_string(snapshot.particles), "They carry the mass and move; the drawn surface follows them.");
        if (!body.body.sheet()) row("Tetrahedra", std::to_string(snapshot.tets), "They fill the body.");
        else row("Springs", std::to_string(body.body.links.size()), "Structural, shear and bending ones between the particles.");
        row("Mass", number(snapshot.mass) + " kg", "Density times volume.");
        if (!body.body.sheet()) {
            row("Worst shape", number(report.tets.worst),
                "1 is a regular tetrahedron, 0 a flat one; below 0.05 the body may need very small steps.");
            row("Mean shape", number(report.tets.mean), "1 is a regular tetrahedron, 0 a flat one.");
            row("Sharpest dihedral", number(report.tets.smallest_dihedral) + "\xc2\xb0",
                "The smallest angle between two faces of a tetrahedron; 70.5\xc2\xb0 in a regular one.");
            row("Fewest at a vertex", text(counted(report.tets.fewest_tets, "tetrahedron", "tetrahedra")),
                "A vertex held by one or two is where explosions start.");
            row("Weak vertices", std::to_string(report.tets.weak_vertices),
                "Held by fewer than three tetrahedra; the mesh generator leaves none.");
        }
        ImGui::EndTable();
    }
    ImGui::Dummy({0, 0.3f * ImGui::GetFontSize()});
    if (ImGui::Button("Close", {-1, 0})) scene.show_report = false;
    tooltip("Closes this page.");
}

}  // namespace

void mesh_report_panel(const Snapshot& snapshot, UiState& ui, const PostCommand&) {
    SceneState& scene = ui.scene;
    if (scene.faulty && !scene.show_report) scene.close_faulty = true;  // Escape
    if (!scene.show_report || (!scene.faulty && !snapshot.scene)) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const PanelSizes sizes = panel_sizes(ui, window.x, window.y);
    const float margin = 12 * ui.scale, em = ImGui::GetFontSize();
    const float width = std::min(22 * em, 0.48f * (window.x - sizes.side)), height = window.y - sizes.strip - sizes.status - 2 * margin;
    ImGui::SetNextWindowPos({window.x - margin - width, margin});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(height, 8 * em)});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ui.scale);
    if (ImGui::Begin("mesh report", nullptr,
                     ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize)) {
        if (scene.faulty) faults(scene, ui.loading.active);
        else loaded(snapshot, selected_body(snapshot, ui), scene);
    }
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

}  // namespace wobble
