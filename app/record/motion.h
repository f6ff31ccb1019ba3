#pragma once
// The motion of a World as files other programs read: frames at the simulated times 0, 1/fps, 2/fps, ... from where it is.
#include "app/record/motion_writer.h"
#include "app/viewer/view_options.h"
#include "engine/core/progress.h"

namespace wobble {

class World;

struct MotionOptions {
    int fps = 30;
    double seconds = 4;  // simulated; round(fps * seconds) frames
    RecordTarget target;
    ViewOptions view = {};  // its field, or strain, goes into formats that have fields
};

struct MotionReport {
    std::filesystem::path path;  // the name really taken
    int frames = 0;
    bool cancelled = false;  // by the progress; the motion so far is complete in itself
};

// Judges everything that can be judged before the work and takes the name.
Result<std::unique_ptr<MotionWriter>> open_motion(const MotionOptions&);
Result<MotionReport> record_motion(MotionWriter&, World&, const MotionOptions&, const Progress& = {});

}  // namespace wobble
