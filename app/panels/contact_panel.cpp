// The section Contact: how bodies begin, what touches what, and the obstacles.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "engine/scene/limits.h"
#include "engine/scene/obstacles.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace wobble {

namespace {

constexpr double pinned_share = 0.05;  // of a body's height, where it is held or hung

Box rest_box(const Snapshot& snapshot) { return snapshot.surface ? snapshot.surface->rest_box : Box{Vec3::Zero(), Vec3::Ones()}; }

// Everything from the beginning, each body held by these pins; a floor that was put under the bodies goes where it then belongs.
void begin_anew(const Snapshot& snapshot, const std::vector<PinRule>& pins, double height, const PostCommand& post) {
    if (!snapshot.scene) return;
    RunSettings wanted = snapshot.settings;
    for (BodySettings& body : wanted.bodies) body.pins = pins;
    if (const int floor = floor_of(wanted); floor >= 0 && wanted.obstacles[static_cast<std::size_t>(floor)].automatic) {
        Obstacle moved = wanted.obstacles[static_cast<std::size_t>(floor)];
        moved.position.y() = ground_under(*snapshot.scene, wanted);
        post(SetObstacle{floor, moved});
    }
    post(Drop{height});
    if (pins.empty()) return;
    for (int b = 0; b < static_cast<int>(wanted.bodies.size()); ++b) post(SetPins{pins, b});
    post(Reset{});
}

void beginnings(const Snapshot& snapshot, const PostCommand& post) {
    const double tall = rest_box(snapshot).size().y(), wide = rest_box(snapshot).diagonal();
    const float gap = ImGui::GetStyle().ItemSpacing.x, third = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    if (ImGui::Button("Held", {third, 0})) begin_anew(snapshot, {PinRule::below(1, pinned_share)}, 0, post);
    tooltip("Begins anew, every body held at its foot.");
    ImGui::SameLine();
    if (ImGui::Button("On the floor", {third, 0})) begin_anew(snapshot, {}, 0, post);
    tooltip("Begins anew, every body free on the floor.");
    ImGui::SameLine();
    if (ImGui::Button("Hanging", {third, 0})) begin_anew(snapshot, {PinRule::above(1, 1 - pinned_share)}, 0, post);
    tooltip("Begins anew, every body hung up by its top; the floor is well below.");
    if (ImGui::Button("Drop", {-1, 0})) begin_anew(snapshot, {}, std::max(0.5 * tall, 0.25 * wide), post), post(Play{});
    tooltip("Lets go of everything that is held, lifts the bodies by half their height and lets them fall.");
}

void rules(const Snapshot& snapshot, const PostCommand& post) {
    ContactRules edited = snapshot.settings.contact;
    const bool several = snapshot.scene && snapshot.scene->scene.count() > 1;
    ImGui::BeginDisabled(!several);
    bool changed = ImGui::Checkbox("Bodies", &edited.bodies);
    ImGui::EndDisabled();
    tooltip(several ? "Bodies touch each other; otherwise they pass through." : "There is only one body in this scene.");
    ImGui::SameLine(0.5f * ImGui::GetWindowWidth());
    changed |= ImGui::Checkbox("Self-contact", &edited.self);
    tooltip("Parts of a body touch each other: turns of a coil, folds of a cloth. Costs time in every step.");
    if (changed) post(SetContact{edited});
}

std::string free_name(const Snapshot& snapshot, const std::string& kind) {
    const auto taken = [&](const std::string& name) {
        return std::any_of(snapshot.settings.obstacles.begin(), snapshot.settings.obstacles.end(),
                           [&](const Obstacle& o) { return o.name == name; });
    };
    std::string name = kind;
    for (int number = 2; taken(name); ++number) name = kind + " " + std::to_string(number);
    return name;
}

void add(Obstacle o, const char* name, const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    o.name = free_name(snapshot, name);
    ui.contact.selected = static_cast<int>(snapshot.settings.obstacles.size());
    post(AddObstacle{std::move(o)});
}

// Beside the bodies, on the ground, of about their size.
Obstacle beside(Obstacle::Kind kind, const Snapshot& snapshot) {
    const Box box = rest_box(snapshot);
    const double size = std::clamp(0.4 * box.diagonal(), 1e-3, 100.0), ground = snapshot.scene ? snapshot.scene->ground : box.low.y();
    Obstacle o = make_obstacle(kind);
    o.radius = (kind == Obstacle::Kind::sphere ? 0.5 : 0.25) * size, o.length = size;
    o.position = Vec3(box.high.x() + 0.75 * size, ground, box.centre().z());
    if (kind == Obstacle::Kind::box) o.size = Vec3::Constant(size);
    if (kind == Obstacle::Kind::sphere) o.position.y() += o.radius;
    if (kind == Obstacle::Kind::box || kind == Obstacle::Kind::cylinder) o.position.y() += 0.5 * size;
    if (kind == Obstacle::Kind::capsule) o.position.y() += 0.5 * o.length + o.radius;
    if (kind == Obstacle::Kind::plane) {  // a slope that rises away from the bodies
        o.position.x() = box.high.x();
        o.axis = Vec3::UnitZ(), o.angle = 20, o.size = Vec3::Constant(5 * size);
    }
    return o;
}

void add_choice(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    constexpr const char* help = "Puts another obstacle beside the bodies. Ctrl-drag in the picture moves it.";
    label_left("Add", help);
    if (ImGui::BeginCombo("##add", "an obstacle")) {
        if (ImGui::Selectable("Floor")) {
            ContactRules edited = snapshot.settings.contact;
            edited.floor = true, ui.contact.selected = static_cast<int>(snapshot.settings.obstacles.size());
            post(SetContact{edited});
        }
        tooltip("A plane under the bodies, where the ground is drawn.");
        struct Entry {
            Obstacle::Kind kind;
            const char *label, *name, *help;
        };
        for (const Entry& e : {Entry{Obstacle::Kind::plane, "Slope", "slope", "A plane that rises beside the bodies."},
                               {Obstacle::Kind::sphere, "Ball", "ball", "Round all over."},
                               {Obstacle::Kind::box, "Box", "box", "With sharp edges and corners."},
                               {Obstacle::Kind::capsule, "Capsule", "capsule", "A rod with round ends."},
                               {Obstacle::Kind::cylinder, "Cylinder", "cylinder", "A rod with flat ends and sharp rims."}}) {
            if (ImGui::Selectable(e.label)) add(beside(e.kind, snapshot), e.name, snapshot, ui, post);
            tooltip(e.help);
        }
        if (ImGui::Selectable("Mesh...")) ui.show_open = ui.contact.choose_mesh = true;
        tooltip("A triangle surface from a file, closed or open.");
        ImGui::EndCombo();
    }
    tooltip(help);
}

void obstacle_choice(const std::vector<Obstacle>& all, int selected, UiState& ui) {
    constexpr const char* help = "The obstacle whose values are below; Ctrl-drag in the picture takes one, too.";
    label_left("Obstacle", help);
    if (ImGui::BeginCombo("##obstacle", obstacle_name(all, selected).c_str())) {
        for (int i = 0; i < static_cast<int>(all.size()); ++i) {
            ImGui::PushID(i);
            if (ImGui::Selectable(obstacle_name(all, i).c_str(), i == selected)) ui.contact.selected = i;
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    tooltip(help);
}

bool length(const char* id, const char* label, const char* help, double& value) {
    return value_slider(id, label, "m", help, value, {0.001, 100, true, false});
}

bool values(Obstacle& o) {
    bool changed = false;
    constexpr const char* axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
        const std::string label = std::string("Position ") + axes[k],
                          help = std::string("Where it stands along ") + axes[k] + ", y upward.";
        changed |= value_slider(label.c_str(), label.c_str(), "m", help.c_str(), o.position[k], {-10, 10, false, true});
    }
    if (o.kind != Obstacle::Kind::sphere)
        changed |= value_slider("angle", "Angle", "degrees", "Turned about its axis, which is z unless its scene says otherwise.", o.angle,
                                {-180, 180, false, true});
    const ObstacleKind& info = obstacle_kinds()[static_cast<std::size_t>(o.kind)];
    if (info.has_radius) changed |= length("radius", "Radius", "Half its thickness.", o.radius);
    if (info.has_length) changed |= length("length", "Length", "Along its axis; of a capsule without its round ends.", o.length);
    if (o.kind == Obstacle::Kind::box)
        for (int k = 0; k < 3; ++k) {
            const std::string label = std::string("Size ") + axes[k],
                              help = std::string("Its extent along ") + axes[k] + " before it is turned.";
            changed |= length(label.c_str(), label.c_str(), help.c_str(), o.size[k]);
        }
    if (o.kind == Obstacle::Kind::mesh) {
        double times = o.size.maxCoeff();
        if (value_slider("size", "Size", "x", "Times as large as in its file.", times, {0.001, 1000, true, false}))
            o.size *= times / o.size.maxCoeff(), changed = true;
    }
    double friction = std::max(0.0, o.friction);
    bool own = o.friction >= 0;
    if (ImGui::Checkbox("Own friction", &own)) o.friction = own ? 0.5 : -1, changed = true;
    tooltip("It has a coefficient of its own; otherwise that of the body that touches it counts (Material).");
    if (own && value_slider("friction", "Friction", "", "Coulomb's coefficient of whatever touches it.", friction,
                            {limits::friction.low, limits::friction.high, false, true}))
        o.friction = friction, changed = true;
    return changed;
}

void obstacles(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    const std::vector<Obstacle>& all = snapshot.settings.obstacles;
    add_choice(snapshot, ui, post);
    if (all.empty()) return ImGui::TextDisabled("There are no obstacles: what falls, falls on.");
    const int selected = std::clamp(ui.contact.selected, 0, static_cast<int>(all.size()) - 1);
    obstacle_choice(all, selected, ui);
    Obstacle edited = all[static_cast<std::size_t>(selected)];
    if (edited.angle == 0 && edited.axis == Vec3::UnitY()) edited.axis = Vec3::UnitZ();  // about which a turn is seen
    Vec3 dragged = Vec3::Zero();                                                         // by a hand, on top of where the scene has it
    if (static_cast<std::size_t>(selected) < snapshot.obstacle_poses.size())
        dragged = snapshot.obstacle_poses[static_cast<std::size_t>(selected)].position - pose(edited, snapshot.t).position;
    edited.position += dragged;
    if (values(edited)) {
        edited.position -= dragged, edited.automatic = false;
        post(SetObstacle{selected, edited});
    }
    if (ImGui::Button("Remove", {-1, 0})) post(RemoveObstacle{selected});
    tooltip("Takes this obstacle out of the scene.");
}

}  // namespace

void add_mesh(const std::string& file, const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    Obstacle o = beside(Obstacle::Kind::mesh, snapshot);
    o.file = file;
    add(std::move(o), std::filesystem::path(file).stem().string().c_str(), snapshot, ui, post);
}

void contact_panel(const Snapshot& snapshot, UiState& ui, const PostCommand& post) {
    beginnings(snapshot, post);
    rules(snapshot, post);
    obstacles(snapshot, ui, post);
}

}  // namespace wobble
