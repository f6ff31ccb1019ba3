#pragma once
// Draws the pictures of a film on a thread of its own, without a window. Stays on the thread that made it.
#include "app/record/text_raster.h"
#include "app/viewer/camera.h"
#include "app/viewer/gl/headless.h"
#include "app/viewer/layout.h"
#include "app/viewer/renderer.h"
#include "app/viewer/run_labels.h"
#include "app/viewer/view_options.h"
#include "engine/sim/snapshot.h"

#include <memory>
#include <span>
#include <vector>

namespace wobble {

struct FilmLook {  // what of the window a film without the UI shows
    Camera camera;
    ViewOptions view;
    Layout layout = Layout::side_by_side;
    struct Run {
        Vec3f colour = ViewOptions{}.colour;  // linear
        float opacity = 1;
        bool out = false;  // stopped and left behind
    };
    std::vector<Run> runs;  // of a comparison
    int solid = 0;          // the one among ghosts, where they are overlaid
    bool legends = true;    // the scale of the colours, the names of the runs
};

// Writes what explains it into a picture of these bodies.
void add_legends(Image&, std::span<const std::shared_ptr<const Snapshot>>, const FilmLook&, const ColourScale&, const TextRaster&);

class OffscreenRenderer {
public:
    static Result<std::unique_ptr<OffscreenRenderer>> make(TextRaster);
    // One body, or several of the same time.
    Result<Image> paint(std::span<const std::shared_ptr<const Snapshot>>, const FilmLook&, int width, int height);

private:
    explicit OffscreenRenderer(TextRaster lettering) : lettering_(std::move(lettering)) {}
    TextRaster lettering_;
    std::unique_ptr<HeadlessContext> context_;  // first: outlives the renderer
    std::unique_ptr<Renderer> renderer_;
};

}  // namespace wobble
