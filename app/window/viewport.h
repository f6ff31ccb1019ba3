#pragma once
// The 3D view: what is shown of the runs, drawn again only when something has changed.
#include "app/runs/simulation_group.h"
#include "app/viewer/renderer.h"
#include "app/window/picture_detail.h"
#include "app/window/ui_state.h"

#include <memory>

namespace wobble {

class Viewport {
public:
    static Result<std::unique_ptr<Viewport>> make();  // needs a current OpenGL context for its whole life

    // Draws the states (one per run), or the faulty mesh in their place; true if the picture is a new one. Sizes in pixels, as shown.
    bool draw(const FrameBarrier::Set& shown, UiState&, int width, int height, PictureDetail);
    void show(int x, int y) const { renderer_->show(x, y, width_, height_); }  // in the window's framebuffer, from its lower left corner
    Image picture() const { return renderer_->picture(); }
    const ColourScale& colour_scale() const { return renderer_->colour_scale(); }

private:
    explicit Viewport(std::unique_ptr<Renderer> renderer) : renderer_(std::move(renderer)) {}

    std::unique_ptr<Renderer> renderer_;
    int width_ = 1, height_ = 1;  // as shown
    struct Drawn {
        FrameBarrier::Set shown;
        std::shared_ptr<const FaultyMesh> faulty;
        int finding = -1;
        Layout layout = Layout::side_by_side;
        int active = 0;
        Camera camera;
        ViewOptions view;
        int width = 0, height = 0;
        bool operator==(const Drawn&) const;
    } drawn_;
};

// What the picture of a comparison shows of each run: its colour, and the active one solid among ghosts.
std::vector<BodyView> body_views(const FrameBarrier::Set& shown, const UiState&);
Vec3f body_colour(int run, int runs, const ViewOptions&);  // linear

}  // namespace wobble
