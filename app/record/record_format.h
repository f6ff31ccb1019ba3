#pragma once
// What a motion can be recorded as: the one list of formats, and which of them a name means.
#include "engine/core/result.h"
#include "engine/view/view_options.h"

#include <filesystem>
#include <optional>
#include <span>

namespace wobble {

struct RecordFormatInfo {
    RecordFormat kind;
    const char* id;      // as on the command line and in record_format_names()
    const char* label;   // for people
    const char* suffix;  // of the name that is taken; empty: a folder of numbered files
    bool film;           // pictures, not the moving mesh
    const char* advice;  // what it is good for, where it is read
};
std::span<const RecordFormatInfo> record_formats();
const RecordFormatInfo& info_of(RecordFormat);

struct RecordTarget {
    RecordFormat format;
    std::filesystem::path out;  // with the format's suffix, or a folder
};
// x.mp4, x.gif, x.webp, x.pc2, x.pvd, x.usda and x.glb say it themselves; x.ply, x.obj and x.vtu mean a sequence under the name x; a name
// without an ending is a folder of PNG pictures; another ending is an error that names the known ones. A format that is asked for must not
// contradict the name.
Result<RecordTarget> record_target(const std::filesystem::path& out, std::optional<RecordFormat> asked);

// Of a picture without an explicit size: the next smaller one the format can have.
int fitting_side(int pixels, RecordFormat);

}  // namespace wobble
