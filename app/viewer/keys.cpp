#include "app/viewer/keys.h"

#include <algorithm>

namespace wobble {

namespace {

using Shot = const Snapshot&;
using Ui = UiState&;
using Post = const PostCommand&;

constexpr const char *motion = "Motion", *look = "View", *files = "Files and films", *pages = "Pages";

constexpr KeyBinding table[] = {
    {motion, "Space", "play, pause", Key::space, false, false, [](Shot s, Ui, Post post) { s.running ? post(Pause{}) : post(Play{}); }},
    {motion, "Right", "one step", Key::right_arrow, false, true, [](Shot, Ui, Post post) { post(StepOnce{}); }},
    {motion, "Left", "one step back", Key::left_arrow, false, true, [](Shot, Ui, Post post) { post(StepBack{}); }},
    {motion, "R", "back to the start", Key::r, false, false, [](Shot, Ui, Post post) { post(Reset{}); }},
    {motion, "+", "twice as fast", Key::plus, false, false, [](Shot s, Ui, Post post) { post(SetSpeed{std::min(16.0, 2 * s.speed)}); }},
    {motion, "-", "half as fast", Key::minus, false, false,
     [](Shot s, Ui, Post post) { post(SetSpeed{std::max(1.0 / 64, 0.5 * s.speed)}); }},
    {motion, "C", "compare integrators, end it", Key::c, false, false,
     [](Shot, Ui ui, Post) { (ui.compare.on ? ui.compare.stop : ui.compare.start) = true; }},

    {look, "F", "frame the body", Key::f, false, false, [](Shot, Ui ui, Post) { ui.frame_body = true; }},
    {look, "W", "wireframe", Key::w, false, false, [](Shot, Ui ui, Post) { ui.view.wireframe = !ui.view.wireframe; }},
    {look, "T", "tetrahedra", Key::t, false, false, [](Shot, Ui ui, Post) { ui.view.tets = !ui.view.tets; }},
    {look, "Tab", "hide or show the panels", Key::tab, false, false, [](Shot, Ui ui, Post) { ui.show_ui = !ui.show_ui; }},
    {look, "F11", "full screen", Key::f11, false, false, [](Shot, Ui ui, Post) { ui.interface.full_screen = !ui.interface.full_screen; }},

    {files, "Ctrl + O", "open a mesh or a scene", Key::o, true, false, [](Shot, Ui ui, Post) { ui.show_open = true; }},
    {files, "Ctrl + S", "save the scene", Key::s, true, false, [](Shot, Ui ui, Post) { ui.scene.show_save = true; }},
    {files, "Ctrl + P", "save a picture", Key::p, true, false, [](Shot, Ui ui, Post) { ui.record.screenshot = true; }},
    {files, "V", "record, stop recording", Key::v, false, false,
     [](Shot, Ui ui, Post) { (ui.record.recording ? ui.record.stop : ui.record.start_now) = true; }},
    {files, "Ctrl + Q", "quit", Key::q, true, false, [](Shot, Ui ui, Post) { ui.quit = true; }},

    {pages, "F1", "this list", Key::f1, false, false, [](Shot, Ui ui, Post) { ui.show_help = !ui.show_help; }},
    {pages, "F3", "timings", Key::f3, false, false, [](Shot, Ui ui, Post) { ui.interface.show_timings = !ui.interface.show_timings; }},
    {pages, "F4", "studies", Key::f4, false, false, [](Shot, Ui ui, Post) { ui.studies.show = !ui.studies.show; }},
    {pages, "Escape", "close what is open", Key::escape, false, false,
     [](Shot, Ui ui, Post) {
         ui.show_help = ui.show_open = ui.studies.show = ui.scene.show_save = ui.scene.show_report = ui.scene.show_import = false;
     }},
};

constexpr MouseGesture mouse[] = {{"Left drag", "turn the view"},
                                  {"Right drag, Shift drag", "move the view"},
                                  {"Wheel", "closer, farther"},
                                  {"Double click", "turn around this point"},
                                  {"Ctrl + left drag", "grab the body, also paused; or move an obstacle"},
                                  {"Ctrl + right click", "pin this place, unpin it"},
                                  {"Drop a file", "open it"},
                                  {"Drag a value", "change it (Shift: finely)"},
                                  {"Click a value", "type it"},
                                  {"Right click a value", "back to the scene's"}};

}  // namespace

std::span<const KeyBinding> key_bindings() { return table; }
std::span<const MouseGesture> mouse_gestures() { return mouse; }

}  // namespace wobble
