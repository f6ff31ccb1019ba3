#include "app/window/viewport.h"

#include "app/runs/run_colours.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr float ghost = 0.45f;  // opacity of the runs behind the active one

float linear(int byte) { return std::pow(static_cast<float>(byte) / 255.0f, 2.2f); }

std::vector<std::uint8_t> marks(const FaultyMesh& faulty, int finding) {
    std::vector<std::uint8_t> marked(faulty.surface.triangles.size(), 0);
    for (int i = 0; i < static_cast<int>(faulty.report.findings.size()); ++i)
        if (finding < 0 || finding == i)
            for (const int face : faulty.report.findings[static_cast<std::size_t>(i)].faces)
                if (face >= 0 && face < static_cast<int>(marked.size())) marked[static_cast<std::size_t>(face)] = 1;
    return marked;
}

// A snapshot that only says otherwise whether time goes on is no reason to draw.
bool same_picture(const std::shared_ptr<const Snapshot>& a, const std::shared_ptr<const Snapshot>& b) {
    if (a == b || !a || !b) return a == b;
    return a->scene == b->scene && a->surface == b->surface && a->step == b->step && a->t == b->t && a->commands == b->commands &&
           a->state_hash == b->state_hash;
}

}  // namespace

bool Viewport::Drawn::operator==(const Drawn& other) const {
    return std::equal(shown.begin(), shown.end(), other.shown.begin(), other.shown.end(), same_picture) && faulty == other.faulty &&
           finding == other.finding && layout == other.layout && active == other.active && camera == other.camera && view == other.view &&
           width == other.width && height == other.height;
}

Result<std::unique_ptr<Viewport>> Viewport::make() {
    auto renderer = Renderer::make();
    if (!renderer) return renderer.error();
    return std::unique_ptr<Viewport>(new Viewport(std::move(renderer).value()));
}

Vec3f body_colour(int run, int runs, const ViewOptions& view) {
    if (runs < 2) return view.colour;
    const Colour c = run_colour(run);
    return {linear(c.r), linear(c.g), linear(c.b)};
}

std::vector<BodyView> body_views(const FrameBarrier::Set& shown, const UiState& ui) {
    std::vector<BodyView> views;
    const int count = static_cast<int>(shown.size());
    for (int i = 0; i < count; ++i)
        if (shown[static_cast<std::size_t>(i)])
            views.push_back({shown[static_cast<std::size_t>(i)], body_colour(i, count, ui.view),
                             ui.compare.layout == Layout::overlaid && i != ui.compare.active ? ghost : 1.0f});
    // The renderer takes the first of overlaid bodies as the solid one.
    if (ui.compare.layout == Layout::overlaid && ui.compare.active > 0 && ui.compare.active < static_cast<int>(views.size()))
        std::rotate(views.begin(), views.begin() + ui.compare.active, views.begin() + ui.compare.active + 1);
    return views;
}

bool Viewport::draw(const FrameBarrier::Set& shown, UiState& ui, int width, int height, PictureDetail detail) {
    width_ = std::max(1, width), height_ = std::max(1, height);
    ViewOptions view = ui.view;
    if (detail != PictureDetail::fine) view.samples = 1, view.shadow_side /= 2;
    const int share = detail == PictureDetail::coarse ? 2 : 1;
    Drawn wanted{shown,
                 ui.scene.faulty,
                 ui.scene.faulty ? ui.scene.faulty->selected : -1,
                 ui.compare.layout,
                 ui.compare.active,
                 ui.camera,
                 view,
                 (width_ + share - 1) / share,
                 (height_ + share - 1) / share};
    if (wanted == drawn_) return false;
    Result<void> done;
    if (wanted.faulty)
        done = renderer_->draw_surface(wanted.faulty->surface, marks(*wanted.faulty, wanted.finding), ui.camera, view, wanted.width,
                                       wanted.height);
    else  // also one body: the renderer keeps what it has sent of a shared snapshot while only the camera moves
        done = renderer_->draw(body_views(shown, ui), wanted.layout, ui.camera, view, wanted.width, wanted.height);
    if (!done) ui.loading.error = done.message();
    drawn_ = std::move(wanted);
    return true;
}

}  // namespace wobble
