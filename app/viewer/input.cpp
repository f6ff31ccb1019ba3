#include "app/viewer/input.h"

#include "app/viewer/picking.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {
constexpr double double_click_seconds = 0.4;
constexpr float double_click_pixels = 5;
}  // namespace

struct Input::Context {
    const Wanted& wanted;
    const ViewRect& viewport;
    const Snapshot& snapshot;
    UiState& ui;
    const PostCommand& post;

    Ray ray(float x, float y) const {
        return ui.camera.ray(x - static_cast<float>(viewport.x), y - static_cast<float>(viewport.y), viewport.width, viewport.height);
    }
};

void Input::handle(const std::vector<InputEvent>& events, const Wanted& wanted, const ViewRect& viewport, const Snapshot& snapshot,
                   UiState& ui, const PostCommand& post) {
    const Context context{wanted, viewport, snapshot, ui, post};
    for (const InputEvent& event : events) std::visit([&](const auto& e) { on(e, context); }, event);
}

// A press on a body selects it; the panels then speak of that one.
void Input::select_body(const MousePress& press, const Context& c) {
    if (!c.snapshot.scene || c.snapshot.scene->scene.count() < 2) return;
    if (const auto hit = pick(c.snapshot, c.ray(press.x, press.y))) c.ui.body = c.snapshot.scene->body_of_triangle(hit->triangle);
}

void Input::take_obstacle(int index, const Vec3f& point, const Context& c) {
    const Vec3 position = c.snapshot.obstacle_poses[static_cast<std::size_t>(index)].position;
    drag_ = Drag::obstacle;
    obstacle_ = index, grabbed_ = point, from_point_ = position.cast<float>() - point;
    c.ui.contact.selected = index;
    c.post(DragObstacle{index, position});
}

void Input::on(const MousePress& press, const Context& c) {
    x_ = press.x;
    y_ = press.y;
    if (c.wanted.mouse || drag_ != Drag::none) return;
    button_ = press.button;
    const bool again = press.button == Button::left && last_press_.button == Button::left &&
                       press.time - last_press_.time < double_click_seconds &&
                       std::hypot(press.x - last_press_.x, press.y - last_press_.y) < double_click_pixels;
    last_press_ = press;
    select_body(press, c);
    if (press.button == Button::left && press.ctrl) {
        const auto hit = pick(c.snapshot, c.ray(press.x, press.y));
        const auto obstacle = pick_obstacle(c.snapshot, c.ray(press.x, press.y));
        if (obstacle && (!hit || obstacle->distance < hit->distance)) return take_obstacle(obstacle->index, obstacle->point, c);
        if (!hit) return;
        grabbed_ = hit->point;
        drag_ = Drag::grab;
        c.post(Grab{hit->triangle, hit->barycentric, hit->point.cast<double>()});
    } else if (press.button == Button::right && press.ctrl) {
        if (const auto hit = pick(c.snapshot, c.ray(press.x, press.y))) c.post(TogglePin{hit->triangle, hit->barycentric});
    } else if (again) {
        if (const auto hit = pick(c.snapshot, c.ray(press.x, press.y))) c.ui.camera.target = hit->point;
    } else drag_ = press.button == Button::left && !press.shift ? Drag::orbit : Drag::pan;
}

void Input::on(const MouseRelease& release, const Context& c) {
    if (drag_ == Drag::none || release.button != button_) return;
    if (drag_ == Drag::grab) c.post(Release{});
    if (drag_ == Drag::obstacle) c.post(ReleaseObstacle{});
    drag_ = Drag::none;
}

void Input::on(const MouseMove& move, const Context& c) {
    const float dx = move.x - x_, dy = move.y - y_;
    x_ = move.x;
    y_ = move.y;
    if (drag_ == Drag::orbit) c.ui.camera.orbit(dx, dy, c.viewport.height);
    if (drag_ == Drag::pan) c.ui.camera.pan(dx, dy, c.viewport.width, c.viewport.height);
    if (drag_ == Drag::grab) {
        grabbed_ = drag_point(c.ui.camera, c.ray(move.x, move.y), grabbed_);
        c.post(MoveGrab{grabbed_.cast<double>()});
    }
    if (drag_ == Drag::obstacle) {
        grabbed_ = drag_point(c.ui.camera, c.ray(move.x, move.y), grabbed_);
        c.post(DragObstacle{obstacle_, (grabbed_ + from_point_).cast<double>()});
    }
}

void Input::on(const MouseWheel& wheel, const Context& c) {
    if (!c.wanted.mouse) c.ui.camera.zoom(std::clamp(wheel.notches, -5.0f, 5.0f));
}

void Input::on(const KeyPress& press, const Context& c) {
    if (c.wanted.keyboard) return;
    for (const KeyBinding& binding : key_bindings())
        if (binding.key == press.key && binding.ctrl == press.ctrl && (binding.repeats || !press.repeat))
            return binding.act(c.snapshot, c.ui, c.post);
}

void Input::on(const FileDrop& drop, const Context& c) { c.ui.open = drop.path; }

}  // namespace wobble
