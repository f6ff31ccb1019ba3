#pragma once
// Every panel: shows the snapshot, changes what belongs to the window in UiState, posts commands for everything else.
// Called on the UI thread between ImGui's NewFrame and Render. To add one: a file here, a line here, a call in side_panel.cpp.
#include "app/window/ui_state.h"
#include "engine/sim/frame_barrier.h"
#include "engine/sim/snapshot.h"

namespace wobble {

int selected_body(const Snapshot&, const UiState&);  // one that is there
void body_choice(const Snapshot&, UiState&);         // which body a panel speaks of, where there are several

void scene_panel(const Snapshot&, UiState&, const PostCommand&);
void material_panel(const Snapshot&, UiState&, const PostCommand&);
void integrator_panel(const Snapshot&, UiState&, const PostCommand&);
void playback_panel(const Snapshot&, UiState&, const PostCommand&);
void compare_panel(const Snapshot&, UiState&, const PostCommand&);
void contact_panel(const Snapshot&, UiState&, const PostCommand&);
void add_mesh(const std::string& file, const Snapshot&, UiState&, const PostCommand&);  // as an obstacle
void view_panel(const Snapshot&, UiState&, const PostCommand&);
void record_panel(const Snapshot&, UiState&, const PostCommand&);
void interface_panel(const Snapshot&, UiState&, const PostCommand&);

void side_panel(const Snapshot&, UiState&, const PostCommand&);  // the sections above, in a column on the left
void plot_panel(const Snapshot&, UiState&, const PostCommand&);  // the plot strip at the bottom
void status_bar(const Snapshot&, UiState&, const PostCommand&);
void message_banner(const Snapshot&, UiState&, const PostCommand&);  // divergence, refused commands, failed loads; progress of loading
void open_dialog(const Snapshot&, UiState&, const PostCommand&);
void save_dialog(const Snapshot&, UiState&, const PostCommand&);
void mesh_report_panel(const Snapshot&, UiState&, const PostCommand&);  // at the right edge of the 3D view
void import_card(const Snapshot&, UiState&, const PostCommand&);        // of a mesh file: size, axis, pins, resolution; over the 3D view
void studies_panel(const Snapshot&, UiState&, const PostCommand&);      // the page over the 3D view
void help_overlay(const Snapshot&, UiState&, const PostCommand&);
void timings_overlay(const Snapshot&, UiState&, const PostCommand&);                        // F3
void compare_labels(const FrameBarrier::Set& shown, const ViewRect& view, const UiState&);  // over the 3D view

// The room the fixed panels take, in window coordinates.
struct PanelSizes {
    float side = 0, strip = 0, status = 0;
};
PanelSizes panel_sizes(const UiState&, float window_width, float window_height);

}  // namespace wobble
