#pragma once
// What pictures of a scene show, and what is recorded of it: the parts of a scene that change nothing about its motion. Plain values.
#include "engine/core/types.h"
#include "engine/view/field.h"

#include <optional>
#include <span>

namespace wobble {

enum class Look { rubber, clay, porcelain, metal, jelly };
struct LookInfo {
    Look kind;
    const char* id;
    const char* label;
    const char* advice;
};
std::span<const LookInfo> looks();  // the one list

struct AxisName {
    int kind;
    const char* id;
};
std::span<const AxisName> view_axes();  // of the cutting plane

struct ViewOptions {
    bool wireframe = false;
    bool ground = true;
    bool shadow = true;
    bool highlight_pins = true;
    bool contacts = false;                        // where bodies are touched, and what they are pushed with
    bool dark = false;                            // the room
    int samples = 4;                              // per pixel: 1 is faster, 4 has smooth edges; the computer's affair, not the scene's
    int shadow_side = 1024;                       // texels of the shadow map: 512 is faster, and blurs a little more; as samples
    Vec3f colour = Vec3f(0.78f, 0.175f, 0.075f);  // of the body, linear
    bool file_colours = true;                     // the body's own instead, where its file has some
    Look look = Look::rubber;
    Field field = Field::none;  // colours the body
    float field_high = 0;       // the value at the colour bar's upper end; 0: follows the motion
    bool tets = false;          // instead of the surface; a sheet has none and is drawn as ever
    float cut = 0.5f;           // share of the body's extent that is cut away from them, 0 to 1
    int cut_axis = 0;           // 0, 1, 2: along x, y, z
    bool cut_low_side = false;  // cut away from the low end of the axis; else from the high end
    bool operator==(const ViewOptions&) const = default;
};

enum class RecordFormat { mp4, png, gif, webp, pc2, ply, obj, vtu, usda, glb };
struct RecordFormatName {
    RecordFormat kind;
    const char* id;
};
std::span<const RecordFormatName> record_format_names();  // the one list; what they are: app/record/record_format.h

struct RecordingOptions {
    int fps = 30;
    int width = 1280, height = 720;
    double seconds = 4;
    // Said by the viewer when it saves a scene. Only with a format does opening the scene change the section Record.
    std::optional<RecordFormat> format = {};
    bool until_stopped = false;  // in the viewer, whatever `seconds` says
    bool window_size = false;    // in the viewer as large as its 3D view
    bool panels = false;         // in the viewer pictures of the whole window
    bool legends = true;         // the colours' scale and the names of compared runs in the picture
    bool operator==(const RecordingOptions&) const = default;
};

}  // namespace wobble
