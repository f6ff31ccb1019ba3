#pragma once
// Draws a snapshot: lit body, its shadow on a ground grid, wireframe, the grabbing hand. The same code with and without a window.
// Needs a current OpenGL 3.3 core context with loaded functions for its whole life.
#include "app/viewer/body_buffers.h"
#include "app/viewer/camera.h"
#include "app/viewer/render_target.h"
#include "app/viewer/shadow_map.h"
#include "app/viewer/view_options.h"
#include "engine/sim/snapshot.h"

#include <memory>

namespace wobble {

class Renderer {
public:
    static Result<std::unique_ptr<Renderer>> make();

    // Draws into its own picture of width x height pixels; then show() or picture().
    Result<void> draw(const Snapshot&, const Camera&, const ViewOptions&, int width, int height);
    void show(int x, int y) const { target_.show(x, y); }  // in the window's framebuffer, from its lower left corner
    Image picture() const { return target_.read(); }

private:
    struct Programs {
        Program body, shadow, soften, ground, background, wire, overlay;
    };
    explicit Renderer(Programs);
    void draw_shadow_map(const Camera&, const ViewOptions&, float ground);
    void draw_body(const Mat4f& clip, const Camera&, const ViewOptions&, float ground);
    void draw_background();
    void draw_ground(const Mat4f& clip, const Camera&, const ViewOptions&, float ground);
    void draw_wireframe(const Mat4f& clip);
    void draw_grab(const Snapshot&, const Camera&);

    Programs programs_;
    RenderTarget target_;
    ShadowMap shadow_;
    BodyBuffers body_;
    GlVertexArray no_attributes_, overlay_array_;
    GlBuffer overlay_;
};

// Height of the ground under a body: where it rests, or well below it when it hangs or sticks out from a wall.
float ground_height(const Snapshot&);

}  // namespace wobble
