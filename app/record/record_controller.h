#pragma once
// What the window does about recording, once per display frame: takes the wishes of RecordState, starts and stops the recorder, shows how
// far it is, saves screenshots and run logs in the background.
#include "app/record/file_jobs.h"
#include "app/record/recorder.h"
#include "app/runs/simulation_group.h"
#include "app/window/ui_state.h"

namespace wobble {

struct WindowPixels {
    int width = 1, height = 1;            // of the whole window
    int view_width = 1, view_height = 1;  // of its 3D view
};

class RecordController {
public:
    // After the panels and before the picture is drawn. `runs_look`: colours of the runs of a comparison.
    void frame(UiState&, SimulationGroup&, const Snapshot& now, const WindowPixels&, const std::vector<FilmLook::Run>& runs_look = {});

    // Films with the UI: when not empty, these states are to be drawn in this frame instead of the newest, and the window's picture given
    // to add_ui_frame.
    FrameBarrier::Set ui_frame_wanted() const { return recorder_.ui_frame_wanted(); }
    void add_ui_frame(Image picture) { recorder_.add_ui_frame(std::move(picture)); }

    void keep_screenshot(Image);  // what ui.record.screenshot asked for: of the 3D view, or of the whole window
    bool busy() const { return recorder_.busy(); }
    void leave() { recorder_.leave(); }      // the window wants to close: no more frames, the rest is written
    void abandon() { recorder_.abandon(); }  // and not even that

private:
    void start(UiState&, SimulationGroup&, const Snapshot& now, const WindowPixels&, const FilmLook&, bool from_beginning);
    void save_log(const SimulationGroup&);

    Recorder recorder_;
    FileJobs errands_;
    bool filming_ = false;  // the runs offer their frames
    int runs_ = 1;          // that are recorded
};

}  // namespace wobble
