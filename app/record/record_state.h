#pragma once
// The recording section: what is wanted, and how far it is; see record/record_desk.h.
#include "app/record/record_format.h"

#include <string>

namespace wobble {

struct RecordState {
    // What the user has chosen.
    RecordFormat format = RecordFormat::mp4;
    int width = 1280, height = 720, fps = 30;
    bool window_size = false;    // the film is as large as the window's 3D view, whatever width and height say
    bool with_ui = false;        // pictures of the whole window instead of the body alone
    bool legends = true;         // pictures of the body alone have the scale of its colours, and the names of compared runs
    double seconds = 0;          // simulated; 0: until stopped
    std::string out = "wobble";  // without suffix; numbered, never overwrites
    bool screenshot_with_ui = false;

    // What is going on.
    bool recording = false;  // frames are being taken, or the last of them written
    bool finishing = false;  // no more are taken
    int frames = 0;          // written
    double fraction = 0;     // of the length asked for; 0 if there is none
    double megabytes = 0;    // on disk
    double began_at = 0;     // s, simulated
    std::string path;        // the name really taken, of this recording or the last one
    std::string message;     // where the last one is, or what went wrong
    bool failed = false;     // the message is a complaint
    bool motion = false;     // snapshots must carry what moving meshes need, whatever the view shows

    // Wishes, taken by the window once per frame.
    bool start_now = false, start_from_beginning = false, stop = false, screenshot = false, save_log = false;
};

}  // namespace wobble
