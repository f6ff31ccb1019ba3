#include "engine/scene/import.h"

#include "engine/core/text.h"
#include "engine/scene/loaded_scene.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

constexpr double flat = 0.01;                   // of the height: how far above the lowest point a foot may reach
constexpr double downwards = 0.9;               // cosine: how far its triangles may lean
constexpr double no_foot = 0.005, foot = 0.05;  // shares of the base of the box

bool usually_z_up(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* known : {".stl", ".msh", ".mesh", ".vtk", ".vtu", ".node", ".ele"})
        if (ending == known) return true;
    return false;
}

// The area of the flat foot at the low end of an axis, as a share of the base of the box.
double foot_share(const TriMesh& mesh, const Box& box, int axis) {
    const Vec3 size = box.size();
    const double base = size[(axis + 1) % 3] * size[(axis + 2) % 3], level = box.low[axis] + flat * size[axis];
    if (!(base > 0)) return 0;
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
        if (std::max({p[axis], q[axis], r[axis]}) > level) continue;
        const Vec3 normal = 0.5 * (q - p).cross(r - p);  // as long as the area; surfaces of doubtful orientation count, too
        if (std::abs(normal[axis]) > downwards * normal.norm()) sum += std::abs(normal[axis]);
    }
    return sum / base;
}

std::string number(double x) {
    char text[40];
    std::snprintf(text, sizeof text, x >= 999.5 ? "%.0f" : "%.3g", x);
    return text;
}

std::string extents(const Vec3& size) { return text(number(size.x()), " x ", number(size.y()), " x ", number(size.z())); }

}  // namespace

std::span<const LengthUnitInfo> length_units() {
    static constexpr LengthUnitInfo list[] = {{LengthUnit::metre, "m", "metres", 1},
                                              {LengthUnit::centimetre, "cm", "centimetres", 0.01},
                                              {LengthUnit::millimetre, "mm", "millimetres", 0.001},
                                              {LengthUnit::inch, "inch", "inches", 0.0254},
                                              {LengthUnit::foot, "ft", "feet", 0.3048}};
    return list;
}

double metres(LengthUnit unit) {
    for (const LengthUnitInfo& info : length_units())
        if (info.kind == unit) return info.metres;
    return 1;
}

std::span<const UpAxisInfo> up_axes() {
    static constexpr UpAxisInfo list[] = {
        {UpAxis::y, "y", "y up"}, {UpAxis::z, "z", "z up"}, {UpAxis::x, "x", "x up"}, {UpAxis::guessed, "guess", "guessed"}};
    return list;
}

Mat3 turned_up(UpAxis up) {
    Mat3 turn = Mat3::Identity();
    if (up == UpAxis::z) turn << 1, 0, 0, 0, 0, 1, 0, -1, 0;  // (x, y, z) -> (x, z, -y)
    if (up == UpAxis::x) turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;  // (x, y, z) -> (-y, x, z)
    return turn;
}

UpAxis guess_up(const TriMesh& mesh, const std::filesystem::path& file) {
    const Box box = bounding_box(mesh.vertices);
    const bool usual_z = usually_z_up(file);
    const double on_y = foot_share(mesh, box, 1), on_z = foot_share(mesh, box, 2);
    if (usual_z) return on_z < no_foot && on_y > foot ? UpAxis::y : UpAxis::z;
    return on_y < no_foot && on_z > foot ? UpAxis::z : UpAxis::y;
}

FileFrame place_in_world(TriMesh& surface, Box& box, FileSource& source) {
    FileFrame frame;
    frame.extents = box.size();
    frame.up_guessed = source.up == UpAxis::guessed;
    if (frame.up_guessed) source.up = guess_up(surface, source.file);
    frame.turn = turned_up(source.up);
    if (source.up != UpAxis::y) {
        const FileFrame turned{.turn = frame.turn};
        std::vector<Vec3> points = surface.vertices;
        put_in_frame(points, turned);
        box = bounding_box(points);
    }
    const double largest = box.size().maxCoeff();
    if (source.size > 0 && largest > 0) {
        frame.scale = source.size / largest;
        frame.foot = Vec3(box.centre().x(), box.low.y(), box.centre().z());
        frame.shift = -frame.scale * frame.foot;
    } else {
        frame.scale = metres(source.unit);
    }
    put_in_frame(surface.vertices, frame);
    box = bounding_box(surface.vertices);
    return frame;
}

void put_in_frame(std::vector<Vec3>& points, const FileFrame& frame) {
    if (frame.turn != Mat3::Identity())
        for (Vec3& p : points) p = frame.turn * p;
    if (frame.scale != 1 || frame.foot != Vec3::Zero())
        for (Vec3& p : points) p = frame.scale * (p - frame.foot);
}

std::span<const HoldInfo> holds() {
    static constexpr HoldInfo list[] = {
        {Hold::nothing, "nothing", "nothing", "It is free, and falls on the floor."},
        {Hold::bottom, "bottom", "its bottom", "The lowest twentieth stays where it is."},
        {Hold::top, "top", "its top", "The highest twentieth stays where it is: it hangs."},
    };
    return list;
}

std::vector<PinRule> pins_of(Hold hold) {
    if (hold == Hold::bottom) return {PinRule::below(1, 0.05)};
    if (hold == Hold::top) return {PinRule::above(1, 0.95)};
    return {};
}

Hold hold_of(const std::vector<PinRule>& pins) {
    for (const HoldInfo& info : holds())
        if (pins == pins_of(info.kind)) return info.kind;
    return Hold::painted;
}

std::string import_sentence(const LoadedScene& loaded, int body) {
    const auto* source = std::get_if<FileSource>(&loaded.scene.body(body).source);
    const auto& frame = loaded.report(body).file;
    if (!source || !frame) return "";
    std::string unit;
    for (const LengthUnitInfo& info : length_units())
        if (info.kind == source->unit && info.kind != LengthUnit::metre) unit = text(" ", info.id);
    std::string out = text(source->file.filename().string(), ": ", extents(frame->extents), unit, " as in the file");
    const double size = frame->scale * frame->extents.maxCoeff();
    if (source->size > 0) out += text(", scaled x ", number(frame->scale), " to ", number(size), " m");
    else out += unit.empty() ? ", taken as metres" : text(", ", number(size), " m large");
    for (const UpAxisInfo& info : up_axes())
        if (info.kind == source->up) out += text("; ", info.id, " up", frame->up_guessed ? " (guessed)" : "");
    const std::vector<PinRule>& pins = loaded.scene.settings.pins(body);
    switch (hold_of(pins)) {
        case Hold::nothing:
            out += loaded.scene.settings.contact.floor ? "; free on the floor" : "; free";
            break;
        case Hold::bottom:
            out += "; held at the bottom";
            break;
        case Hold::top:
            out += "; held at the top";
            break;
        case Hold::painted:
            out += text("; held by ", counted(static_cast<long>(pins.size()), "pin rule", "pin rules"));
            break;
    }
    const BodyRange range = loaded.range(body);
    out += text("; ", range.particles.size(), " vertices");
    return out + (range.tets.size() > 0 ? text(", ", range.tets.size(), " tets") : std::string());
}

}  // namespace wobble
