#pragma once
// Draws snapshots: lit bodies and obstacles, their shadow on a ground grid, wireframe, tetrahedra, field colours, the grabbing hand, the
// forces of contact. The same code with and without a window. Needs a current OpenGL 3.3 core context with loaded functions for its whole
// life.
#include "app/viewer/camera.h"
#include "app/viewer/colour_map.h"
#include "app/viewer/gl/body_buffers.h"
#include "app/viewer/gl/obstacle_buffers.h"
#include "app/viewer/gl/programs.h"
#include "app/viewer/gl/render_target.h"
#include "app/viewer/gl/shadow_map.h"
#include "app/viewer/gl/surface_buffers.h"
#include "app/viewer/gl/tet_buffers.h"
#include "app/viewer/layout.h"
#include "app/viewer/view_options.h"
#include "engine/sim/snapshot.h"

#include <memory>
#include <span>
#include <vector>

namespace wobble {

struct BodyView {
    std::shared_ptr<const Snapshot> snapshot;
    Vec3f colour = ViewOptions{}.colour;  // linear; instead of that of the options
    float opacity = 1;                    // of a ghost
};

class Renderer {
public:
    static Result<std::unique_ptr<Renderer>> make();

    // Each draws into the renderer's own picture of width x height pixels; then show() or picture().
    Result<void> draw(const Snapshot&, const Camera&, const ViewOptions&, int width, int height);
    // Side by side each in its own cell with the same camera; overlaid the first is solid, the others are ghosts around it.
    Result<void> draw(std::span<const BodyView>, Layout, const Camera&, const ViewOptions&, int width, int height);
    // A surface from a file, both sides of it, as flat triangles; those with a mark (one per triangle, not 0) in a signal colour.
    Result<void> draw_surface(const TriMesh&, const std::vector<std::uint8_t>& marked_faces, const Camera&, const ViewOptions&, int width,
                              int height);

    void show(int x, int y, int width, int height) const { target_.show(x, y, width, height); }  // see RenderTarget
    Image picture() const { return target_.read(); }
    const ColourScale& colour_scale() const { return chooser_.scale(); }  // of the last picture

private:
    struct Body {
        BodyBuffers surface;
        TetBuffers tets;
        ObstacleBuffers obstacles;
    };
    struct Shown {
        const Body* body;
        const Snapshot* snapshot;
        Vec3f colour;
        float opacity;
    };
    struct Room;  // what is drawn in one cell, from where and in which light

    Renderer();
    Result<void> begin(const ViewOptions&, int width, int height);
    Result<void> end();
    struct Sphere {
        Vec3f centre;
        float radius;
    };
    Room enter(const ViewRect& cell, const Camera&, const ViewOptions&, float ground, const Sphere& body, const Sphere& casting);
    static Sphere casting_shadow(const Body&);
    void look_around(const Room&);
    static bool as_tets(const Room&, const Shown&);
    void draw_room(const Room&, std::span<const Shown>);
    void draw_shadows(const Room&, const Shown&);
    void draw_solid(const Room&, const Shown&);
    void draw_tets(const Room&, const Shown&);
    void draw_obstacles(const Room&, const Shown&);
    void draw_obstacle_depth(const Room&, const Shown&, const Mat4f& clip);
    void draw_ghosts(const Room&, const Shown& solid, std::span<const Shown>);
    void draw_depth(const Room&, const Shown&, const Mat4f& clip, float recede = 0);
    void draw_ground(const Room&);
    void draw_backdrop(const Room&);
    void draw_signs(const Room&, const Snapshot&);
    void draw_overlay(const std::vector<struct OverlayVertex>&);
    void draw_borders(const std::vector<ViewRect>&, const ViewOptions&);
    void set_light(const Program&, const Room&) const;
    void set_field(const Program&) const;

    Programs programs_;
    RenderTarget target_;
    ShadowMap shadow_;
    ScaleChooser chooser_;
    std::vector<std::unique_ptr<Body>> bodies_;  // one for each of the last picture
    std::unique_ptr<SurfaceBuffers> faulty_;
    GlTexture map_;  // colour_map
    GlVertexArray no_attributes_, overlay_array_;
    GlBuffer overlay_;
};

}  // namespace wobble
