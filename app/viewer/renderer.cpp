#include "app/viewer/renderer.h"

#include "app/viewer/gl/map_texture.h"
#include "app/viewer/lights.h"
#include "app/viewer/overlay.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace wobble {

struct Renderer::Room {
    ViewRect cell;  // of the picture, from its lower left corner
    const Camera& camera;
    const ViewOptions& options;
    Mat4f clip;
    float ground;  // m, its height
    Sphere body;
    Vec3f centre;  // of what casts the shadow
    float radius;
    Vec3f to_key, to_fill;  // towards the lights
};

namespace {

float grid_spacing(float size) { return std::pow(10.0f, std::floor(std::log10(0.7f * size))); }  // 5 to 20 small cells per body

// Keeps the tets whose middle at rest lies on the near side of the plane n x = offset, in shares of the body's extent.
void set_cut(const Program& program, const ViewOptions& options) {
    const float cut = std::clamp(options.cut, 0.0f, 1.0f), sign = options.cut_low_side ? -1.0f : 1.0f;
    Vec3f normal = Vec3f::Zero();
    normal[std::clamp(options.cut_axis, 0, 2)] = sign;
    program.set("cut_normal", normal);
    program.set("cut_offset", options.cut_low_side ? -cut : 1 - cut);
    program.set("shrink", 0.06f);
}

std::string body_defines(const ViewOptions& options, bool field, bool own_colours) {
    return "#define LOOK " + std::to_string(static_cast<int>(options.look)) + "\n" +
           (field         ? "#define FIELD\n"
            : own_colours ? "#define OWN_COLOURS\n"
                          : "") +
           (options.wireframe ? "#define WIRE\n" : "");
}

}  // namespace

Result<std::unique_ptr<Renderer>> Renderer::make() {
    std::unique_ptr<Renderer> self(new Renderer);
    for (const auto& [vertex, fragment] : {std::pair{"shadow", "shadow"},
                                           {"background", "soften"},
                                           {"ground", "ground"},
                                           {"background", "background"},
                                           {"overlay", "overlay"}})
        self->programs_.use(vertex, "", fragment);
    self->programs_.use("body", "", "body", body_defines({}, false, false));
    if (self->programs_.error()) return *self->programs_.error();
    return self;
}

Renderer::Renderer()
    : map_(make_map_texture()), no_attributes_(make_vertex_array()), overlay_array_(make_vertex_array()), overlay_(make_buffer()) {
    glBindVertexArray(overlay_array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, overlay_.id());
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(OverlayVertex), nullptr);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(OverlayVertex), reinterpret_cast<void*>(offsetof(OverlayVertex, r)));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glBindVertexArray(0);
}

Result<void> Renderer::draw(const Snapshot& snapshot, const Camera& camera, const ViewOptions& options, int width, int height) {
    const BodyView view{std::shared_ptr<const Snapshot>(std::shared_ptr<void>(), &snapshot), options.colour};  // owns nothing
    return draw(std::span(&view, 1), Layout::side_by_side, camera, options, width, height);
}

Result<void> Renderer::draw(std::span<const BodyView> views, Layout layout, const Camera& camera, const ViewOptions& options, int width,
                            int height) {
    if (views.empty()) return draw(Snapshot{}, camera, options, width, height);  // an empty room
    if (auto begun = begin(options, width, height); !begun) return begun;
    while (bodies_.size() < views.size()) bodies_.push_back(std::make_unique<Body>());
    bodies_.resize(views.size());
    std::vector<Shown> shown;
    std::vector<const Snapshot*> snapshots;
    for (std::size_t i = 0; i < views.size(); ++i) {
        static const auto nothing = std::make_shared<const Snapshot>();
        const auto& snapshot = views[i].snapshot ? views[i].snapshot : nothing;
        bodies_[i]->surface.update(snapshot);
        if (options.tets) bodies_[i]->tets.update(snapshot);
        bodies_[i]->obstacles.update(*snapshot);
        snapshots.push_back(snapshot.get());
        shown.push_back({bodies_[i].get(), snapshot.get(), views[i].colour, views[i].opacity});
    }
    chooser_.update(snapshots, options);

    const std::vector<ViewRect> places = cells(layout, static_cast<int>(shown.size()), {0, 0, width, height});
    const std::size_t per_room = layout == Layout::side_by_side ? 1 : shown.size();
    for (std::size_t i = 0; i < shown.size(); i += per_room) {
        const Body& first = *shown[i].body;
        const Room room = enter(places[i], camera, options, ground_height(*shown[i].snapshot),
                                {first.surface.centre(), first.surface.radius()}, casting_shadow(first));
        draw_room(room, std::span(shown).subspan(i, per_room));
    }
    if (per_room < shown.size()) draw_borders(places, options);
    return end();
}

Result<void> Renderer::begin(const ViewOptions& options, int width, int height) {
    if (auto sized = target_.resize(width, height, options.samples); !sized) return sized;
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_BLEND);
    target_.bind();
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    return {};
}

Result<void> Renderer::end() {
    shadow_.done();
    target_.resolve();
    if (programs_.error()) return *programs_.error();
    return {};
}

// The body and the obstacles; very large ones only as far as the body's shadow stays sharp.
Renderer::Sphere Renderer::casting_shadow(const Body& body) {
    constexpr float margin = 1.05f, farthest = 4;  // in radii of the body
    const Vec3f a = body.surface.centre(), b = body.obstacles.centre();
    const float ra = body.surface.radius(), rb = body.obstacles.radius(), apart = (b - a).norm();
    if (rb == 0 || apart + rb <= ra) return {a, margin * ra};
    const float radius = std::max(rb, 0.5f * (apart + ra + rb));
    if (radius > farthest * ra) return {a, farthest * ra};
    return {apart + ra <= rb ? b : Vec3f(a + (radius - ra) / apart * (b - a)), margin * radius};
}

Renderer::Room Renderer::enter(const ViewRect& cell, const Camera& camera, const ViewOptions& options, float ground, const Sphere& body,
                               const Sphere& casting) {
    const ViewRect from_below{cell.x, target_.height() - cell.y - cell.height, cell.width, cell.height};
    const Mat4f clip = camera.projection(static_cast<float>(cell.width) / static_cast<float>(cell.height)) * camera.view();
    return {from_below, camera, options, clip, ground, body, casting.centre, casting.radius, key_light(camera), fill_light(camera)};
}

void Renderer::look_around(const Room& room) {
    target_.bind();
    glViewport(room.cell.x, room.cell.y, room.cell.width, room.cell.height);
    glScissor(room.cell.x, room.cell.y, room.cell.width, room.cell.height);
    glEnable(GL_SCISSOR_TEST);
}

void Renderer::draw_room(const Room& room, std::span<const Shown> shown) {
    draw_shadows(room, shown.front());
    look_around(room);
    draw_solid(room, shown.front());
    draw_obstacles(room, shown.front());
    draw_ground(room);
    draw_backdrop(room);
    if (shown.size() > 1) draw_ghosts(room, shown.front(), shown.subspan(1));
    for (const Shown& one : shown) draw_signs(room, *one.snapshot);
    glDisable(GL_SCISSOR_TEST);
}

bool Renderer::as_tets(const Room& room, const Shown& shown) { return room.options.tets && shown.body->tets.ready(); }

void Renderer::draw_shadows(const Room& room, const Shown& shown) {
    shadow_.begin(room.to_key, room.centre, room.radius, room.options.shadow_side);
    if (!room.options.shadow) return;  // an empty map: everything is lit
    draw_depth(room, shown, shadow_.light_clip());
    draw_obstacle_depth(room, shown, shadow_.light_clip());
    if (room.options.ground) shadow_.soften(programs_.use("background", "", "soften"), room.ground);
}

void Renderer::draw_depth(const Room& room, const Shown& shown, const Mat4f& clip, float recede) {
    if (as_tets(room, shown)) {
        const Program& program = programs_.use("tets", "tets", "shadow", "#define DEPTH\n");
        program.set("clip", clip);
        program.set("eye", room.camera.eye());
        program.set("recede", recede);
        set_cut(program, room.options);
        shown.body->tets.draw();
    } else {
        const Program& program = programs_.use("shadow", "", "shadow");
        program.set("clip", clip);
        program.set("eye", room.camera.eye());
        program.set("recede", recede);
        shown.body->surface.draw();
    }
}

void Renderer::draw_obstacle_depth(const Room& room, const Shown& shown, const Mat4f& clip) {
    const Program& program = programs_.use("shadow", "", "shadow");
    program.set("clip", clip);
    program.set("eye", room.camera.eye());
    program.set("recede", 0.0f);
    shown.body->obstacles.draw();
}

void Renderer::set_light(const Program& program, const Room& room) const {
    program.set("clip", room.clip);
    program.set("light_clip", shadow_.light_clip());
    program.set("shadow_map", 0);
    program.set("shadow_offset", 6.0f * shadow_.texel());
    program.set("eye", room.camera.eye());
    program.set("to_key_light", room.to_key);
    program.set("to_fill_light", room.to_fill);
    program.set("ground", room.ground);
    program.set("size", room.camera.size);
    program.set("night", room.options.dark);
    program.set("picture", Eigen::Vector2f(static_cast<float>(room.cell.width), static_cast<float>(room.cell.height)));
    program.set("line_width", std::max(1.0f, static_cast<float>(std::min(target_.width(), target_.height())) / 800));
    program.set("depths", 1);
    shadow_.use_depths(0);
    shadow_.use_plain_depths(1);
}

void Renderer::set_field(const Program& program) const {
    program.set("field_map", 2);
    program.set("field_low", colour_scale().low);
    program.set("field_high", colour_scale().high);
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_2D, map_.id());
}

void Renderer::draw_solid(const Room& room, const Shown& shown) {
    if (as_tets(room, shown)) return draw_tets(room, shown);
    const BodyBuffers& surface = shown.body->surface;
    const bool field = room.options.field != Field::none && surface.field() == room.options.field;
    const bool own_colours = !field && room.options.file_colours && surface.coloured();
    const Program& program =
        programs_.use("body", room.options.wireframe ? "body" : "", "body", body_defines(room.options, field, own_colours));
    set_light(program, room);
    if (field) set_field(program);
    program.set("recede", 0.0f);
    program.set("base_colour", shown.colour);
    program.set("pin_tint", room.options.highlight_pins);
    if (surface.closed()) glEnable(GL_CULL_FACE);  // the inside is never seen
    if (own_colours) program.set("picture_map", 3), surface.draw_with_pictures();
    else surface.draw();
    glDisable(GL_CULL_FACE);
}

void Renderer::draw_obstacles(const Room& room, const Shown& shown) {
    const ObstacleBuffers& obstacles = shown.body->obstacles;
    if (obstacles.parts().empty()) return;
    ViewOptions matt = room.options;
    matt.look = Look::clay, matt.wireframe = false;
    const Program& program = programs_.use("body", "", "body", body_defines(matt, false, false));
    set_light(program, room);
    program.set("recede", 0.0f);
    program.set("pin_tint", false);
    for (const ObstacleBuffers::Part& part : obstacles.parts()) {
        program.set("base_colour", part.colour);
        obstacles.draw(part);
    }
}

void Renderer::draw_tets(const Room& room, const Shown& shown) {
    const TetBuffers& tets = shown.body->tets;
    const bool field = room.options.field != Field::none && tets.field() == room.options.field;
    const Program& program = programs_.use("tets", "tets", "tets", field ? "#define FIELD\n" : "");
    set_light(program, room);
    set_cut(program, room.options);
    if (field) set_field(program);
    program.set("recede", 0.0f);
    program.set("base_colour", shown.colour);
    tets.draw();
}

void Renderer::draw_ghosts(const Room& room, const Shown& solid, std::span<const Shown> ghosts) {
    const float recede = 0.02f * room.camera.size;  // where a ghost nearly coincides with the solid body, the body is seen
    for (const Shown& ghost : ghosts) {
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        if (&ghost != &ghosts.front()) {  // ghosts do not hide each other: back to the depths of what is solid
            glClear(GL_DEPTH_BUFFER_BIT);
            draw_depth(room, solid, room.clip);
            draw_obstacle_depth(room, solid, room.clip);
            draw_ground(room);
        }
        draw_depth(room, ghost, room.clip, recede);  // so that only its foremost surface is blended
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glEnable(GL_BLEND);
        glDepthMask(GL_FALSE);
        const Program& program =
            as_tets(room, ghost) ? programs_.use("tets", "tets", "ghost", "#define FLAT\n") : programs_.use("body", "", "ghost");
        set_light(program, room);
        program.set("base_colour", ghost.colour);
        program.set("opacity", std::clamp(ghost.opacity, 0.0f, 1.0f));
        program.set("recede", recede);
        if (as_tets(room, ghost)) {
            set_cut(program, room.options);
            ghost.body->tets.draw();
        } else {
            ghost.body->surface.draw();
        }
        glDepthMask(GL_TRUE);
        glDisable(GL_BLEND);
    }
}

void Renderer::draw_backdrop(const Room& room) {
    programs_.use("background", "", "background").set("night", room.options.dark);
    glDepthMask(GL_FALSE);
    glBindVertexArray(no_attributes_.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthMask(GL_TRUE);
}

void Renderer::draw_ground(const Room& room) {
    if (!room.options.ground || room.camera.eye().y() <= room.ground) return;
    const Program& program = programs_.use("ground", "", "ground");
    program.set("clip", room.clip);
    program.set("light_clip", shadow_.light_clip());
    program.set("ground_shadow", 0);
    program.set("margin", ShadowMap::ground_margin);
    program.set("centre", Vec3f(room.camera.target.x(), room.ground, room.camera.target.z()));
    program.set("body", room.body.centre);
    program.set("body_radius", room.body.radius);
    program.set("reach", 7.0f * room.camera.size);
    program.set("spacing", grid_spacing(room.camera.size));
    program.set("shadow_strength", room.options.shadow);
    program.set("night", room.options.dark);
    program.set("corner", Eigen::Vector2f(static_cast<float>(room.cell.x), static_cast<float>(room.cell.y)));
    program.set("picture", Eigen::Vector2f(static_cast<float>(room.cell.width), static_cast<float>(room.cell.height)));
    shadow_.use_ground_shadow(0);
    glBindVertexArray(no_attributes_.id());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void Renderer::draw_signs(const Room& room, const Snapshot& snapshot) {
    if (room.options.contacts && !snapshot.contacts.empty())
        draw_overlay(contact_overlay(snapshot.contacts, room.camera, room.cell.width, room.cell.height));
    if (snapshot.grab) draw_overlay(grab_overlay(*snapshot.grab, room.camera, room.cell.width, room.cell.height));
}

void Renderer::draw_overlay(const std::vector<OverlayVertex>& vertices) {
    programs_.use("overlay", "", "overlay");
    glEnable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);  // it is never hidden
    glBindVertexArray(overlay_array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, overlay_.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(OverlayVertex)), vertices.data(), GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices.size()));
    glBindVertexArray(0);
    glEnable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
}

void Renderer::draw_borders(const std::vector<ViewRect>& places, const ViewOptions& options) {
    target_.bind();
    glEnable(GL_SCISSOR_TEST);
    const float ink = options.dark ? 0.30f : 0.62f;
    glClearColor(ink, ink, 1.03f * ink, 1);
    const int thick = std::max(1, std::min(target_.width(), target_.height()) / 500);
    for (const ViewRect& cell : places) {
        if (cell.x > 0) {
            glScissor(cell.x - thick / 2, target_.height() - cell.y - cell.height, thick, cell.height);
            glClear(GL_COLOR_BUFFER_BIT);
        }
        if (cell.y > 0) {
            glScissor(cell.x, target_.height() - cell.y - thick / 2, cell.width, thick);
            glClear(GL_COLOR_BUFFER_BIT);
        }
    }
    glClearColor(0, 0, 0, 0);
    glDisable(GL_SCISSOR_TEST);
}

Result<void> Renderer::draw_surface(const TriMesh& mesh, const std::vector<std::uint8_t>& marked_faces, const Camera& camera,
                                    const ViewOptions& options, int width, int height) {
    if (auto begun = begin(options, width, height); !begun) return begun;
    if (!faulty_) faulty_ = std::make_unique<SurfaceBuffers>();
    faulty_->update(mesh, marked_faces);
    const Room room = enter({0, 0, width, height}, camera, options, faulty_->lowest(), {faulty_->centre(), faulty_->radius()},
                            {faulty_->centre(), 1.05f * faulty_->radius()});
    shadow_.begin(room.to_key, room.centre, room.radius, room.options.shadow_side);
    const Program& depth = programs_.use("shadow", "", "shadow");
    depth.set("clip", shadow_.light_clip());
    depth.set("recede", 0.0f);
    if (options.shadow) faulty_->draw();
    if (options.shadow && options.ground) shadow_.soften(programs_.use("background", "", "soften"), room.ground);
    look_around(room);
    const Program& program = programs_.use("fault", "", "fault");
    set_light(program, room);
    program.set("marks", 3);
    faulty_->use_marks(3);
    faulty_->draw();
    draw_ground(room);
    draw_backdrop(room);
    draw_overlay(fault_overlay(mesh, marked_faces, camera, width, height));
    glDisable(GL_SCISSOR_TEST);
    return end();
}

}  // namespace wobble
