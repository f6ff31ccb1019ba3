#include "app/record/offscreen_renderer.h"

#include "app/viewer/colour_bar.h"

#include <algorithm>

namespace wobble {

Result<std::unique_ptr<OffscreenRenderer>> OffscreenRenderer::make(TextRaster lettering) {
    std::unique_ptr<OffscreenRenderer> self(new OffscreenRenderer(std::move(lettering)));
    auto context = HeadlessContext::make();
    if (!context) return context.error();
    self->context_ = std::move(context).value();
    auto renderer = Renderer::make();
    if (!renderer) return renderer.error();
    self->renderer_ = std::move(renderer).value();
    return self;
}

void add_legends(Image& picture, std::span<const std::shared_ptr<const Snapshot>> bodies, const FilmLook& look, const ColourScale& scale,
                 const TextRaster& lettering) {
    const ViewRect whole{0, 0, picture.width, picture.height};
    const LegendStyle style = lettering.style();
    RunLabelOptions labels{look.layout, look.layout == Layout::overlaid ? look.solid : -1, {}};
    for (const FilmLook::Run& run : look.runs) labels.out.push_back(run.out);
    lettering.draw(picture, colour_bar(scale, whole, style));
    lettering.draw(picture, run_labels(bodies, whole, labels, style));
}

Result<Image> OffscreenRenderer::paint(std::span<const std::shared_ptr<const Snapshot>> bodies, const FilmLook& look, int width,
                                       int height) {
    Result<void> drawn;
    if (bodies.size() == 1) drawn = renderer_->draw(*bodies.front(), look.camera, look.view, width, height);
    else {
        std::vector<BodyView> views;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const FilmLook::Run run = i < look.runs.size() ? look.runs[i] : FilmLook::Run{look.view.colour, 1};
            views.push_back({bodies[i], run.colour, run.opacity});
        }
        // The renderer takes the first of overlaid bodies as the solid one.
        if (look.layout == Layout::overlaid && look.solid > 0 && look.solid < static_cast<int>(views.size()))
            std::rotate(views.begin(), views.begin() + look.solid, views.begin() + look.solid + 1);
        drawn = renderer_->draw(views, look.layout, look.camera, look.view, width, height);
    }
    if (!drawn) return drawn.error();
    Image picture = renderer_->picture();
    if (look.legends) add_legends(picture, bodies, look, renderer_->colour_scale(), lettering_);
    return picture;
}

}  // namespace wobble
