#include "app/viewer/renderer.h"

#include "app/viewer/overlay.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace wobble {

namespace {

// From the key light, fixed to the camera's azimuth at a slow rate so that the lit side is always in view.
Vec3f key_light(const Camera& camera) {
    const float azimuth = camera.yaw + 0.75f;
    return Vec3f(std::sin(azimuth) * 0.62f, 0.92f, std::cos(azimuth) * 0.62f).normalized();
}

float grid_spacing(float size) { return std::pow(10.0f, std::floor(std::log10(0.7f * size))); }  // 5 to 20 small cells per body

}  // namespace

float ground_height(const Snapshot& snapshot) {
    if (!snapshot.surface) return 0;
    const Box& box = snapshot.surface->rest_box;
    const double low = box.low.y(), tall = box.size().y();
    double lowest_pin = 1e300, highest_pin = -1e300;
    for (std::size_t i = 0; i < snapshot.surface->pinned.size() && i < snapshot.positions.size(); ++i)
        if (snapshot.surface->pinned[i]) {
            lowest_pin = std::min<double>(lowest_pin, snapshot.positions[i].y());
            highest_pin = std::max<double>(highest_pin, snapshot.positions[i].y());
        }
    const bool held = lowest_pin <= highest_pin, by_its_foot = lowest_pin < low + 0.05 * tall && highest_pin < low + 0.5 * tall;
    return static_cast<float>(held && !by_its_foot ? low - 0.45 * box.diagonal() : low);  // hanging or clamped: it needs room to swing
}

Result<std::unique_ptr<Renderer>> Renderer::make() {
    auto body = Program::make("body", "body"), shadow = Program::make("shadow", "shadow"), soften = Program::make("background", "soften"),
         ground = Program::make("ground", "ground"), background = Program::make("background", "background"),
         wire = Program::make("wire", "wire"), overlay = Program::make("overlay", "overlay");
    for (const auto* program : {&body, &shadow, &soften, &ground, &background, &wire, &overlay})
        if (!*program) return program->error();
    return std::unique_ptr<Renderer>(
        new Renderer({std::move(body).value(), std::move(shadow).value(), std::move(soften).value(), std::move(ground).value(),
                      std::move(background).value(), std::move(wire).value(), std::move(overlay).value()}));
}

Renderer::Renderer(Programs programs)
    : programs_(std::move(programs)), no_attributes_(make_vertex_array()), overlay_array_(make_vertex_array()), overlay_(make_buffer()) {
    glBindVertexArray(overlay_array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, overlay_.id());
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(OverlayVertex), nullptr);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(OverlayVertex), reinterpret_cast<void*>(offsetof(OverlayVertex, r)));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glBindVertexArray(0);
}

Result<void> Renderer::draw(const Snapshot& snapshot, const Camera& camera, const ViewOptions& options, int width, int height) {
    if (auto sized = target_.resize(width, height, options.samples); !sized) return sized;
    const Mat4f clip = camera.projection(static_cast<float>(width) / static_cast<float>(height)) * camera.view();
    const float ground = ground_height(snapshot);
    body_.update(snapshot);

    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_BLEND);
    draw_shadow_map(camera, options, ground);
    target_.bind();
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_body(clip, camera, options, ground);
    if (options.ground && camera.eye().y() > ground) draw_ground(clip, camera, options, ground);
    draw_background();
    glEnable(GL_BLEND);
    if (options.wireframe) draw_wireframe(clip);
    draw_grab(snapshot, camera);
    glDisable(GL_BLEND);
    target_.resolve();
    return {};
}

void Renderer::draw_shadow_map(const Camera& camera, const ViewOptions& options, float ground) {
    shadow_.begin(key_light(camera), body_.centre(), 1.05f * body_.radius());
    if (!options.shadow) return;  // an empty map: everything is lit
    programs_.shadow.use();
    programs_.shadow.set("light_clip", shadow_.light_clip());
    body_.draw();
    if (options.ground) shadow_.soften(programs_.soften, ground);
}

void Renderer::draw_body(const Mat4f& clip, const Camera& camera, const ViewOptions& options, float ground) {
    const Program& program = programs_.body;
    program.use();
    program.set("clip", clip);
    program.set("light_clip", shadow_.light_clip());
    program.set("shadow_map", 0);
    program.set("shadow_offset", 6.0f * shadow_.texel());
    program.set("eye", camera.eye());
    program.set("to_key_light", key_light(camera));
    program.set("to_fill_light", Vec3f((-camera.right() * 1.2f + camera.up() * 0.25f - camera.forward() * 0.6f).normalized()));
    program.set("base_colour", options.colour);
    program.set("pin_tint", options.highlight_pins ? 1.0f : 0.0f);
    program.set("ground", ground);
    program.set("size", camera.size);
    shadow_.use_depths(0);
    if (body_.closed()) glEnable(GL_CULL_FACE);  // the inside is never seen
    glEnable(GL_POLYGON_OFFSET_FILL);  // leaves room for the wireframe in front
    glPolygonOffset(1, 1);
    body_.draw();
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_CULL_FACE);
}

void Renderer::draw_background() {
    programs_.background.use();
    glDepthMask(GL_FALSE);
    glBindVertexArray(no_attributes_.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthMask(GL_TRUE);
}

void Renderer::draw_ground(const Mat4f& clip, const Camera& camera, const ViewOptions& options, float ground) {
    const Program& program = programs_.ground;
    program.use();
    program.set("clip", clip);
    program.set("light_clip", shadow_.light_clip());
    program.set("ground_shadow", 0);
    program.set("margin", ShadowMap::ground_margin);
    program.set("centre", Vec3f(camera.target.x(), ground, camera.target.z()));
    program.set("body", body_.centre());
    program.set("body_radius", body_.radius());
    program.set("reach", 7.0f * camera.size);
    program.set("spacing", grid_spacing(camera.size));
    program.set("shadow_strength", options.shadow ? 1.0f : 0.0f);
    program.set("picture", Eigen::Vector2f(static_cast<float>(target_.width()), static_cast<float>(target_.height())));
    shadow_.use_ground_shadow(0);
    glBindVertexArray(no_attributes_.id());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void Renderer::draw_wireframe(const Mat4f& clip) {
    programs_.wire.use();
    programs_.wire.set("clip", clip);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    body_.draw();
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void Renderer::draw_grab(const Snapshot& snapshot, const Camera& camera) {
    if (!snapshot.grab) return;
    const auto vertices = grab_overlay(*snapshot.grab, camera, target_.width(), target_.height());
    programs_.overlay.use();
    glDisable(GL_DEPTH_TEST);  // the hand is never hidden
    glBindVertexArray(overlay_array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, overlay_.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(OverlayVertex)), vertices.data(), GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices.size()));
    glBindVertexArray(0);
    glEnable(GL_DEPTH_TEST);
}

}  // namespace wobble
