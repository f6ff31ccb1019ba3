#pragma once
// The recording section: what is wanted, and how far it is; see record/recorder.h.
#include <string>

namespace wobble {

enum class RecordFormat { mp4, png, pc2, ply, obj, vtu };

struct RecordState {
    // What the user has chosen.
    RecordFormat format = RecordFormat::mp4;
    int width = 1280, height = 720, fps = 30;
    bool with_ui = false;      // pictures of the whole window instead of the body alone
    double seconds = 0;        // simulated; 0: until stopped
    std::string out = "wobble";  // without suffix; numbered, never overwrites

    // What is going on.
    bool recording = false;
    int frames = 0;
    double began_at = 0;   // s, simulated
    std::string path;      // the name really taken, of this recording or the last one
    std::string message;   // where the last one is, or what went wrong

    // Wishes, taken by the window once per frame.
    bool start_now = false, start_from_beginning = false, stop = false, screenshot = false;
};

}  // namespace wobble
